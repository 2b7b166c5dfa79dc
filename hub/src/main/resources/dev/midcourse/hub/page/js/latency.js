// The latency of steers and stops in the last hour, as the hub measured it.

import { h, show, text } from "./dom.js";
import { hub } from "./hub.js";

const REFRESH_INTERVAL = 30_000;
const REFRESH_DELAY = 1_500; // after this time the receipt of a steer is usually complete
const CHANGING = new Set(["steer_stored", "steer_raised", "run_ended"]);
const STAGES = {
  request_to_durable: ["stored", "from the request to the commit"],
  durable_to_written: ["written", "from the commit to the agent's input"],
  written_to_accepted: ["accepted", "from the agent's input to the agent's acknowledgement"],
  accepted_to_injected: ["injected", "from the acknowledgement to the session; waits for the running tool"],
  stop_to_ended: ["stopped", "from the stop request to the end of the last process"],
};

/** Rounds to two digits, since the hub's figures are exact to a tenth. */
const rounded = (ms) => (ms < 1000 ? `${Number(ms.toPrecision(2))} ms` : `${Number((ms / 1000).toPrecision(2))} s`);

export class Latency {
  constructor(node) {
    this.node = node;
    this.summary = node.querySelector("summary");
    this.rows = node.querySelector("tbody");
    setInterval(() => document.hidden || this.refresh(), REFRESH_INTERVAL);
    this.refresh();
  }

  /** Refreshes the figures soon after an event that changes them; several events before that cause one request. */
  take(event) {
    if (!CHANGING.has(event.kind)) return;
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      this.refresh();
    }, REFRESH_DELAY);
  }

  async refresh() {
    const { latency } = await hub.getHealth().catch(() => ({}));
    if (latency) this.#draw(Object.entries(latency).filter(([hop]) => STAGES[hop]));
  }

  #draw(hops) {
    show(this.node, hops.length > 0);
    const p50 = ([hop, { p50_ms: ms }]) => `${STAGES[hop][0]} ${rounded(ms)}`;
    const delivery = hops.filter(([hop]) => hop === "request_to_durable" || hop === "durable_to_written").map(p50);
    text(this.summary, delivery.length > 0 ? `Latency (p50): ${delivery.join(", ")}` : "Latency, last hour");
    this.rows.replaceChildren(...hops.map(([hop, figures]) => {
      const [stage, meaning] = STAGES[hop];
      return h("tr", { title: meaning }, h("th", { scope: "row" }, stage),
        h("td", {}, rounded(figures.p50_ms)),
        h("td", {}, rounded(figures.p99_ms)),
        h("td", {}, String(figures.count)));
    }));
  }
}
