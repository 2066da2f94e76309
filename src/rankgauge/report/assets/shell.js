// Language, light and the way past the top, the same on every page.
const root = document.documentElement;

function speak(lang) {
  root.lang = lang;
  speakNow();
}

function prepareShell() {
  document.getElementById("language").addEventListener("click", () => speak(LANGS[1 - language()]));
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
  speakNow();
}
