// Makes text from outside safe to read: what a person sees is what the text contains. These are the rules of
// dev.midcourse.core.text.VisibleText; one list of examples and one comparison of all code points check both.

const MAX_MARKS = 4;
const MAX_SPACES = 64;
const MAX_LINE_FEEDS = 8;
const MAX_AUTHORITY = 300;

const PLAIN = /^[\n\t\x20-\x7e]*$/;
const NAMES = /@|--/;
const FLOOD = / {65}|\n{9}/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
const MARK = /[\p{Mn}\p{Me}]/u;
const LETTER = /\p{L}/u;
const OVERLAY =
  /[\p{Me}\p{Default_Ignorable_Code_Point}\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20dd-\u20e0\u20e2-\u20e6\u20ea\u20eb]/u;
const VISIBLE_FORMAT = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
const CONTROL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;
const FORMAT = /\p{Cf}/u;
const SHOWN_IN_EXACT = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cn}\p{Zs}\u2800\u27e8]/u;
const EMOJI = /\p{Emoji}/u;
const PICTURE = /\p{Extended_Pictographic}/u;
const ENDS_EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;
const IDEOGRAPH = /\p{Ideographic}/u;
const IDEOGRAPH_VARIATION = /[\u{e0100}-\u{e01ef}]/u;
const FLAG = /^\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/u;
const RIGHT_TO_LEFT = /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const JOINING = new RegExp("[" + [
  "Arabic", "Syriac", "Nko", "Mongolian", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil",
  "Telugu", "Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar",
].map((script) => `\\p{Script=${script}}`).join("") + "]", "u");

/** A message: line feeds, tabs, emoji and the text of all languages stay readable. */
export function visibleProse(text) {
  return PLAIN.test(text) && !NAMES.test(text) ? text : new Cleaner(text, false).cleaned();
}

/** A text of which every character counts: a question of an agent, a command, a path, a difference. */
export function visibleExact(text) {
  return PLAIN.test(text) && !NAMES.test(text) && !FLOOD.test(text) ? text : new Cleaner(text, true).cleaned();
}

/** The same on one line: a line feed and a tab are shown as their code points. */
export function visibleExactLine(text) {
  return visibleExact(text).replaceAll("\n", codePoint("\n")).replaceAll("\t", codePoint("\t"));
}

const hex = (point) => point.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
const codePoint = (point) => `⟨U+${hex(point)}⟩`;

/** The code point at an index, as text. */
const pointAt = (text, at) => String.fromCodePoint(text.codePointAt(at));

function pointBefore(text, at) {
  const pair = at > 1 ? pointAt(text, at - 2) : "";
  return pair.length === 2 ? pair : text[at - 1];
}

class Cleaner {
  constructor(text, exact) {
    this.text = text;
    this.exact = exact;
    this.out = "";
    this.marks = 0; // the number of nonspacing marks since the last base
    this.base = ""; // the code point that a mark belongs to; empty at the start of a line
    this.rightToLeft = undefined;
  }

  cleaned() {
    let at = 0;
    let end = -1;
    let nameMark = "";
    while (at < this.text.length) {
      if (at > end && isNamePoint(pointAt(this.text, at))) {
        end = endOfName(this.text, at);
        nameMark = markOf(this.text, at, end, this.exact);
      }
      at = this.#take(at);
      if (at >= end && nameMark !== "") {
        this.out += `⟨${nameMark}⟩`;
        nameMark = "";
      }
    }
    return this.out;
  }

  #take(at) {
    const { text, exact } = this;
    const point = pointAt(text, at);
    const next = at + point.length;
    if (exact && (point === " " || point === "\n")) return this.#run(at, point);
    if (!exact && point === "\r" && text[next] === "\n") return next;
    if (!exact && point === "\u{1f3f4}") {
      const flag = FLAG.exec(text.slice(at, at + 20))?.[0] ?? point;
      this.#keep(point);
      this.out += flag.slice(point.length);
      return at + flag.length;
    }
    if (MARK.test(point)) {
      this.#mark(point, next);
    } else if (this.#isKept(point, at, next)) {
      this.#keep(point);
    } else {
      this.out += codePoint(point);
      this.base = "";
      this.marks = 0;
    }
    return next;
  }

  #keep(point) {
    this.out += point;
    if (IGNORABLE.test(point)) return;
    this.base = point === "\n" ? "" : point;
    this.marks = 0;
  }

  #mark(point, next) {
    this.marks++;
    const kept = this.base !== "" && this.marks <= MAX_MARKS
      && (this.exact
        ? LETTER.test(this.base) && !OVERLAY.test(point)
        : !IGNORABLE.test(point) || this.#isVariationInPlace(point, next));
    this.out += kept ? point : codePoint(point);
  }

  #run(at, char) {
    let end = at;
    while (this.text[end] === char) end++;
    const count = end - at;
    this.out += count <= (char === " " ? MAX_SPACES : MAX_LINE_FEEDS)
      ? this.text.slice(at, end)
      : `⟨U+${hex(char)}×${count}⟩${char}`;
    this.base = char === "\n" ? "" : char;
    this.marks = 0;
    return end;
  }

  #isKept(point, at, next) {
    if (point === "\n" || point === "\t") return true;
    if (CONTROL.test(point)) return false;
    if (FORMAT.test(point) && !IGNORABLE.test(point) && !VISIBLE_FORMAT.test(point)) return false;
    if (this.exact) return point === " " || !SHOWN_IN_EXACT.test(point);
    return !IGNORABLE.test(point) || this.#isInPlace(point, at, next);
  }

  #isInPlace(point, at, next) {
    switch (point) {
      case "\u200d":
        return this.#joinsEmoji(at, next) || JOINING.test(this.base);
      case "\u200c":
        return JOINING.test(this.base);
      case "\u200e": case "\u200f": case "\u061c":
        return (this.rightToLeft ??= RIGHT_TO_LEFT.test(this.text));
      default:
        return false;
    }
  }

  #joinsEmoji(at, next) {
    return at > 0 && next < this.text.length
      && ENDS_EMOJI.test(pointBefore(this.text, at)) && PICTURE.test(pointAt(this.text, next));
  }

  #isVariationInPlace(point, next) {
    if (this.marks !== 1) return false;
    if (point === "\ufe0e" || point === "\ufe0f") {
      return EMOJI.test(this.base) && (this.base > "\x7f" || this.text[next] === "\u20e3");
    }
    return IDEOGRAPH_VARIATION.test(point) && IDEOGRAPH.test(this.base);
  }
}

// Names that imitate other names.

const NAME_POINT = /[\p{L}\p{M}\p{N}._-]/u;
const NAME = /[\p{L}\p{M}\p{N}._-]+/uy;
const AFTER_AUTHORITY = /[/?#\\"'<> \t\r\n]/;
const ASCII = /^[\x00-\x7f]*$/;
const SCRIPTS = [
  "Arabic", "Armenian", "Bengali", "Bopomofo", "Cyrillic", "Devanagari", "Ethiopic", "Georgian", "Greek", "Gujarati",
  "Gurmukhi", "Han", "Hangul", "Hebrew", "Hiragana", "Kannada", "Katakana", "Khmer", "Lao", "Latin", "Malayalam",
  "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thaana", "Thai", "Tibetan",
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, "u")]);
const NO_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/u;
const TOGETHER = [
  ["Latin", "Han", "Hiragana", "Katakana"], ["Latin", "Han", "Bopomofo"], ["Latin", "Han", "Hangul"],
];
const LOOK_ALIKE = new RegExp("^[\\x00-\\x7f"
  + "\u0430\u0433\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u044c\u0455\u0456\u0458"
  + "\u0475\u04bb\u04cf\u0501\u051b\u051d"
  + "\u03b1\u03b3\u03b5\u03b7\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03c9\u03f2\u03f3"
  + "\u0566\u0570\u0575\u0578\u057d\u0581\u0585]*$");

const isNamePoint = (point) => NAME_POINT.test(point);

function endOfName(text, from) {
  NAME.lastIndex = from;
  return NAME.test(text) ? NAME.lastIndex : from;
}

function markOf(text, from, to, exact) {
  const name = text.slice(from, to);
  const user = userOf(text, from);
  const host = user !== undefined && !isUser(text, to);
  const found = [];
  if (exact || host) words(name, found);
  if (host || (exact && name.includes("."))) labels(name, found);
  if (host && user.includes(".")) found.push(`the host is ${name}`);
  return [...new Set(found)].join("; ");
}

/** The part of an address between its scheme and this index, or undefined if no host begins here. */
function userOf(text, from) {
  if (text.slice(Math.max(0, from - 3), from) === "://") return "";
  if (text[from - 1] !== "@") return undefined;
  for (let at = from - 1; at >= 3 && at > from - MAX_AUTHORITY; at--) {
    if (text.startsWith("://", at - 3)) return text.slice(at, from - 1);
    if (AFTER_AUTHORITY.test(text[at - 1])) return undefined;
  }
  return undefined;
}

/** Whether an @ follows in the same address, so that what is before it is no host. */
function isUser(text, from) {
  const rest = text.slice(from, from + MAX_AUTHORITY);
  const end = rest.search(AFTER_AUTHORITY);
  return (end < 0 ? rest : rest.slice(0, end)).includes("@");
}

function words(name, found) {
  if (ASCII.test(name)) return;
  for (const word of name.split(/[._-]/)) {
    if (ASCII.test(word)) continue;
    const scripts = scriptsOf(word);
    if (scripts.length > 1 && !TOGETHER.some((set) => scripts.every((script) => set.includes(script)))) {
      found.push(`mixed scripts: ${scripts.join(", ")}`);
    } else if (scripts.includes("other")) {
      found.push("unusual script");
    }
    if (word.normalize("NFKC") !== word.normalize("NFC")) found.push("imitated letters");
  }
}

function labels(name, found) {
  const all = name.toLowerCase().split(".");
  for (const label of all) {
    if (label.startsWith("xn--")) found.push("encoded name");
    else if (!ASCII.test(label) && ASCII.test(all.at(-1)) && all.length > 1 && looksLatin(label)) {
      found.push(`look-alike letters: ${scriptsOf(label).join(", ")}`);
    }
  }
}

/** Whether a label has letters of one script, not Latin, that all look like Latin. */
const looksLatin = (label) => scriptsOf(label).length === 1 && LOOK_ALIKE.test(label);

function scriptsOf(word) {
  const scripts = new Set();
  for (const point of word) {
    if (NO_SCRIPT.test(point)) continue;
    scripts.add(SCRIPTS.find(([, has]) => has.test(point))?.[0] ?? "other");
  }
  return [...scripts].sort();
}
