// The views of the page, by its address: #playground, #files, #report=...
const VIEWS = ["playground", "files", "report"];

function follow() {
  const [name, id] = location.hash.slice(1).split("=");
  if (name === "main") return;
  const view = VIEWS.includes(name) && (name !== "report" || /^[\w-]+$/.test(id ?? "")) ? name : "playground";
  for (const one of VIEWS) document.getElementById(`view-${one}`).hidden = one !== view;
  for (const tab of document.querySelectorAll(".tab")) {
    if (tab.dataset.view === (view === "report" ? "files" : view)) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  root.dataset.view = view;
  const frame = document.getElementById("report-frame"), address = view === "report" ? `/reports/${id}?${asShown()}` : "";
  if (frame.getAttribute("src") !== address) {
    if (address) frame.setAttribute("src", address);
    else frame.removeAttribute("src");
  }
  if (address) {
    document.getElementById("report-tab").href = address;
    document.getElementById("report-save").href = `/reports/${id}?save`;
  }
  scrollTo(0, 0);
}

// A report lies in a sandbox that cannot be reached from here: its address says how it is to be shown, and it tells when that was changed.
function asShown() {
  return new URLSearchParams({ lang: root.lang, ...(root.dataset.theme ? { theme: root.dataset.theme } : {}) });
}

addEventListener("message", ({ source, data }) => {
  if (source !== document.getElementById("report-frame").contentWindow) return;
  lookLike(data?.lang, data?.theme);
  speakNow();
});
prepareShell();
addEventListener("hashchange", follow);
follow();
Promise.all([preparePlayground(), prepareFiles()]).then(() => { root.dataset.ready = String(Math.round(performance.now())); });
})();
