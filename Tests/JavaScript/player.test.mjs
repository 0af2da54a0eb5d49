// The player's modules without a browser: documents, the store's questions, fates. What they say is held against the command.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inflateSync } from "node:zlib";

const PAGES = "../../Sources/MeshControl/Player/Pages/";
const { axisStep, decodeDocument, isLossReason, KIND, lowerBound, Store, visibleText } = await import(PAGES + "document.js");
const { countStandings, endOf, fateOf, lastHeard, standingOf } = await import(PAGES + "fate.js");
const { reasonText } = await import(PAGES + "colours.js");
const { Heat } = await import(PAGES + "heat.js");

const MESHBED = process.env.MESHBED ?? "meshbed";
let folder, trace;

before(() => {
  folder = mkdtempSync(join(tmpdir(), "player-"));
  trace = join(folder, "grid.ndjson");
  execFileSync(MESHBED, ["mesh", "run", "grid:4x4", "--seed", "7", "--for", "120s", "--traffic", "chat:5s", "--faults", "3", "--trace", trace]);
});

after(() => rmSync(folder, { recursive: true }));

/** The bytes of the document in an exported page. */
function exported(...words) {
  const html = execFileSync(MESHBED, ["studio", ...words, "--export", "-"], { maxBuffer: 1 << 28, encoding: "utf8" });
  const data = html.match(/id="document" data-form="deflate">([^<]*)</)[1];
  const bytes = inflateSync(Buffer.from(data, "base64"));
  return { html, buffer: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) };
}

function open(...words) {
  const store = new Store();
  store.load(decodeDocument(exported(...words).buffer));
  return store;
}

const lines = () => readFileSync(trace, "utf8").trim().split("\n").map((line) => JSON.parse(line));

test("a store holds what the trace says", () => {
  const store = open("--open", trace);
  const [head, ...rest] = lines();
  const events = rest.filter((line) => line.e !== "end");

  assert.deepEqual(store.world.names, head.nodes.map((node) => node.name));
  assert.equal(store.count, events.length);
  events.forEach((line, event) => {
    assert.equal(store.time.data[event], line.t);
    assert.equal(store.node.data[event], line.n);
    assert.equal(store.kind.data[event], KIND[line.e]);
    if (line.e === "rxEnd") assert.deepEqual([store.snr(event), store.rssi(event)], [line.snr / 100, line.rssi / 100]);
    if (line.reason !== undefined) assert.equal(store.reason(event), line.reason);
    if (line.hex !== undefined) assert.equal(Buffer.from(store.bytesOf(store.frameOf.data[event])).toString("hex"), line.hex);
  });
});

test("every message has the fate that mesh why finds", () => {
  const store = open("--open", trace);
  let compared = 0;
  for (const message of store.messages) {
    if (message.packet < 0) continue;
    const why = JSON.parse(spawnSync(MESHBED, ["mesh", "why", trace, String(message.number), "--json"], { encoding: "utf8" }).stdout);
    const fate = fateOf(store, message.packet);
    const name = (node) => store.world.names[node];

    assert.equal(fate.hash, why.packet);
    assert.equal(message.acknowledged, why.acknowledged ?? null);
    assert.deepEqual(fate.hops.map((hop) => [hop.number, name(hop.sender), hop.begin, hop.heard.map((one) => name(one.node)),
      hop.lost.map((one) => `${name(one.node)} ${one.reason}`), hop.discarded.map((one) => `${name(one.node)} ${one.reason}`), hop.delivered.map(name)]),
    why.transmissions.map((hop) => [hop.frame, hop.sender, hop.at, hop.heard.map((one) => one.node),
      hop.lost.map((one) => `${one.node} ${one.reason}`), hop.discarded.map((one) => `${one.node} ${one.reason}`), hop.delivered]));
    assert.deepEqual(fate.paths.map((path) => [name(path.to), path.hops.map((hop) => hop.number), path.end]),
      why.paths.map((path) => [path.to, path.frames, path.at]));
    compared++;
  }
  assert.ok(compared > 5, `${compared} messages`);
});

test("the state at any time is that of a walk over all events", () => {
  const store = open("--open", trace);
  const power = new Uint8Array(store.nodeCount);
  for (let step = 0; step <= 40; step++) {
    const time = (store.span * step) / 40;
    const off = new Uint8Array(store.nodeCount), sent = new Map();
    for (let event = 0; event < store.count && store.time.data[event] <= time; event++) {
      const kind = store.kind.data[event], node = store.node.data[event];
      if (kind === KIND.poweredOff) off[node] = 1;
      if (kind === KIND.booted || kind === KIND.rebooted) off[node] = 0;
      if (kind === KIND.txBegin) sent.set(node, (sent.get(node) ?? 0) + 1);
    }
    const flying = [];
    for (let frame = 0; frame < store.frames.begin.length; frame++) {
      const begin = store.frames.begin.data[frame];
      if (begin <= time && begin + store.frames.airtime.data[frame] >= time) flying.push(frame);
    }

    assert.deepEqual(store.powerAt(time, power), off);
    assert.deepEqual(store.onAir(time, 0, []), flying);
    for (let node = 0; node < store.nodeCount; node++) assert.equal(store.countsAt(node, time).sent, sent.get(node) ?? 0);
  }
});

test("pieces one after the other are as good as a whole document", () => {
  const { buffer } = exported("--open", trace);
  const whole = new Store();
  whole.load(decodeDocument(buffer));
  const parts = new Store();
  const head = decodeDocument(buffer);
  parts.setWorld(head);
  let frames = 0, bytes = 0;
  const c = head.columns;
  for (let from = 0; from < c.time.length; from += 37) {
    const to = Math.min(from + 37, c.time.length);
    const count = c.kind.subarray(from, to).filter((kind) => kind <= 1).length;
    const size = c.length.subarray(frames, frames + count).reduce((sum, one) => sum + one, 0);
    const columns = {};
    for (const name of ["time", "kind", "node", "first", "second"]) columns[name] = c[name].subarray(from, to);
    for (const name of ["airtime", "hashLow", "hashHigh", "type", "route", "hops", "length"]) columns[name] = c[name].subarray(frames, frames + count);
    columns.bytes = c.bytes.subarray(bytes, bytes + size);
    parts.append({ ...head, columns });
    frames += count;
    bytes += size;
  }

  assert.equal(parts.count, whole.count);
  assert.deepEqual(parts.messages.map((one) => one.packet), whole.messages.map((one) => one.packet));
  for (const message of whole.messages) {
    assert.equal(standingOf(parts, message, parts.span), standingOf(whole, message, whole.span));
    if (message.packet >= 0) assert.deepEqual(fateOf(parts, message.packet), fateOf(whole, message.packet));
  }
});

test("jumps find the next event of a kind, and the one before", () => {
  const store = open("--open", trace);
  for (const [wish, kind] of [["message", KIND.message], ["drop", KIND.rxDrop], ["delivered", KIND.delivered]]) {
    const event = store.nextEvent(20e6, wish);
    assert.equal(store.kind.data[event], kind);
    assert.ok(store.time.data[event] > 20e6);
    for (let other = store.eventAfter(20e6); other < event; other++) assert.notEqual(store.kind.data[other], kind);
  }
  const before = store.previousEvent(20e6);
  assert.ok(store.time.data[before] < 20e6);
});

test("bytes that are no document are refused, whatever they are", () => {
  const { buffer } = exported("--open", trace);
  assert.throws(() => decodeDocument(new ArrayBuffer(0)));
  assert.throws(() => decodeDocument(new TextEncoder().encode("MESHPLAY").buffer));
  for (const length of [16, 40, buffer.byteLength - 64]) assert.throws(() => decodeDocument(buffer.slice(0, length)), `${length}`);
});

test("what would move or hide a text is shown as a mark", () => {
  assert.equal(visibleText("a\u202eb\u0000c\nd"), "a\ufffdb\ufffdc\ufffdd");
  assert.equal(visibleText("<b>&amp;"), "<b>&amp;");
  assert.equal(visibleText("x".repeat(300)).length, 201);
});

test("lowerBound finds places before and behind equals", () => {
  const data = [1, 3, 3, 3, 9];
  assert.deepEqual([0, 1, 2, 3, 9, 10].map((one) => lowerBound(data, data.length, one)), [0, 0, 1, 1, 4, 5]);
  assert.deepEqual([0, 1, 3, 9].map((one) => lowerBound(data, data.length, one, true)), [0, 1, 4, 5]);
});

/** Columns for drawn events, four of each frame, with nothing in them yet. */
function drawnColumns(events, nodes) {
  const frames = Math.floor(events / 4);
  return {
    nodeX: new Float32Array(nodes), nodeY: new Float32Array(nodes), linkFrom: [], linkTo: [], linkThere: [], linkBack: [],
    linkBackbone: [], time: new Float64Array(events), kind: new Uint8Array(events), node: new Uint32Array(events),
    first: new Uint32Array(events), second: new Int32Array(events), airtime: new Uint32Array(frames).fill(400000),
    hashLow: new Uint32Array(frames), hashHigh: new Uint32Array(frames), type: new Uint8Array(frames).fill(2),
    route: new Uint8Array(frames), hops: new Uint8Array(frames), length: new Uint8Array(frames), bytes: new Uint8Array(0),
  };
}

function drawnHead(nodes, columns) {
  return {
    title: "drawn", source: "trace", facts: [], columns, nodes: Array.from({ length: nodes }, (_, node) => `n${node}`),
    roles: Array(nodes).fill("repeater"), strings: ["collision"], messages: [], notes: [], noteNumbers: [],
    span: columns.time.length * 125,
  };
}

/** A store of drawn events: frames with two listeners each, and power that comes and goes. */
function drawn(events, nodes) {
  const store = new Store();
  const c = drawnColumns(events, nodes);
  for (let frame = 0; frame < events / 4; frame++) {
    c.hashLow[frame] = frame >> 2;
    for (let row = 0; row < 4; row++) {
      const event = frame * 4 + row;
      c.time[event] = frame * 500 + row;
      c.kind[event] = [(frame * 31) % 7 < 3 ? KIND.poweredOff : KIND.booted, KIND.txBegin, KIND.rxEnd, KIND.rxDrop][row];
      c.node[event] = (frame * 7919 + row * 31) % nodes;
      c.first[event] = frame;
    }
  }
  store.load(drawnHead(nodes, c));
  return store;
}

test("power at any time is right across keyframes", () => {
  const store = drawn(200_000, 50);
  const off = new Uint8Array(50), at = new Uint8Array(50);
  let next = 0;
  for (let event = 0; event < store.count; event++) {
    const kind = store.kind.data[event];
    if (kind === KIND.poweredOff) off[store.node.data[event]] = 1;
    if (kind === KIND.booted) off[store.node.data[event]] = 0;
    // Round the keyframes, and here and there.
    if (event !== next && (event % 32768 > 2 && event % 32768 < 32766)) continue;
    next = event + 997;
    assert.deepEqual(store.powerAt(store.time.data[event], at), off, `behind event ${event}`);
  }
});

test("packets of a sender belong to its messages in their order", () => {
  const store = new Store();
  const columns = drawnColumns(8, 3);
  columns.kind.set([KIND.message, KIND.message, KIND.txBegin, KIND.txEnd, KIND.txBegin, KIND.txEnd, KIND.rxBegin, KIND.rxBegin]);
  columns.node.fill(1);
  columns.first.set([1, 2, 0, 0, 1, 1, 0, 1]);
  columns.second.set([0, 1]);
  columns.hashLow.set([10, 20]);
  store.load({ ...drawnHead(3, columns), messages: [["n0", "first"], ["n0", "second"]] });

  assert.deepEqual(store.messages.map((one) => [one.text, store.packets[one.packet].hash.slice(0, 2)]), [["first", "0a"], ["second", "14"]]);
  assert.equal(standingOf(store, store.messages[0], 1e9), "on its way");
});

test("a message has ended where its mesh says so, with the reason, and no earlier", () => {
  const store = open("--open", trace);
  const ended = store.messages.filter((message) => message.ended !== null && message.acknowledged === null);
  assert.ok(ended.length > 3, `${ended.length} messages`);
  for (const message of ended) {
    const { at, standing, reason } = message.ended;
    assert.ok(["delivered", "given up", "refused"].includes(standing), standing);
    assert.ok(reason.length > 0);
    assert.equal(standingOf(store, message, at), standing);
    assert.equal(endOf(message, at), reason);
    assert.equal(endOf(message, at - 1), "");
    assert.ok(["waiting", "on its way", "delivered"].includes(standingOf(store, message, at - 1)));
  }
  // Nobody is on its way for ever: what is old enough has ended or was acknowledged.
  for (const message of store.messages.filter((one) => one.at < store.span - 60e6)) {
    assert.notEqual(standingOf(store, message, store.span), "on its way", `message ${message.number}`);
  }
});

test("messages are counted by state, and each of them once", () => {
  const store = open("--open", trace);
  for (const time of [0, store.span / 3, store.span]) {
    const said = store.messages.filter((message) => message.at <= time);
    const counts = countStandings(store, said, time);

    assert.equal(counts.reduce((sum, [, count]) => sum + count, 0), said.length);
    for (const [standing, count] of counts) assert.equal(count, said.filter((one) => standingOf(store, one, time) === standing).length);
  }
});

test("a message is delivered when the last of its recipients has it", () => {
  const store = open("--open", trace);
  const { names, roles } = store.world;
  let delivered = 0;
  for (const message of store.messages.filter((one) => one.packet >= 0 && one.ended === null)) {
    const missing = new Set([...names.keys()].filter((node) =>
      message.to.startsWith("#") ? roles[node] === "companion" && node !== message.from : names[node] === message.to));
    let at = Infinity;
    for (const hop of fateOf(store, message.packet).hops) for (const node of hop.delivered) {
      missing.delete(node);
      if (missing.size === 0) at = Math.min(at, hop.end);
    }
    if (at === Infinity) continue;
    delivered++;
    assert.ok(["delivered", "acknowledged"].includes(standingOf(store, message, store.span)));
    assert.notEqual(standingOf(store, message, at - 1e5), "delivered");
  }
  assert.ok(delivered > 2, `${delivered} messages`);
});

test("a lost message names who heard it last, and the last loss", () => {
  const store = open("--open", trace);
  let compared = 0;
  for (const message of store.messages.filter((one) => one.packet >= 0)) {
    const { heard, lost } = lastHeard(store, message.packet);
    const hops = fateOf(store, message.packet).hops;
    const losses = hops.flatMap((hop) => hop.lost.filter((one) => isLossReason(one.reason)));
    assert.equal(heard === null, hops.every((hop) => hop.heard.length === 0));
    assert.equal(lost === null, losses.length === 0);
    if (heard) assert.ok(hops.some((hop) => hop.heard.some((one) => one.node === heard.node)));
    if (lost) compared++;
  }
  assert.ok(compared > 2, `${compared} messages`);
});

test("each reason that radios and nodes know has words", () => {
  for (const [path, name] of [["MeshSimulator/Trace/EventTrace.swift", "RxLoss"], ["MeshFirmware/Node/NodeEffect.swift", "DropReason"]]) {
    const source = readFileSync(new URL(`../../Sources/${path}`, import.meta.url), "utf8");
    const reasons = [...source.split(`enum ${name}:`)[1].split("\n}")[0].matchAll(/^ {4}case (\w+)$/gm)].map(([, reason]) => reason);
    assert.ok(reasons.length > 10, name);
    // A single word may stand for itself; names of two words may not.
    assert.deepEqual(reasons.filter((reason) => /[A-Z]/.test(reasonText(reason))), [], name);
  }
});

test("what was out of reach or not needed counts as no loss", () => {
  const reasons = ["collision", "tooWeak", "fault", "alreadySeen", "off", "halfDuplex", "notNextHop"];
  const store = new Store();
  const columns = drawnColumns(reasons.length, 2);
  columns.kind.fill(KIND.rxDrop);
  columns.second.set([...reasons.keys()]);
  columns.node.fill(1);
  store.load({ ...drawnHead(2, columns), strings: reasons });

  assert.deepEqual(reasons.filter(isLossReason), ["collision", "fault", "halfDuplex"]);
  assert.equal(store.totals.lost, 3);
  assert.equal(store.countsAt(1, Infinity).lost, 3);
  assert.equal(store.histogram(0, store.span, 4).lost.reduce((sum, one) => sum + one, 0), 3);
  assert.equal(store.nextEvent(-1, "drop"), 0);
  assert.equal(new Heat().measure(store, 0, store.span).lost[1], 3);
});

test("traffic is what was received and lost in a stretch of time", () => {
  const store = open("--open", trace);
  const [begin, end] = [store.span / 4, store.span / 2];
  const heat = new Heat().measure(store, begin, end);
  const inside = (event) => store.time.data[event] >= begin && store.time.data[event] <= end;
  const events = Array.from({ length: store.count }, (_, event) => event).filter(inside);
  const received = events.filter((event) => store.kind.data[event] === KIND.rxEnd);

  assert.ok(received.length > 20);
  assert.equal(heat.received.reduce((sum, one) => sum + one, 0), received.length);
  assert.equal(heat.lost.reduce((sum, one) => sum + one, 0), events.filter((event) => store.isLoss(event)).length);
  assert.equal([...heat.pairs.values()].reduce((sum, one) => sum + one, 0), received.length);
  assert.equal(heat.grades().flat().length, heat.pairs.size);
  // The same places in another course of the world are counted anew.
  store.clear();
  assert.equal(heat.measure(store, begin, end).pairs.size, 0);
  assert.equal(heat.measure(drawn(40, 100), 0, 1e6).received.reduce((sum, one) => sum + one, 0), 10);
  // A long run is counted in part, and comes to about as much.
  const long = drawn(1_000_000, 100);
  const part = new Heat().measure(long, 0, long.span);
  const all = part.received.reduce((sum, one) => sum + one, 0);
  assert.ok(Math.abs(all / 250_000 - 1) < 0.05, `${all}`);
});

test("steps of an axis are round, and no smaller than what is asked for", () => {
  for (const wanted of [3, 1e3, 7e5, 1e6, 2.4e7, 3.1e7, 8e8, 2e11]) {
    assert.ok(axisStep(wanted) >= wanted && axisStep(wanted) < wanted * 12 + 86400e6, `${wanted}: ${axisStep(wanted)}`);
  }
  assert.deepEqual([axisStep(7e5), axisStep(3.1e7), axisStep(2e9)], [1e6, 60e6, 3600e6]);
});

test("the state at a time costs no more in a run that is a hundred times as long", () => {
  const cost = (store) => {
    store.stateAt(store.span / 2);
    const begin = performance.now();
    for (let step = 0; step < 50; step++) store.stateAt((store.span * (step + 0.5)) / 50);
    return performance.now() - begin;
  };
  const short = drawn(10_000, 10_000), long = drawn(1_000_000, 10_000);

  assert.equal(long.count, 1_000_000);
  // What has to be looked at is bounded by the keyframes, not by the length of the run.
  const least = (store) => Math.min(...Array.from({ length: 5 }, () => cost(store)));
  const ratio = least(long) / Math.max(0.5, least(short));
  assert.ok(ratio < 40, `a hundred times the events cost ${ratio.toFixed(1)} times`);
});
