// Puts the page together: who may look, which run is open, what the stream says.

import { announce, attempt, h, icon, perFrame, show, text } from "./dom.js";
import { newRunDialog, welcome } from "./new-run.js";
import { bindKeys } from "./keyboard.js";
import { Feed, Refused, Unreachable, hub } from "./hub.js";
import { isLive } from "./format.js";
import { ListView } from "./list-view.js";
import { Pace } from "./pace.js";
import { Runs } from "./runs.js";
import { RunView } from "./run-view.js";
import { Story } from "./story.js";
import { showKeys, toast } from "./dialogs.js";
import { token } from "./token.js";

const HIDDEN_FOR = 30_000;
const ADDRESS = /^\/runs\/([^/]+)(?:\/(\d+))?$/;

const main = document.getElementById("main");
const gate = document.getElementById("gate");
const app = document.getElementById("app");
const link = document.getElementById("connection");

class Page {
  constructor() {
    this.agents = [];
    this.current = undefined; // the id of the open run
    this.wantedEvent = undefined;
    this.caughtUp = 0;
    this.runs = new Runs(perFrame(() => this.#runsChanged()));
    this.pace = new Pace(document.getElementById("pace"));
    this.list = new ListView(this.runs, { open: (id) => this.go(id) });
    this.view = new RunView({ select: (item) => this.select(item), opened: (run) => this.#opened(run), back: () => this.go(undefined) });
    this.feed = new Feed({ event: (event) => attempt(() => this.#event(event)), opened: (goesOn) => this.#standing(goesOn), lost: (why, resting) => this.#lost(resting) });
    window.addEventListener("popstate", () => this.#route());
    document.addEventListener("visibilitychange", () => this.#visibility());
    hub.get("/agents").then(({ agents }) => {
      this.agents = agents;
      this.#runsChanged();
    }).catch(() => {});
    this.#route();
  }

  /** Opens a run, or the list when there is none. */
  go(id, cursor) {
    const path = id ? `/runs/${encodeURIComponent(id)}` + (cursor ? `/${cursor}` : "") : "/";
    if (location.pathname !== path) history.pushState({}, "", path);
    this.#route();
  }

  select(item) {
    this.view.mark(item);
    const path = `/runs/${encodeURIComponent(this.current)}` + (item ? `/${item.cursor}` : "");
    history.replaceState({}, "", path);
  }

  newRun() {
    newRunDialog(this.agents, (run) => this.#opened(run));
  }

  #opened(run) {
    this.runs.put(run);
    if (run.note) toast(run.note);
    this.go(run.run_id);
  }

  #route() {
    const found = ADDRESS.exec(location.pathname);
    const id = found ? decodeURIComponent(found[1]) : undefined;
    this.wantedEvent = found?.[2] ? Number(found[2]) : undefined;
    app.classList.toggle("run-open", Boolean(id));
    this.list.mark(id);
    if (id !== this.current) {
      this.current = id;
      this.story = undefined;
      if (id) this.#load(id);
    } else if (this.story && this.wantedEvent) {
      this.#revealWanted();
    }
    this.#runsChanged();
  }

  /** Reads all that has happened to a run. */
  async #load(id) {
    const story = new Story(id);
    this.story = story;
    const { signal } = this.#newReading();
    try {
      this.runs.put(await hub.run(id, signal));
      await this.#readOn(story, signal);
      this.#enrich();
    } catch (error) {
      if (error.name === "AbortError" || this.story !== story) return;
      if (error instanceof Refused && error.status === 404) this.#noSuchRun(id);
      else if (error instanceof Refused) toast(error.message, "bad");
      else if (!(error instanceof Unreachable)) this.#broken(error);
    }
  }

  /** A mistake of this page, and not the hub's. */
  #broken(error) {
    reportError(error);
    toast(`This page has failed to show the run: ${error.message}`, "bad");
  }

  /** One story is read at a time; whoever was reading another gives up. */
  #newReading() {
    this.reading?.abort();
    this.reading = new AbortController();
    return this.reading;
  }

  async #readOn(story, signal) {
    story.catchUp();
    for (;;) {
      const { events } = await hub.events(story.runId, story.last, signal);
      if (events.length === 0) break;
      for (const event of events) story.fold(event);
      this.#storyChanged();
    }
    story.caughtUp();
    this.#storyChanged();
    this.#revealWanted();
  }

  #revealWanted() {
    const item = this.wantedEvent && this.story.itemOf.get(this.wantedEvent);
    this.wantedEvent = undefined;
    if (item) this.view.mark(item);
  }

  #noSuchRun(id) {
    this.story = undefined;
    main.replaceChildren(h("section", { class: "welcome" }, h("h1", {}, "No such run"), h("p", {}, `There is no run ${id}. It may have been pruned.`)));
  }

  #event(event) {
    this.pace.heard(event);
    this.runs.take(event);
    this.caughtUp++;
    if (event.run_id !== this.current || !this.story) return;
    if (this.story.hear(event)) this.#storyChanged();
    if (event.kind === "steer_stored" || event.kind === "steer_ended" || event.kind === "steer_promoted") this.#enrich();
  }

  #enrich() {
    clearTimeout(this.enriching);
    const { story } = this;
    this.enriching = setTimeout(async () => {
      try {
        const { steers } = await hub.of(story.runId, "steers");
        for (const receipt of steers) story.enrich(receipt);
        if (story === this.story) this.#storyChanged();
      } catch {
        // The next event of a steer asks again.
      }
    }, 150);
  }

  #storyChanged() {
    const run = this.runs.get(this.current);
    if (!run || !this.story) return;
    this.view.open(run, this.story, this.agents);
    if (main.firstChild !== this.view.node) main.replaceChildren(this.view.node);
  }

  #runsChanged() {
    this.list.draw();
    if (this.current) {
      this.#storyChanged();
    } else if (this.runs.loaded) {
      this.#home();
    }
  }

  /** Nothing is open: the form when there is nothing at all, else where to look. */
  #home() {
    const empty = this.runs.byId.size === 0;
    const kind = `${empty}-${this.agents.length}`;
    if (main.dataset.home === kind && main.firstChild?.classList.contains("welcome")) return;
    main.dataset.home = kind;
    const hint = h("section", { class: "welcome" }, h("h1", {}, "Pick a run"), h("p", {}, "What needs you stands on top of the list."),
      h("p", {}, h("button", { type: "button", class: "primary", on: { click: () => this.newRun() } }, icon("plus"), "New run")));
    main.replaceChildren(empty ? welcome(this.agents, (run) => this.#opened(run)) : hint);
  }

  #standing(goesOn) {
    const wasAway = this.away;
    this.away = undefined;
    link.dataset.state = "live";
    text(link.querySelector(".words"), "live");
    show(document.getElementById("offline"), false);
    this.runs.load().catch(() => {});
    if (!wasAway) return;
    if (this.story) {
      this.#readOn(this.story, this.#newReading().signal).catch((error) => {
        if (error.name !== "AbortError" && !(error instanceof Refused || error instanceof Unreachable)) this.#broken(error);
      });
      this.#enrich();
    }
    this.caughtUp = 0;
    setTimeout(() => {
      const words = goesOn ? `Connected again; ${this.caughtUp} events caught up, none missed.` : "Connected again.";
      announce(words);
      if (!wasAway.resting) toast(words, "ok");
    }, 600);
  }

  #lost(resting) {
    this.away ??= { since: Date.now(), resting };
    link.dataset.state = "lost";
    text(link.querySelector(".words"), resting ? "paused" : "away");
    if (resting) return;
    show(document.getElementById("offline"), true);
    announce("The hub does not answer. Agents go on without it; this page comes back by itself.");
  }

  /** A hidden tab gives its connection to the others and comes back by its cursor. */
  #visibility() {
    clearTimeout(this.resting);
    if (document.hidden) this.resting = setTimeout(() => this.feed.rest(), HIDDEN_FOR);
    else this.feed.resume();
  }

  isLive() {
    const run = this.runs.get(this.current);
    return run !== undefined && isLive(run);
  }
}

function changeTheme(page) {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("midcourse.theme", root.dataset.theme);
  page.view.timeline.repaint();
}

function enter() {
  show(gate, false);
  show(app, true);
  const page = new Page();
  document.getElementById("new-run").addEventListener("click", () => page.newRun());
  document.getElementById("keys").addEventListener("click", showKeys);
  document.getElementById("theme").addEventListener("click", () => changeTheme(page));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => page.view.timeline.repaint());
  bindKeys(page);
}

function lock(words) {
  show(app, false);
  show(gate, true);
  text(document.getElementById("gate-wrong"), words ?? "");
  show(document.getElementById("gate-wrong"), Boolean(words));
  document.getElementById("gate-token").focus();
}

document.addEventListener("midcourse:locked", () => {
  token.forget();
  lock("The hub does not know this token. It is in the link that midcourse status prints.");
}, { once: true });

document.getElementById("gate-form").addEventListener("submit", (event) => {
  event.preventDefault();
  token.keep(document.getElementById("gate-token").value.trim().replace(/^.*#token=/, ""));
  location.reload();
});

if (await token.find()) enter();
else lock();
