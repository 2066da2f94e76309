// Elements and messages. Every text goes through a text node, so no id or text can become markup.
const SVG = "http://www.w3.org/2000/svg";
const MESSAGES = JSON.parse(document.getElementById("messages").textContent);
const LANGS = ["en", "zh-CN"];
const SVG_TAGS = new Set(["svg", "g", "line", "path", "polyline", "polygon", "circle", "rect", "text", "title"]);
const TAGS = new Set([...SVG_TAGS, "div", "h2", "h3", "h4", "p", "table", "caption", "thead", "tbody", "tr", "th", "td", "span", "bdi", "i", "b",
  "strong", "small", "sup", "details", "summary", "figure", "figcaption", "code"]);
const MATHML = "http://www.w3.org/1998/Math/MathML";
const MATHML_TAGS = new Set(["math", "mrow", "mi", "mo", "mn", "mtext", "mspace", "mfrac", "msub", "msup", "msubsup", "munder", "mover", "munderover", "msqrt"]);

class Phrase { // a message in both languages, as in Python
  constructor(en, zh) { this.texts = [en, zh]; }
  get current() { return this.texts[language()]; }
}

function language() { return document.documentElement.lang === LANGS[1] ? 1 : 0; }

// {name} is replaced by a value, {count:# query|# queries} by the singular or the plural, {count:,} by a number.
function message(key, values = {}) {
  const fillIn = (text, place) => text.replace(/\{(\w+)(?::([^{}]*))?\}/g, (_, name, spec) => {
    const value = values[name];
    if (spec === ",") return value.toLocaleString("en");
    if (spec) return spec.split("|")[value === 1 ? 0 : 1].replace("#", value.toLocaleString("en"));
    return value instanceof Phrase ? value.texts[place] : String(value);
  });
  return new Phrase(...MESSAGES[key].map(fillIn));
}

// Options and accessible labels cannot hold two languages: they get the one that is shown.
function applyLanguage(within = document) {
  for (const node of within.querySelectorAll("[data-zh]")) {
    const text = language() ? node.dataset.zh : node.dataset.en;
    if (node.tagName === "OPTION") node.textContent = text;
    else if (node.tagName === "OPTGROUP") node.label = text;
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
    if (child instanceof Phrase) {
      child.texts.forEach((text, place) => {
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
    else if (value instanceof Phrase) {
      node.setAttribute(name, value.current);
      [node.dataset.en, node.dataset.zh] = value.texts;
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

function namespaced(space, tag, attributes, children, span) {
  const node = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) if (name !== "xmlns") node.setAttribute(name, value);
  return fill(node, children, span);
}

function svg(tag, attributes = {}, ...children) {
  return namespaced(SVG, tag, attributes, children, () => document.createElementNS(SVG, "tspan"));
}

// Build an element from the data that Python wrote: [tag, attributes, ...children].
function build([tag, attributes, ...parts]) {
  if (!(TAGS.has(tag) || MATHML_TAGS.has(tag)) || Object.keys(attributes).some((name) => name.startsWith("on"))) throw new Error(`unexpected element ${tag}`);
  const children = parts.map((child) => Array.isArray(child) ? build(child)
    : typeof child === "string" ? neutral(child) : new Phrase(neutral(child.en), neutral(child.zh)));
  if (MATHML_TAGS.has(tag)) return namespaced(MATHML, tag, attributes, children, () => document.createElement("span"));
  return SVG_TAGS.has(tag) ? svg(tag, attributes, ...children) : el(tag, attributes, ...children);
}

function idElement(text) { // isolated, so that the text direction of an id ends with it
  const shown = neutral(text);
  return el("bdi", { title: shown }, shown);
}

// As above for one line: the beginning gives way, the end stays, in which ids often differ.
function shortId(text) {
  const shown = neutral(text), letters = [...shown], at = letters.length - 8;
  if (letters.length <= 16) return idElement(text);
  return el("bdi", { title: shown, class: "ends" }, el("span", {}, letters.slice(0, at).join("")), el("span", {}, letters.slice(at).join("")));
}

// Six digits and a typographic minus; with "integers", integers have no decimals.
function fixed(value, { digits = 6, signed = false, integers = false } = {}) {
  if (value === null || value === undefined) return "–";
  const text = integers && Number.isInteger(value) ? String(Math.abs(value)) : Math.abs(value).toFixed(digits);
  const sign = Number(text) === 0 ? "" : value < 0 ? "−" : signed ? "+" : "";
  return sign + text;
}
