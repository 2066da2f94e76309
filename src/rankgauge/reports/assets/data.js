// The data are compressed blocks in the file, decompressed on first use. The queries come after the script, so that the
// page starts before they are parsed.
const blocks = new Map();
let core = null;

function loadBlock(name) {
  if (!blocks.has(name)) blocks.set(name, decompress(name));
  return blocks.get(name);
}

async function decompress(name) {
  if (!document.getElementById(name)) await new Promise((done) => addEventListener("DOMContentLoaded", done, { once: true }));
  const text = atob(document.getElementById(name).textContent);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

async function queryData(place) {
  const chunk = await loadBlock(`queries-${Math.floor(place / core.chunk)}`);
  return chunk[place % core.chunk];
}

// Cells that a spreadsheet would run as a formula are marked as text; numbers keep all their digits.
function csvCell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csv({ columns, rows }) {
  return [columns, ...rows].map((row) => row.map(csvCell).join(",")).join("\n") + "\n";
}

function json({ columns, rows }) {
  return JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))), null, 1) + "\n";
}

function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// Both values and their difference (second minus first) of each query for which both systems have a value.
function pairRows(metric, first, second) {
  const [a, b] = [core.values[metric][first], core.values[metric][second]];
  const rows = [];
  core.queries.forEach((query, place) => {
    if (a[place] !== null && b[place] !== null) rows.push({ place, a: a[place], b: b[place], d: b[place] - a[place] });
  });
  return rows;
}
