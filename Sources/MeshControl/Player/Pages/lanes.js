// Swim lanes: what each node sent, received and lost, on an axis of time. Only what is in sight is drawn.

import { axisStep, clockText, KIND, payloadName, visibleText } from "./document.js";
import { fitCanvas, readPalette, reasonColour, reasonText, roleColour, traceShape } from "./colours.js";

const HEAD = 26;
const ROW = 28;
/** Within a row: the middle of what is sent and received, and that of what is lost. */
const MAIN = 11;
const LOSS = 22;
/** Of an event in a lane, on the average, in points: narrower ones are drawn as shares. */
const LEAST_WIDTH = 4;
/** Colours of what happens in lanes that are no nodes. */
const NOTES = {
  frame: "tx", packet: "rx", lost: "drop", failure: "drop", action: "collision", kept: "good", broken: "drop",
  differs: "collision", "could not run": "drop",
};

export class Lanes {
  /** @param chosen is called with `{time, node, event}` when somebody clicks. */
  constructor(canvas, chosen) {
    this.canvas = canvas;
    this.chosen = chosen;
    this.begin = 0;
    this.end = 30e6;
    this.scrolled = 0;
    this.node = -1;
    this.way = null;
    this.order = [];
    /** "activity": what sends most comes first; "world": as the world has them. */
    this.sorting = "activity";
    this.sortedAt = 0;
    this.row = ROW;
    /** Where the labels of a lane end, by their level below the events. */
    this.labelEnds = [];
    this.listen();
  }

  get gutter() { return this.canvas.clientWidth < 600 ? 84 : 132; }

  setStore(store) {
    this.store = store;
    this.palette = null;
    this.worldChanged();
  }

  /** Sorts again where much has happened since: with twice the events, so that lanes seldom move under a reader's eyes. */
  keepSorted() {
    if (this.sorting === "activity" && (this.store.count > 2 * this.sortedAt || this.store.count < this.sortedAt)) this.worldChanged();
  }

  setSorting(sorting) {
    this.sorting = sorting;
    this.worldChanged();
    this.scrolled = 0;
    this.changed?.();
  }

  worldChanged() {
    this.sortedAt = this.store.count;
    const rest = this.store.world.names.map((_, node) => node);
    // Lanes of a report stand as it has them.
    if (this.sorting === "activity" && this.store.notes.length === 0) {
      const sent = rest.map((node) => this.store.countsAt(node, Infinity).sent);
      rest.sort((a, b) => sent[b] - sent[a] || a - b);
    }
    // The nodes of a chosen message come first, in the order in which it came to them.
    if (!this.way) {
      this.order = rest;
    } else {
      const first = [...new Set(this.way.hops.flatMap((hop) => [hop.sender, ...hop.delivered]))];
      const seen = new Set(first);
      this.order = [...first, ...rest.filter((node) => !seen.has(node))];
    }
  }

  setWay(way) {
    this.way = way;
    this.worldChanged();
    if (way) this.scrolled = 0;
  }

  recolour() { this.palette = readPalette(); }

  /** Shows a stretch of time. */
  show(begin, end) {
    const least = 2000;
    const width = Math.max(least, end - begin);
    this.begin = Math.max(-width * 0.05, begin);
    this.end = this.begin + width;
    this.changed?.();
  }

  /** Moves the stretch so that a time is in it. */
  follow(time) {
    const width = this.end - this.begin;
    if (time < this.begin + width * 0.02) this.show(time - width * 0.25, time + width * 0.75);
    else if (time > this.begin + width * 0.85) this.show(time - width * 0.85, time + width * 0.15);
  }

  /** Brings the lane of a node into sight. */
  reveal(node) {
    const place = this.order.indexOf(node);
    const room = this.canvas.clientHeight - HEAD - this.row;
    if (place * this.row < this.scrolled) this.scrolled = place * this.row;
    else if (place * this.row > this.scrolled + room) this.scrolled = place * this.row - room;
  }

  x(time) { return this.gutter + (time - this.begin) / (this.end - this.begin) * (this.canvas.clientWidth - this.gutter); }

  timeAt(x) { return this.begin + (x - this.gutter) / (this.canvas.clientWidth - this.gutter) * (this.end - this.begin); }

  draw(time) {
    if (!this.store || this.canvas.clientWidth === 0) return;
    this.palette ??= readPalette();
    const { context, width, height } = fitCanvas(this.canvas);
    const { palette, gutter } = this;
    // Few lanes have room for words.
    this.row = this.store.notes.length === 0 ? ROW : Math.min(118, Math.max(ROW, (height - HEAD) / Math.max(1, this.order.length)));
    const most = Math.max(0, Math.round(this.order.length * this.row - (height - HEAD)));
    this.scrolled = Math.min(most, Math.max(0, this.scrolled));
    context.fillStyle = palette.surface;
    context.fillRect(0, 0, width, height);
    this.drawAxis(context, width, height);
    context.save();
    context.beginPath();
    context.rect(0, HEAD, width, height - HEAD);
    context.clip();
    const first = Math.floor(this.scrolled / this.row);
    const last = Math.min(this.order.length - 1, Math.floor((this.scrolled + height - HEAD) / this.row));
    this.drawNoteArrows(context, first, last);
    for (let place = first; place <= last; place++) {
      this.drawLane(context, this.order[place], HEAD + place * this.row - this.scrolled, width);
    }
    this.drawWayArrows(context, first, last);
    context.restore();
    const x = this.x(time);
    if (x >= gutter && x <= width) {
      context.strokeStyle = palette.accent;
      context.lineWidth = 1.5;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, height);
      context.stroke();
      context.fillStyle = palette.accent;
      context.beginPath();
      context.moveTo(x - 5, 0); context.lineTo(x + 5, 0); context.lineTo(x, 7);
      context.fill();
    }
    if (most > 0) {
      const room = height - HEAD;
      context.fillStyle = palette["line-strong"];
      context.globalAlpha = 0.5;
      const length = Math.max(20, room * room / (this.order.length * this.row));
      context.fillRect(width - 5, HEAD + this.scrolled / most * (room - length), 3, length);
      context.globalAlpha = 1;
    }
  }

  drawAxis(context, width, height) {
    const { palette, gutter } = this;
    const span = this.end - this.begin;
    const wanted = span / Math.max(2, (width - gutter) / 110);
    const step = axisStep(wanted);
    const digits = step >= 1e6 ? 0 : step >= 1e5 ? 1 : step >= 1e4 ? 2 : 3;
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "left";
    for (let time = Math.ceil(Math.max(0, this.begin) / step) * step; time <= this.end; time += step) {
      const x = Math.round(this.x(time)) + 0.5;
      context.strokeStyle = palette.line;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(x, 14);
      context.lineTo(x, height);
      context.stroke();
      context.fillStyle = palette.muted;
      context.fillText(clockText(time, digits), x + 4, 16);
    }
  }

  drawLane(context, node, y, width) {
    const { palette, gutter, store } = this;
    const { names, roles } = store.world;
    const middle = y + (this.store.notes.length === 0 ? this.row / 2 : MAIN);
    if (node === this.node) {
      context.fillStyle = palette.sunken;
      context.fillRect(0, y, width, this.row);
    }
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(0, Math.round(y + this.row) - 0.5);
    context.lineTo(width, Math.round(y + this.row) - 0.5);
    context.stroke();
    this.drawEvents(context, node, y, width);
    context.fillStyle = node === this.node ? palette.sunken : palette.surface;
    context.fillRect(0, y + 1, gutter - 1, this.row - 2);
    context.fillStyle = palette[roleColour(roles[node])];
    context.beginPath();
    traceShape(context, roles[node], 13, middle, 4.5);
    context.fill();
    context.fillStyle = node === this.node ? palette.text : palette.muted;
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "left";
    context.fillText(visibleText(names[node], gutter < 100 ? 9 : 15), 24, middle + 4);
  }

  /** The events of a lane: one by one where there is room, else a bar of each pixel's share. */
  drawEvents(context, node, y, width) {
    const { store, palette } = this;
    const list = store.eventsOf[node];
    const { data: times } = store.time;
    const perPixel = (this.end - this.begin) / (width - this.gutter);
    const until = this.end + store.longestAirtime;
    this.labelEnds.length = 0;
    let place = this.firstBehind(list, this.begin);
    const count = this.firstBehind(list, this.end) - place;
    if (count > (width - this.gutter) / LEAST_WIDTH) return this.drawShares(context, list, place, y, width);
    for (; place < list.length; place++) {
      const event = list[place];
      const time = times[event];
      if (time > until) break;
      this.drawEvent(context, event, time, y, perPixel);
    }
  }

  firstBehind(list, time) {
    let low = 0, high = list.length;
    const times = this.store.time.data;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (times[list[middle]] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  drawEvent(context, event, time, y, perPixel) {
    const { store, palette } = this;
    const kind = store.kind.data[event];
    const frame = store.frameOf.data[event];
    const isDim = this.way !== null && (frame < 0 || store.frames.packet.data[frame] !== this.way.packet);
    context.globalAlpha = isDim ? 0.22 : 1;
    switch (kind) {
      case KIND.txBegin: case KIND.replayBegin: {
        const x = this.x(time), length = Math.max(2, store.frames.airtime.data[frame] / perPixel);
        context.fillStyle = palette.tx;
        context.fillRect(x, y + MAIN - 7, length, 14);
        if (length > 46) {
          context.fillStyle = palette.surface;
          context.font = "600 11px system-ui, sans-serif";
          context.textAlign = "left";
          context.save();
          context.beginPath();
          context.rect(x, y, length - 4, this.row);
          context.clip();
          context.fillText(payloadName(store.packets[store.frames.packet.data[frame]].type), x + 6, y + MAIN + 4);
          context.restore();
        }
        break;
      }
      case KIND.rxEnd: case KIND.rxDrop: {
        const begin = frame < 0 ? time : Math.min(time, store.frames.begin.data[frame]);
        const end = kind === KIND.rxDrop && frame >= 0
          ? Math.max(time, Math.min(time + store.frames.airtime.data[frame], begin + store.frames.airtime.data[frame])) : time;
        const x = this.x(begin), length = Math.max(2, this.x(end) - x);
        if (kind === KIND.rxEnd) {
          context.fillStyle = palette.rx;
          context.fillRect(x, y + MAIN - 3, length, 6);
          break;
        }
        const reason = store.reason(event);
        context.fillStyle = palette[reasonColour(reason)];
        context.fillRect(x, y + LOSS - 1, length, 2);
        // A cross at its end, so that colour is not all that tells a loss.
        const at = x + length, middle = y + LOSS;
        context.strokeStyle = palette[reasonColour(reason)];
        context.lineWidth = 1.6;
        context.beginPath();
        context.moveTo(at - 3, middle - 3); context.lineTo(at + 3, middle + 3);
        context.moveTo(at + 3, middle - 3); context.lineTo(at - 3, middle + 3);
        context.stroke();
        if (length > 120) this.word(context, reasonText(reason), x + 2, y + LOSS - 3);
        break;
      }
      case KIND.delivered: this.dot(context, palette.good, time, y, 4.5); break;
      case KIND.message: this.flag(context, palette.text, time, y); break;
      case KIND.acknowledged: this.flag(context, palette.good, time, y); break;
      case KIND.violated: this.flag(context, palette.drop, time, y); break;
      case KIND.faultBegin: case KIND.faultEnd: this.flag(context, palette.collision, time, y); break;
      case KIND.poweredOff: case KIND.booted: case KIND.rebooted: this.flag(context, palette.faded, time, y); break;
      case KIND.note: this.drawNote(context, event, time, y, perPixel); break;
    }
    context.globalAlpha = 1;
  }

  drawNote(context, event, time, y, perPixel) {
    const { store, palette } = this;
    const note = store.notes[store.first.data[event]];
    const x = this.x(time), length = Math.max(3, note.length / perPixel - 1);
    context.fillStyle = palette[NOTES[note.style] ?? "faded"];
    context.fillRect(x, y + MAIN - 7, length, 14);
    context.font = "11px system-ui, sans-serif";
    const text = visibleText(note.label, 40);
    const width = context.measureText(text).width;
    if (width < length - 10) {
      context.fillStyle = palette.surface;
      context.fillText(text, x + 5, y + MAIN + 4);
      return;
    }
    // On the first level below that has room; where none has, nothing is said.
    const levels = Math.max(1, Math.floor((this.row - 24) / 13));
    for (let level = 0; level < levels; level++) {
      if ((this.labelEnds[level] ?? -Infinity) > x) continue;
      this.labelEnds[level] = x + width + 8;
      context.fillStyle = palette.muted;
      context.fillText(text, x, y + MAIN + 18 + level * 13);
      return;
    }
  }

  word(context, text, x, y) {
    context.fillStyle = this.palette.muted;
    context.font = "10px system-ui, sans-serif";
    context.textAlign = "left";
    context.fillText(text, x, y);
  }

  dot(context, colour, time, y, size) {
    context.fillStyle = colour;
    context.strokeStyle = this.palette.surface;
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(this.x(time), y + MAIN, size, 0, Math.PI * 2);
    context.fill();
    context.stroke();
  }

  flag(context, colour, time, y) {
    const x = this.x(time);
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = 1.4;
    context.beginPath();
    context.moveTo(x, y + 3); context.lineTo(x, y + this.row - 3);
    context.stroke();
    context.beginPath();
    context.moveTo(x, y + 3); context.lineTo(x + 7, y + 6); context.lineTo(x, y + 9);
    context.fill();
  }

  drawShares(context, list, place, y, width) {
    const { store, palette } = this;
    const step = 2;
    for (let x = this.gutter; x < width; x += step) {
      const next = this.firstBehind(list, this.timeAt(x + step));
      if (next > place) {
        const now = list[next - 1], before = place > 0 ? list[place - 1] : -1;
        const count = (column) => column.data[now] - (before < 0 ? 0 : column.data[before]);
        const [sent, received, lost] = [count(store.sent), count(store.received), count(store.lost)];
        const all = sent + received + lost;
        let top = y + 4;
        const room = this.row - 8;
        for (const [share, colour] of [[sent, palette.tx], [received, palette.rx], [lost, palette.drop]]) {
          const part = all === 0 ? 0 : share / all * room;
          context.fillStyle = colour;
          context.fillRect(x, top, step, part);
          top += part;
        }
      }
      place = next;
    }
  }

  /** The middle of each lane in sight. */
  rowsInSight(first, last) {
    const rowOf = new Map();
    for (let place = first; place <= last; place++) rowOf.set(this.order[place], HEAD + place * this.row - this.scrolled + MAIN);
    return rowOf;
  }

  /** Where notes went: behind all words. */
  drawNoteArrows(context, first, last) {
    const { store, palette } = this;
    if (store.notes.length === 0 || store.count > 20000) return;
    const rowOf = this.rowsInSight(first, last);
    context.globalAlpha = 0.5;
    for (let event = store.eventAt(this.begin); event < store.count && store.time.data[event] <= this.end; event++) {
      if (store.kind.data[event] !== KIND.note) continue;
      const note = store.notes[store.first.data[event]];
      const from = rowOf.get(store.node.data[event]), to = rowOf.get(note.to);
      if (from === undefined || to === undefined || from === to) continue;
      const x = this.x(store.time.data[event]) + 1.5, way = to > from ? 8 : -8;
      this.arrow(context, x, from + way, x, to - way, note.style === "lost" ? palette.drop : palette.faded);
    }
    context.globalAlpha = 1;
  }

  /** How the chosen message went from sender to listener. */
  drawWayArrows(context, first, last) {
    if (!this.way) return;
    const rowOf = this.rowsInSight(first, last);
    for (const path of this.way.paths) {
      path.hops.forEach((hop, at) => {
        const from = rowOf.get(hop.sender), to = rowOf.get(path.hops[at + 1]?.sender ?? path.to);
        if (from !== undefined && to !== undefined) this.arrow(context, this.x(hop.begin), from, this.x(hop.end), to, this.palette.way);
      });
    }
  }

  arrow(context, x0, y0, x1, y1, colour) {
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = 1.6;
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
    const turn = Math.atan2(y1 - y0, x1 - x0);
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x1 - 8 * Math.cos(turn - 0.4), y1 - 8 * Math.sin(turn - 0.4));
    context.lineTo(x1 - 8 * Math.cos(turn + 0.4), y1 - 8 * Math.sin(turn + 0.4));
    context.fill();
  }

  // --- Hands ---

  nodeAt(y) { return y < HEAD ? -1 : this.order[Math.floor((y - HEAD + this.scrolled) / this.row)] ?? -1; }

  /** The event of a lane that is nearest to a place; -1 where none is near. */
  eventNear(node, x) {
    const { store } = this;
    const list = store.eventsOf[node] ?? [];
    const time = this.timeAt(x);
    const reach = 8 / (this.canvas.clientWidth - this.gutter) * (this.end - this.begin);
    let best = -1, least = Infinity;
    for (let place = this.firstBehind(list, time - reach); place < list.length; place++) {
      const event = list[place];
      const frame = store.frameOf.data[event];
      const kind = store.kind.data[event];
      const isBar = frame >= 0 && (kind === KIND.rxEnd || kind === KIND.rxDrop || kind === KIND.txBegin);
      const begin = isBar ? store.frames.begin.data[frame] : store.time.data[event];
      const end = isBar ? begin + store.frames.airtime.data[frame] : begin;
      if (begin > time + reach + store.longestAirtime) break;
      const distance = Math.max(0, begin - time, time - end);
      if (distance <= reach && distance < least) [best, least] = [event, distance];
    }
    return best;
  }

  zoom(factor, x) {
    const time = this.timeAt(Math.max(this.gutter, x));
    const width = Math.min((this.store.span || 30e6) * 1.15 + 1e6, (this.end - this.begin) / factor);
    const share = (time - this.begin) / (this.end - this.begin);
    this.show(time - share * width, time - share * width + width);
  }

  listen() {
    const { canvas } = this;
    let drag = null, moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      const onAxis = event.offsetY < HEAD || event.offsetX < this.gutter;
      drag = { x: event.offsetX, y: event.offsetY, isScrub: onAxis && event.offsetX >= this.gutter };
      moved = 0;
      if (drag.isScrub) this.chosen({ time: this.timeAt(event.offsetX) });
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const [dx, dy] = [event.offsetX - drag.x, event.offsetY - drag.y];
      moved += Math.abs(dx) + Math.abs(dy);
      if (drag.isScrub) return this.chosen({ time: this.timeAt(event.offsetX) });
      if (moved <= 4) return;
      const time = dx / (canvas.clientWidth - this.gutter) * (this.end - this.begin);
      this.scrolled -= dy;
      this.show(this.begin - time, this.end - time);
      [drag.x, drag.y] = [event.offsetX, event.offsetY];
    });
    canvas.addEventListener("pointerup", (event) => {
      if (drag && !drag.isScrub && moved <= 4) {
        const node = this.nodeAt(event.offsetY);
        if (event.offsetX < this.gutter) this.chosen({ node });
        else this.chosen({ node, time: this.timeAt(event.offsetX), event: node < 0 ? -1 : this.eventNear(node, event.offsetX) });
      }
      drag = null;
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey || Math.abs(event.deltaX) < Math.abs(event.deltaY) && event.altKey) {
        this.zoom(Math.exp(-event.deltaY * 0.002), event.offsetX);
      } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        const time = (event.deltaX || event.deltaY) / canvas.clientWidth * (this.end - this.begin);
        this.show(this.begin + time, this.end + time);
      } else if (this.order.length * this.row > canvas.clientHeight - HEAD && event.offsetX < this.gutter) {
        this.scrolled += event.deltaY;
        this.changed?.();
      } else {
        this.zoom(Math.exp(-event.deltaY * 0.002), event.offsetX);
      }
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const width = this.end - this.begin;
      if (event.key === "ArrowUp") this.scrolled -= this.row * 2;
      else if (event.key === "ArrowDown") this.scrolled += this.row * 2;
      else if (event.key === "+") this.zoom(1.5, canvas.clientWidth / 2);
      else if (event.key === "-") this.zoom(1 / 1.5, canvas.clientWidth / 2);
      else if (event.key === "PageUp") this.show(this.begin - width * 0.8, this.end - width * 0.8);
      else if (event.key === "PageDown") this.show(this.begin + width * 0.8, this.end + width * 0.8);
      else return;
      event.preventDefault();
      event.stopPropagation();
      this.changed?.();
    });
  }
}
