// The control API from JavaScript: a client of a radio written here, and a mesh around it in stepped time.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, beforeEach, test } from "node:test";

import { Mesh, MeshError } from "./mesh.mjs";

const GET_BATTERY = 20, GET_MESSAGE = 10, DEVICE_QUERY = 22;
const BATTERY = 12, NO_MORE_MESSAGES = 10, TEXT = 16, MESSAGES_WAITING = 0x83;

/** As much of a client as these tests need: frames out, frames in. */
class Client {
  constructor({ host, port }) {
    this.frames = [];
    this.waiting = [];
    let rest = Buffer.alloc(0);
    this.socket = connect(port, host).setNoDelay().on("data", (piece) => {
      rest = Buffer.concat([rest, piece]);
      while (rest.length >= 3 && rest.length >= 3 + rest.readUInt16LE(1)) {
        const end = 3 + rest.readUInt16LE(1);
        this.take(rest.subarray(3, end));
        rest = rest.subarray(end);
      }
    });
  }

  take(frame) {
    // Codes from 0x80 on are pushes, which answer nothing.
    if (frame[0] < 0x80 && this.waiting.length > 0) this.waiting.shift()(frame);
    else this.frames.push(frame);
  }

  /** Sends a command; its answer, for which no time of the world passes. */
  command(...bytes) {
    const head = Buffer.from([0x3c, 0, 0]);
    head.writeUInt16LE(bytes.length, 1);
    this.socket.write(Buffer.concat([head, Buffer.from(bytes)]));
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  has(code) {
    return this.frames.some((frame) => frame[0] === code);
  }
}

let mesh, client;

before(async () => {
  mesh = await Mesh.start("desk");
  await mesh.act("bob", "adverts");
  await mesh.runUntil({ hasMet: { node: "alice", contact: "bob" } });
  await mesh.advance(10);
  await mesh.snapshot("acquainted");
});

// Each test starts where the snapshot was taken, within a millisecond.
beforeEach(async () => {
  client?.socket.destroy();
  await mesh.restore("acquainted");
  client = new Client(mesh.radios.alice);
  assert.equal((await client.command(DEVICE_QUERY, 3))[0], 13);
});

after(async () => {
  client?.socket.destroy();
  await mesh.close();
});

test("a command is answered while time stands still", async () => {
  const { now } = (await mesh.ask("GET", "/world")).state;

  assert.equal((await client.command(GET_BATTERY))[0], BATTERY);

  assert.equal((await mesh.ask("GET", "/world")).state.now, now);
});

test("a text from bob is announced, fetched, and acknowledged", async () => {
  const { message } = await mesh.act("bob", "sends", { text: "hello", to: "alice" });
  await mesh.runUntil({ acknowledged: { message } });

  assert.ok(client.has(MESSAGES_WAITING));
  const text = await client.command(GET_MESSAGE);
  assert.equal(text[0], TEXT);
  assert.ok(text.toString("utf8").endsWith("hello"));
  assert.equal((await client.command(GET_MESSAGE))[0], NO_MORE_MESSAGES);
});

test("a text does not arrive at a radio without power", async () => {
  await mesh.act("alice", "power", { isOn: false });
  const { message } = await mesh.act("bob", "sends", { text: "hello", to: "alice" });

  await assert.rejects(mesh.runUntil({ delivered: { message } }, 3600), { code: "not-met" });

  assert.deepEqual((await mesh.ask("GET", `/messages/${message}`)).deliveredTo, []);
});

test("equal requests give equal runs", async () => {
  const digests = new Set();
  for (let number = 0; number < 3; number += 1) {
    await mesh.restore("acquainted");
    await mesh.act("bob", "says", { text: "hello all" });
    digests.add((await mesh.advance(60)).digest);
  }

  assert.equal(digests.size, 1);
});

test("events come as they happen", async () => {
  const abort = new AbortController();
  const events = mesh.events(abort.signal);
  const first = events.next();
  await mesh.act("bob", "adverts");
  await mesh.advance(10);

  assert.ok((await first).value.e);
  abort.abort();
});

test("a refusal has a code", async () => {
  await assert.rejects(mesh.act("nobody", "adverts"), (error) => error instanceof MeshError && error.code === "not-found");
});
