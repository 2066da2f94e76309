// Dropped files and their evaluations.
const MIB = 1 << 20, LOOK = 1 << 15;
let uploads = []; // { file, role }
let watching = null;
const shownState = new Map(); // the card of each evaluation, rebuilt only when its state changes

async function addFiles(files) {
  for (const file of files) {
    const upload = { file, role: "auto" };
    uploads.push(upload);
    request(`/api/look?name=${encodeURIComponent(file.name)}`, file.slice(0, LOOK)).then(({ role }) => { upload.role = role; listFiles(); }, () => listFiles());
  }
  showFileError(null);
  listFiles();
}

function listFiles() {
  put(field("listed"), ...uploads.map((upload, place) => {
    const name = neutral(upload.file.name);
    const select = el("select", { "aria-label": message("role", { name }), change: () => { upload.role = select.value; } },
      ...["auto", "judgments", "ranking", "texts"].map((role) => option(role)));
    select.value = upload.role;
    return el("div", { class: "held" }, el("bdi", { class: "held-name", title: name }, name),
      el("span", { class: "small" }, message("kib", { size: (upload.file.size / 1024).toLocaleString("en", { maximumFractionDigits: 1 }) })), select,
      el("button", { type: "button", "aria-label": message("remove file", { name }), click: () => { uploads.splice(place, 1); listFiles(); } }, "×"));
  }));
}

function option(role) {
  const { texts, current } = message(role);
  return el("option", { value: role, "data-en": texts[0], "data-zh": texts[1] }, current);
}

function showFileError(text) {
  const home = field("complaint");
  home.hidden = text === null;
  put(home, text);
}

// The settings of an evaluation: metrics, the rules of a tool, and single rules that were changed.
const changed = { rules: {}, request: 0 };

function settings() {
  return { metrics: field("metrics-text").value.split(/[,，、;；](?![^(]*\))/).map((text) => text.trim()).filter(Boolean),
    convention: field("files-convention").value, rules: Object.entries(changed.rules).map(([name, text]) => `${name}=${text}`) };
}

async function showFileRules() {
  const number = ++changed.request, home = field("files-rules");
  showChangedRules();
  if (!field("single-rules").open) return;
  root.dataset.loading = "";
  try {
    const rules = await request("/api/rules", settings()), names = new Set(rules.map(({ name }) => name));
    if (number !== changed.request) return;
    changed.rules = Object.fromEntries(Object.entries(changed.rules).filter(([name]) => names.has(name))); // without rules that no longer affect any metric
    showChangedRules();
    showRules(home, rules, null, (name, text) => { changed.rules = { ...changed.rules, [name]: text }; showFileRules(); });
  } catch (reason) {
    if (number === changed.request) showError(home, reason);
  } finally {
    if (number === changed.request) delete root.dataset.loading;
  }
}

function showChangedRules() {
  const { rules } = settings();
  put(field("changed-rules"), ...(rules.length ? [el("code", {}, neutral(rules.join(" · "))),
    el("button", { type: "button", click: () => { changed.rules = {}; showFileRules(); } }, message("reset"))] : []));
}

// One request: a line of JSON that names the files, then their bytes; the browser reads them from the disk as it sends.
function send(event) {
  event.preventDefault();
  const size = uploads.reduce((sum, { file }) => sum + file.size, 0);
  if (!uploads.length) return showFileError(message("nothing"));
  if (uploads.length > START.most) return showFileError(message("too many", { most: START.most }));
  if (size > START.limit) return showFileError(message("too large", { size: (size / MIB).toFixed(1), limit: START.limit / MIB }));
  showFileError(null);
  const head = {
    ...settings(), lenient: field("lenient").checked, lang: language() ? "zh" : "en",
    files: uploads.map(({ file, role }) => ({ name: file.name, role, size: file.size })),
  };
  const bar = el("progress", { max: 1, value: 0, "aria-label": message("sending") });
  const card = el("article", { class: "card evaluation" }, el("p", {}, message("sending")), bar);
  field("evaluations").prepend(card);
  const request = new XMLHttpRequest(); // fetch does not report the progress of an upload
  request.open("POST", "/api/evaluations");
  request.setRequestHeader("x-rankgauge", "1");
  request.upload.addEventListener("progress", ({ loaded, total }) => { bar.value = total ? loaded / total : 0; });
  request.addEventListener("loadend", () => {
    card.remove();
    try {
      if (!request.status) throw new RequestError(message("failed", { reason: "—" }));
      parseResponse(request.status, request.responseText);
      watch();
    } catch (reason) {
      showFileError(reason instanceof RequestError ? reason.text : neutral(reason.message));
    }
  });
  request.send(new Blob([`${JSON.stringify(head)}\n`, ...uploads.map(({ file }) => file)]));
}

async function watch() {
  clearTimeout(watching);
  let all;
  try {
    all = await request("/api/evaluations", null, "GET");
  } catch (reason) {
    return showFileError(reason instanceof RequestError ? reason.text : neutral(reason.message));
  }
  showEvaluations(all);
  if (all.some(({ state }) => ["receiving", "waiting", "running"].includes(state))) watching = setTimeout(watch, 400);
}

function showEvaluations(all) {
  const home = field("evaluations");
  const ids = new Set(all.map(({ id }) => id));
  for (const id of shownState.keys()) if (!ids.has(id)) shownState.delete(id);
  const cards = all.map((state) => {
    const text = JSON.stringify(state), before = shownState.get(state.id);
    if (before && before.text === text) return before.card;
    const card = evaluationCard(state);
    shownState.set(state.id, { text, card });
    return card;
  });
  if (cards.length && cards.every((card, place) => home.children[place] === card) && home.children.length === cards.length) return;
  put(home, ...(cards.length ? cards : [el("p", { class: "small" }, message("none yet"))]));
}

function evaluationCard(evaluation) {
  const removeButton = (key) => el("button", { type: "button", click: async () => { await request(`/api/evaluations/${evaluation.id}`, null, "DELETE").catch(() => null); watch(); } }, message(key));
  const title = el("h3", {}, evaluation.metrics.join(", ") || neutral("…"), ...[evaluation.files, evaluation.rules].filter((part) => part.length)
    .map((part) => el("span", { class: "small" }, part.map(neutral).join(" · "))));
  const card = (...parts) => el("article", { class: "card evaluation", "data-id": evaluation.id, "data-state": evaluation.state }, title, ...parts);
  if (evaluation.state === "failed") return card(el("p", { class: "notice" }, el("b", {}, message("wrong")), errorText(evaluation.error)),
    ...(evaluation.explanations ?? []).map(({ code, text }) => el("details", {}, el("summary", {}, message("explained", { code })), el("p", {}, errorText(text)))),
    el("p", { class: "row" }, removeButton("remove")));
  if (evaluation.state !== "done") {
    const stage = message(evaluation.state === "waiting" ? "waiting" : evaluation.stage ?? "starting");
    return card(el("p", {}, stage), el("progress", { max: 1, value: evaluation.read ?? null, "aria-label": stage }), el("p", { class: "row" }, removeButton("stop")));
  }
  return card(...evaluation.findings.map((line) => el("p", { class: "caveat" }, errorText(line))), ...evaluation.summary[0].content.map(build),
    ...evaluation.summary.slice(1).map(({ metric, content }) => el("details", {}, el("summary", {}, metric), ...content.map(build))),
    el("p", { class: "row" }, el("a", { href: `#report=${evaluation.id}`, class: "main-button" }, message("open")),
      el("a", { href: `/reports/${evaluation.id}`, target: "_blank", rel: "noopener" }, message("tab")),
      el("a", { href: `/reports/${evaluation.id}?save`, download: "report.html" }, message("save")), removeButton("remove")));
}

function prepareFiles() {
  const drop = field("drop");
  for (const name of ["dragenter", "dragover"]) addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  for (const name of ["dragleave", "drop"]) addEventListener(name, (event) => { event.preventDefault(); drop.classList.remove("over"); });
  addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    location.hash = "files";
    addFiles([...event.dataTransfer.files]);
  });
  field("chosen").addEventListener("change", () => { addFiles([...field("chosen").files]); field("chosen").value = ""; });
  field("sending").addEventListener("submit", send);
  field("single-rules").addEventListener("toggle", showFileRules);
  field("metrics-text").addEventListener("change", showFileRules);
  field("files-convention").addEventListener("change", () => { changed.rules = {}; showFileRules(); });
  field("example-files").addEventListener("click", async () => {
    const files = await request("/api/example", null, "GET");
    uploads = [];
    await addFiles(Object.entries(files).map(([name, text]) => new File([text], name)));
  });
  return watch();
}
