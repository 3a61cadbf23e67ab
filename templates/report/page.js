"use strict";
(() => {
  const form = document.querySelector(".filters");
  const query = form.elements.query;
  const shown = document.getElementById("shown");
  const nothing = document.getElementById("nothing");
  const clearing = document.querySelectorAll("[data-clear]");
  const links = document.querySelectorAll("#definitions li");

  // Everything that filtering looks at is read once; afterwards only attributes are written.
  const groups = [...document.querySelectorAll(".group")].map((section, index) => ({
    section,
    entry: links[index],
    number: links[index].querySelector(".number"),
    changes: [...section.querySelectorAll(".change")].map((element) => ({
      element,
      category: element.dataset.category,
      severity: element.dataset.severity,
      text: `${section.getAttribute("aria-label")} ${element.querySelector(".what").textContent}`.toLowerCase(),
    })),
  }));
  const changes = groups.flatMap((group) => group.changes);
  let current = null; // the change that is marked
  let target = null; // where the last jump went

  const chosen = (name) =>
    new Set([...form.querySelectorAll(`[name="${name}"]:checked`)].map((input) => input.value));

  function filter() {
    const categories = chosen("category");
    const severities = chosen("severity");
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (change) =>
      (!categories.size || categories.has(change.category)) &&
      (!severities.size || severities.has(change.severity)) &&
      words.every((word) => change.text.includes(word));
    let total = 0;
    for (const group of groups) {
      let number = 0;
      for (const change of group.changes) {
        const match = matches(change);
        change.element.hidden = !match;
        number += match;
      }
      group.section.hidden = group.entry.hidden = !number;
      group.number.textContent = number;
      total += number;
    }
    shown.textContent = `${total} of ${changes.length} changes`;
    nothing.hidden = total > 0;
    const filtering = categories.size || severities.size || words.length;
    for (const button of clearing) button.hidden = !filtering;
  }

  function clear() {
    form.reset();
    filter();
  }

  function mark(change) {
    current?.removeAttribute("aria-current");
    current = change;
    current.setAttribute("aria-current", "true");
    current.focus({ preventScroll: true });
  }

  // The height of a change out of sight is an estimate: what is jumped to moves while its neighbours are drawn.
  function bring(element, frames = 10) {
    if (!frames || element !== target) return;
    element.scrollIntoView({ block: "start" });
    requestAnimationFrame(() => bring(element, frames - 1));
  }

  function jump(element) {
    target = element;
    if (element.classList.contains("change")) mark(element);
    bring(element);
  }

  // An address that names a change shows it, whatever is filtered.
  function follow() {
    const named = document.getElementById(location.hash.slice(1));
    if (!named) return;
    if (named.closest("[hidden]")) clear();
    jump(named);
  }

  function step(by) {
    const visible = changes.map((change) => change.element).filter((element) => !element.hidden);
    if (!visible.length) return;
    const here = visible.indexOf(current);
    const next = here < 0 ? 0 : Math.min(Math.max(here + by, 0), visible.length - 1);
    jump(visible[next]);
    history.replaceState(null, "", `#${current.id}`);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === query) {
      if (event.key !== "Escape") return;
      query.value = "";
      query.blur();
      filter();
    } else if (event.key === "/") query.focus();
    else if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else return;
    event.preventDefault();
  });

  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const button of clearing) button.addEventListener("click", clear);
  addEventListener("hashchange", follow);

  // On a small screen the list of definitions would stand between a reader and the changes.
  const wide = matchMedia("(min-width: 60.01rem)");
  const fold = () => { document.getElementById("definitions").open = wide.matches; };
  wide.addEventListener("change", fold);
  fold();

  // What is jumped to must not end up under the bar, however many rows the bar has.
  const bar = document.querySelector(".bar");
  const keepClear = () => { document.documentElement.style.scrollPaddingTop = `${bar.offsetHeight + 12}px`; };
  new ResizeObserver(keepClear).observe(bar);
  keepClear();

  // A browser fills in the form again after a reload, and then comes pageshow.
  filter();
  follow();
  addEventListener("pageshow", filter);
})();
