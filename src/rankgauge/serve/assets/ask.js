// Requests to the server of this page. The header is what no other page can send.
const START = JSON.parse(document.getElementById("start").textContent);

async function ask(path, said = null, method = "POST") {
  let answer;
  try {
    answer = await fetch(path, {
      method, cache: "no-store", headers: { "x-rankgauge": "1", ...(said === null || said instanceof Blob ? {} : { "content-type": "application/json" }) },
      body: said === null || said instanceof Blob ? said : JSON.stringify(said),
    });
  } catch (reason) {
    throw new Unanswered(say("failed", { reason: neutral(reason.message) }));
  }
  return answered(answer.status, await answer.text());
}

function answered(status, text) {
  let found = null;
  try { found = JSON.parse(text); } catch { /* not ours to read */ }
  if (status < 200 || status > 299 || found === null) throw new Unanswered(neutral((found && found.error) || text || String(status)));
  return found;
}

class Unanswered extends Error {
  constructor(said) { super("unanswered"); this.said = said; }
}

function complain(node, reason) {
  const said = reason instanceof Unanswered ? reason.said : neutral(reason.message);
  put(node, el("p", { class: "notice" }, said));
  if (!(reason instanceof Unanswered)) throw reason;
}
