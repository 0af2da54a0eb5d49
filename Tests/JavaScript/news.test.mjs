// What a page says of news, times and counts, and where its tabs lead.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { News, manner, numbered, title, Speaker } from "../../Sources/PocketMeshWeb/Pages/app/news.mjs";
import { counted, text, useTexts } from "../../Sources/PocketMeshWeb/Pages/app/texts.mjs";
import { ago } from "../../Sources/PocketMeshWeb/Pages/app/times.mjs";
import { Ways } from "../../Sources/PocketMeshWeb/Pages/app/ways.mjs";

const file = (path) => readFileSync(new URL(`../../Sources/${path}`, import.meta.url), "utf8");
const english = JSON.parse(file("PocketMeshUI/Texts/en.json"));
useTexts(english);

const notes = (...ids) => ids.map((id) => ({ id }));

test("what was there before is no news, and each notification is news once", () => {
  const news = new News();
  assert.deepEqual(news.fresh(notes("a", "b")), []);
  assert.deepEqual(news.fresh(notes("a", "b", "c", "d")), notes("c", "d"));
  assert.deepEqual(news.fresh(notes("d")), []);
  assert.deepEqual(news.fresh(notes("d", "e")), notes("e"));
});

test("a page that is seen has a banner; one that is not asks the browser where that is allowed", () => {
  assert.equal(manner(false, "granted"), "banner");
  assert.equal(manner(false, undefined), "banner");
  assert.equal(manner(true, "granted"), "browser");
  for (const permission of ["default", "denied", undefined]) assert.equal(manner(true, permission), "none");
});

test("title and icon have the number of the badge, and none without it", () => {
  const svg = file("PocketMeshWeb/Pages/shared/icon.svg");
  assert.equal(title(0), "Meshbed");
  assert.equal(title(3), "(3) Meshbed");
  assert.equal(numbered(svg, 0), svg);
  assert.match(numbered(svg, 7), />7<\/text><\/svg>\s*$/);
  assert.match(numbered(svg, 1234), />99<\/text>/);
});

test("a tab leads to where it was left, and from within to its first page", () => {
  const ways = new Ways();
  assert.equal(ways.to("contacts", "chats"), "contacts");
  ways.note("contacts", "contacts/7/path");
  ways.note("chats", "chats/1");
  assert.equal(ways.to("contacts", "chats"), "contacts/7/path");
  assert.equal(ways.to("chats", "chats"), "chats");
  const again = new Ways(ways.json);
  assert.equal(again.to("contacts", "map"), "contacts/7/path");
  for (const kept of ["{", "null", "[1]", '{"map":7}']) assert.equal(new Ways(kept).to("map", "chats"), "map");
});

test("a time is told by how long ago it was, for a week", () => {
  const now = 1_750_000_000;
  const told = [0, 59, 60, 3599, 3600, 86_399, 86_400, 2 * 86_400, 7 * 86_400 - 1].map((passed) => ago(now - passed, now));
  assert.deepEqual(told, ["just now", "just now", "1 min ago", "59 min ago", "1 h ago", "23 h ago", "1 day ago", "2 days ago", "6 days ago"]);
  assert.equal(ago(now - 7 * 86_400, now), "");
  // A clock that is a little ahead is no news; one that is far ahead has its date.
  assert.equal(ago(now + 30, now), "just now");
  assert.equal(ago(now + 3600, now), "");
});

test("one is one, and more have a number", () => {
  assert.deepEqual([0, 1, 3].map((count) => counted(count, "pageFound")), ["0 messages", "1 message", "3 messages"]);
});

test("arguments stay as they are, and a key without a text is seen", () => {
  useTexts({ greeting: "100 % of %1, %2, %3", plain: "%1" });
  assert.equal(text("greeting", "%2", "<b>"), "100 % of %2, <b>, %3");
  assert.equal(text("plain"), "%1");
  assert.equal(text("nothing"), "nothing");
  useTexts(english);
});

test("a screen reader is told what came, and what became of the newest own message, once each", () => {
  const row = (id, side, kind) => ({ id, side, status: kind && { kind }, accessibilityLabel: `${id} ${kind ?? ""}`.trim() });
  const speaker = new Speaker();
  const old = row("old", "incoming");
  assert.deepEqual(speaker.news([old]), []);
  assert.deepEqual(speaker.news([old, row("mine", "outgoing", "sending")]), []);
  assert.deepEqual(speaker.news([old, row("mine", "outgoing", "sent")]), ["mine sent"]);
  const mine = row("mine", "outgoing", "acknowledged");
  assert.deepEqual(speaker.news([old, mine, row("new", "incoming")]), ["new", "mine acknowledged"]);
  assert.deepEqual(speaker.news([old, mine, row("new", "incoming")]), []);
  // Deleted: what stands before it was said long ago.
  assert.deepEqual(speaker.news([old, mine]), []);
  assert.deepEqual(speaker.news([old]), []);
  assert.deepEqual(speaker.news([old, row("again", "outgoing", "failed")]), ["again failed"]);
});

test("the first message of an empty conversation is news", () => {
  const speaker = new Speaker();
  assert.deepEqual(speaker.news([]), []);
  assert.deepEqual(speaker.news([{ id: "1", side: "incoming", accessibilityLabel: "hello" }]), ["hello"]);
});
