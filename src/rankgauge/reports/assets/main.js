// Metric and address: #q=301&m=AP opens a query, also in a file that was mailed.
function address() {
  const found = new URLSearchParams(location.hash.slice(1));
  const metric = core.metrics.findIndex(({ name }) => name === found.get("m"));
  return { query: found.get("q"), metric: metric < 0 ? null : metric };
}

function setMetric(metric) {
  listed.metric = metric;
  for (const tab of document.querySelectorAll(".tab")) tab.setAttribute("aria-pressed", String(Number(tab.dataset.metric) === metric));
  for (const part of document.querySelectorAll("section.metric")) part.hidden = Number(part.dataset.metric) !== metric;
  showQueries();
  return showMetric(document.querySelector(`section.metric[data-metric="${metric}"]`));
}

let kept = 0; // where the reader was before a query was opened

async function follow() {
  let { query, metric } = address();
  if (query !== null) metric = withValues(metric ?? listed.metric);
  if (metric < 0) [query, metric] = [null, null]; // no metric has values of single queries
  const overview = document.getElementById("overview"), home = document.getElementById("query");
  if (metric !== null && metric !== listed.metric) await setMetric(metric);
  if (query === null) {
    opened = null;
    const back = !home.hidden;
    home.hidden = true;
    overview.hidden = false;
    if (back) { drawRows(true); scrollTo(0, kept); }
    return;
  }
  if (home.hidden) kept = scrollY;
  overview.hidden = true;
  home.hidden = false;
  const place = core.queries.findIndex((known) => addressed(known) === query);
  if (place < 0) {
    put(home, navigation(-1), el("p", { class: "notice" }, say("unknown", { query: neutral(query) })));
  } else {
    await showQuery(place, listed.metric);
  }
  scrollTo(0, 0);
  home.focus({ preventScroll: true });
}

async function start() {
  prepareShell();
  if (!("DecompressionStream" in window)) throw say("old browser");
  core = await unpack("core");
  [shownPair.first, shownPair.second] = [core.baseline, core.systems.findIndex((_, place) => place !== core.baseline)];
  prepareList();
  await setMetric(0);
  document.getElementById("metrics").addEventListener("click", async (event) => {
    const tab = event.target.closest(".tab");
    if (!tab) return;
    const metric = Number(tab.dataset.metric);
    await setMetric(metric);
    if (opened !== null) location.hash = core.metrics[metric].whole ? "queries" : queryHash(opened);
  });
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => {
    if (opened === null || event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (/^(INPUT|SELECT)$/.test(event.target.tagName) || event.target.closest(".scrolls")) return;
    const way = { ArrowLeft: ".previous", ArrowRight: ".next", Escape: ".back" }[event.key];
    if (way) document.querySelector(`#query ${way}`)?.click();
  });
  await follow();
  root.dataset.ready = String(Math.round(performance.now()));
}

start().catch((reason) => {
  const said = reason instanceof Said ? reason : say("broken", { reason: neutral(reason.message) });
  document.getElementById("list").replaceChildren(el("p", { class: "notice", role: "alert" }, said));
  root.dataset.failed = "";
});
})();
