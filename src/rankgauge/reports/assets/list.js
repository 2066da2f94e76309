// The list of queries. Only visible rows are in the document, so that a million scroll like ten.
const ROW = 44, SPARE = 8, PRINTED = 200;
const listed = { metric: 0, second: 0, sort: "size", show: "all", search: "", rows: [], most: 1 };

// A lone surrogate cannot be part of an address; it is replaced.
function addressed(text) { return text.isWellFormed() ? text : text.toWellFormed(); }

function queryHash(place, metric = listed.metric) {
  return `#q=${encodeURIComponent(addressed(core.queries[place]))}` + (metric ? `&m=${encodeURIComponent(core.metrics[metric].name)}` : "");
}

// The name of a system in little room: as in the pictures, names that are alike show where they differ.
function systemName(place) { return el("bdi", { title: neutral(core.systems[place]) }, core.labels[place]); }

function systemOption(place) { return el("option", { value: place, title: neutral(core.systems[place]) }, core.labels[place]); }

// The systems except the baseline, in the order in which everything is shown.
function otherOptions() {
  return core.orders[0].filter((place) => place !== core.baseline).map((place) => systemOption(place));
}

function alone() { return core.systems.length === 1; }

// A corpus-level metric has no values to list: return the first other metric instead, or -1.
function withValues(metric) {
  return core.metrics[metric].corpus ? core.metrics.findIndex(({ corpus }) => !corpus) : metric;
}

function showQueries() {
  const metric = core.metrics[listed.metric], home = document.getElementById("list");
  home.classList.toggle("corpus", metric.corpus);
  if (metric.corpus) put(home.querySelector(".corpus-note"), message("corpus", { metric: metric.name }));
  else redraw();
}

function choose() {
  const { metric, second, sort, show, search } = listed, sign = core.metrics[metric].higher ? 1 : -1;
  const text = search.trim().toLowerCase();
  let rows = alone()
    ? core.queries.map((_, place) => ({ place, a: core.values[metric][0][place], b: null, d: null }))
    : pairRows(metric, core.baseline, second);
  if (text) {
    rows = rows.filter(({ place }) => core.queries[place].toLowerCase().includes(text)
      || (core.texts && core.texts[place] || "").toLowerCase().includes(text));
  }
  const gain = (row) => sign * row.d;
  if (show === "better") rows = rows.filter((row) => gain(row) > 1e-9);
  if (show === "worse") rows = rows.filter((row) => gain(row) < -1e-9);
  if (show === "equal") rows = rows.filter((row) => Math.abs(row.d) <= 1e-9);
  const low = (row) => sign * (alone() ? row.a : row.b);
  const orders = {
    size: (x, y) => Math.abs(y.d) - Math.abs(x.d), gain: (x, y) => gain(y) - gain(x), loss: (x, y) => gain(x) - gain(y),
    value: (x, y) => low(x) - low(y), order: (x, y) => x.place - y.place,
    query: (x, y) => core.queries[x.place].localeCompare(core.queries[y.place], undefined, { numeric: true }),
  };
  listed.most = rows.reduce((most, { d }) => Math.max(most, Math.abs(d)), 1e-9); // the longest bar
  listed.rows = rows.sort((x, y) => orders[sort](x, y) || x.place - y.place);
}

let viewport, rail, counter, heads;

function prepareList() {
  const home = document.getElementById("list");
  listed.second = alone() ? 0 : core.orders[0].find((place) => place !== core.baseline);
  if (alone()) listed.sort = "value";
  const select = (label, state, entries) => el("label", {}, label, el("select", {
    "data-state": state,
    change: (event) => { listed[state] = state === "second" ? Number(event.target.value) : event.target.value; redraw(); },
  }, ...entries()));
  const options = (keys) => () => keys.map(([value, phrase]) => el("option", { value, "data-en": phrase.texts[0], "data-zh": phrase.texts[1] }, phrase.current));
  const ofPair = alone() ? [] : [
    core.systems.length > 2 ? select(message("compare with", { baseline: core.labels[core.baseline] }), "second",
      otherOptions) : null,
    select(message("show"), "show", options([["all", message("all")], ["better", message("better")], ["worse", message("worse")], ["equal", message("equal")]])),
  ];
  const sorts = alone() ? ["value", "order", "query"] : ["size", "gain", "loss", "value", "order", "query"];
  counter = el("span", { class: "count", role: "status" });
  heads = el("div", { class: "head" });
  rail = el("div", { role: "list" });
  viewport = el("div", { class: "viewport", tabindex: 0, role: "group", "aria-labelledby": "queries-title", scroll: drawRows, keydown: walk }, rail);
  home.classList.toggle("one", alone());
  home.replaceChildren(
    el("div", { class: "filters" },
      el("label", {}, message("search"), el("input", {
        type: "search", id: "search", autocomplete: "off", spellcheck: "false",
        input: (event) => { listed.search = event.target.value; redraw(); },
      })),
      ...ofPair,
      select(message("sort"), "sort", options(sorts.map((key) => [key, message(`by ${key}`)]))),
      counter),
    heads, viewport, el("p", { class: "corpus-note" }), el("div", { id: "printed-queries" }));
  showQueries();
}

function redraw() {
  choose();
  heads.replaceChildren(...(alone()
    ? [el("span", {}, message("query")), el("span", {}, core.metrics[listed.metric].name), el("span")]
    : [el("span", {}, message("query")), el("span", {}, systemName(core.baseline)), el("span", {}, systemName(listed.second)),
      el("span", {}, message("difference")), el("span")]));
  put(counter, message("shown", { count: listed.rows.length, all: core.queries.length }));
  rail.style.height = `${listed.rows.length * ROW}px`;
  viewport.style.height = `${Math.max(listed.rows.length, 1) * ROW + 2}px`;
  viewport.scrollTop = 0;
  drawRows(true);
}

let drawnFrom = -1, drawnTo = -1;

function drawRows(force) {
  const tall = viewport.clientHeight || 600;
  const from = Math.max(0, Math.floor(viewport.scrollTop / ROW) - SPARE);
  const to = Math.min(listed.rows.length, Math.ceil((viewport.scrollTop + tall) / ROW) + SPARE);
  if (force !== true && from === drawnFrom && to === drawnTo) return;
  [drawnFrom, drawnTo] = [from, to];
  const focused = document.activeElement?.dataset?.row;
  rail.replaceChildren(...(listed.rows.length ? listed.rows.slice(from, to).map((row, n) => entry(row, from + n, listed.most))
    : [el("p", { class: "small" }, message("none"))]));
  if (focused !== undefined) rail.querySelector(`[data-row="${focused}"]`)?.focus({ preventScroll: true });
}

function entry(row, n, most) {
  const text = core.texts && core.texts[row.place];
  const name = el("span", {}, shortId(core.queries[row.place]), text ? el("span", { class: "text" }, neutral(text)) : null);
  const better = (core.metrics[listed.metric].higher ? 1 : -1) * row.d;
  const numbers = alone() ? [el("span", {}, fixed(row.a, { digits: 4 }))] : [
    el("span", {}, fixed(row.a, { digits: 4 })), el("span", {}, fixed(row.b, { digits: 4 })),
    el("span", { class: better > 1e-9 ? "better" : better < -1e-9 ? "worse" : "" }, fixed(row.d, { digits: 4, signed: true }))];
  const link = el("a", { href: queryHash(row.place), class: "entry", "data-row": n, tabindex: n === 0 ? 0 : -1 }, name, ...numbers, bar(row, most));
  const listItem = el("div", { role: "listitem", "aria-setsize": listed.rows.length, "aria-posinset": n + 1 }, link);
  link.style.top = `${n * ROW}px`;
  return listItem;
}

function bar(row, most) {
  const share = alone() ? (row.a || 0) : row.d / most;
  const parts = alone()
    ? [svg("rect", { x: 0, y: 2, width: Math.max(0, Math.min(120, 120 * share)), height: 8, class: "amount" })]
    : [svg("rect", { x: share < 0 ? 60 + 60 * share : 60, y: 2, width: Math.abs(60 * share), height: 8,
      class: (core.metrics[listed.metric].higher ? share : -share) < 0 ? "down" : "up" }), svg("line", { x1: 60, x2: 60, y1: 0, y2: 12 })];
  return svg("svg", { viewBox: "0 0 120 12", class: "bar", "aria-hidden": "true", preserveAspectRatio: "none" }, ...parts);
}

// On paper: the queries as they are listed, by every metric with values.
function printQueries() {
  const shown = listed.metric, systems = alone() ? [0] : [core.baseline, listed.second];
  const cell = (text) => el("td", { class: "r" }, text), head = (text) => el("th", { scope: "col", class: "r" }, text);
  put(document.getElementById("printed-queries"), core.metrics.flatMap((metric, place) => {
    if (metric.corpus) return [];
    listed.metric = place;
    choose();
    const rows = listed.rows.slice(0, PRINTED);
    const heads = [el("th", { scope: "col" }, message("query")), ...systems.map((system) => head(neutral(core.systems[system]))), ...(alone() ? [] : [head(message("difference"))])];
    return [el("h3", {}, metric.name), el("p", { class: "small" }, message("shown", { count: rows.length, all: core.queries.length })),
      el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows.map(({ place, a, b, d }) => el("tr", {},
        el("td", {}, neutral(core.queries[place])), cell(fixed(a, { digits: 4 })),
        ...(alone() ? [] : [cell(fixed(b, { digits: 4 })), cell(fixed(d, { digits: 4, signed: true }))])))))];
  }));
  listed.metric = shown;
  if (!core.metrics[shown].corpus) choose();
}

// Arrow keys, Home and End move through all queries, including those that are not drawn yet.
function walk(event) {
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
  if (step === undefined || !listed.rows.length) return;
  event.preventDefault();
  const now = Number(event.target.dataset?.row ?? -1);
  const next = Math.max(0, Math.min(listed.rows.length - 1, now + step));
  const top = next * ROW;
  if (top < viewport.scrollTop) viewport.scrollTop = top;
  if (top + ROW > viewport.scrollTop + viewport.clientHeight) viewport.scrollTop = top + ROW - viewport.clientHeight;
  drawRows(true);
  rail.querySelector(`[data-row="${next}"]`)?.focus({ preventScroll: true });
}
