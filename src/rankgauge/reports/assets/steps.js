// Any number of a query, one click deep: how it comes about.
function stepsDialog(title, ...lines) {
  const dialog = document.getElementById("steps");
  dialog.replaceChildren(el("h2", {}, ...[title].flat()), ...lines,
    el("p", { class: "end" }, el("button", { type: "button", click: () => dialog.close() }, say("close"))));
  dialog.showModal();
}

function sumLine(...parts) { return el("p", { class: "sum" }, ...parts); }

function clickable(text, steps, label = null) {
  return el("button", { type: "button", class: "n", click: steps, "aria-label": label }, text);
}

function count(value) { return fixed(value, { whole: true }); }

const RULE_OF = { gain: "gain", discount: "discount", relevant: "rel" };

function factorSteps(metric, name, said, value, row) {
  const rule = metric.rules[RULE_OF[name]];
  return () => stepsDialog(said, sumLine(said, " = ", count(value)),
    el("p", {}, say("rank"), ` ${row.rank}`, row.grade === undefined ? null : [" · ", say("grade"), ` ${row.grade === null ? "–" : row.grade}`]),
    rule ? el("p", {}, new Said(...rule)) : null);
}

function contributionSteps(metric, row) {
  const factors = metric.factors.map(([, en, zh], at) => [at ? " × " : "", count(row.factors[at]), " (", new Said(en, zh), ")"]);
  return () => stepsDialog(say("contribution"), sumLine(...factors, " = ", count(row.adds)),
    metric.factors.length > 1 ? el("p", {}, say("product")) : null);
}

function runningSteps(row, before) {
  return () => stepsDialog(say("running"), sumLine(count(before), " + ", count(row.adds), " = ", count(row.running)));
}

function totalSteps(metric, sum, rows) {
  const added = rows.filter((row) => row.adds).map((row) => count(row.adds));
  if (sum.tail) added.push(count(sum.tail));
  if (sum.rest !== null) added.push(count(sum.rest));
  return () => stepsDialog(say("sum"), sumLine(added.join(" + ") || "0", " = ", count(sum.total)));
}

function belowSteps(metric, sum, ideal) {
  return () => stepsDialog(new Said(...metric.below), ...(ideal ? [el("h3", {}, say("ideal")), idealTable(metric, ideal)] : []),
    sumLine(new Said(...metric.below), " = ", count(sum.below)));
}

function valueSteps(metric, sum, system) {
  const lines = [];
  if (sum.parts.length) {
    lines.push(el("p", {}, say("made of parts")), ...sum.parts.map(([name, total, over, below, value]) =>
      sumLine(name, " = ", below === null ? "" : `${count(total)} / ${count(below)} (${over}) = `, fixed(value))));
  }
  if (sum.below === null) lines.push(sumLine(metric.name, " = ", fixed(sum.total)));
  else if (sum.below === 0) {
    lines.push(sumLine(`${metric.name} = ${count(sum.total)} / 0`), el("p", {}, say("undefined")),
      metric.rules.undefined ? el("p", {}, new Said(...metric.rules.undefined)) : null,
      sumLine(`${metric.name} = `, sum.value === null ? say("no value") : fixed(sum.value)));
  } else {
    lines.push(sumLine(`${metric.name} = ${count(sum.total)} / ${count(sum.below)} (`, new Said(...metric.below), `) = ${fixed(sum.total / sum.below)}`));
  }
  if (metric.last) lines.push(el("p", {}, say("last", { name: metric.last })), sumLine(`${metric.name} = ${fixed(sum.value)}`));
  return () => stepsDialog([metric.name, " · ", named(system)], ...lines.filter(Boolean));
}

function idealTable(metric, rows) {
  const names = metric.ideal.map(([, en, zh]) => new Said(en, zh));
  let running = 0;
  return el("div", { class: "scrolls" }, el("table", {},
    el("thead", {}, el("tr", {}, ...[say("rank"), say("grade"), ...names, say("contribution"), say("running")].map((head) => el("th", { scope: "col", class: "r" }, head)))),
    el("tbody", {}, ...rows.map(([rank, grade, ...numbers]) => {
      running += numbers.at(-1);
      return el("tr", {}, el("td", { class: "r" }, rank), el("td", { class: "r" }, gradeChip(grade)),
        ...[...numbers, running].map((number) => el("td", { class: "r" }, count(Number(number.toFixed(9))))));
    }))));
}

function gradeChip(grade) {
  if (grade === null || grade === undefined) return el("span", { class: "grade g-none" }, "–", el("span", { class: "away" }, say("unjudged")));
  const level = grade < 0 ? "below" : `g${Math.min(4, Math.round(grade))}`;
  return el("span", { class: `grade ${level}` }, fixed(grade, { whole: true, digits: 1 }));
}
