// Language, theme and the skip link, the same on every page.
const root = document.documentElement;

function setLanguage(lang) {
  root.lang = lang;
  applyLanguage();
  reportAppearance();
}

// A page that shows this one in a frame follows its language and theme.
function reportAppearance() {
  if (parent !== window) parent.postMessage({ lang: root.lang, theme: root.dataset.theme ?? null }, "*");
}

function setAppearance(lang, theme) {
  if (LANGS.includes(lang)) root.lang = lang;
  if (["light", "dark"].includes(theme)) root.dataset.theme = theme;
}

// Tables that are wider than their place say that they scroll.
const tables = new ResizeObserver((entries) => {
  for (const { target } of entries) target.classList.toggle("more", target.scrollWidth > target.clientWidth + 1);
});

function watchTables(within = document) { for (const table of within.querySelectorAll(".scrolls")) tables.observe(table); }

function prepareShell() {
  const parameters = new URLSearchParams(location.search);
  setAppearance(parameters.get("lang"), parameters.get("theme"));
  document.getElementById("language").addEventListener("click", () => setLanguage(LANGS[1 - language()]));
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    reportAppearance();
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
  applyLanguage();
  watchTables();
}
