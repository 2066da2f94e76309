// Rules as radio buttons; in the playground each option shows the value it gives.
function showRules(home, rules, now, choose) {
  const focused = home.contains(document.activeElement) ? document.activeElement.id : null;
  const [moving, still] = [true, false].map((moves) => rules.filter((rule) => (rule.moves ?? true) === moves));
  const open = home.querySelector("details")?.open, fieldset = (rule) => ruleChoices(home.id, rule, now, choose);
  put(home, ...moving.map(fieldset),
    still.length ? el("details", { open: open === true }, el("summary", {}, message("still", { count: still.length })), ...still.map(fieldset)) : null);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function ruleChoices(home, rule, now, choose) {
  const choices = rule.options.map((option, place) => {
    const name = `${home}-${rule.name}`, current = option.text === rule.chosen;
    return el("label", { class: current ? "choice current" : "choice", title: option.refused ? errorText(option.refused).current : null },
      el("input", { type: "radio", name, id: `${name}-${place}`, value: option.text, checked: current, change: () => choose(rule.name, option.text) }),
      el("span", { class: "what" }, el("code", {}, neutral(option.text)), el("span", { class: "small" }, new Phrase(...option.meaning))),
      "value" in option ? optionValue(option.value, now) : null);
  });
  return el("fieldset", { "data-rule": rule.name }, el("legend", {}, new Phrase(...rule.title), el("span", { class: "small" }, new Phrase(...rule.question))),
    el("div", { class: "choices" }, ...choices));
}

function optionValue(value, now) {
  const change = value === null || now === null ? 0 : value - now;
  return el("span", { class: "gives" }, el("b", {}, value === null ? message("no value") : fixed(value, { digits: 4 })),
    Math.abs(change) < 5e-5 ? null : el("span", { class: change > 0 ? "better" : "worse" }, fixed(change, { digits: 4, signed: true })));
}

