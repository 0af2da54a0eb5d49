// The page: brings document or live world, map, lanes and panels together. Draws only when something has changed.

import { axisStep, clockText, decodeDocument, KIND, Store, visibleText } from "./document.js";
import { fateOf } from "./fate.js";
import { fitCanvas, followScheme, readPalette, roleText, traceShape, roleColour } from "./colours.js";
import { MeshMap } from "./map.js";
import { Lanes } from "./lanes.js";
import { element, Panels } from "./panels.js";
import { Live } from "./live.js";

const find = (id) => document.getElementById(id);

/** From this speed on lanes are drawn in every second picture. */
const FAST = 20;
/** Milliseconds between two counts of all events for the strip, while time passes. */
const STRIP_PAUSE = 500;

class Player {
  constructor() {
    this.store = new Store();
    this.time = 0;
    this.speed = 1;
    this.isPlaying = false;
    this.packet = -1;
    this.node = -1;
    this.event = -1;
    this.way = null;
    this.map = new MeshMap(find("map"), (node) => this.chooseNode(node));
    this.lanes = new Lanes(find("lanes"), (what) => this.chooseInLanes(what));
    this.panels = new Panels(this);
    this.map.changed = this.lanes.changed = () => this.request();
    this.drawn = 0;
    this.tick = this.tick.bind(this);
  }

  get isLanes() { return this.map.isLane === true; }

  // --- Beginning ---

  async begin() {
    const data = find("document");
    try {
      if (data) await this.beginWithDocument(data);
      else await this.beginLive();
    } catch (problem) {
      this.toast(`This cannot be shown: ${problem.message}`, true);
      return;
    }
    this.listen();
    this.panels.show("messages");
    this.drawLegend();
    this.request();
    document.body.dataset.state = "ready";
  }

  async beginWithDocument(data) {
    this.load(await unpack(data.textContent, data.dataset.form));
  }

  /** Shows a document. */
  load(buffer) {
    const head = decodeDocument(buffer);
    this.store.load(head);
    find("title").textContent = visibleText(head.title);
    const seed = head.facts.find(([name]) => name === "Seed");
    this.showSeed(seed?.[1]);
    this.worldIsThere();
    this.lanes.show(0, Math.min(this.store.span, this.store.count > 0 ? 60e6 : 1e6) || 1e6);
    if (this.isLanes) this.lanes.show(0, this.store.span * 1.05 || 1e6);
    // Where something happens.
    const first = this.store.nextEvent(-1, this.isLanes ? "any" : "message");
    this.seek(first >= 0 ? this.store.time.data[first] : 0);
  }

  worldIsThere() {
    this.map.setStore(this.store);
    this.lanes.setStore(this.store);
    document.querySelector("main").classList.toggle("is-lanes", this.isLanes);
  }

  async beginLive() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const token = asked.get("token");
    if (asked.get("show") === "document") {
      const response = await fetch("document", { headers: { Authorization: `Bearer ${token}` } });
      if (!response.ok) throw new Error("the token of the address is missing or wrong");
      return this.load(await response.arrayBuffer());
    }
    this.live = new Live(this.store, token, { told: (words) => this.tell(words), changed: () => this.request() });
    this.live.worldChanged = () => { this.map.worldChanged(); this.lanes.worldChanged(); };
    this.live.wentBack = (time) => { this.leavePacket(); this.event = -1; this.map.worldChanged(); this.seek(time); };
    this.live.jump = (time) => this.seek(time);
    if (!await this.live.begin()) throw new Error("the studio does not let this page in; open the address that it prints, with its token");
    document.title = `${this.live.name} – Meshbed studio`;
    find("title").textContent = visibleText(this.live.name);
    find("live").hidden = false;
    this.showSeed(this.live.seed);
    this.worldIsThere();
    this.offerApps((asked.get("apps") ?? "").split(",").filter(Boolean), token);
    this.time = Math.max(0, this.live.now - 1.6e6);
    this.lanes.show(this.time - 5e6, this.time + 15e6);
    this.play(true);
  }

  /** Apps of two companions at both sides of the mesh, where the server has them at apps/NAME/. */
  offerApps(names, token) {
    if (names.length === 0) return;
    const main = document.querySelector("main");
    const button = element("button", { type: "button", id: "show-apps", "aria-pressed": "false", onclick: () => {
      const isShown = main.classList.toggle("shows-apps");
      button.setAttribute("aria-pressed", String(isShown));
      find("apps").hidden = !isShown;
      if (isShown && find("apps").childElementCount === 0) find("apps").append(...names.slice(0, 2).map((name) => element("figure", {},
        element("figcaption", {}, `App of ${visibleText(name, 40)}`),
        element("iframe", { "data-own": "", title: `App of ${visibleText(name, 40)}`, src: `apps/${encodeURIComponent(name)}/#token=${token ?? ""}` }))));
      this.map.wasMoved = false;
      this.map.isFitted = false;
      this.request();
    } }, "Apps");
    document.querySelector(".tools").prepend(button);
  }

  showSeed(seed) {
    if (seed === undefined) return;
    find("seed").hidden = false;
    find("seed").textContent = `seed ${visibleText(seed, 24)}`;
  }

  // --- Drawing ---

  /** Asks for a new picture: one, however often it is asked for. */
  request() {
    if (this.isRequested) return;
    this.isRequested = true;
    requestAnimationFrame(this.tick);
  }

  tick(stamp) {
    this.isRequested = false;
    if (this.isPlaying) this.pass(stamp);
    const glow = Math.min(2e6, Math.max(0.12e6, 0.25e6 * this.speed));
    this.lanes.keepSorted();
    if (!this.isLanes) this.map.draw(this.time, glow);
    // What flies past is seen in every second picture as well.
    if (!this.isPlaying || this.speed < FAST || this.drawn % 2 === 0) {
      this.lanes.draw(this.time);
      this.drawStrip();
    }
    find("clock").textContent = clockText(this.time);
    this.panels.draw();
    this.drawn++;
    if (this.isPlaying) this.request();
  }

  /** Lets the shown time pass with that of the screen. */
  pass(stamp) {
    const gone = Math.min(250, stamp - (this.stamp ?? stamp));
    this.stamp = stamp;
    const before = this.time;
    const next = before + gone * 1000 * this.speed;
    const end = this.live ? this.live.end : this.store.span;
    this.time = Math.max(this.time, Math.min(next, end));
    if (this.live) this.showPace(gone, this.time - before);
    if (this.live) this.live.feed(this.time, this.speed);
    else if (next >= end) this.play(false);
    this.lanes.follow(this.time);
    this.map.way = this.way;
  }

  /** Says how fast the world runs where it does not keep the chosen speed. */
  showPace(gone, passed) {
    this.pace ??= { gone: 0, passed: 0 };
    this.pace.gone += gone;
    this.pace.passed += passed;
    if (this.pace.gone < 1500) return;
    const reached = this.pace.passed / 1000 / this.pace.gone;
    this.pace = undefined;
    const chip = find("pace");
    chip.hidden = reached > this.speed * 0.85;
    chip.textContent = `as fast as it can (×${reached < 10 ? reached.toFixed(1) : Math.round(reached)})`;
  }

  play(isPlaying) {
    this.pace = undefined;
    find("pace").hidden = true;
    if (isPlaying && !this.live && this.time >= this.store.span) this.time = 0;
    this.isPlaying = isPlaying;
    this.stamp = undefined;
    find("play").classList.toggle("is-running", isPlaying);
    find("play").setAttribute("aria-label", isPlaying ? "Pause" : "Run");
    this.live?.setRunning(isPlaying, this.speed);
    this.request();
  }

  seek(time) {
    this.time = Math.max(0, Math.min(time, this.live ? this.live.now : this.store.span));
    this.lanes.follow(this.time);
    this.request();
  }

  async forward() {
    this.play(false);
    const wish = find("wish").value;
    let event = this.store.nextEvent(this.time, wish);
    for (let tries = 0; event < 0 && this.live && tries < 400; tries++) {
      if (!await this.live.untilEvent()) break;
      event = this.store.nextEvent(this.time, wish);
    }
    if (event < 0) return this.live?.isGone ? undefined : this.toast("Nothing more of this kind.");
    this.event = event;
    this.seek(this.store.time.data[event]);
  }

  backward() {
    this.play(false);
    const event = this.store.previousEvent(this.time);
    if (event < 0) return;
    this.event = event;
    this.seek(this.store.time.data[event]);
  }

  // --- Choosing ---

  chooseNode(node) {
    this.node = this.map.node = this.lanes.node = node;
    this.live?.watch(node);
    if (node >= 0) {
      this.lanes.reveal(node);
      this.panels.show("node");
    }
    this.request();
  }

  chooseMessage(message) {
    this.choosePacket(message.packet);
    if (message.packet >= 0 && this.time < message.at) this.seek(message.at);
  }

  /** No message is chosen any more. */
  leavePacket() {
    this.packet = -1;
    this.way = this.map.way = null;
    this.lanes.setWay(null);
  }

  choosePacket(packet) {
    this.packet = packet;
    this.way = packet < 0 ? null : fateOf(this.store, packet);
    this.map.way = this.way;
    this.lanes.setWay(this.way);
    if (this.way && this.way.hops.length > 0) {
      const begin = this.way.hops[0].begin, end = this.way.hops[this.way.hops.length - 1].end;
      const width = Math.max(end - begin, 0.5e6);
      this.lanes.show(begin - width * 0.12, begin + width * 1.2);
      if (!this.isPlaying) this.seek(end);
    }
    this.panels.show("messages");
    this.request();
  }

  chooseHop(hop) {
    this.play(false);
    this.node = this.map.node = this.lanes.node = hop.sender;
    this.seek((hop.begin + hop.end) / 2);
    this.lanes.reveal(hop.sender);
  }

  chooseEvent(event) {
    this.event = event;
    if (event < 0) return;
    this.seek(this.store.time.data[event]);
    this.panels.draw();
  }

  chooseInLanes({ time, node, event }) {
    if (time !== undefined && event === undefined) {
      this.play(false);
      return this.seek(time);
    }
    if (event >= 0) {
      this.event = event;
      const frame = this.store.frameOf.data[event];
      if (frame >= 0) return this.choosePacket(this.store.frames.packet.data[frame]);
      if (this.store.kind.data[event] === KIND.message) return this.chooseMessage(this.store.messages[this.store.second.data[event]]);
      if (this.store.kind.data[event] === KIND.note) {
        this.panels.show("messages");
        return this.chooseEvent(event);
      }
    }
    if (node >= 0) this.chooseNode(node);
    else if (time !== undefined) this.seek(time);
  }

  // --- Strip ---

  drawStrip() {
    const canvas = find("strip");
    const { context, width, height } = fitCanvas(canvas);
    if (width === 0) return;
    const span = Math.max(1, this.store.span);
    const key = `${width}/${this.store.count}/${Math.floor(span / 1e5)}/${this.schemes ?? 0}/${this.store.marks.length}`;
    const isDue = !this.isPlaying || performance.now() - (this.strippedAt ?? 0) > STRIP_PAUSE;
    if (this.stripKey !== key && isDue || !this.strip) {
      this.stripKey = key;
      this.strippedAt = performance.now();
      this.palette = readPalette();
      this.strip = this.store.histogram(0, span, Math.max(40, Math.floor(width / 3)));
    }
    context.fillStyle = this.palette.sunken;
    context.fillRect(0, 0, width, height);
    const { sent, received, lost } = this.strip;
    let most = 1;
    for (let part = 0; part < sent.length; part++) most = Math.max(most, sent[part] + received[part] + lost[part]);
    const step = width / sent.length;
    const draw = (values, colour, base) => {
      context.fillStyle = colour;
      for (let part = 0; part < values.length; part++) {
        if (values[part] === 0) continue;
        const under = base.reduce((sum, one) => sum + one[part], 0);
        const unit = (height - 6) / most;
        context.fillRect(part * step, height - (under + values[part]) * unit, Math.max(1, step - 1), Math.max(1, values[part] * unit));
      }
    };
    draw(received, this.palette.rx, []);
    draw(lost, this.palette.drop, [received]);
    draw(sent, this.palette.tx, [received, lost]);
    this.drawStripMarks(context, width, height, span);
    // What the lanes show.
    const from = Math.max(0, this.lanes.begin / span * width), to = Math.min(width, this.lanes.end / span * width);
    context.fillStyle = this.palette.accent;
    context.globalAlpha = 0.14;
    context.fillRect(from, 0, Math.max(2, to - from), height);
    context.globalAlpha = 1;
    const scrubber = find("scrubber");
    scrubber.max = String(span);
    if (document.activeElement !== scrubber || this.isPlaying) scrubber.value = String(this.time);
    scrubber.setAttribute("aria-valuetext", clockText(this.time));
  }

  /** Over the strip: times, faults while they lasted, and what was done by hand. */
  drawStripMarks(context, width, height, span) {
    const { palette, store } = this;
    context.font = "10px system-ui, sans-serif";
    context.textAlign = "left";
    const step = axisStep(span / Math.max(2, width / 120));
    for (let time = step; time < span; time += step) {
      const x = Math.round(time / span * width) + 0.5;
      context.fillStyle = palette["line-strong"];
      context.fillRect(x, 0, 1, 4);
      const label = clockText(time, step < 1e6 ? 1 : 0);
      if (x + 4 + context.measureText(label).width > width) break;
      context.lineWidth = 3;
      context.strokeStyle = palette.sunken;
      context.strokeText(label, x + 4, 10);
      context.fillStyle = palette.muted;
      context.fillText(label, x + 4, 10);
    }
    context.fillStyle = palette.collision;
    for (const { begin, end } of store.faults) {
      const from = begin / span * width;
      context.fillRect(from, 12, Math.max(3, Math.min(end, span) / span * width - from), 3);
    }
    context.fillStyle = palette.selected;
    for (const { at } of store.marks) {
      const x = at / span * width;
      context.beginPath();
      context.moveTo(x, 20); context.lineTo(x + 4, 16); context.lineTo(x, 12); context.lineTo(x - 4, 16);
      context.fill();
    }
  }

  // --- Page ---

  listen() {
    find("sorting").addEventListener("change", (event) => this.lanes.setSorting(event.target.value));
    find("play").addEventListener("click", () => this.play(!this.isPlaying));
    find("forward").addEventListener("click", () => this.forward());
    find("back").addEventListener("click", () => this.backward());
    find("to-start").addEventListener("click", () => { this.play(false); this.seek(0); });
    find("fit").addEventListener("click", () => { this.map.wasMoved = false; this.map.fit(); this.request(); });
    find("speed").addEventListener("change", (event) => {
      this.speed = Number(event.target.value);
      if (this.live && this.isPlaying) this.live.setRunning(true, this.speed);
    });
    find("scrubber").addEventListener("input", (event) => { this.play(false); this.seek(Number(event.target.value)); });
    find("legend").addEventListener("toggle", () => {
      this.map.inset = find("legend").open ? find("legend").offsetWidth : 0;
      if (!this.map.wasMoved) this.map.fit();
      this.request();
    });
    const roomy = matchMedia("(min-width: 75rem) and (min-height: 45rem)");
    find("legend").open = roomy.matches;
    roomy.addEventListener("change", () => { find("legend").open = roomy.matches; });
    new ResizeObserver(() => this.request()).observe(document.querySelector("main"));
    followScheme(() => {
      this.schemes = (this.schemes ?? 0) + 1;
      this.map.recolour();
      this.lanes.recolour();
      this.drawLegend();
      this.request();
    });
    document.addEventListener("keydown", (event) => {
      if (event.target.closest("input:not([type=range]), select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
      const acts = {
        " ": () => this.play(!this.isPlaying), ArrowRight: () => this.forward(), ArrowLeft: () => this.backward(),
        Home: () => this.seek(0), End: () => this.seek(this.live ? this.live.now : this.store.span),
        Escape: () => this.choosePacket(-1),
      };
      if (!acts[event.key] || (event.key === " " && event.target.closest("button, summary"))) return;
      event.preventDefault();
      acts[event.key]();
    });
  }

  /** Words of the world; when it is gone they stay, and nothing runs any more. */
  tell(words) {
    const isGone = this.live?.isGone === true;
    this.toast(words, isGone);
    if (!isGone || find("live").hidden) return;
    find("live").hidden = true;
    this.play(false);
  }

  toast(words, stays = false) {
    const toast = find("toast");
    toast.textContent = visibleText(words);
    toast.hidden = false;
    clearTimeout(this.toastTimer);
    if (!stays) this.toastTimer = setTimeout(() => { toast.hidden = true; }, 4000);
  }

  drawLegend() {
    const palette = readPalette();
    const sample = (draw) => {
      const canvas = element("canvas", { "aria-hidden": "true" });
      canvas.style.width = "34px";
      canvas.style.height = "18px";
      canvas.width = 68;
      canvas.height = 36;
      const context = canvas.getContext("2d");
      context.scale(2, 2);
      draw(context);
      return canvas;
    };
    const line = (colour, width, dash = []) => (context) => {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(2, 9); context.lineTo(32, 9);
      context.stroke();
    };
    const bar = (colour, height) => (context) => { context.fillStyle = colour; context.fillRect(3, 9 - height / 2, 28, height); };
    const cross = (colour) => (context) => {
      bar(colour, 3)(context);
      context.strokeStyle = colour;
      context.lineWidth = 1.6;
      context.beginPath();
      context.moveTo(27, 5); context.lineTo(35, 13); context.moveTo(35, 5); context.lineTo(27, 13);
      context.stroke();
    };
    const rows = [...new Set(this.store.world.roles)].map((role) => [(context) => {
      context.fillStyle = palette[roleColour(role)];
      context.beginPath();
      traceShape(context, role, 17, 9, 6);
      context.fill();
    }, roleText(role)]);
    if (!this.isLanes) {
      rows.push(
        [line(palette["link-4"], 2.3), "link, 6 dB or more"], [line(palette["link-2"], 1.3), "weak link"],
        [line(palette["link-1"], 1, [5, 4]), "hears in one direction"],
        [bar(palette.tx, 12), "transmission"], [bar(palette.rx, 6), "reception"], [cross(palette.collision), "collision, or was sending"],
        [cross(palette.drop), "lost by link or fault"], [cross(palette.faded), "too weak, or not needed"],
        [(context) => {
          context.fillStyle = palette.rx;
          context.strokeStyle = palette.drop;
          context.lineWidth = 2.2;
          context.globalAlpha = 0.35;
          context.beginPath(); context.arc(17, 9, 6, 0, Math.PI * 2); context.fill();
          context.globalAlpha = 1;
          context.beginPath(); context.arc(17, 9, 7.5, -Math.PI / 2, Math.PI / 6); context.stroke();
        }, "much traffic: received, and the share lost"],
        [bar(palette.collision, 3), "a fault, above the lanes"],
        [(context) => {
          context.fillStyle = palette.selected;
          context.beginPath();
          context.moveTo(17, 13); context.lineTo(21, 9); context.lineTo(17, 5); context.lineTo(13, 9);
          context.fill();
        }, "done by hand"],
        [line(palette.way, 4.5), "way of the chosen message"]);
    }
    find("legend-body").replaceChildren(...rows.flatMap(([draw, words]) => [sample(draw), element("span", {}, words)]));
  }
}

/** The bytes of a document that is in the page. */
async function unpack(base64, form) {
  const bytes = Uint8Array.from(atob(base64.trim()), (character) => character.charCodeAt(0));
  if (form === "plain") return bytes.buffer;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

const player = new Player();
globalThis.meshbedPlayer = player;
player.begin();
