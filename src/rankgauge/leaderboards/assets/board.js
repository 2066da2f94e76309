// The board: search and sorting, the pair of systems that is compared, and the cell of the heat map under the pointer.
const board = JSON.parse(document.getElementById("board").textContent);
const rows = [...document.querySelectorAll("#ranks tbody tr")];

function separable(first, second) { // one bit per system, best system first
  const bit = (one, other) => (parseInt(board.better[one].slice(2 * (other >> 3), 2 * (other >> 3) + 2), 16) >> (7 - other % 8)) & 1;
  return Boolean(bit(first, second) || bit(second, first));
}

function filterRows() {
  const wanted = document.getElementById("search").value.trim().toLowerCase();
  let count = 0;
  rows.forEach((row, place) => {
    row.hidden = !board.systems[place].toLowerCase().includes(wanted);
    count += !row.hidden;
  });
  put(document.getElementById("count"), message("shown", { count }));
}

// The number by which a cell is sorted; a range by its beginning, a dash last.
function sortKey(cell) {
  const number = parseFloat(cell.textContent.replace("−", "-"));
  return Number.isNaN(number) ? Infinity : number;
}

function sortRows(column, head) {
  const ascending = head.getAttribute("aria-sort") !== "ascending";
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const places = rows.map((_, place) => place);
  const text = column === 1;
  const key = (place) => text ? board.systems[place].toLowerCase() : sortKey(rows[place].children[column]);
  const keys = places.map(key);
  places.sort((a, b) => (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : a - b) * (ascending ? 1 : -1));
  document.querySelector("#ranks tbody").append(...places.map((place) => rows[place]));
}

function prepareSorting() {
  [...document.querySelectorAll("#ranks thead th")].forEach((head, column) => {
    if (rows[0]?.children[column].querySelector("svg")) return;
    const button = el("button", { type: "button", class: "n" });
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortRows(column, head));
    head.append(button);
  });
}

function showPair() {
  const [first, second] = ["first", "second"].map((name) => document.getElementById(name).selectedIndex);
  rows.forEach((row, place) => {
    row.classList.toggle("first-of-pair", place === first);
    row.classList.toggle("second-of-pair", place === second);
  });
  const sign = board.higher ? 1 : -1;
  const gaps = board.dataSets.map((name, place) => {
    const [one, other] = [board.values[first][place], board.values[second][place]];
    return { name, one, other, gap: one === null || other === null ? null : other - one };
  });
  const known = gaps.filter(({ gap }) => gap !== null);
  const wins = known.filter(({ gap }) => sign * gap > 0).length, losses = known.filter(({ gap }) => sign * gap < 0).length;
  const names = { first: neutral(board.systems[first]), second: neutral(board.systems[second]) };
  const difference = fixed(board.aggregates[second] - board.aggregates[first], { digits: board.digits, signed: true });
  const verdict = first === second ? "same system" : separable(first, second) ? "separable" : "not separable";
  const sorted = [...gaps].sort((a, b) => Math.abs(b.gap ?? 0) - Math.abs(a.gap ?? 0));
  const cells = sorted.map(({ name, one, other, gap }) => el("tr", {}, el("td", {}, neutral(name)),
    ...[one, other].map((value) => el("td", { class: "r" }, fixed(value, { digits: 4 }))),
    el("td", { class: `r ${gap === null || gap === 0 ? "" : sign * gap > 0 ? "better" : "worse"}` }, fixed(gap, { digits: 4, signed: true }))));
  const titles = [message("data set"), names.first, names.second, message("difference")];
  put(document.getElementById("pair"),
    el("p", { class: "verdict" }, message(verdict, { ...names, difference })),
    el("p", {}, message("wins", { ...names, wins, losses, ties: known.length - wins - losses })),
    el("div", { class: "scrolls", tabindex: "0" }, el("table", {},
      el("thead", {}, el("tr", {}, ...titles.map((title, place) => el("th", { scope: "col", class: place ? "r" : "" }, title)))),
      el("tbody", {}, ...cells))));
  watchTables(document.getElementById("pair"));
}

function preparePairs() {
  const fields = ["first", "second"].map((name) => document.getElementById(name));
  if (!fields[0]) return;
  fields.forEach((field, place) => {
    field.append(...board.systems.map((name) => el("option", {}, neutral(name))));
    field.selectedIndex = place;
    field.addEventListener("change", showPair);
  });
  let next = 0;
  rows.forEach((row, place) => row.addEventListener("click", () => { // the first and the second system in turn
    fields[next].selectedIndex = place;
    next = 1 - next;
    showPair();
  }));
  showPair();
}

function prepareMap() {
  const map = document.getElementById("map"), here = document.getElementById("here");
  const { names, titles, cell, row } = Object.fromEntries(Object.entries(map.dataset).map(([name, size]) => [name, Number(size)]));
  const point = (event) => {
    const box = map.getBoundingClientRect(), scale = map.viewBox.baseVal.width / box.width;
    const column = Math.floor(((event.clientX - box.left) * scale - names) / cell);
    const line = Math.floor(((event.clientY - box.top) * scale - titles) / row);
    const inside = column >= 0 && line >= 0 && column < board.dataSets.length && line < board.systems.length;
    here.setAttribute("visibility", inside ? "visible" : "hidden");
    if (!inside) return;
    here.setAttribute("x", names + cell * column - .5);
    here.setAttribute("y", titles + row * line);
    const value = fixed(board.values[line][column], { digits: 4 });
    put(document.getElementById("pointed"), message("cell", { system: neutral(board.systems[line]), data_set: neutral(board.dataSets[column]), value }));
  };
  map.addEventListener("pointermove", point);
  map.addEventListener("pointerdown", point);
}

prepareShell();
prepareSorting();
preparePairs();
prepareMap();
document.getElementById("search").addEventListener("input", filterRows);
filterRows();
root.dataset.ready = String(Math.round(performance.now()));
})();
