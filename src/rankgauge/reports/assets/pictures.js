// Pictures: Python has drawn them; here they get their data, the choice of a pair, and a pointer.
function pictureData(figure) {
  const metric = Number(figure.dataset.metric), name = figure.dataset.picture;
  if (name === "topics") return topicData(metric);
  if (!figure.dataset.pair) return core.pictures[metric][name];
  const second = Number(figure.dataset.pair);
  const rows = pairRows(metric, core.baseline, second).sort((x, y) => y.d - x.d);
  return {
    columns: ["query", core.systems[core.baseline], core.systems[second], "difference"],
    rows: rows.map(({ place, a, b, d }) => [core.queries[place], a, b, Number(d.toFixed(6))]),
  };
}

// Every query with a value of some system, hardest first, and the value of every system, best first.
function topicData(metric) {
  const values = core.values[metric], systems = core.orders[metric], sign = core.metrics[metric].higher ? 1 : -1;
  const rows = core.queries.flatMap((query, place) => {
    const row = systems.map((system) => values[system][place]), known = row.filter((value) => value !== null);
    return known.length ? [{ row: [query, ...row], mean: sign * known.reduce((sum, value) => sum + value, 0) / known.length }] : [];
  });
  rows.sort((x, y) => x.mean - y.mean);
  return { columns: ["query", ...systems.map((system) => core.systems[system])], rows: rows.map(({ row }) => row) };
}

function preparePictures(section) {
  for (const figure of section.querySelectorAll("figure[data-picture]")) {
    const file = `${core.metrics[figure.dataset.metric].name}-${figure.dataset.picture}`.replace(/[^\w@.-]+/g, "_");
    const table = el("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": message("table") });
    const details = el("details", {
      toggle: () => { if (details.open) table.replaceChildren(dataTable(pictureData(figure))); },
    }, el("summary", {}, message("table")), table);
    put(figure.querySelector(".buttons"),
      ...(figure.dataset.pair ? [choosePair(figure)] : []),
      ...(hasPoints(figure) ? [el("span", { class: "pointed" }, pointHint())] : []),
      el("button", { type: "button", click: () => download(`${file}.csv`, "text/csv", csv(pictureData(figure))) }, message("csv")),
      el("button", { type: "button", click: () => download(`${file}.json`, "application/json", json(pictureData(figure))) }, message("json")),
      details,
    );
    if (hasPoints(figure)) preparePointer(figure);
  }
}

function hasPoints(figure) { return figure.querySelector(".drawing").dataset.plot !== undefined; }

function touched() { return matchMedia("(hover: none)").matches; }

function pointHint() { return message(touched() ? "tap" : "point"); }

function dataTable({ columns, rows }) {
  const shown = rows.slice(0, 500);
  const cell = (value) => el("td", { class: typeof value === "number" ? "r" : "l" },
    typeof value === "number" ? fixed(value, { integers: true }) : value === null ? "–" : idElement(value));
  return el("table", {},
    el("thead", {}, el("tr", {}, ...columns.map((name) => el("th", { scope: "col" }, idElement(name))))),
    el("tbody", {}, ...shown.map((row) => el("tr", {}, ...row.map(cell))),
      rows.length > shown.length ? el("tr", {}, el("td", { colspan: columns.length }, `… ${rows.length - shown.length}`)) : null));
}

function choosePair(figure) {
  if (core.systems.length < 3) return null;
  const choice = el("select", {
    change: async () => {
      figure.dataset.pair = choice.value;
      await showPair(figure);
    },
  }, ...otherOptions());
  choice.value = figure.dataset.pair;
  return el("label", {}, el("span", { class: "away" }, message("pair")), choice);
}

async function showPair(figure) {
  const { pairs } = await loadBlock("later");
  const picture = pairs[figure.dataset.metric][figure.dataset.pair].find(({ name }) => name === figure.dataset.picture);
  const drawing = build(picture.tree), caption = figure.querySelector("figcaption"), place = figure.querySelector(".drawing");
  drawing.setAttribute("aria-labelledby", figure.querySelector("h3").id);
  drawing.setAttribute("aria-describedby", caption.id);
  place.replaceChildren(drawing);
  place.dataset.plot = JSON.stringify(picture.plot);
  put(caption, new Phrase(...picture.caption.map(neutral)));
  const details = figure.querySelector(".buttons details");
  if (details.open) details.querySelector(".scrolls").replaceChildren(dataTable(pictureData(figure)));
}

async function showMetric(section) {
  if (!section.childElementCount) {
    const { metrics } = await loadBlock("later");
    if (!section.childElementCount) put(section, metrics[section.dataset.metric].map(build)); // not filled by another call meanwhile
    applyLanguage(section);
  }
  if (!("prepared" in section.dataset)) preparePictures(section);
  section.dataset.prepared = "";
  watchTables(section);
}

// Find the query at the pointer: the nearest point, or the position along the sorted differences.
function preparePointer(figure) {
  const place = figure.querySelector(".drawing"), line = figure.querySelector(".pointed");
  const queryAt = (event) => {
    const picture = place.querySelector("svg"), box = picture.getBoundingClientRect();
    const scale = picture.viewBox.baseVal.width / box.width;
    const at = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const plot = JSON.parse(place.dataset.plot), second = Number(figure.dataset.pair);
    if (plot.kind === "topics") return topicAt(plot, at, Number(figure.dataset.metric));
    const on = ([low, high, start, end], value) => start + (value - low) / (high - low) * (end - start);
    const rows = pairRows(Number(figure.dataset.metric), core.baseline, second);
    if (plot.kind === "differences") {
      const [low, high, start, end] = plot.x, n = Math.floor(low + (at[0] - start) / (end - start) * (high - low));
      rows.sort((x, y) => y.d - x.d);
      return rows[n] && { row: rows[n], x: (on(plot.x, n) + on(plot.x, n + 1)) / 2, y: on(plot.y, rows[n].d) };
    }
    let best = null, nearest = 14;
    for (const row of rows) {
      const x = on(plot.x, row.a), y = on(plot.y, row.b), far = Math.hypot(x - at[0], y - at[1]);
      if (far < nearest) { nearest = far; best = { row, x, y }; }
    }
    return best;
  };
  const show = (event) => {
    const hit = queryAt(event), picture = place.querySelector("svg");
    picture.querySelector(".here")?.remove();
    if (!hit) { put(line, pointHint()); return; }
    picture.append(svg("circle", { cx: hit.x, cy: hit.y, r: 6, class: "here" }));
    put(line, el("a", { href: queryHash(hit.row.place) }, idElement(core.queries[hit.row.place])), `  ${hit.text ?? pairText(hit.row)}`);
  };
  place.addEventListener("pointermove", show);
  place.addEventListener("click", (event) => {
    if (touched()) { show(event); return; } // a finger cannot point: the first tap shows the query and a link to it
    const hit = queryAt(event);
    if (hit) location.hash = queryHash(hit.row.place);
  });
}

function pairText({ a, b }) { return `${fixed(a, { digits: 4 })} → ${fixed(b, { digits: 4 })}`; }

// The query and the system at a cell of the overview.
function topicAt(plot, at, metric) {
  const cell = ([low, high, start, end], x) => Math.floor(low + (x - start) / (end - start) * (high - low));
  const [column, line] = [cell(plot.x, at[0]), cell(plot.y, at[1])], place = plot.order[column], system = plot.systems[line];
  if (place === undefined || system === undefined) return null;
  const centre = ([low, high, start, end], n) => start + (n + .5 - low) / (high - low) * (end - start);
  return { row: { place }, x: centre(plot.x, column), y: centre(plot.y, line), text: `${neutral(core.systems[system])} ${fixed(core.values[metric][system][place], { digits: 4 })}` };
}
