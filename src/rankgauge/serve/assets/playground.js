// One list of grades: whatever is changed, the server computes, and the page shows how the number comes about.
const chosen = { rules: {} };
let asking = 0, soon = null;

function field(id) { return document.getElementById(id); }

function question() {
  const name = field("metric").value, k = field("cutoff").value;
  const metric = canCut() && k ? `${name}@${k}` : name;
  return { grades: field("grades").value, missed: field("missed").value, scores: field("scores").value,
    metric, convention: field("convention").value, rules: chosen.rules };
}

function canCut() { return field("metric").selectedOptions[0].dataset.cut !== undefined; }

function askSoon() {
  clearTimeout(soon);
  soon = setTimeout(askNow, 120);
}

async function askNow() {
  const number = ++asking, asked = question();
  field("cutoff").disabled = !canCut();
  root.dataset.asking = "";
  field("explanations").replaceChildren();
  showBlocks();
  try {
    const found = await ask("/api/explain", asked);
    if (number !== asking) return;
    showValue(found, asked);
    put(field("how"), ...found.steps.map(built));
    showRules(field("rules"), found.rules, found.value, chooseRule);
    await showTools(number, asked, found.value);
  } catch (reason) {
    if (number !== asking) return;
    for (const id of ["how", "rules", "tools"]) field(id).replaceChildren();
    complain(field("value"), reason);
  } finally {
    if (number === asking) delete root.dataset.asking;
  }
  speakNow(field("view-playground"));
}

function chooseRule(name, text) {
  chosen.rules = { ...chosen.rules, [name]: text };
  askNow();
}

async function showTools(number, asked, value) {
  try {
    const tools = await ask("/api/tools", asked);
    if (number !== asking) return;
    put(field("tools"), ...tools.map(built));
    markMine(value);
  } catch (reason) {
    if (number === asking) complain(field("tools"), reason);
  }
}

function showValue(found, asked) {
  const tool = field("convention").selectedOptions[0].dataset, base = tool.en ? new Said(tool.en, tool.zh) : asked.convention;
  const value = found.value === null ? say("no value") : fixed(found.value);
  const parts = [el("p", { class: "big" }, `${found.metric} = `, el("strong", { id: "number-now" }, value))];
  if (Object.keys(asked.rules).length) {
    const change = found.value === null || found.before === null ? null : found.value - found.before;
    parts.push(el("p", { class: "changed" },
      change === null || Math.abs(change) < 1e-12 ? say("same", { tool: base })
        : say("moved", { before: fixed(found.before), change: fixed(change, { signed: true }), tool: base }),
      " ", el("button", { type: "button", id: "reset", click: () => { chosen.rules = {}; askNow(); } }, say("reset"))));
  }
  parts.push(el("p", { class: "small" }, new Said(...found.line)));
  put(field("value"), ...parts);
}

// The line of the tools that have the number that is shown.
function markMine(value) {
  for (const row of field("tools").querySelector("tbody")?.rows ?? []) {
    const text = row.cells[0].textContent, digits = text.split(".")[1]?.length ?? 0;
    row.classList.toggle("mine", value !== null && value.toFixed(digits) === text);
  }
}

// The list as blocks: one click, and an item changes places with the one above it.
function showBlocks() {
  const grades = field("grades").value.trim().split(/[\s,，、;；]+/).filter(Boolean), home = field("blocks");
  const fine = grades.length > 1 && grades.length <= 30 && grades.every((text) => text.length <= 6);
  const focused = home.contains(document.activeElement) ? Number(document.activeElement.dataset.place) : null;
  put(home, ...(fine ? grades.map((text, place) => {
    const value = Number(text), level = Number.isNaN(value) ? "g-none" : value < 0 ? "below" : `g${Math.min(4, Math.round(value))}`;
    return el("button", { type: "button", class: `block grade ${level}`, "data-place": place, disabled: place === 0,
      "aria-label": say("move up", { rank: place + 1, grade: text }), click: () => moveUp(grades, place) }, text);
  }) : []), fine ? el("span", { class: "small" }, say("click to move")) : null);
  if (focused !== null) home.children[Math.max(focused, 1)]?.focus();
}

function moveUp(grades, place) {
  const scores = field("scores").value.trim().split(/[\s,，、;；]+/);
  for (const all of [grades, ...(scores.length === grades.length ? [scores] : [])]) [all[place - 1], all[place]] = [all[place], all[place - 1]];
  field("grades").value = grades.join(" ");
  askNow();
  document.querySelector(`[data-place="${Math.max(place - 1, 1)}"]`)?.focus();
}

async function findPrinted(event) {
  event.preventDefault();
  const home = field("explanations"), number = asking;
  put(home, el("p", { class: "small" }, say("searching")));
  root.dataset.asking = "";
  try {
    const found = await ask("/api/printed", { ...question(), printed: field("printed").value });
    if (number === asking) put(home, ...found.map(built));
  } catch (reason) {
    complain(home, reason);
  } finally {
    if (number === asking) delete root.dataset.asking;
  }
}

function useExample(one) {
  for (const id of ["grades", "missed", "scores", "metric", "printed"]) field(id).value = one[id];
  field("cutoff").value = one.k ?? "";
  field("convention").value = "default";
  field("scores").closest("details").open = one.scores !== "";
  chosen.rules = { ...one.rules };
  for (const button of document.querySelectorAll("#examples button")) button.setAttribute("aria-pressed", String(button.example === one));
  return askNow();
}

function preparePlayground() {
  put(field("examples"), ...START.examples.map((one) => {
    const button = el("button", { type: "button", class: "chip", "aria-pressed": "false", click: () => useExample(one) }, new Said(...one.name));
    button.example = one;
    return button;
  }));
  for (const id of ["grades", "missed", "scores", "cutoff"]) field(id).addEventListener("input", askSoon);
  for (const id of ["metric", "convention"]) field(id).addEventListener("change", () => { chosen.rules = {}; askNow(); });
  field("try").addEventListener("submit", (event) => { event.preventDefault(); askNow(); });
  field("number").addEventListener("submit", findPrinted);
  return useExample(START.examples[0]);
}
