// Renders a small part of Markdown as nodes. Unknown syntax stays text. Only http, https and mailto links become links.
// The work is bounded: a part that is too long or nested too deep stays text.

import { attempt, exact, h } from "./dom.js";

const MAX_DEPTH = 8;
const SAFE_LINK = /^(https?:\/\/|mailto:)/i;
// Each part has a maximum length, so that an opening without its end is not searched to the end of the text.
const INLINE = new RegExp([
  /(`{1,9})([^`]|[^`][\s\S]{0,998}?[^`])\1(?!`)/, // code
  /\*\*([\s\S]{1,1000}?)\*\*|__([\s\S]{1,1000}?)__/, // strong
  /\*([^\s*][^*]{0,1000}?)\*/, // emphasis
  /\[([^\]\n]{1,200})\]\(([^()\s]{1,2000})\)/, // link
  /(https?:\/\/[^\s<>"')\]]{1,2000})/, // address
].map((part) => part.source).join("|"));

function inline(words, links = true) {
  const nodes = [];
  let rest = words;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    if (found.index > 0) nodes.push(rest.slice(0, found.index));
    const [whole, , code, strong, strong2, soft, label, target, bare] = found;
    if (code !== undefined) nodes.push(h("code", {}, code.trim() === "" ? code : code.trim()));
    else if (strong ?? strong2) nodes.push(h("strong", {}, ...inline(strong ?? strong2, links)));
    else if (soft) nodes.push(h("em", {}, ...inline(soft, links)));
    else if (!links) nodes.push(whole);
    else if (label) nodes.push(...link(target, inline(label, false), whole));
    else if (bare) nodes.push(...link(bare, [bare], whole));
    rest = rest.slice(found.index + whole.length);
  }
  if (rest) nodes.push(rest);
  return nodes;
}

/** A link. A label that is not the address is followed by the host, so that no label can pose as another address. */
function link(target, label, whole) {
  if (!SAFE_LINK.test(target) || !URL.canParse(target)) return [whole];
  const node = h("a", { href: target, rel: "noopener noreferrer nofollow", target: "_blank" }, ...label);
  if (label.length === 1 && label[0] === target) return [node];
  const { host, pathname } = new URL(target);
  return [node, h("span", { class: "link-host exact" }, exact(` (${host || pathname})`))];
}

const FENCE = /^\s{0,3}(```+|~~~+)\s*([\w+-]*)/;
const HEADING = /^\s{0,3}(#{1,6})\s+(\S.*)$/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^\s{0,3}>\s?(.*)$/;
const TABLE_LINE = /^[\s|:]*--[\s|:-]*$/;

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

/** Renders a text as Markdown, or as plain text if that fails. */
export function prose(source, kind = "") {
  let nodes = [h("pre", { class: "plain" }, source)];
  attempt(() => (nodes = markdown(source)));
  return h("div", { class: `prose ${kind}` }, ...nodes);
}

function markdown(source) {
  return blocks(source.replaceAll("\r\n", "\n").split("\n"), 0, { level: 1 });
}

/** @param outline the level of the heading before; the name of the run above the text is level 1 */
function blocks(lines, depth, outline) {
  const out = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (line.trim() === "") {
      at++;
    } else if (fence) {
      const body = [];
      for (at++; at < lines.length && !lines[at].trim().startsWith(fence[1]); at++) body.push(lines[at]);
      at++;
      out.push(h("pre", { tabindex: 0 }, h("code", {}, body.join("\n"))));
    } else if (heading) {
      outline.level = Math.min(6, heading[1].length + 1, outline.level + 1); // no level is left out
      out.push(h("h" + outline.level, {}, ...inline(withoutEnd(heading[2]))));
      at++;
    } else if (RULE.test(line)) {
      out.push(h("hr"));
      at++;
    } else if (QUOTE.test(line)) {
      const body = [];
      for (; at < lines.length && QUOTE.test(lines[at]); at++) body.push(QUOTE.exec(lines[at])[1]);
      const inner = depth < MAX_DEPTH ? blocks(body, depth + 1, outline) : [h("p", {}, body.join("\n"))];
      out.push(h("blockquote", {}, ...inner));
    } else if (ITEM.test(line)) {
      const list = takeList(lines, at);
      out.push(list.node);
      at = list.next;
    } else if (line.includes("|") && TABLE_LINE.test(lines[at + 1] ?? "")) {
      const head = cells(line);
      const rows = [];
      for (at += 2; at < lines.length && lines[at].includes("|"); at++) rows.push(cells(lines[at]));
      out.push(table(head, rows));
    } else {
      const body = [];
      for (; at < lines.length && lines[at].trim() !== "" && !startsBlock(lines[at]); at++) body.push(lines[at]);
      out.push(h("p", {}, ...inline(body.join("\n"))));
    }
  }
  return out;
}

const startsBlock = (line) => FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || QUOTE.test(line);

/** Removes the optional closing # signs of a heading. */
function withoutEnd(words) {
  let end = words.trimEnd().length;
  while (words[end - 1] === "#") end--;
  return words.slice(0, end).trim();
}

function table(head, rows) {
  const row = (tag, values) => h("tr", {}, ...values.map((cell) => h(tag, {}, ...inline(cell))));
  return h("div", { class: "table" },
    h("table", {}, h("thead", {}, row("th", head)), h("tbody", {}, ...rows.map((r) => row("td", r)))));
}

/** Renders a list with its nested lists; returns the node and the line after it. */
function takeList(lines, from) {
  const first = ITEM.exec(lines[from]);
  const indent = first[1].length;
  const node = h(/\d/.test(first[2]) ? "ol" : "ul");
  let at = from;
  while (at < lines.length) {
    const item = ITEM.exec(lines[at]);
    if (!item || item[1].length < indent) break;
    if (item[1].length > indent + 1 && node.lastChild) {
      const inner = takeList(lines, at);
      node.lastChild.append(inner.node);
      at = inner.next;
      continue;
    }
    const words = [item[3]];
    const continues = (line) => /^\s{2,}\S/.test(line) && !ITEM.test(line);
    for (at++; at < lines.length && continues(lines[at]); at++) words.push(lines[at].trim());
    node.append(h("li", {}, ...inline(words.join("\n"))));
    if (lines[at]?.trim() === "" && ITEM.test(lines[at + 1] ?? "")) at++;
  }
  return { node, next: at };
}
