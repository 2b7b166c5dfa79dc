// Keyboard shortcuts for all actions. While a text field has the focus, only Escape has an effect.

import { showKeys } from "./dialogs.js";

const TABS = ["story", "answer", "changes", "log", "details"];
const LOOP_TABS = ["findings", "rounds", "changes", "news", "details"];
const typing = (node) => node.matches("input, textarea, select, [contenteditable]");

export function bindKeys(page) {
  const run = () => page.runs.get(page.current);
  const loop = () => (page.loopOpen ? page.loop.details?.loop : undefined);
  const keys = {
    j: () => page.openPath(page.list.neighbour(1) ?? "/"),
    k: () => page.openPath(page.list.neighbour(-1) ?? "/"),
    "/": () => document.getElementById("search").focus(),
    n: () => page.newRun(),
    c: () => page.goChats(undefined),
    s: () => (loop() ? page.loop.steering.focus() : page.isLive() && page.view.steering.focus()),
    t: () => page.view.timeline.canvas.focus(),
    a: () => run() && page.view.answer("allow"),
    d: () => run() && page.view.answer("deny"),
    x: () => (loop() ? page.loop.actions.stop(loop()) : run() && page.view.actions.stop(run())),
    r: () => (loop() ? page.loop.actions.restart(loop()) : run() && page.view.actions.restart(run())),
    g: () => loop()?.phase === "parked" && page.loop.actions.go(loop()),
    "?": () => showKeys(),
  };
  TABS.forEach((tab, at) => (keys[at + 1] = () => {
    if (loop()) page.loop.show(LOOP_TABS[at]);
    else if (page.current) page.view.show(tab);
  }));
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
    const tab = event.target.closest?.(".run:not(.loop) [role=tab]");
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!tab || !by) return;
    const next = TABS[(TABS.indexOf(tab.dataset.tab) + by + TABS.length) % TABS.length];
    page.view.show(next);
    document.getElementById(`tab-${next}`).focus();
  });
}
