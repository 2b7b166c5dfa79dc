// The page: sign-in, routing between runs, and the event stream.

import { announce, attempt, h, icon, perFrame, show, text } from "./dom.js";
import { newRunDialog, welcome } from "./new-run.js";
import { ChatsView } from "./chats-view.js";
import { bindKeys } from "./keyboard.js";
import { Feed, Refused, Unreachable, hub } from "./hub.js";
import { isLive } from "./format.js";
import { ListView } from "./list-view.js";
import { Latency } from "./latency.js";
import { LoopView } from "./loop-view.js";
import { Loops } from "./loops.js";
import { Runs } from "./runs.js";
import { RunView } from "./run-view.js";
import { Story } from "./story.js";
import { hideGate, showGate, showSessions } from "./gate.js";
import { showKeys, toast } from "./dialogs.js";
import { session } from "./session.js";
import { showSchedules } from "./schedules-view.js";

const HIDDEN_TIMEOUT = 30_000;
const LONG_OUTAGE = 10_000; // after this time the page says what to do
const RECONNECTS = "This page reconnects and loads the events it missed.";
const NO_ANSWER = "The hub does not answer at this address. Run midcourse status on the hub's machine: it starts a hub if "
  + "none runs, and prints the link of the page. This page reconnects as soon as a hub answers here.";
const CHATS = /^\/chats(?:\/([^/]+))?$/;
const LOOP = /^\/loops\/([^/]+)$/;
const ADDRESS = /^\/runs\/([^/]+)(?:\/(\d+))?$/;

const main = document.getElementById("main");
const app = document.getElementById("app");
const link = document.getElementById("connection");

class Page {
  constructor() {
    this.agents = []; // filled in place when the hub has answered, so that open views have them too
    this.agentsLoaded = undefined;
    this.current = undefined; // the id of the open run
    this.wantedEvent = undefined;
    this.caughtUp = 0;
    this.runs = new Runs(perFrame(() => this.#runsChanged()));
    this.latency = new Latency(document.getElementById("pace"));
    this.loops = new Loops(perFrame(() => this.#runsChanged()));
    this.list = new ListView(this.runs, this.loops, { open: (path) => this.openPath(path) });
    this.view = new RunView({
      select: (item) => this.select(item),
      opened: (run) => this.#opened(run),
      back: () => this.go(undefined),
    });
    this.chats = new ChatsView({
      open: (id) => this.goChats(id),
      openRun: (id) => this.go(id),
      back: () => this.go(undefined),
    });
    this.loop = new LoopView({
      put: (loop) => this.loops.put(loop),
      openRun: (id) => this.go(id),
      back: () => this.go(undefined),
    });
    this.feed = new Feed({
      event: (event) => attempt(() => this.#event(event)),
      opened: (resumed) => this.#connected(resumed),
      lost: (why, resting) => this.#lost(why, resting),
    });
    window.addEventListener("popstate", () => this.#route());
    document.addEventListener("visibilitychange", () => this.#visibility());
    this.#loadAgents().catch(() => {}); // asked again with the next connection, or by the form of a new run
    this.#route();
  }

  /** Opens a run, or the list if the id is undefined. */
  go(id, cursor) {
    this.openPath(id ? `/runs/${encodeURIComponent(id)}` + (cursor ? `/${cursor}` : "") : "/");
  }

  /** Opens the view of a path of this page. */
  openPath(path) {
    if (location.pathname !== path) history.pushState({}, "", path);
    this.#route();
  }

  /** Opens a chat, or the list of chats if the id is undefined. */
  goChats(id) {
    this.openPath(id ? `/chats/${encodeURIComponent(id)}` : "/chats");
  }

  select(item) {
    this.view.mark(item);
    const path = `/runs/${encodeURIComponent(this.current)}` + (item ? `/${item.cursor}` : "");
    history.replaceState({}, "", path);
  }

  /** The agents of the hub; a request that failed is made again by the next call. */
  #loadAgents() {
    this.agentsLoaded ??= hub.listAgents().then(({ agents }) => {
      this.agents.splice(0, this.agents.length, ...agents);
      this.#runsChanged();
      return agents;
    }).catch((error) => {
      this.agentsLoaded = undefined;
      throw error;
    });
    return this.agentsLoaded;
  }

  newRun() {
    newRunDialog(this.#loadAgents(), this.runs.byId.values(), (run) => this.#opened(run));
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
    const chats = CHATS.exec(location.pathname);
    this.chatsOpen = Boolean(chats);
    const loop = LOOP.exec(location.pathname);
    this.loopOpen = Boolean(loop);
    app.classList.toggle("run-open", Boolean(id) || this.chatsOpen || this.loopOpen);
    this.list.mark(location.pathname);
    this.loop.open(loop ? decodeURIComponent(loop[1]) : undefined);
    if (id !== this.current) {
      this.current = id;
      this.story = undefined;
      if (id) this.#load(id);
    } else if (this.story && this.wantedEvent) {
      this.#revealWanted();
    }
    if (chats) {
      this.chats.open(chats[1] ? decodeURIComponent(chats[1]) : undefined);
      main.replaceChildren(this.chats.node);
    } else {
      this.chats.close();
      if (loop) main.replaceChildren(this.loop.node);
    }
    this.#runsChanged();
  }

  /** Loads a run and its events. */
  async #load(id) {
    const story = new Story(id);
    this.story = story;
    const { signal } = this.#newReading();
    try {
      await this.runs.read(id, signal);
      await this.#readOn(story, signal);
      this.#enrich();
    } catch (error) {
      if (error.name === "AbortError" || this.story !== story) return;
      if (error instanceof Refused && error.status === 404) this.#noSuchRun(id);
      else if (error instanceof Refused) toast(error.message, "bad");
      else if (!(error instanceof Unreachable)) this.#broken(error);
    }
  }

  /** Reports an error of this page. */
  #broken(error) {
    reportError(error);
    toast(`The run cannot be displayed: ${error.message}`, "bad");
  }

  /** Aborts the loading of another run, since only one is loaded at a time. */
  #newReading() {
    this.reading?.abort();
    this.reading = new AbortController();
    return this.reading;
  }

  async #readOn(story, signal) {
    story.catchUp();
    for (;;) {
      const { events } = await hub.listEvents(story.runId, story.last, signal);
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
    main.replaceChildren(h("section", { class: "welcome" },
      h("h1", {}, "Run not found"),
      h("p", {}, `There is no run ${id}. It may have been deleted.`)));
  }

  #event(event) {
    this.latency.take(event);
    this.chats.take(event);
    this.loop.take(event, this.loops.take(event));
    if (event.kind !== "loop_moved") this.runs.take(event);
    this.caughtUp++;
    if (event.run_id !== this.current || !this.story) return;
    if (this.story.apply(event)) this.#storyChanged();
    if (event.kind.startsWith("steer_")) this.#enrich();
  }

  /** Loads the receipts soon; several calls before that cause one request. */
  #enrich() {
    if (this.enriching) return;
    this.enriching = setTimeout(async () => {
      this.enriching = undefined;
      const { story } = this;
      if (!story) return;
      try {
        const { steers } = await hub.listSteers(story.runId);
        for (const receipt of steers) story.enrich(receipt);
        if (story === this.story) this.#storyChanged();
      } catch {
        // The next event of a steer loads the receipts again.
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
    if (this.chatsOpen || this.loopOpen) return;
    if (this.current) {
      this.#storyChanged();
    } else if (this.runs.loaded) {
      this.#home();
    }
  }

  /** Shows the home page: the form for a new run if there are no runs, else a hint. */
  #home() {
    const empty = this.runs.byId.size === 0 && this.loops.byId.size === 0;
    const kind = `${empty}-${this.agents.length}`;
    if (main.dataset.home === kind && main.firstChild?.classList.contains("welcome")) return;
    main.dataset.home = kind;
    const newRun = h("button",
      { type: "button", class: "primary", on: { click: () => this.newRun() } }, icon("plus"), "New run");
    const hint = h("section", { class: "welcome" },
      h("h1", {}, "Select a run"),
      h("p", {}, "Runs that need attention come first."),
      h("p", {}, newRun));
    main.replaceChildren(empty ? welcome(this.agents, (run) => this.#opened(run)) : hint);
  }

  #connected(resumed) {
    const wasAway = this.away;
    this.away = undefined;
    link.dataset.state = "connected";
    text(link.querySelector(".words"), "Connected");
    link.title = "Connected to the hub";
    show(document.getElementById("offline"), false);
    this.runs.load().catch(() => {});
    this.loops.load().catch(() => {});
    this.loop.load();
    this.#loadAgents().catch(() => {});
    if (!wasAway) return;
    if (this.story) {
      this.runs.refresh(this.current);
      this.#readOn(this.story, this.#newReading().signal).catch((error) => {
        const expected = error.name === "AbortError" || error instanceof Refused || error instanceof Unreachable;
        if (!expected) this.#broken(error);
      });
      this.#enrich();
    }
    this.caughtUp = 0;
    setTimeout(() => {
      const words = resumed ? `Reconnected. Loaded ${this.caughtUp} missed events.` : "Reconnected.";
      announce(words);
      if (!wasAway.resting) toast(words, "ok");
    }, 600);
  }

  #lost(why, resting) {
    const first = this.away === undefined;
    this.away ??= { since: Date.now(), resting };
    link.dataset.state = "lost";
    link.title = "Disconnected from the hub";
    text(link.querySelector(".words"), resting ? "Paused" : "Disconnected");
    if (resting) return;
    const long = Date.now() - this.away.since > LONG_OUTAGE;
    const offline = document.getElementById("offline");
    text(offline, `${why || "Disconnected from the hub. Agents keep running."} ${long ? NO_ANSWER : RECONNECTS}`);
    show(offline, true);
    if (first) announce("Disconnected from the hub. Agents keep running. This page reconnects.");
  }

  /** Closes the connection of a hidden tab, so that other tabs can use it. */
  #visibility() {
    clearTimeout(this.resting);
    if (document.hidden) this.resting = setTimeout(() => this.feed.rest(), HIDDEN_TIMEOUT);
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
  hideGate();
  show(app, true);
  const page = new Page();
  document.getElementById("new-run").addEventListener("click", () => page.newRun());
  document.getElementById("schedules").addEventListener("click", () => showSchedules());
  document.getElementById("chats").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    page.goChats(undefined);
  });
  document.getElementById("sessions").addEventListener("click", () => showSessions());
  document.getElementById("keys").addEventListener("click", showKeys);
  document.getElementById("theme").addEventListener("click", () => changeTheme(page));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => page.view.timeline.repaint());
  bindKeys(page);
}

document.addEventListener("midcourse:locked", (event) => {
  session.forget();
  showGate(event.detail);
}, { once: true });

try {
  if (await session.find()) enter();
  else showGate();
} catch (error) {
  showGate(error.message);
}
