// How fast steers and stops were in the last hour, as the hub measured it.

import { h, show, text } from "./dom.js";
import { hub } from "./hub.js";

const EVERY = 30_000;
const SOON = 1_500; // a steer's evidence is in by then, as a rule
const WORDS = {
  request_to_durable: ["durable", "from the request to the commit"],
  durable_to_written: ["written", "from there to the agent's input"],
  written_to_accepted: ["accepted", "from there to the agent's word that it has it"],
  accepted_to_injected: ["injected", "from there to its place in the conversation, at the agent's own pace"],
  stop_to_ended: ["stopped", "from the wish to stop to the end of the last process"],
};

/** To two digits: the hub's figures are right to a tenth. */
const rough = (ms) => (ms < 1000 ? `${Number(ms.toPrecision(2))} ms` : `${Number((ms / 1000).toPrecision(2))} s`);

export class Pace {
  constructor(node) {
    this.node = node;
    this.summary = node.querySelector("summary");
    this.rows = node.querySelector("tbody");
    setInterval(() => document.hidden || this.look(), EVERY);
    this.look();
  }

  /** Something was steered or stopped: the figures are about to change. */
  heard(event) {
    if (event.kind !== "steer_stored" && event.kind !== "run_ended") return;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.look(), SOON);
  }

  async look() {
    const { latency } = await hub.get("/health").catch(() => ({}));
    if (latency) this.#draw(Object.entries(latency).filter(([hop]) => WORDS[hop]));
  }

  #draw(hops) {
    show(this.node, hops.length > 0);
    const own = hops.filter(([hop]) => hop === "request_to_durable" || hop === "durable_to_written");
    const usual = own.reduce((sum, [, figures]) => sum + figures.p50_ms, 0);
    text(this.summary, own.length > 0 ? `A steer is with its agent in ${rough(usual)}` : "The last hour");
    this.rows.replaceChildren(...hops.map(([hop, figures]) => {
      const [word, meaning] = WORDS[hop];
      return h("tr", { title: meaning }, h("th", { scope: "row" }, word),
        h("td", {}, rough(figures.p50_ms)), h("td", {}, rough(figures.p99_ms)), h("td", {}, String(figures.count)));
    }));
  }
}
