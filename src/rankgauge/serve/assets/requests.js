// Requests to the server of this page, with a header that no other page can send.
const START = JSON.parse(document.getElementById("start").textContent);

async function request(path, content = null, method = "POST") {
  let response;
  try {
    response = await fetch(path, {
      method, cache: "no-store", headers: { "x-rankgauge": "1", ...(content === null || content instanceof Blob ? {} : { "content-type": "application/json" }) },
      body: content === null || content instanceof Blob ? content : JSON.stringify(content),
    });
  } catch (reason) {
    throw new RequestError(message("failed", { reason: neutral(reason.message) }));
  }
  return parseResponse(response.status, await response.text());
}

function parseResponse(status, text) {
  let data = null;
  try { data = JSON.parse(text); } catch { /* not JSON: shown as text below */ }
  if (status < 200 || status > 299 || data === null) throw new RequestError(errorText((data && data.error) || text || String(status)));
  return data;
}

// Most errors come in both languages, some as one text; their line breaks stay, other control characters are made visible.
function errorText(error) { return Array.isArray(error) ? new Phrase(...error.map(neutralLines)) : neutralLines(error); }

function neutralLines(text) { return String(text).split("\n").map(neutral).join("\n"); }

class RequestError extends Error {
  constructor(text) { super("request failed"); this.text = text; }
}

function showError(node, reason) {
  const text = reason instanceof RequestError ? reason.text : neutral(reason.message);
  put(node, el("p", { class: "notice" }, text));
  if (!(reason instanceof RequestError)) throw reason;
}
