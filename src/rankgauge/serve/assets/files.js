// Files that were dropped, and what came of them.
const MIB = 1 << 20, LOOK = 1 << 15;
let held = []; // { file, role }
let watching = null;
const shownState = new Map(); // what is shown of each evaluation, so that only what changed is built anew

async function hold(files) {
  for (const file of files) {
    const one = { file, role: "auto" };
    held.push(one);
    ask(`/api/look?name=${encodeURIComponent(file.name)}`, file.slice(0, LOOK)).then(({ role }) => { one.role = role; list(); }, () => list());
  }
  complainOfFiles(null);
  list();
}

function list() {
  put(field("listed"), ...held.map((one, place) => {
    const name = neutral(one.file.name);
    const select = el("select", { "aria-label": say("role", { name }), change: () => { one.role = select.value; } },
      ...["auto", "judgments", "ranking", "texts"].map((role) => option(role)));
    select.value = one.role;
    return el("div", { class: "held" }, el("bdi", { class: "held-name", title: name }, name),
      el("span", { class: "small" }, say("kib", { size: (one.file.size / 1024).toLocaleString("en", { maximumFractionDigits: 1 }) })), select,
      el("button", { type: "button", "aria-label": say("remove file", { name }), click: () => { held.splice(place, 1); list(); } }, "×"));
  }));
}

function option(role) {
  const both = say(role).both, made = el("option", { value: role }, both[language()]);
  [made.dataset.en, made.dataset.zh] = both;
  return made;
}

function complainOfFiles(said) {
  const home = field("complaint");
  home.hidden = said === null;
  put(home, said);
}

// What is asked of the files: metrics, the rules of a tool, and single rules that were changed.
const changed = { rules: {}, asking: 0 };

function wanted() {
  return { metrics: field("metrics-text").value.split(/[,，、;；](?![^(]*\))/).map((text) => text.trim()).filter(Boolean),
    convention: field("files-convention").value, rules: Object.entries(changed.rules).map(([name, text]) => `${name}=${text}`) };
}

async function showRulesOfFiles() {
  const number = ++changed.asking, home = field("files-rules");
  tellChanged();
  if (!field("single-rules").open) return;
  root.dataset.asking = "";
  try {
    const rules = await ask("/api/rules", wanted()), known = new Set(rules.map(({ name }) => name));
    if (number !== changed.asking) return;
    changed.rules = Object.fromEntries(Object.entries(changed.rules).filter(([name]) => known.has(name))); // a rule that moves none of the metrics any more
    tellChanged();
    showRules(home, rules, null, (name, text) => { changed.rules = { ...changed.rules, [name]: text }; showRulesOfFiles(); });
  } catch (reason) {
    if (number === changed.asking) complain(home, reason);
  } finally {
    if (number === changed.asking) delete root.dataset.asking;
  }
}

function tellChanged() {
  const { rules } = wanted();
  put(field("changed-rules"), ...(rules.length ? [el("code", {}, neutral(rules.join(" · "))),
    el("button", { type: "button", click: () => { changed.rules = {}; showRulesOfFiles(); } }, say("reset"))] : []));
}

// One request: a line of JSON that names the files, then their bytes; the browser reads them from the disk as it sends.
function send(event) {
  event.preventDefault();
  const size = held.reduce((sum, { file }) => sum + file.size, 0);
  if (!held.length) return complainOfFiles(say("nothing"));
  if (held.length > START.most) return complainOfFiles(say("too many", { most: START.most }));
  if (size > START.limit) return complainOfFiles(say("too large", { size: (size / MIB).toFixed(1), limit: START.limit / MIB }));
  complainOfFiles(null);
  const head = {
    ...wanted(), lenient: field("lenient").checked, lang: language() ? "zh" : "en",
    files: held.map(({ file, role }) => ({ name: file.name, role, size: file.size })),
  };
  const bar = el("progress", { max: 1, value: 0, "aria-label": say("sending") });
  const card = el("article", { class: "card evaluation" }, el("p", {}, say("sending")), bar);
  field("evaluations").prepend(card);
  const request = new XMLHttpRequest(); // fetch does not tell how far it has come
  request.open("POST", "/api/evaluations");
  request.setRequestHeader("x-rankgauge", "1");
  request.upload.addEventListener("progress", ({ loaded, total }) => { bar.value = total ? loaded / total : 0; });
  request.addEventListener("loadend", () => {
    card.remove();
    try {
      if (!request.status) throw new Unanswered(say("failed", { reason: "—" }));
      answered(request.status, request.responseText);
      watch();
    } catch (reason) {
      complainOfFiles(reason instanceof Unanswered ? reason.said : neutral(reason.message));
    }
  });
  request.send(new Blob([`${JSON.stringify(head)}\n`, ...held.map(({ file }) => file)]));
}

async function watch() {
  clearTimeout(watching);
  let all;
  try {
    all = await ask("/api/evaluations", null, "GET");
  } catch (reason) {
    return complainOfFiles(reason instanceof Unanswered ? reason.said : neutral(reason.message));
  }
  showEvaluations(all);
  if (all.some(({ state }) => state === "waiting" || state === "running")) watching = setTimeout(watch, 400);
}

function showEvaluations(all) {
  const home = field("evaluations");
  const known = new Set(all.map(({ id }) => id));
  for (const id of shownState.keys()) if (!known.has(id)) shownState.delete(id);
  const cards = all.map((one) => {
    const text = JSON.stringify(one), before = shownState.get(one.id);
    if (before && before.text === text) return before.card;
    const card = evaluation(one);
    shownState.set(one.id, { text, card });
    return card;
  });
  if (cards.length && cards.every((card, place) => home.children[place] === card) && home.children.length === cards.length) return;
  put(home, ...(cards.length ? cards : [el("p", { class: "small" }, say("none yet"))]));
}

function evaluation(one) {
  const away = (key) => el("button", { type: "button", click: async () => { await ask(`/api/evaluations/${one.id}`, null, "DELETE").catch(() => null); watch(); } }, say(key));
  const title = el("h3", {}, one.metrics.join(", "), ...[one.files, one.rules].filter((part) => part.length)
    .map((part) => el("span", { class: "small" }, part.map(neutral).join(" · "))));
  const card = (...parts) => el("article", { class: "card evaluation", "data-id": one.id, "data-state": one.state }, title, ...parts);
  if (one.state === "failed") return card(el("p", { class: "notice" }, el("b", {}, say("wrong")), ": ", neutral(one.error)), el("p", { class: "row" }, away("remove")));
  if (one.state !== "done") {
    const stage = say(one.state === "waiting" ? "waiting" : one.stage ?? "starting");
    return card(el("p", {}, stage), el("progress", { max: 1, value: one.read ?? null, "aria-label": stage }), el("p", { class: "row" }, away("stop")));
  }
  return card(...one.summary[0].says.map(built),
    ...one.summary.slice(1).map(({ metric, says }) => el("details", {}, el("summary", {}, metric), ...says.map(built))),
    el("p", { class: "row" }, el("a", { href: `#report=${one.id}`, class: "main-button" }, say("open")),
      el("a", { href: `/reports/${one.id}`, target: "_blank", rel: "noopener" }, say("tab")),
      el("a", { href: `/reports/${one.id}?save`, download: "report.html" }, say("save")), away("remove")));
}

function prepareFiles() {
  const drop = field("drop");
  for (const name of ["dragenter", "dragover"]) addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  for (const name of ["dragleave", "drop"]) addEventListener(name, (event) => { event.preventDefault(); drop.classList.remove("over"); });
  addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    location.hash = "files";
    hold([...event.dataTransfer.files]);
  });
  field("chosen").addEventListener("change", () => { hold([...field("chosen").files]); field("chosen").value = ""; });
  field("sending").addEventListener("submit", send);
  field("single-rules").addEventListener("toggle", showRulesOfFiles);
  field("metrics-text").addEventListener("change", showRulesOfFiles);
  field("files-convention").addEventListener("change", () => { changed.rules = {}; showRulesOfFiles(); });
  field("example-files").addEventListener("click", async () => {
    const files = await ask("/api/example", null, "GET");
    held = [];
    await hold(Object.entries(files).map(([name, text]) => new File([text], name)));
  });
  return watch();
}
