// Metric and address: #q=301&m=AP opens a query.
function address() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const metric = core.metrics.findIndex(({ name }) => name === parameters.get("m"));
  return { query: parameters.get("q"), metric: metric < 0 ? null : metric };
}

function setMetric(metric) {
  listed.metric = metric;
  for (const tab of document.querySelectorAll(".tab")) tab.setAttribute("aria-pressed", String(Number(tab.dataset.metric) === metric));
  for (const part of document.querySelectorAll("section.metric")) part.hidden = Number(part.dataset.metric) !== metric;
  showQueries();
  return showMetric(document.querySelector(`section.metric[data-metric="${metric}"]`));
}

let scrolled = 0; // the position before a query was opened

async function follow() {
  let { query, metric } = address();
  if (query !== null) metric = withValues(metric ?? listed.metric);
  if (metric < 0) [query, metric] = [null, null]; // no metric has values by query
  const parts = ["overview", "summary"].map((id) => document.getElementById(id)), home = document.getElementById("query");
  if (metric !== null && metric !== listed.metric) await setMetric(metric);
  if (query === null) {
    opened = null;
    const back = !home.hidden;
    home.hidden = true;
    for (const part of parts) part.hidden = false;
    if (back) { drawRows(true); scrollTo(0, scrolled); }
    return;
  }
  if (home.hidden) scrolled = scrollY;
  for (const part of parts) part.hidden = true;
  home.hidden = false;
  const place = core.queries.findIndex((id) => addressed(id) === query);
  if (place < 0) {
    put(home, navigation(-1), el("p", { class: "notice" }, message("unknown", { query: neutral(query) })));
  } else {
    await showQuery(place, listed.metric);
  }
  scrollTo(0, 0);
  home.focus({ preventScroll: true });
}

async function start() {
  prepareShell();
  if (!("DecompressionStream" in window)) throw message("old browser");
  core = await loadBlock("core");
  [shownPair.first, shownPair.second] = [core.baseline, core.orders[0].find((place) => place !== core.baseline) ?? 0];
  prepareList();
  await setMetric(0);
  document.getElementById("metrics").addEventListener("click", async (event) => {
    const tab = event.target.closest(".tab");
    if (!tab) return;
    const metric = Number(tab.dataset.metric);
    await setMetric(metric);
    if (opened !== null) location.hash = core.metrics[metric].corpus ? "queries" : queryHash(opened);
  });
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    if (opened === null || event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (/^(INPUT|SELECT)$/.test(event.target.tagName) || event.target.closest(".scrolls")) return;
    const target = { ArrowLeft: ".previous", ArrowRight: ".next", Escape: ".back" }[event.key];
    if (target) document.querySelector(`#query ${target}`)?.click();
  });
  await follow();
  root.dataset.ready = String(Math.round(performance.now()));
  addEventListener("beforeprint", printQueries);
  for (const section of document.querySelectorAll("section.metric")) { // paper shows all metrics
    await new Promise((done) => (window.requestIdleCallback ?? setTimeout)(done));
    await showMetric(section);
  }
  root.dataset.complete = "";
}

start().catch((reason) => {
  const text = reason instanceof Phrase ? reason : message("broken", { reason: neutral(reason.message) });
  document.getElementById("list").replaceChildren(el("p", { class: "notice", role: "alert" }, text));
  root.dataset.failed = "";
});
})();
