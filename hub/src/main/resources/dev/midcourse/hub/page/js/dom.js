// Creates and updates nodes. Data becomes text nodes and attributes, never markup. Every text is shown by the rules of
// visible.js: by default as a message; `exact` and `exactText` are for what a person approves or compares.

import { visibleExact, visibleProse } from "./visible.js";

const SVG = "http://www.w3.org/2000/svg";

// One path per icon, drawn with the current text colour in a 16 x 16 box.
const ICONS = {
  running: "M8 1.5a6.5 6.5 0 1 0 6.5 6.5M8 4.5V8l2.5 1.5",
  queued: "M4 2h8M4 14h8M5 2c0 3 6 4 6 6s-6 3-6 6M11 2c0 3-6 4-6 6s6 3 6 6",
  done: "M2.5 8.5l3.5 3.5 7.5-8",
  failed: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  stopped: "M4 4h8v8H4z",
  asks: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9.2 8 10M8 12.700v.3",
  quiet: "M13 9.500A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.500z",
  review: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z"
    + "M8 6.200a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.600z",
  timeout: "M8 2.500a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 5v3.200l2.2 1.3",
  said: "M2.5 3h11v7.500h-6L4.5 13v-2.500h-2z",
  tool: "M3 4l3.5 4L3 12M8 12.500h5",
  turn: "M3 8h8M8 4.500L11.5 8 8 11.500M13.5 3v10",
  steer: "M2 12.500h4L10 4h4M11.5 1.700L14 4l-2.5 2.3",
  note: "M8 7.200V12M8 4.200v.4M8 1.500a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z",
  warn: "M8 2L14.5 13.500h-13zM8 6.500v3.200M8 11.400v.3",
  plus: "M8 3v10M3 8h10",
  back: "M10 3L5 8l5 5",
  link: "M6.5 9.500l3-3M7 4.500l1.5-1.500a3 3 0 0 1 4.3 4.300L11.3 8.700"
    + "M9 11.500l-1.5 1.500a3 3 0 0 1-4.3-4.300L4.7 7.3",
  theme: "M8 1.500a6.5 6.5 0 1 0 0 13zM8 1.500a6.5 6.5 0 0 1 0 13",
  send: "M2 8l12-5.500L9.5 14 8 9z",
  spent: "M8 2.500c3 0 5 1 5 2.200S11 7 8 7 3 6 3 4.700s2-2.2 5-2.200z"
    + "M3 4.700v6.600c0 1.2 2 2.2 5 2.200s5-1 5-2.200V4.700M3 8c0 1.2 2 2.2 5 2.200S13 9.2 13 8",
};

/** The attributes that people read or hear. */
const SPOKEN = new Set(["title", "aria-label", "placeholder", "alt"]);

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon icon-" + name);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name] ?? ICONS.note);
  svg.append(path);
  return svg;
}

/** Creates an element with listeners (`on`), properties, attributes and children. */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) {
      continue;
    } else if (name === "on") {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === "class") {
      node.className = value;
    } else if (name === "value" || name === "checked" || name === "disabled") {
      node[name] = value;
    } else {
      const words = value === true ? "" : String(value);
      node.setAttribute(name, SPOKEN.has(name) ? visibleProse(words) : words);
    }
  }
  node.append(...children.flat()
    .filter((child) => child !== undefined && child !== null && child !== false)
    .map((child) => (child instanceof Node ? child : visibleProse(String(child)))));
  return node;
}

/** A text of which every character counts: a question of an agent, a command, a path, a difference. */
export const exact = (words) => document.createTextNode(visibleExact(words));

/** Sets the text of a node only if it differs, to avoid a needless layout. */
export function text(node, value) {
  setText(node, visibleProse(value ?? ""));
}

/** Sets a text of which every character counts. */
export function exactText(node, value) {
  setText(node, visibleExact(value ?? ""));
}

/** Sets a text that was made with the functions of visible.js. */
export function setText(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

export function show(node, visible) {
  if (node.hidden === visible) node.hidden = !visible;
}

/**
 * Makes one child for each item, in order. A child is kept while its item's key exists, and so are its focus,
 * selection and scroll position.
 */
export function keyed(parent, items, key, create, update) {
  parent.nodesByKey ??= new Map();
  const before = parent.nodesByKey;
  const now = new Map();
  let at = parent.firstChild;
  for (const item of items) {
    const id = key(item);
    let node = before.get(id);
    if (node) before.delete(id);
    else node = create(item);
    update(node, item);
    now.set(id, node);
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
  for (const gone of before.values()) gone.remove();
  parent.nodesByKey = now;
}

/** Returns a function that runs `work` at most once per frame. */
export function perFrame(work) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}

/** Runs `work` and reports its error instead of throwing it. Returns whether it succeeded. */
export function attempt(work) {
  try {
    work();
    return true;
  } catch (error) {
    reportError(error);
    return false;
  }
}

const announcer = () => document.getElementById("announcer");

/** Announces a message to screen readers. */
export function announce(words) {
  text(announcer(), words);
}
