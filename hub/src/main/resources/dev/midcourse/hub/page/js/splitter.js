// A separator that changes the height of a pane, by pointer and by keyboard. The height is stored in this browser.

import { h } from "./dom.js";

const STEP = 16;

/**
 * @param name the name under which the height is stored
 * @param upwards whether the pane lies below the separator, so that it grows when the separator moves up
 * @param apply called with the chosen height in pixels, or with undefined for the default height
 * @param height returns the present height of the pane
 */
export function splitter({ label, name, min, max, upwards = false, apply, height }) {
  const key = `midcourse.${name}`;
  const node = h("div", {
    class: "splitter", role: "separator", tabindex: 0, "aria-orientation": "horizontal", "aria-label": label,
    "aria-valuemin": min, "aria-valuemax": max(), "aria-valuenow": min,
    title: `${label}: drag, or use ↑ and ↓. Double-click for the default.`,
  });
  const tell = () => {
    node.setAttribute("aria-valuemax", String(Math.round(max())));
    node.setAttribute("aria-valuenow", String(Math.round(Math.min(max(), Math.max(min, height())))));
  };
  const choose = (pixels) => {
    const chosen = pixels === undefined ? undefined : Math.round(Math.min(max(), Math.max(min, pixels)));
    if (chosen === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, String(chosen));
    apply(chosen);
    tell();
  };
  const sign = upwards ? -1 : 1;
  let drag;
  node.addEventListener("pointerdown", (event) => {
    drag = { y: event.clientY, from: height() };
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => drag && choose(drag.from + sign * (event.clientY - drag.y)));
  for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, () => (drag = undefined));
  node.addEventListener("dblclick", () => choose(undefined));
  node.addEventListener("focus", tell);
  node.addEventListener("keydown", (event) => {
    const to = {
      ArrowDown: () => height() + sign * STEP, ArrowUp: () => height() - sign * STEP,
      Home: () => min, End: () => max(), Enter: () => undefined,
    }[event.key];
    if (!to) return;
    event.preventDefault();
    choose(to());
  });
  const stored = Number(localStorage.getItem(key));
  if (stored > 0) apply(stored);
  return node;
}
