// How each number of a query is computed, shown on a click.
function stepsDialog(title, ...lines) {
  const dialog = document.getElementById("steps");
  dialog.replaceChildren(el("h2", {}, ...[title].flat()), ...lines,
    el("p", { class: "end" }, el("button", { type: "button", click: () => dialog.close() }, message("close"))));
  dialog.showModal();
}

function sumLine(...parts) { return el("p", { class: "sum" }, ...parts); }

function clickable(text, steps, label = null) {
  return el("button", { type: "button", class: "n", click: steps, "aria-label": label }, text);
}

function count(value) { return fixed(value, { integers: true }); }

const RULE_OF = { gain: "gain", discount: "discount", relevant: "rel" };

function factorSteps(metric, name, title, value, row) {
  const rule = metric.rules[RULE_OF[name]];
  return () => stepsDialog(title, sumLine(title, " = ", count(value)),
    el("p", {}, message("rank"), ` ${row.rank}`, row.grade === undefined ? null : [" · ", message("grade"), ` ${row.grade === null ? "–" : row.grade}`]),
    rule ? el("p", {}, new Phrase(...rule)) : null);
}

function contributionSteps(metric, row) {
  const factors = metric.factors.map(([, en, zh], at) => [at ? " × " : "", count(row.factors[at]), " (", new Phrase(en, zh), ")"]);
  return () => stepsDialog(message("contribution"), sumLine(...factors, " = ", count(row.adds)),
    metric.factors.length > 1 ? el("p", {}, message("product")) : null);
}

function runningSteps(row, before) {
  return () => stepsDialog(message("running"), sumLine(count(before), " + ", count(row.adds), " = ", count(row.running)));
}

function totalSteps(metric, sum, rows) {
  const added = rows.filter((row) => row.adds).map((row) => count(row.adds));
  if (sum.tail) added.push(count(sum.tail));
  if (sum.rest !== null) added.push(count(sum.rest));
  return () => stepsDialog(message("sum"), sumLine(added.join(" + ") || "0", " = ", count(sum.total)));
}

function belowSteps(metric, sum, ideal) {
  return () => stepsDialog(new Phrase(...metric.below), ...(ideal ? [el("h3", {}, message("ideal")), idealTable(metric, ideal)] : []),
    sumLine(new Phrase(...metric.below), " = ", count(sum.below)));
}

function valueSteps(metric, sum, system) {
  const lines = [];
  if (sum.parts.length) {
    lines.push(el("p", {}, message("parts")), ...sum.parts.map(([name, total, over, below, value]) =>
      sumLine(name, " = ", below === null ? "" : `${count(total)} / ${count(below)} (${over}) = `, fixed(value))));
  }
  if (sum.below === null) lines.push(sumLine(metric.name, " = ", fixed(sum.total)));
  else if (sum.below === 0) {
    lines.push(sumLine(`${metric.name} = ${count(sum.total)} / 0`), el("p", {}, message("undefined")),
      metric.rules.undefined ? el("p", {}, new Phrase(...metric.rules.undefined)) : null,
      sumLine(`${metric.name} = `, sum.value === null ? message("no value") : fixed(sum.value)));
  } else {
    lines.push(sumLine(`${metric.name} = ${count(sum.total)} / ${count(sum.below)} (`, new Phrase(...metric.below), `) = ${fixed(sum.total / sum.below)}`));
  }
  if (metric.last) lines.push(el("p", {}, message("last", { name: metric.last })), sumLine(`${metric.name} = ${fixed(sum.value)}`));
  return () => stepsDialog([metric.name, " · ", idElement(system)], ...lines.filter(Boolean));
}

function idealTable(metric, rows) {
  const names = metric.ideal.map(([, en, zh]) => new Phrase(en, zh));
  let running = 0;
  return el("div", { class: "scrolls" }, el("table", {},
    el("thead", {}, el("tr", {}, ...[message("rank"), message("grade"), ...names, message("contribution"), message("running")].map((head) => el("th", { scope: "col", class: "r" }, head)))),
    el("tbody", {}, ...rows.map(([rank, grade, ...numbers]) => {
      running += numbers.at(-1);
      return el("tr", {}, el("td", { class: "r" }, rank), el("td", { class: "r" }, gradeChip(grade)),
        ...[...numbers, running].map((number) => el("td", { class: "r" }, count(Number(number.toFixed(9))))));
    }))));
}

function gradeChip(grade) {
  if (grade === null || grade === undefined) return el("span", { class: "grade g-none" }, "–", el("span", { class: "away" }, message("unjudged")));
  const level = grade < 0 ? "below" : `g${Math.min(10, Math.round(grade))}`;
  return el("span", { class: `grade ${level}` }, fixed(grade, { integers: true, digits: 1 }));
}
