// Keys, buttons and the beginning.
const KEYS = { ArrowLeft: () => move(-1), ArrowRight: () => move(1), z: takeBack, Z: takeBack, n: () => at("note").focus(), N: () => at("note").focus() };

function move(step) {
  if (state.place + step >= ROWS.length) showSummary();
  else showQuestion(state.place + step);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const writes = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "checkbox";
  if (writes) {
    if (event.target.id === "note" && (event.key === "Enter" || event.key === "Escape")) { event.preventDefault(); keepNote(); at("item-card").focus(); }
    return;
  }
  if (!at("keys").checked || !at("start").hidden) return;
  let act = KEYS[event.key];
  if (!at("summary").hidden) act = event.key === "ArrowLeft" ? () => showQuestion(ROWS.length - 1) : event.key.toLowerCase() === "z" ? takeBack : null;
  else if (/^[0-9]$/.test(event.key) && Number(event.key) <= SHEET.max_grade) act = () => answer(Number(event.key));
  else if (event.key === "u" || event.key === "U") act = () => answer(null);
  if (!act || event.repeat && !event.key.startsWith("Arrow")) return;
  event.preventDefault();
  act();
}

async function begin(event) {
  event.preventDefault();
  state.rater = at("rater").value.trim();
  if (!state.rater) return;
  state.storage = storageWorks();
  if (state.storage) {
    try { localStorage.setItem(`rankgauge/${SHEET.fingerprint}`, state.rater); } catch { state.storage = false; }
    loadStored();
    state.saved = answered() === 0;
  }
  if (SHEET.served) {
    try { await loadServed(); } catch { showSaved(); }
  }
  at("work").hidden = false;
  put(at("who"), idElement(state.rater));
  const first = LABELS.findIndex((_, number) => !isAnswered(number));
  if (first < 0) showSummary();
  else showQuestion(first);
  root.dataset.judging = "";
}

function gradeButton(name, grade, key) {
  const shown = grade === null ? message("cannot tell") : new Phrase(...name);
  return el("button", { type: "button", "data-grade": key, "aria-pressed": "false", "aria-keyshortcuts": key, click: () => answer(grade) }, el("kbd", {}, key), el("span", {}, shown));
}

function prepare() {
  prepareShell();
  for (const [grade, name] of SHEET.grades.entries()) at("grades").append(gradeButton(name, grade, String(grade)));
  at("grades").append(gradeButton(null, null, "u"));
  if (SHEET.guideline) put(at("guideline-text"), plainText(SHEET.guideline));
  else at("guideline").hidden = true;
  document.addEventListener("keydown", onKey);
  at("start").addEventListener("submit", begin);
  at("previous").addEventListener("click", () => move(-1));
  at("next").addEventListener("click", () => move(1));
  at("undo").addEventListener("click", takeBack);
  at("note").addEventListener("change", keepNote);
  at("back").addEventListener("click", () => showQuestion(nextPlace() ?? 0));
  at("end").addEventListener("click", showSummary);
  for (const button of document.querySelectorAll(".save")) button.addEventListener("click", saveFile);
  at("merge").addEventListener("change", (event) => mergeFiles(event.target.files));
  window.addEventListener("storage", (event) => { // another tab of the same assessor
    const prefix = `rankgauge/${SHEET.fingerprint}/${state.rater}/`;
    if (!state.rater || !event.key?.startsWith(prefix) || !event.newValue) return;
    const number = Number(event.key.slice(prefix.length)), label = JSON.parse(event.newValue);
    if (number in LABELS && isLabel(label)) LABELS[number] = label;
    if (!at("question").hidden) showProgress();
  });
  window.addEventListener("beforeunload", (event) => {
    if ((!state.storage && !state.saved && answered()) || state.unsent.size) event.preventDefault();
  });
  if (SHEET.part) at("rater").value = "adjudicator"; // whose grades combine="adjudicated" takes
  else try { at("rater").value = localStorage.getItem(`rankgauge/${SHEET.fingerprint}`) ?? ""; } catch { /* without storage the name is typed again */ }
  at("rater").focus();
  root.dataset.ready = "";
}
prepare();
})();
