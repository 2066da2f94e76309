// Building the page: every text goes through a text node, so no id or text can become markup.
const SVG = "http://www.w3.org/2000/svg";
const WORDS = JSON.parse(document.getElementById("words").textContent);
const LANGS = ["en", "zh-CN"];
const DRAWN = new Set(["svg", "g", "line", "path", "polyline", "polygon", "circle", "rect", "text", "title"]);
const KNOWN = new Set([...DRAWN, "div", "h2", "h3", "p", "table", "caption", "thead", "tbody", "tr", "th", "td", "span", "bdi", "i", "b",
  "strong", "details", "summary", "figure", "figcaption", "code"]);
const MATHML = "http://www.w3.org/1998/Math/MathML";
const FORMULA = new Set(["math", "mrow", "mi", "mo", "mn", "mtext", "mspace", "mfrac", "msub", "msup", "msubsup", "munder", "mover", "munderover"]);

class Said { // one thing in both languages
  constructor(en, zh) { this.both = [en, zh]; }
  get now() { return this.both[language()]; }
}

function language() { return document.documentElement.lang === LANGS[1] ? 1 : 0; }

function say(key, values = {}) {
  const put = (text, place) => text.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return value instanceof Said ? value.both[place] : String(value);
  });
  return new Said(...WORDS[key].map(put));
}

// What cannot hold two languages at once, options and labels that are read out, takes the one that is shown.
function speakNow(within = document) {
  for (const node of within.querySelectorAll("[data-zh]")) {
    const text = language() ? node.dataset.zh : node.dataset.en;
    if (node.tagName === "OPTION") node.textContent = text;
    else node.setAttribute("aria-label", text);
  }
}

// Control and direction characters made visible, as everywhere else in rankgauge.
function neutral(text) {
  return String(text).replace(/[\p{C}\p{Z}]/gu, (c) => {
    if (c === " ") return c;
    const named = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[c];
    if (named) return named;
    const code = c.codePointAt(0), hex = code.toString(16);
    if (code < 0x100) return "\\x" + hex.padStart(2, "0");
    return code < 0x10000 ? "\\u" + hex.padStart(4, "0") : "\\U" + hex.padStart(8, "0");
  });
}

function fill(node, children, span) {
  for (const child of children.flat()) {
    if (child === null || child === undefined) continue;
    if (child instanceof Said) {
      child.both.forEach((text, place) => {
        const part = span();
        part.setAttribute("class", "t");
        part.setAttribute("lang", LANGS[place]);
        part.textContent = text;
        node.append(part);
      });
    } else {
      node.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
  }
  return node;
}

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value instanceof Said) {
      node.setAttribute(name, value.now);
      [node.dataset.en, node.dataset.zh] = value.both;
    }
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  return fill(node, children, () => document.createElement("span"));
}

function put(node, ...children) {
  node.replaceChildren();
  return fill(node, children, () => document.createElement("span"));
}

function drawn(space, tag, attributes, children, span) {
  const node = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) if (name !== "xmlns") node.setAttribute(name, value);
  return fill(node, children, span);
}

function svg(tag, attributes = {}, ...children) {
  return drawn(SVG, tag, attributes, children, () => document.createElementNS(SVG, "tspan"));
}

// What was made when the report was made, from its data: [tag, attributes, what is inside ...].
function built([tag, attributes, ...inside]) {
  if (!(KNOWN.has(tag) || FORMULA.has(tag)) || Object.keys(attributes).some((name) => name.startsWith("on"))) throw new Error(`${tag} is not expected`);
  const children = inside.map((child) => Array.isArray(child) ? built(child)
    : typeof child === "string" ? neutral(child) : new Said(neutral(child.en), neutral(child.zh)));
  if (FORMULA.has(tag)) return drawn(MATHML, tag, attributes, children, () => document.createElementNS(MATHML, "mtext"));
  return DRAWN.has(tag) ? svg(tag, attributes, ...children) : el(tag, attributes, ...children);
}

function named(text) { // an id: isolated, so that its direction ends with it
  const shown = neutral(text);
  return el("bdi", { title: shown }, shown);
}

// Six digits, and a real minus; whole numbers as they are where they count something.
function fixed(value, { digits = 6, signed = false, whole = false } = {}) {
  if (value === null || value === undefined) return "–";
  const text = whole && Number.isInteger(value) ? String(Math.abs(value)) : Math.abs(value).toFixed(digits);
  const sign = Number(text) === 0 ? "" : value < 0 ? "−" : signed ? "+" : "";
  return sign + text;
}
