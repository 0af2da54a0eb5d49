// One stream of events for all tabs: what each tab is told, in which order, and who reads when one goes.

import assert from "node:assert/strict";
import test from "node:test";

import { Follower, Hub, RECENT, pump } from "../../Sources/PocketMeshWeb/Pages/app/hub.mjs";

const event = (number) => ({ id: String(number), name: "", data: JSON.stringify({ kind: `event ${number}` }) });

/** A tab that notes what it is told. */
function tab(hub, after) {
  const told = [];
  const follower = new Follower(after, {
    told: (one) => told.push(one.kind), changed: (how) => told.push(how), missed: () => told.push("missed"),
  });
  const take = (message) => follower.take(message);
  hub.join(take, after);
  return { told, take, follower };
}

test("each tab is told each event once and in order, whenever it comes", () => {
  const hub = new Hub();
  const first = tab(hub, 4);
  hub.changed("open");
  hub.take(event(5));
  hub.take(event(6));

  const second = tab(hub, 5);
  const ahead = tab(hub, 7);
  hub.take(event(7));
  hub.take(event(8));

  assert.deepEqual(first.told, ["closed", "open", "event 5", "event 6", "event 7", "event 8"]);
  assert.deepEqual(second.told, ["open", "event 6", "event 7", "event 8"]);
  assert.deepEqual(ahead.told, ["open", "event 8"]);
});

test("a tab whose events are gone reads everything again, and no other does", () => {
  const hub = new Hub();
  const first = tab(hub, 0);
  for (let number = 1; number <= RECENT + 10; number++) hub.take(event(number));
  const late = tab(hub, 3);
  first.take({ missed: 5 });

  assert.deepEqual(late.told, ["closed", "missed"]);
  assert.equal(late.follower.last, RECENT + 10);
  assert.ok(!first.told.includes("missed"));
});

test("a gap in the stream is told to all, also where the program names none", () => {
  const hub = new Hub();
  const { told } = tab(hub, 1);
  hub.take({ id: "9", name: "missed", data: "{}" });
  hub.take(event(10));
  hub.take(event(12));

  assert.deepEqual(told, ["closed", "missed", "event 10", "missed", "event 12"]);
});

test("a tab that has left is told nothing more", () => {
  const hub = new Hub();
  const { told, take } = tab(hub, 0);
  hub.leave(take);
  hub.take(event(1));
  assert.deepEqual(told, ["closed"]);
});

test("the next reader goes on where its own tab was, and the others hear each event once", () => {
  const before = new Hub();
  const first = tab(before, 0);
  const second = tab(before, 0);
  before.take(event(1));
  before.leave(second.take);
  before.take(event(2));

  // The first tab closes; the second one, which was behind, reads on.
  const after = new Hub();
  after.join(second.take, second.follower.last);
  after.join(first.take, second.follower.last);
  assert.equal(after.last, 1);
  after.take(event(2));
  after.take(event(3));

  assert.deepEqual(first.told, ["closed", "event 1", "event 2", "event 3"]);
  assert.deepEqual(second.told, ["closed", "event 1", "event 2", "event 3"]);
});

test("a stream that breaks is opened again behind the last event, and one that is refused is not", async () => {
  const hub = new Hub();
  const { told } = tab(hub, 6);
  const asked = [];
  const pauses = [];
  const streams = [["id: 7\nda", "ta: {\"kind\":\"seven\"}\n\n"], null, ["id: 8\ndata: {\"kind\":\"eight\"}\n\n"], 401];
  const open = async (after) => {
    asked.push(after);
    const next = streams.shift();
    if (next === null) throw new TypeError("no route");
    if (next === 401) throw Object.assign(new Error("key"), { status: 401 });
    return (async function* () { yield* next; })();
  };

  await pump(hub, open, undefined, async (time) => pauses.push(time));

  assert.deepEqual(asked, [6, 7, 7, 8]);
  assert.deepEqual(pauses, [250, 500, 250]);
  assert.deepEqual(told, ["closed", "open", "seven", "closed", "open", "eight", "closed", "refused"]);
});

test("a reader that is stopped opens nothing any more", async () => {
  const hub = new Hub();
  hub.join(() => {}, 0);
  const stop = new AbortController();
  let opened = 0;
  await pump(hub, async () => {
    opened++;
    stop.abort();
    throw new DOMException("stopped", "AbortError");
  }, stop.signal, async () => {});
  assert.equal(opened, 1);
});
