// The map of a mesh: links by quality, nodes by role, and packets as they fly.

import { DEAF, KIND, visibleText } from "./document.js";
import { fitCanvas, readPalette, reasonColour, roleColour, traceShape } from "./colours.js";
import { Heat, HEAT_GRADES } from "./heat.js";

/** Links that are drawn one by one; where more are in sight, only those that carry the mesh are. */
const MOST_LINKS = 12000;
/** Labels in sight at most. */
const MOST_LABELS = 220;
const MARGIN = 48;
/** Rays that can be told apart: where more are due there is the traffic in their place, until far fewer are. */
const MOST_RAYS = 500;
const FEW_RAYS = 150;
/** Transmissions beside the chosen message at most, faded; of more, none. */
const MOST_BESIDE = 12;
/** The share of its colour that is left of what is not looked at. */
const FADED = 0.25;
/** The least stretch of time whose traffic is shown then, in microseconds. */
const HEAT_SPAN = 10e6;
/** Milliseconds for which a picture of the traffic is new enough. */
const HEAT_PAUSE = 200;
/** The side of a square whose nodes have one label where all would cover each other. */
const CLUSTER = 170;
/** The share of frames that a node loses from which on that is shown. */
const LOSSY = 0.15;
/** Nodes in a world whose nodes are drawn with its links, as squares: shapes of their own would take a second. */
const MOST_SHAPES = 2000;

/** Where the grade of a link begins, in 1/100 dB of the weaker way. */
const GRADES = [-700, 0, 600];

const gradeOf = (snr) => GRADES.reduce((grade, least) => grade + (snr >= least ? 1 : 0), 0);

export class MeshMap {
  /** @param chosen is called with `{node}` or `{}` when somebody clicks. */
  constructor(canvas, chosen) {
    this.canvas = canvas;
    this.ground = document.createElement("canvas");
    this.chosen = chosen;
    this.scale = 1;
    this.left = 0;
    this.top = 0;
    this.node = -1;
    this.hover = -1;
    this.way = null;
    this.flying = [];
    this.seen = [];
    this.off = new Uint8Array(0);
    this.flash = new Map();
    this.heat = new Heat();
    this.heatGround = document.createElement("canvas");
    this.heatIsOld = true;
    this.isFitted = false;
    this.inset = 0;
    this.listen();
  }

  setStore(store) {
    this.store = store;
    this.worldChanged();
    this.fit();
  }

  /** The nodes or links are others. */
  worldChanged() {
    const { world } = this.store;
    const count = world.names.length;
    this.off = new Uint8Array(count);
    this.order = world.from.length === 0 ? [] : this.sortedLinks(world);
    this.isLane = world.metresPerUnit === 0 && this.store.source !== "live" && world.roles.some((role) => ["app", "air", "script", "radio"].includes(role));
    this.roles = [...new Set(world.roles)];
    this.degree = new Uint32Array(count);
    for (let link = 0; link < world.from.length; link++) {
      this.degree[world.from[link]]++;
      this.degree[world.to[link]]++;
    }
    this.groundIsOld = true;
  }

  sortedLinks(world) {
    // By grade, so that each grade is one stroke.
    const grades = [[], [], [], [], []];
    for (let link = 0; link < world.from.length; link++) {
      const there = world.there[link], back = world.back[link];
      if (there === DEAF || back === DEAF) grades[4].push(link);
      else grades[gradeOf(Math.min(there, back))].push(link);
    }
    return grades;
  }

  recolour() {
    this.palette = readPalette();
    this.groundIsOld = true;
  }

  /** Shows all nodes. */
  fit() {
    const { x, y } = this.store.world;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || x.length === 0) return;
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let node = 0; node < x.length; node++) {
      x0 = Math.min(x0, x[node]); x1 = Math.max(x1, x[node]);
      y0 = Math.min(y0, y[node]); y1 = Math.max(y1, y[node]);
    }
    const margin = Math.min(MARGIN, width / 8);
    // What lies over the map at its left covers no node.
    const inset = width > 640 ? this.inset : 0;
    this.scale = Math.min((width - inset - 2 * margin) / Math.max(x1 - x0, 1e-6), (height - 2 * margin) / Math.max(y1 - y0, 1e-6));
    if (!isFinite(this.scale) || this.scale > 1e5) this.scale = 1;
    this.left = (x0 + x1) / 2 - (width + inset) / 2 / this.scale;
    this.top = (y0 + y1) / 2 - height / 2 / this.scale;
    this.isFitted = true;
    this.groundIsOld = true;
  }

  screenX(node) { return (this.store.world.x[node] - this.left) * this.scale; }

  screenY(node) { return (this.store.world.y[node] - this.top) * this.scale; }

  // --- Drawing ---

  draw(time, glow) {
    if (!this.store || this.canvas.clientWidth === 0) return;
    this.palette ??= readPalette();
    if (!this.isFitted) this.fit();
    const { context, width, height, ratio } = fitCanvas(this.canvas);
    const size = `${width}x${height}x${ratio}`;
    if (size !== this.size) {
      if (this.size !== undefined && !this.wasMoved) this.fit();
      this.size = size;
      this.groundIsOld = true;
    }
    if (this.groundIsOld) this.drawGround(width, height, ratio);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.store.onAir(time, glow, this.flying);
    this.flash.clear();
    this.isCrowd = this.rays() > (this.isCrowd ? FEW_RAYS : MOST_RAYS);
    // Beside a chosen message everything else fades.
    context.globalAlpha = this.way || this.isCrowd ? FADED : 1;
    context.drawImage(this.ground, 0, 0);
    context.globalAlpha = 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (this.way) this.drawWay(context, time);
    if (this.isCrowd && !this.way) this.drawHeat(context, time, glow, width, height, ratio);
    else this.drawPackets(context, time, glow, width, height);
    this.drawNodes(context, time, width, height);
    this.drawScale(context, width, height);
  }

  /** About how many rays what is on the air has. */
  rays() {
    const { sender } = this.store.frames;
    return this.flying.reduce((rays, frame) => rays + (this.degree[sender.data[frame]] ?? 0), 0);
  }

  /** Links: they change only with the view. */
  drawGround(width, height, ratio) {
    this.groundIsOld = false;
    this.heatIsOld = true;
    this.ground.width = this.canvas.width;
    this.ground.height = this.canvas.height;
    const context = this.ground.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { world } = this.store;
    let seen = 0;
    for (let link = 0; link < world.from.length && seen <= MOST_LINKS; link++) if (this.isInSight(link, width, height)) seen++;
    const isCrowded = seen > MOST_LINKS || (world.from.length > 4 * world.names.length && seen > 1200);
    const isFine = world.names.length > 1500;
    this.isThinned = isCrowded;
    this.order.forEach((links, grade) => {
      context.beginPath();
      for (const link of links) {
        if (isCrowded && world.backbone[link] === 0) continue;
        if (!this.isInSight(link, width, height)) continue;
        context.moveTo(this.screenX(world.from[link]), this.screenY(world.from[link]));
        context.lineTo(this.screenX(world.to[link]), this.screenY(world.to[link]));
      }
      context.strokeStyle = this.palette[grade === 4 ? "link-1" : `link-${grade + 1}`];
      context.lineWidth = isFine ? 1 : grade === 4 ? 1 : 0.8 + grade * 0.5;
      context.setLineDash(grade === 4 ? [5, 4] : []);
      context.stroke();
    });
    context.setLineDash([]);
    if (this.hasDots) this.drawDots(context, width, height);
  }

  get hasDots() { return this.store.world.names.length > MOST_SHAPES; }

  /** Nodes of a large world. */
  drawDots(context, width, height) {
    const { roles } = this.store.world;
    const size = Math.max(2, Math.min(7, 260 * this.scale));
    for (let node = 0; node < roles.length; node++) {
      const x = this.screenX(node), y = this.screenY(node);
      if (x < -8 || x > width + 8 || y < -8 || y > height + 8) continue;
      context.fillStyle = this.palette[roleColour(roles[node])];
      context.fillRect(x - size / 2, y - size / 2, size, size);
    }
  }

  isInSight(link, width, height) {
    const { from, to } = this.store.world;
    const x0 = this.screenX(from[link]), x1 = this.screenX(to[link]);
    const y0 = this.screenY(from[link]), y1 = this.screenY(to[link]);
    return Math.max(x0, x1) > 0 && Math.min(x0, x1) < width && Math.max(y0, y1) > 0 && Math.min(y0, y1) < height;
  }

  drawScale(context, width, height) {
    const { metresPerUnit } = this.store.world;
    if (!metresPerUnit) return;
    const wanted = 110 / this.scale * metresPerUnit;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const metres = [5, 2, 1].map((one) => one * power).find((one) => one <= wanted) ?? power;
    const length = metres / metresPerUnit * this.scale;
    const [x, y] = [width - length - 16, height - 16];
    context.strokeStyle = this.palette.muted;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x + 0.5, y - 4.5); context.lineTo(x + 0.5, y + 0.5);
    context.lineTo(x + length + 0.5, y + 0.5); context.lineTo(x + length + 0.5, y - 4.5);
    context.stroke();
    context.fillStyle = this.palette.muted;
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.fillText(metres >= 1000 ? `${metres / 1000} km` : `${metres} m`, x + length / 2, y - 6);
  }

  drawPackets(context, time, glow, width, height) {
    const { store, palette } = this;
    const { begin, airtime, sender, packet } = store.frames;
    for (const frame of this.flying) {
      const from = sender.data[frame];
      const length = Math.max(1, airtime.data[frame]);
      const age = (time - begin.data[frame]) / length;
      const fade = age <= 1 ? 1 : Math.max(0, 1 - (time - begin.data[frame] - length) / glow);
      const x = this.screenX(from), y = this.screenY(from);
      const isChosen = this.way?.packet === packet.data[frame];
      if (this.way && !isChosen && this.flying.length > MOST_BESIDE) continue;
      const progress = Math.min(1, age);
      let reach = 12;
      store.eachOfFrame(frame, (event) => {
        const kind = store.kind.data[event];
        if (kind !== KIND.rxEnd && kind !== KIND.rxDrop) return;
        const to = store.node.data[event];
        const toX = this.screenX(to), toY = this.screenY(to);
        if (Math.max(x, toX) < 0 || Math.min(x, toX) > width || Math.max(y, toY) < 0 || Math.min(y, toY) > height) return;
        reach = Math.max(reach, Math.min(160, Math.hypot(toX - x, toY - y)));
        const colour = kind === KIND.rxEnd ? palette.rx : palette[reasonColour(store.reason(event))];
        context.globalAlpha = fade * (this.way && !isChosen ? 0.12 : 0.85);
        context.strokeStyle = colour;
        context.lineWidth = 1.6;
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(x + (toX - x) * progress, y + (toY - y) * progress);
        context.stroke();
        if (age <= 1) {
          context.fillStyle = colour;
          context.beginPath();
          context.arc(x + (toX - x) * progress, y + (toY - y) * progress, 3.2, 0, Math.PI * 2);
          context.fill();
        }
        if (age > 1 && !this.isFaded(to)) this.flash.set(to, { colour, fade, isLost: kind === KIND.rxDrop });
      });
      if (age <= 1 && (!this.way || isChosen)) {
        context.globalAlpha = (1 - progress) * 0.6;
        context.strokeStyle = palette.tx;
        context.lineWidth = 2;
        context.beginPath();
        context.arc(x, y, 8 + reach * progress, 0, Math.PI * 2);
        context.stroke();
        this.flash.set(from, { colour: palette.tx, fade: 1, isLost: false });
      }
    }
    context.globalAlpha = 1;
  }

  /** The traffic of the last seconds in place of rays: pairs by how much went over them, nodes by what they lost. */
  drawHeat(context, time, glow, width, height, ratio) {
    // It changes slowly: a picture of it is as good for some frames, unless somebody jumps or moves the map.
    const stamp = performance.now();
    const isNear = Math.abs(time - this.heatTime) < glow * 2 && stamp - this.heatStamp < HEAT_PAUSE;
    if (!isNear || this.heatIsOld) {
      [this.heatTime, this.heatStamp, this.heatIsOld] = [time, stamp, false];
      this.heat.measure(this.store, time - Math.max(HEAT_SPAN, glow * 5), time);
      this.heatGround.width = this.canvas.width;
      this.heatGround.height = this.canvas.height;
      const into = this.heatGround.getContext("2d");
      into.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.paintHeat(into, width, height);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.heatGround, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  paintHeat(context, width, height) {
    const { palette, heat } = this;
    context.strokeStyle = palette.rx;
    heat.grades().forEach((pairs, grade) => {
      context.beginPath();
      for (const [from, to] of pairs) {
        const [x0, y0, x1, y1] = [this.screenX(from), this.screenY(from), this.screenX(to), this.screenY(to)];
        if (Math.max(x0, x1) < 0 || Math.min(x0, x1) > width || Math.max(y0, y1) < 0 || Math.min(y0, y1) > height) continue;
        context.moveTo(x0, y0);
        context.lineTo(x1, y1);
      }
      context.globalAlpha = (grade + 1) / HEAT_GRADES * 0.7;
      context.lineWidth = 0.6 + grade * 1.1;
      context.stroke();
    });
    // A disc grows with what a node receives; its red rim says how much of what came there was lost.
    for (let node = 0; node < this.store.nodeCount; node++) {
      if (heat.received[node] + heat.lost[node] === 0) continue;
      const x = this.screenX(node), y = this.screenY(node);
      if (x < -20 || x > width + 20 || y < -20 || y > height + 20) continue;
      const size = 3 + 9 * heat.share(node), loss = heat.lossShare(node);
      context.globalAlpha = 0.35;
      context.fillStyle = palette.rx;
      context.beginPath();
      context.arc(x, y, size, 0, Math.PI * 2);
      context.fill();
      if (loss < LOSSY) continue;
      context.globalAlpha = 0.9;
      context.strokeStyle = palette.drop;
      context.lineWidth = 2.2;
      context.beginPath();
      context.arc(x, y, size + 1.5, -Math.PI / 2, Math.PI * (2 * loss - 0.5));
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** Nodes of the chosen message; null without one. */
  set way(way) {
    if (way === this.chosenWay) return;
    this.chosenWay = way;
    this.inWay = way && new Set(way.hops.flatMap((hop) => [hop.sender, ...hop.heard.map((one) => one.node)]));
  }

  get way() { return this.chosenWay; }

  isFaded(node) { return this.inWay ? !this.inWay.has(node) && node !== this.node : false; }

  drawNodes(context, time, width, height) {
    const { store, palette } = this;
    const { names, roles } = store.world;
    store.powerAt(time, this.off);
    const seen = this.seen;
    seen.length = 0;
    for (let node = 0; node < names.length; node++) {
      const x = this.screenX(node), y = this.screenY(node);
      if (x > -20 && x < width + 20 && y > -20 && y < height + 20) seen.push(node);
    }
    const size = seen.length > 3000 ? 1.6 : seen.length > 800 ? 3 : seen.length > 150 ? 5 : 7.5;
    const layers = this.hasDots ? [] : this.roles.flatMap((role) => this.inWay ? [[role, true], [role, false]] : [[role, false]]);
    for (const [role, isFaded] of layers) {
      context.beginPath();
      for (const node of seen) {
        if (roles[node] !== role || this.off[node] || this.isFaded(node) !== isFaded) continue;
        traceShape(context, role, this.screenX(node), this.screenY(node), size);
      }
      context.globalAlpha = isFaded ? FADED : 1;
      context.fillStyle = palette[roleColour(role)];
      context.fill();
      if (size > 4) {
        context.strokeStyle = palette.bg;
        context.lineWidth = 1.5;
        context.stroke();
      }
    }
    context.globalAlpha = 1;
    context.beginPath();
    for (const node of seen) if (this.off[node]) traceShape(context, roles[node], this.screenX(node), this.screenY(node), size);
    context.fillStyle = palette.bg;
    context.strokeStyle = palette.faded;
    context.lineWidth = 1.2;
    context.fill();
    context.stroke();
    for (const [node, { colour, fade, isLost }] of this.flash) {
      context.globalAlpha = fade;
      context.strokeStyle = colour;
      context.lineWidth = size > 4 ? 2 : 1.2;
      context.beginPath();
      if (isLost) {
        const [x, y, half] = [this.screenX(node), this.screenY(node), size + 3];
        context.moveTo(x - half, y - half); context.lineTo(x + half, y + half);
        context.moveTo(x + half, y - half); context.lineTo(x - half, y + half);
      } else {
        context.arc(this.screenX(node), this.screenY(node), size + 4, 0, Math.PI * 2);
      }
      context.stroke();
    }
    context.globalAlpha = 1;
    for (const [node, colour] of [[this.hover, palette.muted], [this.node, palette.selected]]) {
      if (node < 0 || node >= names.length) continue;
      context.strokeStyle = colour;
      context.lineWidth = 2.5;
      context.beginPath();
      context.arc(this.screenX(node), this.screenY(node), size + 6, 0, Math.PI * 2);
      context.stroke();
    }
    this.drawLabels(context, seen, size);
  }

  /** Names, as far as they do not cover each other; that of the chosen node first. */
  drawLabels(context, seen, size) {
    const { names, roles } = this.store.world;
    const inSight = this.inWay ? seen.filter((node) => !this.isFaded(node)) : seen;
    const isSparse = inSight.length <= MOST_LABELS;
    const all = isSparse ? inSight : [];
    const wanted = [this.node, this.hover, ...all.filter((node) => roles[node] !== "repeater"), ...all]
      .filter((node) => node >= 0 && node < names.length);
    const taken = new Set();
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.lineJoin = "round";
    const done = new Set();
    const clusters = isSparse ? [] : this.clusters(inSight);
    for (const [node, more] of [...wanted.map((node) => [node, 0]), ...clusters]) {
      if (done.has(node)) continue;
      done.add(node);
      const text = visibleText(names[node], 24) + (more > 0 ? ` +${more}` : "");
      const width = context.measureText(text).width;
      const x = this.screenX(node), y = this.screenY(node) + size + 15;
      const cells = [];
      for (let cell = Math.floor((x - width / 2) / 16); cell <= Math.floor((x + width / 2) / 16); cell++) {
        cells.push(`${cell}/${Math.floor(y / 16)}`);
      }
      if (node !== this.node && cells.some((cell) => taken.has(cell))) continue;
      for (const cell of cells) taken.add(cell);
      context.strokeStyle = this.palette.bg;
      context.lineWidth = 3.5;
      context.strokeText(text, x, y);
      context.fillStyle = node === this.node ? this.palette.text : this.palette.muted;
      context.fillText(text, x, y);
    }
  }

  /** Where there are too many names: by square, the node with the most links, and how many are around it. */
  clusters(seen) {
    const squares = new Map();
    for (const node of seen) {
      const square = `${Math.floor(this.screenX(node) / CLUSTER)}/${Math.floor(this.screenY(node) / CLUSTER)}`;
      const known = squares.get(square);
      if (!known) squares.set(square, [node, 0]);
      else squares.set(square, [this.degree[node] > this.degree[known[0]] ? node : known[0], known[1] + 1]);
    }
    return [...squares.values()].sort((a, b) => b[1] - a[1]);
  }

  /** The way of the chosen message: bold for what was delivered over, thin for other receptions, broken for losses. */
  drawWay(context, time) {
    const { palette, way } = this;
    const main = new Set();
    for (const path of way.paths) path.hops.forEach((hop, at) => main.add(`${hop.sender}/${path.hops[at + 1]?.sender ?? path.to}`));
    context.lineCap = "round";
    for (const hop of way.hops) {
      if (hop.begin > time) break;
      const x = this.screenX(hop.sender), y = this.screenY(hop.sender);
      const line = (to, colour, width, dash, alpha) => {
        context.globalAlpha = alpha;
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.setLineDash(dash);
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(this.screenX(to), this.screenY(to));
        context.stroke();
      };
      if (hop.end > time) continue;
      for (const { node, reason } of hop.lost) line(node, palette[reasonColour(reason)], 1.4, [2, 5], 0.8);
      for (const { node } of hop.heard) {
        if (!main.has(`${hop.sender}/${node}`)) line(node, palette.rx, 1.2, [], 0.45);
      }
      for (const { node } of hop.heard) if (main.has(`${hop.sender}/${node}`)) line(node, palette.way, 4.5, [], 0.95);
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
    context.lineCap = "butt";
  }

  // --- Hands ---

  nodeAt(x, y) {
    let best = -1, least = 18 * 18;
    for (let node = 0; node < this.store.world.names.length; node++) {
      const distance = (this.screenX(node) - x) ** 2 + (this.screenY(node) - y) ** 2;
      if (distance < least) [best, least] = [node, distance];
    }
    return best;
  }

  zoom(factor, x, y) {
    this.wasMoved = true;
    const scale = Math.min(1e5, Math.max(1e-7, this.scale * factor));
    this.left += x / this.scale - x / scale;
    this.top += y / this.scale - y / scale;
    this.scale = scale;
    this.groundIsOld = true;
    this.changed?.();
  }

  move(dx, dy) {
    this.wasMoved = true;
    this.left -= dx / this.scale;
    this.top -= dy / this.scale;
    this.groundIsOld = true;
    this.changed?.();
  }

  listen() {
    const pointers = new Map();
    let moved = 0;
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
      moved = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) {
        const hover = this.store ? this.nodeAt(event.offsetX, event.offsetY) : -1;
        if (hover !== this.hover) {
          this.hover = hover;
          canvas.style.cursor = hover >= 0 ? "pointer" : "grab";
          this.changed?.();
        }
        return;
      }
      const [dx, dy] = [event.offsetX - before[0], event.offsetY - before[1]];
      moved += Math.abs(dx) + Math.abs(dy);
      if (pointers.size === 2) {
        const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
        const old = Math.hypot(before[0] - other[0], before[1] - other[1]);
        const now = Math.hypot(event.offsetX - other[0], event.offsetY - other[1]);
        if (old > 0) this.zoom(now / old, (event.offsetX + other[0]) / 2, (event.offsetY + other[1]) / 2);
      } else if (moved > 4) {
        this.move(dx, dy);
      }
      pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    });
    const end = (event) => {
      if (pointers.delete(event.pointerId) && moved <= 4 && event.type === "pointerup") this.chosen(this.nodeAt(event.offsetX, event.offsetY));
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("pointerleave", () => {
      if (this.hover >= 0) { this.hover = -1; this.changed?.(); }
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
      if (steps[event.key]) this.move(...steps[event.key]);
      else if (event.key === "+") this.zoom(1.3, canvas.clientWidth / 2, canvas.clientHeight / 2);
      else if (event.key === "-") this.zoom(1 / 1.3, canvas.clientWidth / 2, canvas.clientHeight / 2);
      else if (event.key === "0") { this.wasMoved = false; this.fit(); this.changed?.(); } else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
}
