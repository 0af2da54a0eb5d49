// A world that runs: the control API as the source of events, and what a user does to the world.

import { decodeDocument } from "./document.js";

/** Snapshots that the page keeps at most; when there are more, every second one goes. */
const MOST_SNAPSHOTS = 40;
/** How far the world is ahead of what is shown, in seconds: what becomes of a frame is known when it flies. */
const AHEAD = 1.6;
/** Seconds of the world in one request at most. */
const LONGEST_STEP = 20;
/** Milliseconds between two looks at a world that runs by itself. */
const PAUSE = 150;

/** How the names of the page's snapshots begin. */
const SNAPSHOT = "studio-";

const pathOf = (parts) => parts.map(encodeURIComponent).join("/");

export class Live {
  /** @param told is called with words for the user. */
  constructor(store, token, { told, changed }) {
    this.store = store;
    this.token = token;
    this.told = told;
    this.changed = changed;
    this.version = 0;
    this.now = 0;
    this.generation = -1;
    this.records = new Map();
    this.contactLists = new Map();
    this.bodies = new Map();
    this.snapshots = [];
    this.distance = 5;
    this.isBusy = false;
    this.node0 = -1;
  }

  // --- Requests ---

  headers(hasBody) {
    const headers = {};
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (hasBody) headers["Content-Type"] = "application/json";
    return headers;
  }

  /** A request whose answer is JSON; null where it was refused, which the user is told. */
  async ask(method, parts, body) {
    try {
      const response = await fetch(`api/${pathOf(parts)}`, {
        method, headers: this.headers(body !== undefined), body: body === undefined ? undefined : JSON.stringify(body),
      });
      const answer = await response.json();
      if (response.ok) return answer;
      this.told(answer.error?.message ?? `refused with ${response.status}`);
    } catch {
      this.isGone = true;
      this.told("The studio does not answer any more.");
    }
    return null;
  }

  async packed(query) {
    const response = await fetch(`api/trace/packed?${query}`, { headers: this.headers(false) });
    if (!response.ok) throw new Error(`the trace is refused with ${response.status}`);
    return decodeDocument(await response.arrayBuffer());
  }

  /** Begins: who is there, what has happened. */
  async begin() {
    const world = await this.ask("GET", ["world"]);
    if (!world) return false;
    this.take(world.state);
    this.name = world.name;
    this.facts = [["World", world.name], ["Seed", world.state.seed]];
    const { provenance } = world;
    for (const [key, label] of [["version", "Version"], ["commit", "Commit"], ["date", "Started"]]) {
      if (provenance?.[key]) this.facts.push([label, provenance[key]]);
    }
    const run = provenance?.run ?? provenance;
    for (const [key, label] of [["time", "Time"], ["repeatability", "Repeatability"], ["command", "Command"]]) {
      if (typeof run?.[key] === "string") this.facts.push([label, run[key]]);
    }
    this.facts.push(["Digest", world.state.digest]);
    const head = await this.packed("after=0");
    this.store.title = world.name;
    this.store.source = "live";
    this.store.setWorld(head);
    this.store.clear();
    this.takePiece(head);
    await this.poll();
    if (this.time === "stepped") {
      await this.findSnapshots();
      await this.snapshot();
    }
    return true;
  }

  /** What an earlier page has kept of this run, so that this one goes back as far. */
  async findSnapshots() {
    const answer = await this.ask("GET", ["snapshots"]);
    this.snapshots = (answer?.snapshots ?? []).filter((one) => one.name.startsWith(SNAPSHOT))
      .map(({ name, now }) => ({ name, at: Math.round(now * 1e6) })).sort((a, b) => a.at - b.at);
  }

  take(state) {
    this.now = state.now * 1e6;
    this.time = state.time;
    this.seed = state.seed;
    this.digest = state.digest;
    this.isPaused = state.isPaused;
    const place = this.facts?.findIndex(([name]) => name === "Digest") ?? -1;
    if (place >= 0) this.facts[place][1] = state.digest;
    this.store.span = Math.max(this.store.span, this.now);
  }

  /** Fetches what has happened since the last time. */
  async poll() {
    for (;;) {
      const head = await this.packed(`after=${this.store.next}&world=0`);
      if (!this.takePiece(head)) {
        this.store.clear();
        continue;
      }
      if (head.piece.next < head.piece.count) continue;
      this.now = Math.max(this.now, head.span);
      return;
    }
  }

  /** False where the run has gone back, and everything is to be fetched again. */
  takePiece(head) {
    const { piece } = head;
    if (this.generation >= 0 && piece.generation !== this.generation) {
      this.generation = piece.generation;
      return false;
    }
    this.generation = piece.generation;
    this.store.append(head);
    this.store.next = piece.next;
    return true;
  }

  // --- Time ---

  /** Lets the world run ahead of what is shown, as far as is wanted. */
  async feed(shown, speed) {
    if (this.isBusy || this.isGone) return;
    this.isBusy = true;
    try {
      if (this.time === "stepped") {
        const wanted = shown + (AHEAD + speed * 0.4) * 1e6 - this.now;
        if (wanted > 0) await this.advance(Math.min(LONGEST_STEP * Math.max(1, speed / 20), wanted / 1e6));
      } else {
        const world = await this.ask("GET", ["world"]);
        if (world) this.take(world.state);
        await this.poll();
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
      await this.refresh();
    } finally {
      this.isBusy = false;
      this.changed();
    }
  }

  /** Until where time is shown: a world that runs by itself is shown a little later, for the same reason. */
  get end() { return this.time === "clock" ? Math.max(0, this.now - AHEAD * 1e6) : this.now; }

  async advance(seconds) {
    const state = await this.ask("POST", ["advance"], { seconds: Math.min(86400, Math.max(0.000001, seconds)) });
    if (!state) return false;
    // What is shown is known: time goes on when its events are here.
    await this.poll();
    this.take(state);
    const last = this.snapshots[this.snapshots.length - 1];
    if (!last || this.now - last.at >= this.distance * 1e6) await this.snapshot();
    return true;
  }

  /** Lets time pass until something happens; false where nothing does within an hour. */
  async untilEvent() {
    if (this.isBusy) return false;
    this.isBusy = true;
    try {
      const before = this.store.count;
      for (let seconds = 0.05, all = 0; all < 3600 && !this.isGone; all += seconds, seconds = Math.min(60, seconds * 2)) {
        if (!await this.advance(seconds)) return false;
        if (this.store.count > before) return true;
      }
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  async setRunning(isRunning, speed) {
    if (this.time !== "clock") return;
    await this.ask("POST", ["speed"], { speed });
    await this.ask("POST", [isRunning ? "resume" : "pause"], {});
  }

  // --- Going back ---

  async snapshot() {
    if (this.hasNoPast) return;
    const name = `${SNAPSHOT}${Math.round(this.now)}`;
    if (this.snapshots.some((one) => one.name === name)) return;
    const response = await fetch("api/snapshots", { method: "POST", headers: this.headers(true), body: JSON.stringify({ name }) });
    if (!response.ok) {
      this.hasNoPast = true;
      return;
    }
    this.snapshots.push({ name, at: Math.round(this.now) });
    if (this.snapshots.length <= MOST_SNAPSHOTS) return;
    // Older times lie further apart.
    this.distance *= 2;
    const gone = this.snapshots.filter((_, place) => place % 2 === 1);
    this.snapshots = this.snapshots.filter((_, place) => place % 2 === 0);
    for (const one of gone) await this.ask("DELETE", ["snapshots", one.name]);
  }

  /** Takes the world back to a time: to the snapshot before it, and from there on again. */
  async goBack(time) {
    const target = Math.min(time, this.now);
    const before = this.snapshots.findLast((one) => one.at <= target);
    if (!before) return this.told("This world does not go back so far.");
    while (this.isBusy) await new Promise((resolve) => setTimeout(resolve, 20));
    this.isBusy = true;
    try {
      const state = await this.ask("POST", ["snapshots", before.name, "restore"], {});
      if (!state) return;
      for (const one of this.snapshots.filter((other) => other.at > before.at)) await this.ask("DELETE", ["snapshots", one.name]);
      this.snapshots = this.snapshots.filter((one) => one.at <= before.at);
      this.now = state.now * 1e6;
      const marks = this.store.marks.filter((one) => one.at <= target);
      this.store.clear();
      this.store.marks = marks;
      this.store.setWorld(await this.packed("after=0&limit=0"));
      this.take(state);
      await this.poll();
      if (target > this.now) await this.advance((target - this.now) / 1e6);
      this.version++;
      this.wentBack?.(target);
      this.told("The world is back at this time.");
    } finally {
      this.isBusy = false;
      this.changed();
    }
  }

  // --- Hands ---

  /** Changes the world, and shows what came of it. */
  async change(method, parts, body, words) {
    while (this.isBusy) await new Promise((resolve) => setTimeout(resolve, 20));
    this.isBusy = true;
    try {
      const answer = await this.ask(method, parts, body);
      if (!answer) return;
      this.store.marks.push({ at: this.now, words: words ?? `${parts[parts.length - 1]}: ${parts[1] ?? ""}` });
      this.store.setWorld(await this.packed(`after=${this.store.next}&limit=0`));
      this.worldChanged?.();
      // What was asked for happens when time passes.
      if (this.time === "stepped") await this.advance(0.001);
      else await this.poll();
      this.version++;
      await this.refresh(true);
      this.jump?.(this.now);
      if (words) this.told(words);
    } finally {
      this.isBusy = false;
      this.changed();
    }
  }

  /** What is known of a node that is shown; fetched again as time passes. */
  watch(node) {
    this.node0 = node;
    this.refreshedAt = -1;
    if (node >= 0) this.refresh(true).then(() => this.changed());
  }

  async refresh(isForced = false) {
    const node = this.node0;
    if (node < 0 || (!isForced && this.refreshedAt === this.now)) return;
    this.refreshedAt = this.now;
    const name = this.store.world.names[node];
    const record = await this.ask("GET", ["nodes", name]);
    if (record) this.records.set(node, record);
    if (this.store.world.roles[node] === "companion") {
      const answer = await this.ask("GET", ["nodes", name, "contacts"]);
      if (answer) this.contactLists.set(node, answer.contacts);
    }
    if (["companion", "repeater", "room_server", "sensor"].includes(this.store.world.roles[node])) {
      const body = await this.ask("GET", ["nodes", name, "body"]);
      if (body) this.bodies.set(node, body);
    }
    this.version++;
  }

  node(node) { return this.records.get(node); }

  body(node) { return this.bodies.get(node); }

  contacts(node) { return this.contactLists.get(node); }
}
