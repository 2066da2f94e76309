// One question: the query and the guideline, the item, a button for each grade, a note.
const at = (id) => document.getElementById(id);

// Texts as they are, with line breaks; control and direction characters made visible.
function plainText(text) {
  return String(text).replace(/\r\n?/g, "\n").replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, (c) => c === "\n" || c === "\t" || c === "\u200d" ? c : neutral(c));
}

function textOf([id, text], longId) {
  const shown = plainText(text || id);
  return el("div", { class: "text", dir: "auto" }, shown, text && longId ? el("div", { class: "small" }, idElement(id)) : null);
}

function showQuestion(place, announce = true) {
  state.place = Math.max(0, Math.min(place, ROWS.length - 1));
  const [query, item] = ROWS[state.place], label = LABELS[state.place];
  at("start").hidden = at("summary").hidden = true;
  at("question").hidden = false;
  put(at("asked-query"), textOf(SHEET.queries[query], true));
  put(at("item"), textOf(SHEET.items[item], true));
  at("item").parentElement.scrollTop = 0;
  for (const button of at("grades").children) {
    const grade = button.dataset.grade === "u" ? null : Number(button.dataset.grade);
    button.setAttribute("aria-pressed", String(isAnswered(state.place) && label.grade === grade));
  }
  at("note").value = label?.note ?? "";
  at("previous").disabled = state.place === 0;
  showProgress();
  if (!announce) return;
  at("item-card").focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

function showProgress() {
  const done = answered(), [query] = ROWS[state.place];
  at("bar").max = ROWS.length;
  at("bar").value = done;
  put(at("progress"), message("progress", { done, total: ROWS.length }));
  put(at("position"), message("position", { place: state.place + 1, total: ROWS.length, query: QUERY_NUMBERS.get(query), queries: QUERY_NUMBERS.size }));
  showSaved();
}

const QUERY_NUMBERS = new Map();
for (const [query] of ROWS) if (!QUERY_NUMBERS.has(query)) QUERY_NUMBERS.set(query, QUERY_NUMBERS.size + 1);

function showSaved() {
  const key = SHEET.served ? (state.unsent.size ? "sending" : "sent")
    : state.handle ? "in file" : state.storage ? (state.saved ? "saved" : "in browser") : "not kept";
  put(at("saved"), message(key, { file: SHEET.served ?? "", count: state.unsent.size }));
  at("saved").classList.toggle("warning", key === "not kept" || (key === "sending" && state.unsent.size > 1));
}

function nextPlace() { // the next question without an answer, from here on and then from the beginning
  for (let step = 1; step <= ROWS.length; step++) {
    const number = (state.place + step) % ROWS.length;
    if (!isAnswered(number)) return number;
  }
  return null;
}

function answer(grade) {
  give(state.place, grade);
  const following = state.place + 1 < ROWS.length && !isAnswered(state.place + 1) ? state.place + 1 : nextPlace();
  if (following === null) showSummary();
  else showQuestion(following);
}

function takeBack() {
  const number = undo();
  if (number !== null) showQuestion(number);
}

function keepNote() {
  const label = LABELS[state.place], note = at("note").value;
  if ((label?.note ?? "") === note) return;
  if (isAnswered(state.place)) setLabel(state.place, { ...label, note, time: new Date().toISOString() });
  else LABELS[state.place] = { grade: null, note, time: new Date().toISOString(), withdrawn: true };
}
