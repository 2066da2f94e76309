// Labels: one for each question of this assessor, kept in the browser at every key, and those of other assessors.
const SHEET = JSON.parse(document.getElementById("sheet").textContent);
const ROWS = SHEET.rows; // [query, item, repeat, reason, inclusion] by number
const LABELS = new Array(ROWS.length).fill(null); // {grade, note, time, withdrawn}, of the assessor of this page
const OTHERS = new Map(); // records of other assessors by name
const state = { rater: "", place: 0, undo: [], storage: true, unsent: new Set(), handle: null, saved: true };

const storageKey = (rater, number) => `rankgauge/${SHEET.fingerprint}/${rater}/${number}`;

function storageWorks() {
  try {
    localStorage.setItem("rankgauge", "1");
    return localStorage.getItem("rankgauge") === "1";
  } catch { return false; }
}

// FNV-1a with 64 bits of what a label says, so that a label that was edited by accident is noticed.
const ENCODER = new TextEncoder();
function checkOf(fields) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of ENCODER.encode(fields.join("\x1f"))) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

function recordOf(number, label, rater = state.rater) {
  const [query, item, repeat, reason, inclusion] = ROWS[number];
  const record = {
    query: SHEET.queries[query][0], item: SHEET.items[item][0], rater, grade: label.grade, note: label.note || null, time: label.time, repeat,
    reason: SHEET.reasons[reason], inclusion, max_grade: SHEET.max_grade, pool_fingerprint: SHEET.fingerprint,
  };
  if (label.withdrawn) record.withdrawn = true;
  const grade = label.withdrawn ? "withdrawn" : label.grade === null ? "u" : String(label.grade);
  record.check = checkOf([record.query, record.item, rater, grade, String(repeat), record.reason, String(Math.floor(inclusion * 1e9 + 0.5)),
    String(SHEET.max_grade), SHEET.fingerprint]);
  return record;
}

const isAnswered = (number) => LABELS[number] !== null && !LABELS[number].withdrawn;
const answered = () => LABELS.reduce((count, _, number) => count + isAnswered(number), 0);

// Put a label in place and keep it: in the browser at once, and at the server or in the file.
function setLabel(number, label) {
  LABELS[number] = label;
  state.saved = false;
  if (state.storage) {
    try { localStorage.setItem(storageKey(state.rater, number), JSON.stringify(label)); } catch { state.storage = false; }
  }
  if (SHEET.served) send(number);
  else if (state.handle) writeFile();
}

function give(number, grade) {
  const before = LABELS[number];
  state.undo.push([number, before]);
  setLabel(number, { grade, note: before?.note ?? "", time: new Date().toISOString() });
}

// Take the last label back; after a reload that is the most recent one.
function undo() {
  let step = state.undo.pop();
  if (!step) {
    const last = LABELS.reduce((best, label, number) => isAnswered(number) && (best < 0 || label.time > LABELS[best].time) ? number : best, -1);
    if (last < 0) return null;
    step = [last, null];
  }
  const [number, before] = step;
  const time = new Date().toISOString();
  setLabel(number, before ? { ...before, time } : { grade: null, note: "", time, withdrawn: true });
  return number;
}

function loadStored() {
  for (let number = 0; number < ROWS.length; number++) {
    let stored = null;
    try { stored = JSON.parse(localStorage.getItem(storageKey(state.rater, number))); } catch { /* unreadable: as if there were none */ }
    if (stored && isLabel(stored)) LABELS[number] = stored;
  }
}

function isLabel(label) {
  return (label.grade === null || (Number.isInteger(label.grade) && label.grade >= 0 && label.grade <= SHEET.max_grade)) && typeof label.time === "string";
}

// The number of the question of a record, by query, item and whether it is a repetition.
const NUMBERS = new Map(ROWS.map(([query, item, repeat], number) => [JSON.stringify([SHEET.queries[query][0], SHEET.items[item][0], repeat]), number]));
const numberOf = (record) => NUMBERS.get(JSON.stringify([String(record.query), String(record.item), record.repeat ? 1 : 0]));

// Take over records: those of this assessor where they are newer, those of others as they are. Returns what was found.
function takeOver(records) {
  const found = { own: 0, others: 0, foreign: 0, invalid: 0 };
  for (const record of records) {
    if (record.pool_fingerprint !== SHEET.fingerprint) { found.foreign++; continue; }
    const number = numberOf(record), label = { grade: record.grade, note: record.note ?? "", time: record.time };
    if (record.withdrawn) label.withdrawn = true;
    if (number === undefined || !isLabel(label) || recordOf(number, label, String(record.rater)).check !== record.check) { found.invalid++; continue; }
    if (record.rater === state.rater) {
      if (LABELS[number] === null || LABELS[number].time <= label.time) LABELS[number] = label;
      found.own++;
    } else {
      if (!OTHERS.has(record.rater)) OTHERS.set(record.rater, new Map());
      OTHERS.get(record.rater).set(number, label);
      found.others++;
    }
  }
  return found;
}

function parseRecords(text) {
  return text.split("\n").filter((line) => line.trim()).flatMap((line) => { try { return [JSON.parse(line)]; } catch { return [{}]; } });
}

const LINES = new WeakMap(); // by label: a label is replaced, never changed, and its check takes time
function lineOf(number, label, rater) {
  if (!LINES.has(label)) LINES.set(label, JSON.stringify(recordOf(number, label, rater)) + "\n");
  return LINES.get(label);
}

// All labels as lines of JSON: of this assessor, and of those that were added.
function allRecords() {
  const own = LABELS.map((label, number) => label && !label.withdrawn ? lineOf(number, label, state.rater) : "");
  const others = [...OTHERS].flatMap(([rater, labels]) => [...labels].map(([number, label]) => label.withdrawn ? "" : lineOf(number, label, rater)));
  return [...own, ...others].join("");
}

const fileName = () => `labels-${SHEET.fingerprint}-${state.rater.replace(/[^\p{L}\p{N}]+/gu, "_") || "assessor"}.jsonl`;

let writing = Promise.resolve(), waits = false;
function writeFile() { // one after the other, so that the last state is the one in the file
  if (waits) return; // the write that waits takes this label, too
  waits = true;
  writing = writing.then(async () => {
    waits = false;
    const target = await state.handle.createWritable();
    await target.write(allRecords());
    await target.close();
    state.saved = true;
    showSaved();
  }).catch(() => { state.handle = null; showSaved(); });
}

// To a file that the page keeps up to date where the browser can do that, else as a download.
async function saveFile() {
  if (window.showSaveFilePicker && !navigator.webdriver) {
    try {
      state.handle = await window.showSaveFilePicker({ suggestedName: fileName() });
      writeFile();
      return;
    } catch (error) { if (error.name === "AbortError") return; }
  }
  const link = el("a", { href: URL.createObjectURL(new Blob([allRecords()], { type: "application/x-ndjson" })), download: fileName() });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  state.saved = true;
  showSaved();
}

// With a server: every label is sent as it is made, in order, and again until it has arrived.
let sending = false;
function send(number) {
  state.unsent.delete(number); // at the end, so that the newest is sent last
  state.unsent.add(number);
  if (!sending) sendAll();
}

async function sendAll() {
  sending = true;
  showSaved();
  for (const number of state.unsent) {
    const label = LABELS[number];
    try {
      const answer = await fetch("/api/labels", { method: "POST", headers: { "X-Rankgauge": "1" }, body: JSON.stringify(recordOf(number, label)) });
      if (!answer.ok && answer.status !== 422) throw new Error(answer.status);
      if (LABELS[number] === label) state.unsent.delete(number);
    } catch {
      showSaved();
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  sending = false;
  if (state.unsent.size) sendAll();
  else { state.saved = true; showSaved(); }
}

async function loadServed() {
  const answer = await fetch("/api/labels");
  const before = [...LABELS];
  takeOver(parseRecords(await answer.text()));
  before.forEach((label, number) => { if (label && LABELS[number] === label) send(number); }); // what the server lacks
}
