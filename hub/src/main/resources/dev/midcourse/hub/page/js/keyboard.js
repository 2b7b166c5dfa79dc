// Keyboard shortcuts for all actions. While a text field has the focus, only Escape has an effect.

import { showKeys } from "./dialogs.js";

const TABS = ["story", "answer", "changes", "log", "details"];
const typing = (node) => node.matches("input, textarea, select, [contenteditable]");

export function bindKeys(page) {
  const run = () => page.runs.get(page.current);
  const keys = {
    j: () => page.go(page.list.neighbour(1)),
    k: () => page.go(page.list.neighbour(-1)),
    "/": () => document.getElementById("search").focus(),
    n: () => page.newRun(),
    c: () => page.goChats(undefined),
    s: () => page.isLive() && page.view.steering.focus(),
    t: () => page.view.timeline.canvas.focus(),
    a: () => page.view.answer("allow"),
    d: () => page.view.answer("deny"),
    x: () => run() && page.view.actions.stop(run()),
    r: () => run() && page.view.actions.restart(run()),
    "?": () => showKeys(),
  };
  TABS.forEach((tab, at) => (keys[at + 1] = () => page.current && page.view.show(tab)));
  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || event.defaultPrevented) return;
    if (event.key === "Escape") {
      if (document.activeElement && document.activeElement !== document.body) document.activeElement.blur();
      else if (page.view.selected) page.select(undefined);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  document.querySelector("#main").addEventListener("keydown", (event) => {
    const tab = event.target.closest?.("[role=tab]");
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!tab || !by) return;
    const next = TABS[(TABS.indexOf(tab.dataset.tab) + by + TABS.length) % TABS.length];
    page.view.show(next);
    document.getElementById(`tab-${next}`).focus();
  });
}
