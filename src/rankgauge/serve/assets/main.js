// The views of the page by address: #playground?..., #files, #report=...
const VIEWS = ["playground", "files", "report"];

function follow() {
  const [name, id] = location.hash.slice(1).split(/[=?]/);
  if (name === "main") return;
  const view = VIEWS.includes(name) && (name !== "report" || /^[\w-]+$/.test(id ?? "")) ? name : "playground";
  for (const other of VIEWS) document.getElementById(`view-${other}`).hidden = other !== view;
  for (const tab of document.querySelectorAll(".tab")) {
    if (tab.dataset.view === (view === "report" ? "files" : view)) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  root.dataset.view = view;
  const frame = document.getElementById("report-frame"), address = view === "report" ? `/reports/${id}?${appearance()}` : "";
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

// A report runs in a sandbox: its address carries language and theme, and it posts a message when they change.
function appearance() {
  return new URLSearchParams({ lang: root.lang, ...(root.dataset.theme ? { theme: root.dataset.theme } : {}) });
}

addEventListener("message", ({ source, data }) => {
  if (source !== document.getElementById("report-frame").contentWindow) return;
  setAppearance(data?.lang, data?.theme);
  applyLanguage();
});
prepareShell();
addEventListener("hashchange", follow);
follow();
Promise.all([preparePlayground(), prepareFiles()]).then(() => { root.dataset.ready = String(Math.round(performance.now())); });
})();
