// A player document: its bytes as columns, and what a page asks of them. Runs in browsers and under node.

/** Kinds of events, by their number in a document. */
export const KINDS = [
  "txBegin", "replayBegin", "txEnd", "rxBegin", "rxEnd", "rxDrop", "discard", "forwarded", "delivered", "acknowledging",
  "acked", "rebooted", "booted", "poweredOff", "faultBegin", "faultEnd", "violated", "message", "acknowledged", "other",
  "note", "ended",
];
export const KIND = Object.fromEntries(KINDS.map((name, number) => [name, number]));
/** In place of an SNR where nothing is heard. */
export const DEAF = -32768;

const PAYLOADS = {
  0: "request", 1: "response", 2: "text", 3: "ack", 4: "advert", 5: "channel text", 6: "channel data", 7: "login",
  8: "path", 9: "trace", 10: "multipart", 11: "control", 15: "raw", 255: "no packet",
};
const ROUTES = ["flood (scoped)", "flood", "direct", "direct (scoped)"];

export const payloadName = (type) => PAYLOADS[type] ?? `type ${type}`;
export const routeName = (route) => ROUTES[route] ?? "";

/** Reasons by which nothing was lost that somebody waited for: the frame was out of reach, or not needed. */
const NO_LOSSES = new Set(["alreadySeen", "tooWeak", "noise", "missed", "forwardingDenied", "off", "notNextHop", "notForUs", "ownAdvert"]);

/** Whether a reason tells of a loss. */
export const isLossReason = (reason) => !NO_LOSSES.has(reason);

const ARRAYS = {
  u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i16: Int16Array, i32: Int32Array, f32: Float32Array,
};

/** Reads the bytes of a document: its head, with `columns` of typed arrays. Throws where they make no sense. */
export function decodeDocument(buffer) {
  const view = new DataView(buffer);
  const magic = new TextDecoder().decode(new Uint8Array(buffer, 0, Math.min(8, buffer.byteLength)));
  if (magic !== "MESHPLAY" || buffer.byteLength < 16) throw new Error("this is no player document");
  if (view.getUint32(8, true) !== 1) throw new Error("the document is of another version of the player");
  const length = view.getUint32(12, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 16, length)));
  const base = Math.ceil((16 + length) / 8) * 8;
  head.columns = {};
  for (const { name, type, count, at, size } of head.sections) {
    if (base + at + size > buffer.byteLength || count > size) throw new Error(`column ${name} is cut`);
    if (type === "gaps") {
      head.columns[name] = readGaps(new Uint8Array(buffer, base + at, size), count);
    } else {
      const Column = ARRAYS[type];
      if (count * Column.BYTES_PER_ELEMENT > size) throw new Error(`column ${name} is cut`);
      head.columns[name] = new Column(buffer, base + at, count);
    }
  }
  return head;
}

function readGaps(bytes, count) {
  const times = new Float64Array(count);
  let at = 0, now = 0;
  for (let row = 0; row < count; row++) {
    let gap = 0, factor = 1, byte;
    do {
      byte = bytes[at++];
      gap += (byte & 0x7f) * factor;
      factor *= 128;
    } while (byte >= 0x80);
    now += gap;
    times[row] = now;
  }
  return times;
}

/** A column that grows: room is doubled, so that a row costs nothing. */
class Column {
  constructor(Type) {
    this.data = new Type(1024);
    this.length = 0;
  }

  push(value) {
    if (this.length === this.data.length) this.grow(this.length + 1);
    this.data[this.length++] = value;
  }

  add(values) {
    if (this.length + values.length > this.data.length) this.grow(this.length + values.length);
    this.data.set(values, this.length);
    this.length += values.length;
  }

  grow(least) {
    const data = new this.data.constructor(Math.max(least, this.data.length * 2));
    data.set(this.data.subarray(0, this.length));
    this.data = data;
  }
}

/** The first place in sorted `data[0..<length]` whose value is not below, or (with `above`) is above, the wanted one. */
export function lowerBound(data, length, wanted, above = false) {
  let low = 0, high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (data[middle] < wanted || (above && data[middle] === wanted)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Events between two keyframes of what is switched on. */
const KEYFRAME = 32768;

/** All events of a run, with what finds them again: by time, node, frame, packet and message. */
export class Store {
  constructor() {
    this.world = { names: [], roles: [], x: new Float32Array(0), y: new Float32Array(0), from: [], to: [], there: [], back: [], backbone: [] };
    this.clear();
  }

  /** Forgets all events, and keeps the world. */
  clear() {
    /** Which course of the world the events are of: another one after each return. */
    this.course = (this.course ?? 0) + 1;
    this.time = new Column(Float64Array);
    this.kind = new Column(Uint8Array);
    this.node = new Column(Uint32Array);
    this.first = new Column(Uint32Array);
    this.second = new Column(Int32Array);
    // At the node of the event, it included: frames sent, received, lost.
    this.sent = new Column(Uint32Array);
    this.received = new Column(Uint32Array);
    this.lost = new Column(Uint32Array);
    /** The frame that an event is about, as a row of `frames`; -1 for none. */
    this.frameOf = new Column(Int32Array);
    /** The next event of the same frame; 0 for none. */
    this.nextOfFrame = new Column(Uint32Array);
    this.frames = {
      begin: new Column(Float64Array), airtime: new Column(Uint32Array), sender: new Column(Uint32Array),
      packet: new Column(Uint32Array), event: new Column(Uint32Array), last: new Column(Uint32Array),
      number: new Column(Uint32Array), cause: new Column(Int32Array), hops: new Column(Uint8Array),
      route: new Column(Uint8Array), length: new Column(Uint8Array), offset: new Column(Float64Array),
      bytes: new Column(Uint8Array),
    };
    this.longestAirtime = 0;
    this.rowOfNumber = new Int32Array(1024).fill(-1);
    this.rowOfStrangeNumber = new Map();
    /**
     * By packet: hash, type, rows of `frames`, the message that it carries, by node the first frame that was received, and
     * the events in which it was delivered.
     */
    this.packets = [];
    this.packetOfHash = new Map();
    /** By message: number, from, to, text, at, packet, acknowledged, ended (when, its standing, the reason), event. */
    this.messages = [];
    this.messageOfNumber = new Map();
    this.open = new Map();
    /** By node: its events, and the frame that it heard last. */
    this.eventsOf = this.world.names.map(() => []);
    this.heardLast = new Int32Array(this.world.names.length).fill(-1);
    this.strings = [];
    this.lossOfString = [];
    this.notes = [];
    this.faults = [];
    this.power = [];
    this.isOff = new Uint8Array(this.world.names.length);
    this.keyframes = [];
    /** What was done by hand: when, and what. */
    this.marks = [];
    this.totals = { sent: 0, received: 0, lost: 0 };
    this.first0 = 0;
    this.next = 0;
    this.span = 0;
  }

  get count() { return this.time.length; }
  get nodeCount() { return this.world.names.length; }

  /** Takes who is there and who reaches whom. */
  setWorld(head) {
    const c = head.columns;
    this.world = {
      names: head.nodes, roles: head.roles, x: c.nodeX, y: c.nodeY, from: c.linkFrom, to: c.linkTo,
      there: c.linkThere, back: c.linkBack, backbone: c.linkBackbone, metresPerUnit: head.metresPerUnit,
    };
    this.companions = head.roles.filter((role) => role === "companion").length;
    this.named = new Map();
    for (const name of head.nodes) this.named.set(name, (this.named.get(name) ?? 0) + 1);
    while (this.eventsOf.length < this.nodeCount) this.eventsOf.push([]);
    if (this.isOff.length < this.nodeCount) {
      const isOff = new Uint8Array(this.nodeCount);
      isOff.set(this.isOff);
      this.isOff = isOff;
      const heardLast = new Int32Array(this.nodeCount).fill(-1);
      heardLast.set(this.heardLast);
      this.heardLast = heardLast;
    }
  }

  /** Takes a whole document. */
  load(head) {
    this.title = head.title;
    this.source = head.source;
    this.facts = head.facts;
    this.setWorld(head);
    this.append(head);
  }

  /** Takes the events of a document behind those that are there. */
  append(head) {
    const c = head.columns;
    const strings = head.strings.map((text) => {
      this.lossOfString.push(isLossReason(text) ? 1 : 0);
      return this.strings.push(text) - 1;
    });
    const messages = head.messages;
    const notes = head.notes.map(([style, label, detail], at) =>
      this.notes.push({ style, label, detail, length: head.noteNumbers[at][0], to: head.noteNumbers[at][1] }) - 1);
    const reading = { c, frame: 0, offset: 0, strings, messages, notes };
    for (let row = 0; row < c.time.length; row++) this.take(reading, row);
    this.span = Math.max(this.span, head.span);
  }

  take(reading, row) {
    const { c } = reading;
    const event = this.time.length;
    const kind = c.kind[row], node = c.node[row];
    if (node >= this.eventsOf.length) return;
    let first = c.first[row], second = c.second[row], frame = -1;
    switch (kind) {
      case KIND.txBegin: case KIND.replayBegin:
        frame = this.transmission(reading, event, c.time[row], node, first, kind);
        this.totals.sent++;
        break;
      case KIND.txEnd: case KIND.rxBegin: frame = this.rowOf(first); break;
      case KIND.rxEnd:
        frame = this.rowOf(first);
        if (frame >= 0) this.heard(node, frame);
        this.totals.received++;
        break;
      case KIND.rxDrop:
        frame = this.rowOf(first);
        second = reading.strings[second] ?? 0;
        if (this.lossOfString[second]) this.totals.lost++;
        break;
      case KIND.discard:
        first = reading.strings[first] ?? 0;
        frame = this.heardLast[node];
        break;
      case KIND.violated: case KIND.other: first = reading.strings[first] ?? 0; break;
      case KIND.delivered: {
        frame = this.heardLast[node];
        const packet = frame < 0 ? undefined : this.packets[this.frames.packet.data[frame]];
        if (packet?.type === first) packet.delivered.push(event);
        break;
      }
      case KIND.forwarded: case KIND.acknowledging:
        frame = this.heardLast[node];
        break;
      case KIND.message: second = this.said(event, c.time[row], node, first, reading.messages[second] ?? ["", ""]); break;
      case KIND.acknowledged: {
        const message = this.messageOfNumber.get(first);
        if (message) message.acknowledged ??= c.time[row];
        break;
      }
      case KIND.ended: {
        second = reading.strings[second] ?? 0;
        const message = this.messageOfNumber.get(first);
        const [standing, reason] = (this.strings[second] ?? "").split(": ");
        if (message) message.ended ??= { at: c.time[row], standing, reason: reason ?? "" };
        break;
      }
      case KIND.poweredOff: this.switched(event, node, 1); break;
      case KIND.booted: case KIND.rebooted: this.switched(event, node, 0); break;
      case KIND.note: first = reading.notes[first] ?? 0; break;
    }
    this.push(event, c.time[row], kind, node, first, second, frame);
  }

  push(event, time, kind, node, first, second, frame) {
    this.time.push(time);
    this.kind.push(kind);
    this.node.push(node);
    this.first.push(first);
    this.second.push(second);
    this.frameOf.push(frame);
    this.nextOfFrame.push(0);
    const list = this.eventsOf[node];
    const before = list.length > 0 ? list[list.length - 1] : -1;
    const isSent = kind === KIND.txBegin || kind === KIND.replayBegin;
    this.sent.push((before < 0 ? 0 : this.sent.data[before]) + (isSent ? 1 : 0));
    this.received.push((before < 0 ? 0 : this.received.data[before]) + (kind === KIND.rxEnd ? 1 : 0));
    this.lost.push((before < 0 ? 0 : this.lost.data[before]) + (this.isLoss(event) ? 1 : 0));
    list.push(event);
    if (frame >= 0) {
      const last = this.frames.last;
      if (last.data[frame] !== event) this.nextOfFrame.data[last.data[frame]] = event;
      last.data[frame] = event;
    }
    if (kind === KIND.faultBegin) this.faults.push({ number: first, begin: time, end: Infinity, node });
    if (kind === KIND.faultEnd) {
      const fault = this.faults.findLast((one) => one.number === first && one.end === Infinity);
      if (fault) fault.end = time;
    }
    if (event % KEYFRAME === 0) this.keyframes.push(this.isOff.slice());
  }

  transmission(reading, event, time, node, number, kind) {
    const { c } = reading;
    const row = reading.frame++;
    const frames = this.frames;
    const frame = frames.begin.length;
    const length = c.length[row];
    frames.begin.push(time);
    frames.airtime.push(c.airtime[row]);
    frames.sender.push(node);
    frames.event.push(event);
    frames.last.push(event);
    frames.number.push(number);
    frames.hops.push(c.hops[row]);
    frames.route.push(c.route[row]);
    frames.length.push(length);
    frames.offset.push(frames.bytes.length);
    frames.bytes.add(c.bytes.subarray(reading.offset, reading.offset + length));
    reading.offset += length;
    this.longestAirtime = Math.max(this.longestAirtime, c.airtime[row]);
    this.number(number, frame);
    const packet = this.packet(c.hashHigh[row], c.hashLow[row], c.type[row], node, kind);
    this.packets[packet].frames.push(frame);
    frames.packet.push(packet);
    frames.cause.push(this.packets[packet].heard.get(node) ?? -1);
    return frame;
  }

  /** The row of a transmission by its number in the trace; -1 for none. Numbers follow each other but in damaged files. */
  rowOf(number) {
    return number < this.rowOfNumber.length ? this.rowOfNumber[number] : this.rowOfStrangeNumber.get(number) ?? -1;
  }

  number(number, row) {
    if (number >= this.rowOfNumber.length) {
      if (number > 4 * row + 65536) {
        this.rowOfStrangeNumber.set(number, row);
        return;
      }
      const rows = new Int32Array(number * 2).fill(-1);
      rows.set(this.rowOfNumber);
      for (const [strange, itsRow] of this.rowOfStrangeNumber) if (strange < rows.length) rows[strange] = itsRow;
      this.rowOfNumber = rows;
    }
    this.rowOfNumber[number] = row;
  }

  packet(high, low, type, node, kind) {
    const hash = type === 255 ? null : hexOfHash(high, low);
    let packet = hash === null ? undefined : this.packetOfHash.get(hash);
    if (packet !== undefined) return packet;
    packet = this.packets.push({ hash: hash ?? "", type, frames: [], message: -1, heard: new Map(), delivered: [] }) - 1;
    if (hash !== null) this.packetOfHash.set(hash, packet);
    if (kind === KIND.txBegin) {
      // The oldest message of the sender whose packet would be of this type, as in a fate of `mesh why`.
      const message = this.open.get(`${node}/${type}`)?.shift();
      if (message !== undefined) {
        this.messages[message].packet = packet;
        this.packets[packet].message = message;
      }
    }
    return packet;
  }

  heard(node, frame) {
    this.heardLast[node] = frame;
    // From which frame a node has a packet: the first that it received.
    const { heard } = this.packets[this.frames.packet.data[frame]];
    if (!heard.has(node)) heard.set(node, frame);
  }

  said(event, at, from, number, [to, text]) {
    const message = { number, from, to, text, at, packet: -1, acknowledged: null, ended: null, event };
    const place = this.messages.push(message) - 1;
    this.messageOfNumber.set(number, message);
    const key = `${from}/${to === "#public" ? 5 : to === "#advert" ? 4 : 2}`;
    if (this.open.has(key)) this.open.get(key).push(place);
    else this.open.set(key, [place]);
    return place;
  }

  switched(event, node, isOff) {
    this.isOff[node] = isOff;
    this.power.push(event);
  }

  // --- Questions ---

  /** The first event at or behind a time. */
  eventAt(time) { return lowerBound(this.time.data, this.count, time); }

  /** The first event behind a time. */
  eventAfter(time) { return lowerBound(this.time.data, this.count, time, true); }

  /** The transmissions that are on the air at a time, or have been up to `glow` before: rows of `frames`, in `into`. */
  onAir(time, glow, into) {
    const { begin, airtime } = this.frames;
    into.length = 0;
    let frame = lowerBound(begin.data, begin.length, time - this.longestAirtime - glow);
    for (; frame < begin.length && begin.data[frame] <= time; frame++) {
      if (begin.data[frame] + airtime.data[frame] + glow >= time) into.push(frame);
    }
    return into;
  }

  /** Which nodes are without power at a time, in `into`. */
  powerAt(time, into) {
    const end = this.eventAfter(time);
    const key = Math.min(this.keyframes.length - 1, Math.floor((end - 1) / KEYFRAME));
    into.fill(0);
    if (key < 0) return into;
    // A keyframe was taken when its event was, that included.
    into.set(this.keyframes[key].subarray(0, into.length));
    let at = lowerBound(this.power, this.power.length, key * KEYFRAME, true);
    for (; at < this.power.length && this.power[at] < end; at++) {
      const event = this.power[at];
      into[this.node.data[event]] = this.kind.data[event] === KIND.poweredOff ? 1 : 0;
    }
    return into;
  }

  /** The last event of a node up to a time, as a place in `eventsOf[node]`; -1 for none. */
  placeAt(node, time) {
    const list = this.eventsOf[node];
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.time.data[list[middle]] <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** What a node has sent, received and lost up to a time. */
  countsAt(node, time) {
    const place = this.placeAt(node, time);
    if (place < 0) return { sent: 0, received: 0, lost: 0 };
    const event = this.eventsOf[node][place];
    return { sent: this.sent.data[event], received: this.received.data[event], lost: this.lost.data[event] };
  }

  /** All that a page shows at a time. */
  stateAt(time) {
    const off = this.powerAt(time, new Uint8Array(this.nodeCount));
    const messages = lowerBound(this.messages.map((one) => one.at), this.messages.length, time, true);
    return {
      event: this.eventAfter(time), onAir: this.onAir(time, 0, []), off, messages,
      faults: this.faults.filter((one) => one.begin <= time && time < one.end),
    };
  }

  /** The next event behind a time that fits a wish: "any", "message", "drop", "delivered"; -1 for none. */
  nextEvent(time, wish = "any") {
    const wanted = {
      any: (kind) => kind !== KIND.rxBegin && kind !== KIND.txEnd, message: (kind) => kind === KIND.message,
      drop: (kind, event) => kind === KIND.rxDrop && this.isLoss(event), delivered: (kind) => kind === KIND.delivered,
    }[wish];
    for (let event = this.eventAfter(time); event < this.count; event++) if (wanted(this.kind.data[event], event)) return event;
    return -1;
  }

  /** The event before a time. */
  previousEvent(time) {
    for (let event = this.eventAt(time) - 1; event >= 0; event--) {
      const kind = this.kind.data[event];
      if (kind !== KIND.rxBegin && kind !== KIND.txEnd) return event;
    }
    return -1;
  }

  /** Why a frame was lost or given up in an event. */
  reason(event) {
    const kind = this.kind.data[event];
    if (kind === KIND.rxDrop) return this.strings[this.second.data[event]] ?? "";
    if (kind === KIND.discard || kind === KIND.violated || kind === KIND.other) return this.strings[this.first.data[event]] ?? "";
    return "";
  }

  /** Whether a frame was lost in an event that somebody waited for. */
  isLoss(event) { return this.kind.data[event] === KIND.rxDrop && this.lossOfString[this.second.data[event]] === 1; }

  snr(event) { return (this.second.data[event] >> 16) / 100; }

  rssi(event) { return ((this.second.data[event] << 16) >> 16) / 100; }

  /** The bytes of a transmission. */
  bytesOf(frame) {
    const offset = this.frames.offset.data[frame];
    return this.frames.bytes.data.subarray(offset, offset + this.frames.length.data[frame]);
  }

  /** Calls with each event of a transmission, in the order of time. */
  eachOfFrame(frame, body) {
    let event = this.frames.event.data[frame];
    for (;;) {
      body(event);
      event = this.nextOfFrame.data[event];
      if (event === 0) return;
    }
  }

  /** How much was sent, received and lost in equal parts of a time, for the strip above the lanes. */
  histogram(begin, end, parts) {
    const rows = { sent: new Uint32Array(parts), received: new Uint32Array(parts), lost: new Uint32Array(parts) };
    const width = Math.max(1, end - begin);
    for (let event = this.eventAt(begin); event < this.count && this.time.data[event] <= end; event++) {
      const part = Math.min(parts - 1, Math.floor(((this.time.data[event] - begin) / width) * parts));
      switch (this.kind.data[event]) {
        case KIND.txBegin: case KIND.replayBegin: rows.sent[part]++; break;
        case KIND.rxEnd: rows.received[part]++; break;
        case KIND.rxDrop: rows.lost[part] += this.isLoss(event) ? 1 : 0; break;
        case KIND.note: rows.received[part]++; break;
      }
    }
    return rows;
  }
}

function hexOfHash(high, low) {
  let text = "";
  for (const half of [low, high]) {
    for (let byte = 0; byte < 4; byte++) text += ((half >>> (8 * byte)) & 0xff).toString(16).padStart(2, "0");
  }
  return text;
}

/** Microseconds as people read them: 1:02.345. */
export function clockText(micros, digits = 3) {
  const seconds = micros / 1e6;
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = (seconds - minutes * 60).toFixed(digits).padStart(digits > 0 ? 3 + digits : 2, "0");
  return hours > 0 ? `${hours}:${String(minutes % 60).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** The step of an axis: the smallest round one of at least so many microseconds. */
export function axisStep(wanted) {
  const minutes = [60e6, 120e6, 300e6, 600e6, 1800e6, 3600e6, 7200e6, 21600e6, 86400e6];
  if (wanted > 30e6) return minutes.find((one) => one >= wanted) ?? Math.ceil(wanted / 86400e6) * 86400e6;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= wanted);
}

/** A text from outside on one line: what would move or hide what stands beside it is shown as a mark. */
export function visibleText(text, most = 200) {
  const shown = String(text).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/g, "\ufffd");
  return shown.length > most ? shown.slice(0, most) + "…" : shown;
}
