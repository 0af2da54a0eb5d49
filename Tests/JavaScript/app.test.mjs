// The modules of the app's pages that need no browser: streams, long lists, the map and texts.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { addressOf, kindOf } from "../../Sources/PocketMeshWeb/Pages/app/addresses.mjs";
import { Heights, merged } from "../../Sources/PocketMeshWeb/Pages/app/heights.mjs";
import { EventLines, LONGEST, pause } from "../../Sources/PocketMeshWeb/Pages/app/lines.mjs";
import { View, pathPlaces, project, scaleBar, unproject } from "../../Sources/PocketMeshWeb/Pages/app/projection.mjs";
import { address, cameraWords, look, support } from "../../Sources/PocketMeshWeb/Pages/app/scan.mjs";
import { bytes, distance, shown, useTexts } from "../../Sources/PocketMeshWeb/Pages/app/texts.mjs";

useTexts(JSON.parse(readFileSync(new URL("../../Sources/PocketMeshUI/Texts/en.json", import.meta.url), "utf8")));

const STREAM = ": events\n\nid: 7\ndata: {\"kind\":\"ä\"}\n\nid: 9\nevent: missed\ndata: {}\n\n";

test("events are the same however the stream is cut", () => {
  const whole = new EventLines().push(STREAM);
  assert.deepEqual(whole, [{ id: "7", name: "", data: '{"kind":"ä"}' }, { id: "9", name: "missed", data: "{}" }]);
  for (let cut = 1; cut < STREAM.length; cut++) {
    const lines = new EventLines();
    assert.deepEqual([...lines.push(STREAM.slice(0, cut)), ...lines.push(STREAM.slice(cut))], whole);
  }
});

test("an event without an end is forgotten, and the next one is read", () => {
  const lines = new EventLines();
  assert.deepEqual(lines.push(`data: ${"x".repeat(LONGEST + 1)}`), []);
  assert.deepEqual(lines.push("yy\n\nid: 1\ndata: {}\n\n"), [{ id: "1", name: "", data: "{}" }]);
});

test("new connections are tried ever later, and at least every eight seconds", () => {
  assert.deepEqual([0, 1, 2, 20].map(pause), [250, 500, 1000, 8000]);
});

test("of 10,000 rows those in view are drawn, and known heights move the others", () => {
  const heights = new Heights(70);
  heights.setKeys(Array.from({ length: 10_000 }, (_, index) => index));
  assert.equal(heights.total, 700_000);
  const [first, end] = heights.span(350_000, 800, 400);
  assert.ok(end - first < 30 && first <= 5000 && end > 5011);
  assert.equal(heights.set(0, 170), true);
  assert.equal(heights.set(0, 170), false);
  assert.equal(heights.top(1), 170);
  assert.equal(heights.at(169), 0);
  assert.equal(heights.at(170), 1);
  assert.equal(heights.at(1e9), 9999);
  assert.deepEqual(new Heights().span(0, 800), [0, 0]);
});

test("rows that were read again replace those that they cover, also deleted ones", () => {
  const rows = [1, 2, 3, 4].map((order) => ({ order, id: `old ${order}` }));
  assert.deepEqual(merged(rows, [{ order: 3, id: "new 3" }, { order: 5, id: "new 5" }]).map((row) => row.id), ["old 1", "old 2", "new 3", "new 5"]);
  assert.equal(merged(rows, []), rows);
});

test("a browser says what it reads codes from, and what is left where it reads none", async () => {
  const detector = (formats) => ({ getSupportedFormats: async () => formats });
  const camera = { mediaDevices: { getUserMedia: () => {} } };
  assert.deepEqual(await support({ BarcodeDetector: detector(["qr_code"]), navigator: camera }), { readsCodes: true, hasCamera: true, words: "" });
  for (const window of [{ navigator: camera }, { BarcodeDetector: detector(["ean_13"]), navigator: camera }, { BarcodeDetector: { getSupportedFormats: async () => { throw new Error("no"); } } }]) {
    const found = await support(window);
    assert.equal(found.readsCodes || found.hasCamera, false);
    assert.match(found.words, /cannot read codes.*paste/i);
  }
  const blind = await support({ BarcodeDetector: detector(["qr_code"]), navigator: {} });
  assert.deepEqual([blind.readsCodes, blind.hasCamera], [true, false]);
  assert.match(blind.words, /picture/);
});

test("of the codes in a picture the first address of ours counts", async () => {
  const detector = (texts) => ({ detect: async () => texts.map((rawValue) => ({ rawValue })) });
  assert.deepEqual(await look(detector([]), null), { uri: null, count: 0 });
  assert.deepEqual(await look(detector(["https://example.org"]), null), { uri: null, count: 1 });
  assert.equal((await look(detector(["https://example.org", " MeshCore://channel/add?name=x "]), null)).uri, "MeshCore://channel/add?name=x");
  assert.equal(address(["javascript:alert(1)"]), null);
  assert.equal(cameraWords({ name: "NotFoundError" }), "No camera was found.");
  assert.match(cameraWords(new Error("odd")), /odd/);
});

test("places become points of the map and come back", () => {
  for (const place of [{ latitude: 52.52, longitude: 13.405 }, { latitude: -33.9, longitude: 151.2 }, { latitude: 0, longitude: -179 }]) {
    const back = unproject(project(place));
    assert.ok(Math.abs(back.latitude - place.latitude) < 1e-9 && Math.abs(back.longitude - place.longitude) < 1e-9);
  }
  assert.ok(Number.isFinite(project({ latitude: 90, longitude: 0 }).y));
});

test("zooming keeps what is below the pointer, and showing all leaves nothing out", () => {
  const view = new View(800, 600);
  const bounds = { south: 47, west: 8, north: 47.4, east: 8.9 };
  view.fit(bounds);
  for (const place of [{ latitude: 47, longitude: 8 }, { latitude: 47.4, longitude: 8.9 }]) {
    const { x, y } = view.toPoint(place);
    assert.ok(x >= 0 && x <= 800 && y >= 0 && y <= 600);
  }
  const pointer = { x: 123, y: 456 };
  const before = view.toPlace(pointer);
  view.zoomBy(2.5, pointer);
  const after = view.toPlace(pointer);
  assert.ok(Math.abs(before.latitude - after.latitude) < 1e-9 && Math.abs(before.longitude - after.longitude) < 1e-9);
});

test("the tiles of a view cover it", () => {
  const view = new View(700, 500);
  view.fit({ south: 47, west: 8, north: 47.4, east: 8.9 });
  const tiles = view.tiles();
  assert.ok(tiles.some((tile) => tile.left <= 0 && tile.top <= 0));
  assert.ok(tiles.some((tile) => tile.left + tile.side >= 700 && tile.top + tile.side >= 500));
  assert.ok(tiles.length < 40);
});

test("the scale has a round number of metres and fits", () => {
  for (const metres of [0.3, 7, 123, 9000]) {
    const bar = scaleBar(metres);
    assert.ok(bar.pixels <= 120 && bar.pixels > 24);
    assert.match(String(bar.metres), /^[125]0*$/);
  }
  assert.equal(distance(scaleBar(100).metres), "10 km");
});

test("the map goes round: places on both sides of 180 degrees are beside each other", () => {
  const view = new View(800, 600);
  view.fit({ south: -16.9, west: 179.9, north: -16.7, east: 180.1 });
  const [west, east] = [179.98, -179.98].map((longitude) => view.toPoint({ latitude: -16.8, longitude }));
  assert.ok(west.x > 0 && west.x < east.x && east.x < 800);
  assert.ok(Math.abs((east.x - west.x) * view.metresPerPixel - 4263) < 2);
  const place = view.toPlace(east);
  assert.ok(Math.abs(place.longitude + 179.98) < 1e-9);
  assert.ok(view.tiles().some((tile) => tile.x === 0) && view.tiles().some((tile) => tile.x === 2 ** tile.z - 1));

  for (let step = 0; step < 50; step++) view.pan(-700, 0);
  assert.ok(view.middle.x >= 0 && view.middle.x < 1);
  view.centre({ latitude: 0, longitude: 0 });
  const start = view.toPoint({ latitude: 0, longitude: 179.98 });
  const end = view.toPoint({ latitude: 0, longitude: -179.98 }, start);
  assert.ok(Math.abs(end.x - start.x) * view.metresPerPixel < 4500, "a line takes the short way");
});

test("a path is certain when each hop is exactly one repeater", () => {
  const repeaters = [{ id: 1, key: "a1ff" }, { id: 2, key: "b2ff" }, { id: 3, key: "b200" }];
  assert.deepEqual(pathPlaces("own", ["a1"], "target", repeaters), { places: ["own", repeaters[0], "target"], isCertain: true });
  assert.deepEqual(pathPlaces("own", ["a1", "b2"], "target", repeaters), { places: ["own", repeaters[0], "target"], isCertain: false });
});

test("control characters and marks of direction are seen, all else stays", () => {
  assert.equal(shown("a\u0000b\u001bc\u202ed\u007f"), "a\u2400b\u241bc\ufffdd\u2421");
  assert.equal(shown("<b>&amp; 👩‍🚀 שלום\n"), "<b>&amp; 👩‍🚀 שלום\n");
  assert.equal(shown(undefined), "");
  assert.equal(bytes("👩‍🚀"), 11);
});

test("fields make an address, and a whole address stays as it is", () => {
  const rows = [
    ["tcp", "192.168.1.20", {}, "tcp://192.168.1.20"], ["tcp", " radio.local ", { port: "6000" }, "tcp://radio.local:6000"],
    ["tcp", "radio:7000", { port: "6000" }, "tcp://radio:7000"], ["tcp", "fe80::1", { port: "6000" }, "tcp://[fe80::1]:6000"],
    ["tcp", "[::1]:7000", { port: "6000" }, "tcp://[::1]:7000"], ["tcp", "ble:MeshCore-alice", { port: "1" }, "ble:MeshCore-alice"],
    ["serial", "/dev/ttyUSB0", { port: "6000" }, "serial:/dev/ttyUSB0"], ["loopback", "pair/alice", {}, "loopback:pair/alice"],
    ["ble", "MeshCore-alice", { pin: "654321" }, "ble:MeshCore-alice?pin=654321"], ["ble", "MeshCore-alice", { port: "1" }, "ble:MeshCore-alice"],
    ["ble", "C0:11:22:33:44:55?via=hci1", { pin: "654321" }, "ble:C0:11:22:33:44:55?via=hci1&pin=654321"],
    ["tcp", "tcp://radio", { port: "6000" }, "tcp://radio:6000"], ["ble", "tcp://radio:5000", { port: "6000" }, "tcp://radio:5000"],
    ["tcp", "http://radio", {}, "http://radio"], ["tcp", "   ", {}, ""],
  ];
  for (const [kind, text, more, address] of rows) assert.equal(addressOf(kind, text, more), address);
  assert.deepEqual(["tcp://x", "Serial:/dev/x", "ble:x", "loopback:x", "192.168.1.20", "table"].map(kindOf),
    ["tcp", "serial", "ble", "loopback", null, null]);
});
