// A line of each page that was found, around the first of the words searched for.
(() => {
  const AROUND = 70, LONG = 180;
  const query = new URLSearchParams(location.search).get("q") ?? "";
  const words = [query.trim(), ...query.split(/[\s@]+/)].filter(Boolean).map((word) => word.toLowerCase());

  function snippet(text) {
    const lower = text.toLowerCase();
    const word = words.find((candidate) => lower.includes(candidate)) ?? "";
    const place = word ? lower.indexOf(word) : 0;
    const start = place <= AROUND ? 0 : Math.max(text.lastIndexOf(" ", place - AROUND) + 1, place - 2 * AROUND);
    const end = text.length <= start + LONG ? text.length : text.lastIndexOf(" ", start + LONG) > place + word.length ? text.lastIndexOf(" ", start + LONG) : start + LONG;
    const line = document.createElement("p");
    const marked = document.createElement("mark");
    marked.textContent = text.slice(place, place + word.length);
    line.className = "snippet";
    line.append(start ? "… " : "", text.slice(start, place), ...(word ? [marked] : []), text.slice(place + word.length, Math.max(end, place + word.length)), end < text.length ? " …" : "");
    return line;
  }

  const seen = new Set();

  function addSnippets(list) {
    const root = new URL(document.documentElement.dataset.content_root, location.href);
    for (const item of list.querySelectorAll("li:not([data-seen])")) {
      item.dataset.seen = "";
      const link = item.querySelector("a");
      const name = link && decodeURIComponent(new URL(link.href).pathname.slice(root.pathname.length)).replace(/\.html$/, "");
      const key = `${name} ${link?.textContent}`; // a page is found by its title, its index entries and its text
      if (seen.has(key)) { item.remove(); continue; }
      seen.add(key);
      if (PAGE_TEXTS[name]) item.append(snippet(PAGE_TEXTS[name]));
    }
  }

  addEventListener("DOMContentLoaded", () => {
    const home = document.getElementById("search-results");
    if (home) new MutationObserver(() => addSnippets(home)).observe(home, { childList: true, subtree: true });
  });
})();
