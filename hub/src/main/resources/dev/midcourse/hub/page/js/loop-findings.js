// The findings of a loop over its rounds, with what the fixer answered and what a person may decide.

import { exact, h, keyed, show, text } from "./dom.js";
import { ask, field } from "./dialogs.js";
import { hub } from "./hub.js";

const SETTLED = new Set(["confirmed", "dropped"]);
const DECISIONS = {
  drop: ["Drop", "The fixer does not get it, and it does not hold the loop.", true],
  uphold: ["Uphold", "It stands, whatever the fixer says.", false],
  nit: ["Nit", "It stands as a matter of taste and does not hold the loop.", false],
};
const REASONS = {
  fixed: "Fixer: fixed", disputed: "Fixer disputes it", deferred: "Fixer defers it", unclear: "Fixer asks",
  dropped: "Dropped",
};

/** Whether the finding keeps the loop from being clean. */
export const holds = (finding) => finding.severity !== "nit" && !SETTLED.has(finding.state);

export class LoopFindings {
  constructor({ changed }) {
    this.changed = changed;
    this.none = h("p", { class: "nothing" });
    this.list = h("ol", { class: "findings" });
    this.node = h("div", { class: "findings-tab" }, this.none, this.list);
  }

  draw(loop) {
    this.loop = loop;
    show(this.none, loop.findings.length === 0);
    text(this.none, loop.check ? "No findings so far." : "No findings. Nobody has looked at the work yet.");
    const rounds = loop.check?.round ?? 0;
    const order = [...loop.findings].sort((a, b) => holds(b) - holds(a) || Number(a.id.slice(1)) - Number(b.id.slice(1)));
    keyed(this.list, order, ({ id }) => id, (finding) => this.#item(finding),
      (node, finding) => drawFinding(node, finding, rounds, loop));
  }

  #item({ id }) {
    const button = (decision) => h("button", {
      type: "button", class: "small", "data-decision": decision, "aria-label": `${DECISIONS[decision][0]} ${id}`,
      on: { click: () => this.#decide(id, decision) },
    }, DECISIONS[decision][0]);
    return h("li", { class: "finding", "data-finding": id },
      h("div", { class: "finding-head" },
        h("strong", { class: "finding-id" }, id),
        h("span", { class: "finding-severity" }), h("span", { class: "finding-state" }),
        h("span", { class: "finding-place exact" }), h("span", { class: "grow" }), h("span", { class: "finding-source" })),
      h("p", { class: "finding-title" }),
      h("p", { class: "finding-body" }),
      h("p", { class: "finding-reason" }),
      h("div", { class: "finding-foot" },
        h("span", { class: "finding-rounds" }), h("span", { class: "grow" }),
        h("span", { class: "finding-actions" }, ...Object.keys(DECISIONS).map(button))));
  }

  #decide(id, decision) {
    const finding = this.loop.findings.find((one) => one.id === id);
    const [label, meaning, required] = DECISIONS[decision];
    ask({
      title: `${label} ${id}?`,
      intro: [finding.title, meaning],
      body: [field("Reason", h("input", { name: "why", required, autocomplete: "off",
        placeholder: required ? "" : "Optional" }), "A fix that has the finding is told.")],
      action: label,
      submit: async ({ why }) => this.changed(await hub.decideFinding(this.loop.loop_id, id,
        why.trim() === "" ? { decision } : { decision, why: why.trim() })),
    });
  }
}

function drawFinding(node, finding, rounds, loop) {
  const put = (name, words) => {
    const part = node.querySelector(`.finding-${name}`);
    show(part, Boolean(words));
    text(part, words ?? "");
  };
  node.dataset.holds = String(holds(finding));
  node.dataset.state = finding.state;
  put("severity", finding.severity);
  put("state", finding.state);
  put("source", finding.source === "ci" ? "CI" : finding.source);
  put("title", finding.title);
  put("body", finding.body);
  const place = node.querySelector(".finding-place");
  if (place.dataset.place !== finding.place) {
    place.dataset.place = finding.place;
    place.replaceChildren(exact(finding.place));
  }
  put("reason", finding.reason ? `${REASONS[finding.state] ?? "Reason"}: ${finding.reason}` : "");
  const facts = [
    roundWords(finding, rounds),
    finding.reopened > 0 ? `came back ${finding.reopened}×` : "",
    finding.upheld > 0 ? `upheld ${finding.upheld}×` : "",
  ];
  put("rounds", facts.filter(Boolean).join(" · "));
  const open = !SETTLED.has(finding.state) && loop.phase !== "done" && loop.phase !== "stopped";
  show(node.querySelector(".finding-actions"), open);
  show(node.querySelector("[data-decision=nit]"), finding.severity !== "nit");
}

/** The rounds in which it was reported: round 1 of 3, rounds 1 to 2 of 3. */
function roundWords({ first_round: first, last_round: last }, rounds) {
  const all = rounds > 0 ? ` of ${rounds}` : "";
  return first === last ? `reported in round ${first}${all}` : `reported in rounds ${first} to ${last}${all}`;
}
