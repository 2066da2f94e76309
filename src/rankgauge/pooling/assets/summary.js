// The end: how often each grade was given, how far assessors agree with themselves and with each other.
function kappa(pairs) { // Cohen's, unweighted; null where one of both cannot vary
  const count = pairs.length, grades = [...new Set(pairs.flat())];
  const agreed = pairs.filter(([first, second]) => first === second).length / count;
  const expected = grades.reduce((sum, grade) => sum + pairs.filter((pair) => pair[0] === grade).length * pairs.filter((pair) => pair[1] === grade).length, 0) / count ** 2;
  return { count, agreed, kappa: expected === 1 ? null : (agreed - expected) / (1 - expected) };
}

const graded = (label) => label && !label.withdrawn && label.grade !== null;

function ownRepeats() {
  return ROWS.flatMap(([query, item, repeat], number) => {
    if (!repeat) return [];
    const first = LABELS[numberOf({ query: SHEET.queries[query][0], item: SHEET.items[item][0], repeat: 0 })], second = LABELS[number];
    return graded(first) && graded(second) ? [[first.grade, second.grade]] : [];
  });
}

function withOther(labels) {
  return ROWS.flatMap(([, , repeat], number) => {
    const own = LABELS[number], other = labels.get(number);
    return !repeat && graded(own) && graded(other) ? [[own.grade, other.grade]] : [];
  });
}

function agreementRow(name, pairs) {
  if (!pairs.length) return el("tr", {}, el("td", {}, name), el("td", { align: "right" }, "0"), el("td", { align: "right" }, "–"), el("td", { align: "right" }, "–"));
  const found = kappa(pairs);
  const cells = [String(found.count), `${(100 * found.agreed).toFixed(1)} %`, fixed(found.kappa, { digits: 3 })];
  return el("tr", {}, el("td", {}, name), ...cells.map((cell) => el("td", { align: "right" }, cell)));
}

function table(titles, rows) {
  const head = titles.map((title, place) => el("th", { scope: "col", align: place ? "right" : "left" }, title));
  return el("div", { class: "scrolls", tabindex: "0" }, el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)));
}

function showSummary() {
  at("question").hidden = at("start").hidden = true;
  at("summary").hidden = false;
  const done = answered(), counts = SHEET.grades.map((name, grade) => [grade, name, LABELS.filter((label, number) => isAnswered(number) && label.grade === grade).length]);
  const unknown = LABELS.filter((label, number) => isAnswered(number) && label.grade === null).length;
  const rows = [...counts.map(([grade, name, count]) => el("tr", {}, el("td", {}, `${grade} `, new Phrase(...name)), el("td", { align: "right" }, String(count)))),
    el("tr", {}, el("td", {}, message("cannot tell")), el("td", { align: "right" }, String(unknown)))];
  const raters = [...OTHERS].map(([name, labels]) => agreementRow(idElement(name), withOther(labels)));
  put(at("result"),
    el("p", {}, message(done === ROWS.length ? "all done" : "not done", { done, total: ROWS.length })),
    table([message("grade"), message("count")], rows),
    el("h3", {}, message("agreement")),
    table([message("compared"), message("pairs"), message("agreed"), "κ"], [agreementRow(message("yourself"), ownRepeats()), ...raters]),
    el("p", { class: "small" }, message("agreement note")));
  showProgress();
  at("summary").focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

async function mergeFiles(files) {
  const sum = { own: 0, others: 0, foreign: 0, invalid: 0 };
  for (const file of files) {
    const found = takeOver(parseRecords(await file.text()));
    for (const name of Object.keys(sum)) sum[name] += found[name];
  }
  if (sum.own && state.storage) LABELS.forEach((label, number) => { if (label) try { localStorage.setItem(storageKey(state.rater, number), JSON.stringify(label)); } catch { state.storage = false; } });
  put(at("merged"), message("merged", sum), sum.foreign ? message("foreign", sum) : null, sum.invalid ? message("invalid", sum) : null);
  at("merged").classList.toggle("warning", sum.foreign + sum.invalid > 0);
  if (!at("summary").hidden) showSummary();
}
