// Pictures: Python has drawn them; here they get their data, the choice of a pair, and a pointer.
function pictureData(figure) {
  const metric = Number(figure.dataset.metric), name = figure.dataset.picture;
  if (!figure.dataset.pair) return core.pictures[metric][name];
  const second = Number(figure.dataset.pair);
  const rows = pairRows(metric, core.baseline, second).sort((x, y) => y.d - x.d);
  return {
    columns: ["query", core.systems[core.baseline], core.systems[second], "difference"],
    rows: rows.map(({ place, a, b, d }) => [core.queries[place], a, b, Number(d.toFixed(6))]),
  };
}

function preparePictures(section) {
  for (const figure of section.querySelectorAll("figure[data-picture]")) {
    const file = `${core.metrics[figure.dataset.metric].name}-${figure.dataset.picture}`.replace(/[^\w@.-]+/g, "_");
    const table = el("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": message("table") });
    const details = el("details", {
      toggle: () => { if (details.open) table.replaceChildren(dataTable(pictureData(figure))); },
    }, el("summary", {}, message("table")), table);
    put(figure.querySelector(".buttons"),
      ...(figure.dataset.pair ? [choosePair(figure), el("span", { class: "pointed" }, message("point"))] : []),
      el("button", { type: "button", click: () => download(`${file}.csv`, "text/csv", csv(pictureData(figure))) }, message("csv")),
      el("button", { type: "button", click: () => download(`${file}.json`, "application/json", json(pictureData(figure))) }, message("json")),
      details,
    );
    if (figure.dataset.pair) preparePointer(figure);
  }
}

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
  }, ...core.systems.flatMap((name, place) => place === core.baseline ? [] : [el("option", { value: place }, neutral(name))]));
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
    put(section, metrics[section.dataset.metric].map(build));
    applyLanguage(section);
  }
  if (!("prepared" in section.dataset)) preparePictures(section);
  section.dataset.prepared = "";
}

// Find the query at the pointer: the nearest point, or the position along the sorted differences.
function preparePointer(figure) {
  const place = figure.querySelector(".drawing"), line = figure.querySelector(".pointed");
  const queryAt = (event) => {
    const picture = place.querySelector("svg"), box = picture.getBoundingClientRect();
    const scale = picture.viewBox.baseVal.width / box.width;
    const at = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
    const plot = JSON.parse(place.dataset.plot), second = Number(figure.dataset.pair);
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
  place.addEventListener("pointermove", (event) => {
    const hit = queryAt(event), picture = place.querySelector("svg");
    picture.querySelector(".here")?.remove();
    if (!hit) { put(line, message("point")); return; }
    picture.append(svg("circle", { cx: hit.x, cy: hit.y, r: 6, class: "here" }));
    const { row } = hit;
    put(line, idElement(core.queries[row.place]), `  ${fixed(row.a, { digits: 4 })} → ${fixed(row.b, { digits: 4 })}`);
  });
  place.addEventListener("click", (event) => {
    const hit = queryAt(event);
    if (hit) location.hash = queryHash(hit.row.place);
  });
}
