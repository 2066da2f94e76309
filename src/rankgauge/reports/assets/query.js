// A query: two rankings side by side, and how both values are computed.
const shownPair = { first: 0, second: 0 };
let opened = null;

async function showQuery(place, metric) {
  opened = place;
  const data = await queryData(place);
  if (opened !== place) return;
  const home = document.getElementById("query"), text = core.texts && core.texts[place];
  const pair = alone() ? [0] : [shownPair.first, shownPair.second];
  put(home,
    navigation(place),
    el("h2", {}, idElement(core.queries[place])),
    text ? el("p", { class: "query-text" }, neutral(text)) : null,
    values(data, metric, pair),
    alone() ? null : choosers(place, metric),
    legend(data),
    sideBySide(data, metric, pair),
    missed(data),
    el("div", { class: "tables" }, ...pair.map((system) => howTable(data, metric, system))),
    core.averaged ? el("p", { class: "small" }, message("mean ties")) : null,
  );
  watchTables(home);
}

function navigation(place) {
  const at = listed.rows.findIndex((row) => row.place === place);
  const to = (step, key) => {
    const row = at < 0 ? undefined : listed.rows[at + step];
    return row ? el("a", { href: queryHash(row.place), class: key }, message(key)) : null;
  };
  return el("div", { class: "bar-nav" },
    el("div", {}, el("a", { href: "#queries", class: "back" }, "← ", message("back"))),
    el("div", {}, to(-1, "previous"), to(1, "next")));
}

function values(data, metric, pair) {
  const definition = core.metrics[metric], sums = pair.map((system) => data.sums[metric][system]);
  const value = (n) => clickable(fixed(sums[n].value), valueSteps(definition, sums[n], core.systems[pair[n]]));
  if (alone()) return el("p", { class: "verdict" }, definition.name, " = ", value(0));
  const [a, b] = sums.map(({ value }) => value), d = a === null || b === null ? null : b - a;
  const better = (definition.higher ? 1 : -1) * d;
  return el("p", { class: "verdict" }, `${definition.name}: `, value(0), " → ", value(1), "  (",
    el("strong", { class: better > 1e-9 ? "better" : better < -1e-9 ? "worse" : "" },
      clickable(fixed(d, { signed: true }), () => stepsDialog(message("difference"),
        el("p", {}, message("difference of", { first: neutral(core.systems[pair[0]]), second: neutral(core.systems[pair[1]]) })),
        sumLine(`${fixed(b)} − ${fixed(a)} = ${fixed(d, { signed: true })}`)))), ")");
}

function choosers(place, metric) {
  if (core.systems.length < 3) return null;
  const choice = (side, key) => {
    const select = el("select", { change: () => { shownPair[side] = Number(select.value); showQuery(place, metric); } },
      ...core.orders[0].map(systemOption));
    select.value = shownPair[side];
    return el("label", {}, message(key), select);
  };
  return el("div", { class: "filters" }, choice("first", "first system"), choice("second", "second system"));
}

function legend(data) {
  const grades = [...new Set(data.grades.concat(data.missed.map(([, grade]) => grade)).filter((grade) => grade !== null))].sort((x, y) => y - x);
  return el("p", { class: "legend" }, message("grades"), ...grades.map(gradeChip), el("span", {}, gradeChip(null), " ", message("unjudged")));
}

function sideBySide(data, metric, pair) {
  const columns = pair.map((system) => column(data, metric, system));
  if (alone()) return el("div", { class: "side-by-side single" }, columns[0]);
  return el("div", {}, el("div", { class: "side-by-side" }, columns[0], moves(data, pair), columns[1]), el("p", { class: "small" }, message("moved")));
}

function column(data, metric, system) {
  const sum = data.sums[metric][system], definition = core.metrics[metric], top = data.tops[system];
  const byRank = new Map(sum.rows.map((row) => [row[0], row]));
  const entries = top.map((item, at) => {
    const row = byRank.get(at + 1), inside = sum.cut === null || at + 1 <= sum.cut;
    const adds = row ? row.at(-1) / (sum.below || 1) : 0;
    const text = data.texts && data.texts[item];
    return el("li", { class: inside ? "" : "outside" }, el("span", { class: "rank" }, at + 1), gradeChip(data.grades[item]),
      el("span", { class: "item" }, shortId(data.items[item]), text ? el("span", { class: "text", title: neutral(text) }, neutral(text)) : null),
      el("span", { class: "adds" }, adds && inside ? `+${fixed(adds, { digits: 4 })}` : ""));
  });
  return el("section", {},
    el("div", { class: "column-head" }, systemName(system),
      clickable(fixed(sum.value), valueSteps(definition, sum, core.systems[system]))),
    top.length ? el("ol", {}, ...entries) : el("p", { class: "small" }, message("nothing returned")));
}

function moves(data, pair) {
  const [left, right] = pair.map((system) => data.tops[system]);
  const tall = Math.max(left.length, right.length, 1) * ROW;
  const lines = left.flatMap((item, from) => {
    const to = right.indexOf(item);
    if (to < 0) return [];
    const [y, z] = [from, to].map((at) => at * ROW + ROW / 2);
    const way = to < from ? "rose" : to > from ? "fell" : "", counts = (data.grades[item] ?? -1) >= core.rel ? "counts" : "";
    return [svg("path", { d: `M2 ${y}C38 ${y} 38 ${z} 74 ${z}`, class: `${way} ${counts}` })];
  });
  const drawing = svg("svg", { viewBox: `0 0 76 ${tall}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...lines);
  drawing.style.height = `${tall}px`;
  return el("div", { class: "moves" }, el("div", { class: "column-head" }), drawing);
}

function missed(data) {
  if (!data.missed.length) return null;
  const text = message("not in", { depth: core.top });
  return el("p", { class: "legend" }, text, ...data.missed.map(([item, grade]) => el("span", {}, gradeChip(grade), " ", idElement(item))));
}

// Every row with its factors, whose product is the contribution; the contributions add up to the sum.
function howTable(data, metric, system) {
  const definition = core.metrics[metric], sum = data.sums[metric][system], name = core.systems[system];
  const byRank = new Map(sum.rows.map((row) => [row[0], row]));
  const last = Math.min(core.top, sum.cut ?? core.top, Math.max(data.tops[system].length, sum.rows.at(-1)?.[0] ?? 0));
  let running = 0;
  const rows = [];
  for (let rank = 1; rank <= last; rank++) {
    const counted = byRank.get(rank), item = data.tops[system][rank - 1];
    const adds = counted ? counted.at(-1) : 0;
    running += adds;
    rows.push({ rank, item, grade: item === undefined ? undefined : data.grades[item], factors: counted ? counted.slice(1, -1) : null, adds, running });
  }
  const heads = [["rank", "r"], ["item", "l"], ["grade", "r"]].map(([key, side]) => el("th", { scope: "col", class: side }, message(key)));
  const width = 3 + definition.factors.length + 2;
  const cells = (row) => [
    el("td", { class: "r" }, row.rank),
    el("td", {}, row.item === undefined ? "" : el("span", { class: "name" }, shortId(data.items[row.item]))),
    el("td", { class: "r" }, row.grade === undefined ? "" : gradeChip(row.grade)),
    ...definition.factors.map(([key, en, zh], at) => el("td", { class: "r" }, row.factors
      ? clickable(count(row.factors[at]), factorSteps(definition, key, new Phrase(en, zh), row.factors[at], row)) : "–")),
    el("td", { class: "r" }, row.factors ? clickable(count(row.adds), contributionSteps(definition, row)) : "0"),
    el("td", { class: "r" }, row.factors ? clickable(count(Number(row.running.toFixed(9))), runningSteps(row, Number((row.running - row.adds).toFixed(9)))) : count(Number(row.running.toFixed(9)))),
  ];
  const foot = (label, value, steps, strong) => el("tr", { class: strong ? "total" : "" },
    el("td", { colspan: width - 2 }, ...[label].flat()), el("td", { class: "r" }, steps ? clickable(value, steps) : value), el("td"));
  const ideals = data.ideals[metric];
  return el("section", {},
    el("h3", {}, message("how", { metric: definition.name, system: neutral(name) })),
    el("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": `${definition.name} ${neutral(name)}` }, el("table", { class: "how", "data-system": system },
      el("thead", {}, el("tr", {}, ...heads, ...definition.factors.map(([, en, zh]) => el("th", { scope: "col", class: "r" }, new Phrase(en, zh))),
        el("th", { scope: "col", class: "r" }, message("contribution")), el("th", { scope: "col", class: "r" }, message("running")))),
      el("tbody", {}, ...(rows.length ? rows.map((row) => el("tr", {}, ...cells(row))) : [el("tr", {}, el("td", { colspan: width }, message("no rows")))])),
      el("tfoot", {},
        sum.tail ? foot(message("tail", { rank: core.top }), count(sum.tail)) : null,
        sum.rest === null ? null : foot(new Phrase(...definition.rest), count(sum.rest)),
        foot(message("sum"), count(sum.total), totalSteps(definition, sum, rows)),
        sum.below === null ? null : foot(["÷ ", new Phrase(...definition.below)], count(sum.below), belowSteps(definition, sum, ideals && (ideals[system] ?? ideals[0]))),
        foot(`= ${definition.name}`, fixed(sum.value), valueSteps(definition, sum, name), true)))),
    el("p", { class: "small" }, message("returned", { count: data.returned[system] })));
}
