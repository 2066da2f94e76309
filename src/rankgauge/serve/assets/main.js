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
  const frame = document.getElementById("report-frame"), address = view === "report" ? `/reports/${id}` : "";
  if (frame.getAttribute("src") !== address) {
    if (address) frame.setAttribute("src", address);
    else frame.removeAttribute("src");
  }
  if (address) {
    document.getElementById("report-tab").href = address;
    document.getElementById("report-save").href = `${address}?save`;
  }
  scrollTo(0, 0);
}

prepareShell();
addEventListener("hashchange", follow);
follow();
Promise.all([preparePlayground(), prepareFiles()]).then(() => { root.dataset.ready = String(Math.round(performance.now())); });
})();
