// Language, light and the way past the top, the same on every page.
const root = document.documentElement;

function speak(lang) {
  root.lang = lang;
  speakNow();
  tellShown();
}

// A page that shows this one in a frame may want to look like it.
function tellShown() {
  if (parent !== window) parent.postMessage({ lang: root.lang, theme: root.dataset.theme ?? null }, "*");
}

function lookLike(lang, theme) {
  if (LANGS.includes(lang)) root.lang = lang;
  if (["light", "dark"].includes(theme)) root.dataset.theme = theme;
}

function prepareShell() {
  const asked = new URLSearchParams(location.search);
  lookLike(asked.get("lang"), asked.get("theme"));
  document.getElementById("language").addEventListener("click", () => speak(LANGS[1 - language()]));
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    tellShown();
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
  speakNow();
}
