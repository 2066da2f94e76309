// The playground: after every change the server computes the value and its steps for a list of grades.
const chosen = { rules: {} };
let latest = 0, timer = null; // number of the latest request
let stepsText = null; // the steps shown, as Markdown

function field(id) { return document.getElementById(id); }

function inputs() {
  const name = field("metric").value, k = field("cutoff").value;
  const metric = canCut() && k ? `${name}@${k}` : name;
  return { grades: field("grades").value, missed: field("missed").value, scores: field("scores").value,
    metric, convention: field("convention").value, rules: chosen.rules };
}

function canCut() { return field("metric").selectedOptions[0].dataset.cut !== undefined; }

function updateSoon() {
  clearTimeout(timer);
  timer = setTimeout(update, 120);
}

async function update() {
  const number = ++latest, sent = inputs();
  field("cutoff").disabled = !canCut();
  root.dataset.loading = "";
  field("explanations").replaceChildren();
  showBlocks();
  put(field("copied"));
  if (number > 1 && root.dataset.view === "playground") history.replaceState(null, "", link());
  try {
    const result = await request("/api/explain", sent);
    if (number !== latest) return;
    showValue(result, sent);
    stepsText = new Phrase(...result.copy);
    for (const id of ["copy-steps", "copy-link"]) field(id).disabled = false;
    put(field("how"), ...result.steps.map(build));
    showRules(field("rules"), result.rules, result.value, chooseRule);
    await showTools(number, sent, result.value);
  } catch (reason) {
    if (number !== latest) return;
    for (const id of ["how", "rules", "tools"]) field(id).replaceChildren();
    for (const id of ["copy-steps", "copy-link"]) field(id).disabled = true;
    showError(field("value"), reason);
  } finally {
    if (number === latest) delete root.dataset.loading;
  }
  applyLanguage(field("view-playground"));
}

function chooseRule(name, text) {
  chosen.rules = { ...chosen.rules, [name]: text };
  update();
}

async function showTools(number, sent, value) {
  try {
    const tools = await request("/api/tools", sent);
    if (number !== latest) return;
    put(field("tools"), ...tools.map(build));
    markCurrent(value);
  } catch (reason) {
    if (number === latest) showError(field("tools"), reason);
  }
}

function showValue(result, sent) {
  const tool = field("convention").selectedOptions[0].dataset, base = tool.en ? new Phrase(tool.en, tool.zh) : sent.convention;
  const value = result.value === null ? message("no value") : fixed(result.value);
  const parts = [el("p", { class: "big" }, `${result.metric} = `, el("strong", { id: "number-now" }, value))];
  if (Object.keys(sent.rules).length) {
    const change = result.value === null || result.before === null ? null : result.value - result.before;
    parts.push(el("p", { class: "changed" },
      change === null || Math.abs(change) < 1e-12 ? message("same", { tool: base })
        : message("moved", { before: fixed(result.before), change: fixed(change, { signed: true }), tool: base }),
      " ", el("button", { type: "button", id: "reset", click: () => { chosen.rules = {}; update(); } }, message("reset"))));
  }
  parts.push(el("p", { class: "small" }, new Phrase(...result.line)));
  put(field("value"), ...parts);
}

// Highlight the tools that give the value shown.
function markCurrent(value) {
  for (const row of field("tools").querySelector("tbody")?.rows ?? []) {
    const text = row.cells[0].textContent, digits = text.split(".")[1]?.length ?? 0;
    row.classList.toggle("mine", value !== null && value.toFixed(digits) === text);
  }
}

// The list as blocks; a click swaps an item with the one above it.
function showBlocks() {
  const grades = field("grades").value.trim().split(/[\s,，、;；]+/).filter(Boolean), home = field("blocks");
  const fine = grades.length > 1 && grades.length <= 30 && grades.every((text) => text.length <= 6);
  const focused = home.contains(document.activeElement) ? Number(document.activeElement.dataset.place) : null;
  put(home, ...(fine ? grades.map((text, place) => {
    const value = Number(text), level = Number.isNaN(value) ? "g-none" : value < 0 ? "below" : `g${Math.min(10, Math.round(value))}`;
    return el("button", { type: "button", class: `block grade ${level}`, "data-place": place, disabled: place === 0,
      "aria-label": message("move up", { rank: place + 1, grade: text }), click: () => moveUp(grades, place) }, text.replace(/^-(?=\d)/, "−"));
  }) : []), fine ? el("span", { class: "small" }, message("click to move")) : null);
  if (focused !== null) home.children[Math.max(focused, 1)]?.focus();
}

function moveUp(grades, place) {
  const scores = field("scores").value.trim().split(/[\s,，、;；]+/);
  for (const all of [grades, ...(scores.length === grades.length ? [scores] : [])]) [all[place - 1], all[place]] = [all[place], all[place - 1]];
  field("grades").value = grades.join(" ");
  update();
  document.querySelector(`[data-place="${Math.max(place - 1, 1)}"]`)?.focus();
}

async function findPrinted(event) {
  event.preventDefault();
  const home = field("explanations"), number = latest;
  put(home, el("p", { class: "small" }, message("searching")));
  root.dataset.loading = "";
  try {
    const result = await request("/api/printed", { ...inputs(), printed: field("printed").value });
    if (number === latest) put(home, ...result.map(build));
  } catch (reason) {
    showError(home, reason);
  } finally {
    if (number === latest) delete root.dataset.loading;
  }
}

function useExample(example) {
  for (const id of ["grades", "missed", "scores", "metric", "printed"]) field(id).value = example[id];
  field("cutoff").value = example.k ?? "";
  field("convention").value = "default";
  field("scores").closest("details").open = example.scores !== "";
  chosen.rules = { ...example.rules };
  for (const button of document.querySelectorAll("#examples button")) button.setAttribute("aria-pressed", String(button.example === example));
  return update();
}

// The address of what is shown: whoever opens it sees the same list, metric, rules and language.
const LINKED = { grades: "grades", missed: "missed", scores: "scores", metric: "metric", k: "cutoff", convention: "convention", printed: "printed" };

function link() {
  const state = new URLSearchParams();
  for (const [name, id] of Object.entries(LINKED)) if (field(id).value && !field(id).disabled) state.append(name, field(id).value);
  for (const [name, text] of Object.entries(chosen.rules)) state.append("rule", `${name}=${text}`);
  state.append("lang", root.lang);
  return `#playground?${state}`;
}

// Show what a link holds; false for an address without a state, or with the state that is already shown.
function openLink() {
  const text = location.hash.startsWith("#playground?") ? location.hash.slice("#playground?".length) : "";
  if (!text || location.hash === link()) return false;
  const state = new URLSearchParams(text);
  for (const [name, id] of Object.entries(LINKED)) {
    const value = state.get(name) ?? (id === "convention" ? "default" : "");
    if (field(id).tagName !== "SELECT" || [...field(id).options].some((option) => option.value === value)) field(id).value = value;
  }
  chosen.rules = Object.fromEntries(state.getAll("rule").map((rule) => [rule.split("=")[0], rule.slice(rule.indexOf("=") + 1)]));
  setAppearance(state.get("lang"));
  applyLanguage();
  field("scores").closest("details").open = field("scores").value !== "";
  for (const button of document.querySelectorAll("#examples button")) button.setAttribute("aria-pressed", "false");
  return true;
}

// Without access to the clipboard the text is shown, selected.
async function copy(text) {
  const home = field("copied");
  try {
    await navigator.clipboard.writeText(text);
    put(home, message("copied"));
  } catch {
    const area = el("textarea", { readonly: true, rows: 3, "aria-label": message("copy this") });
    area.value = text;
    put(home, message("copy this"), area);
    area.select();
  }
}

function preparePlayground() {
  put(field("examples"), ...START.examples.map((example) => {
    const button = el("button", { type: "button", class: "chip", "aria-pressed": "false", click: () => useExample(example) }, new Phrase(...example.name));
    button.example = example;
    return button;
  }));
  for (const id of ["grades", "missed", "scores", "cutoff"]) field(id).addEventListener("input", updateSoon);
  for (const id of ["metric", "convention"]) field(id).addEventListener("change", () => { chosen.rules = {}; update(); });
  field("try").addEventListener("submit", (event) => { event.preventDefault(); update(); });
  field("number").addEventListener("submit", findPrinted);
  field("copy-steps").addEventListener("click", () => copy(stepsText.current));
  field("copy-link").addEventListener("click", () => {
    history.replaceState(null, "", link());
    copy(location.href);
  });
  addEventListener("hashchange", () => { if (openLink()) update(); });
  return openLink() ? update() : useExample(START.examples[0]);
}
