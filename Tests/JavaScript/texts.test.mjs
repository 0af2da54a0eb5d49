// The tables of texts: each language has them all, and the pages speak from nothing else.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { ago } from "../../Sources/PocketMeshWeb/Pages/app/times.mjs";
import { counted, distance, language, number, parts, text, useTexts } from "../../Sources/PocketMeshWeb/Pages/app/texts.mjs";
import { read, texts } from "./literals.mjs";

const sources = new URL("../../Sources/", import.meta.url);
const file = (path) => readFileSync(new URL(path, sources), "utf8");
const tables = Object.fromEntries(readdirSync(new URL("PocketMeshUI/Texts", sources)).filter((name) => name.endsWith(".json")).sort()
  .map((name) => [name.slice(0, -5), JSON.parse(file(`PocketMeshUI/Texts/${name}`))]));
const { en, de } = tables;
const folder = "PocketMeshWeb/Pages/app";
const scripts = readdirSync(new URL(folder, sources)).filter((name) => /\.m?js$/.test(name)).sort().map((name) => ({ name, script: file(`${folder}/${name}`) }));
const page = file(`${folder}/app.html`);

const FORMS = ["Zero", "One", "Two", "Few", "Many", "Other"];
const stems = Object.keys(en).filter((key) => key.endsWith("Other") && key.replace(/Other$/, "One") in en).map((key) => key.slice(0, -5));
/** A key of a number's form is that of its text. */
const general = (key) => stems.find((stem) => FORMS.some((form) => key === stem + form)) ?? key;
const placeholders = (words) => [...new Set(words.match(/%[1-9]/g))].sort();

// What looks like a text, and is read by programs: names of HTTP, drawing, the program's own name, a command of the firmware.
const allowed = new Set(["Authorization", "Bearer ", "Content-Type", "Meshbed", "MeshCore-1234", "Other", "get name", "small bad", "the stream answers ",
  "600 12px system-ui, sans-serif", "15px system-ui, sans-serif", "12px system-ui, sans-serif", "700 11px system-ui, sans-serif",
  '<circle cx="22" cy="10" r="10" fill="#b3261e"/><text x="22" y="15" text-anchor="middle" font-family="sans-serif" ']);
const keys = new Set([...Object.keys(en), ...stems]);
const unread = (script) => read(script, { keys, allowed }).map(({ words }) => words);

test("no script of a page has a text of its own", () => {
  const found = scripts.flatMap(({ name, script }) => read(script, { keys, allowed }).map(({ line, words }) => `${name}:${line}: ${words}`));
  assert.deepEqual(found, []);
  assert.ok(scripts.length > 25 && scripts.flatMap(({ script }) => texts(script)).length > 2000);
  const literals = new Set(scripts.flatMap(({ script }) => texts(script).map(({ words }) => words)));
  assert.deepEqual([...allowed].filter((words) => !literals.has(words)), []);
});

test("a text in a script is found, wherever it stands", () => {
  const found = (script) => assert.notDeepEqual(unread(script), [], script);
  found('h("span", {}, "blocked")');
  found("h('p', {}, isOn ? 'on' : null)");
  found('h("input", { placeholder: "name", type: "text" })');
  found('h("button", { type: "submit", "aria-label": "send" }, icon("send"))');
  found('button("ok", () => done(true), "primary")');
  found('iconButton("close", "close", act)');
  found('field(text("pageHost"), input, "optional")');
  found('part.textContent = count ? "none" : text("pageHost");');
  found('part.setAttribute("aria-label", "map");');
  found('say(`${count} found`)');
  found('const KINDS = [["chat", "People"]];');
  found('const words = "Nobody is here.";');
  found('throw new Failure(0, "x", `The program answers ${status}.`);');
  const nothing = (script) => assert.deepEqual(unread(script), [], script);
  nothing('h("span.tag.bad", { class: "mono", "data-kind": "chat" }, text("pageHost"), kind === "chat" ? icon("send") : null)');
  nothing('// "A comment."\nconst path = `chats/${id}/send`; /"Not a text."/.test(path);');
  nothing('part.setAttribute("aria-pressed", "true"); button(text("pageSave"), act, "primary compact");');
});

test("every text of the page's frame is the English one of its key", () => {
  const body = page.slice(page.indexOf("<body>"));
  const found = [];
  for (const [tag] of body.matchAll(/<[a-z][^>]*>/g)) {
    const label = / aria-label="([^"]*)"/.exec(tag)?.[1];
    if (label !== undefined && en[/ data-label="([^"]*)"/.exec(tag)?.[1]] !== label) found.push(tag);
    if (/ (title|placeholder|alt)="[^"]+"/.test(tag)) found.push(tag);
  }
  for (const [, tag, words] of body.matchAll(/(<[^<>]*>)([^<>]*\p{L}[^<>]*)</gu)) {
    if (words.trim() !== "Meshbed" && en[/ data-text="([^"]*)"/.exec(tag)?.[1]] !== words) found.push(words.trim());
  }
  assert.deepEqual(found, []);
  assert.match(page, /<html lang="en">/);
});

test("every key that a script names has a text, and every text of the pages is named", () => {
  // What looks texts up names no key.
  const asked = scripts.filter(({ name }) => name !== "texts.mjs").flatMap(({ script }) => texts(script)).filter(({ call, argument, isCompared }) => !isCompared && (["text", "parts"].includes(call) && argument === 0 || call === "counted" && argument === 1));
  assert.ok(asked.length > 300);
  assert.deepEqual(asked.filter(({ words, call }) => !(call === "counted" ? stems.includes(words) : words in en)).map(({ words }) => words), []);
  const named = new Set([...scripts.flatMap(({ script }) => texts(script)).map(({ words }) => words), ...[...page.matchAll(/data-(?:text|label)="([^"]*)"/g)].map(([, key]) => key)]);
  assert.deepEqual(Object.keys(en).filter((key) => key.startsWith("page") && !named.has(general(key))), []);
});

test("each language has every key, with the same arguments, in the forms of its numbers", () => {
  assert.ok(Object.keys(tables).length > 1 && stems.length > 10);
  for (const [tag, table] of Object.entries(tables)) {
    assert.equal(table.language, tag);
    assert.deepEqual(new Set(Object.keys(table).map(general)), new Set(Object.keys(en).map(general)), tag);
    const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.map((form) => form[0].toUpperCase() + form.slice(1)).sort();
    for (const stem of stems) assert.deepEqual(FORMS.filter((form) => stem + form in table).sort(), forms, `${tag}: ${stem}`);
    for (const [key, words] of Object.entries(table)) {
      assert.ok(words && words === words.trim(), `${tag}: ${key}`);
      // One may be written out.
      if (!key.endsWith("One") || general(key) === key) assert.deepEqual(placeholders(words), placeholders(en[key] ?? en[`${general(key)}Other`]), `${tag}: ${key}`);
    }
  }
});

test("a text of the pages stands in the table once", () => {
  const seen = new Map();
  const twice = [];
  for (const key of Object.keys(en).filter((key) => !key.startsWith("error")).sort((one, other) => one.startsWith("page") - other.startsWith("page"))) {
    const words = Object.values(tables).map((table) => table[key]).join("\n");
    if (key.startsWith("page") && seen.has(words)) twice.push([seen.get(words), key]);
    seen.set(words, key);
  }
  assert.deepEqual(twice, []);
});

test("numbers, times and distances are written as the language writes them", () => {
  const now = 1_750_000_000;
  useTexts(de);
  assert.equal(language(), "de");
  assert.deepEqual([0, 1, 2, 12_345].map((count) => counted(count, "pageFound")), ["0 Nachrichten", "1 Nachricht", "2 Nachrichten", "12.345 Nachrichten"]);
  assert.deepEqual([10, 120, 7200, 86_400, 3 * 86_400].map((passed) => ago(now - passed, now)), ["gerade eben", "vor 2 min", "vor 2 h", "vor 1 Tag", "vor 3 Tagen"]);
  assert.deepEqual([distance(999.6), distance(1500), number(910.525)], ["1000 m", "1,5 km", "910,525"]);
  useTexts(en);
  assert.deepEqual([counted(12_345, "pageFound"), distance(1500), distance(10_000)], ["12,345 messages", "1.5 km", "10 km"]);
});

test("the parts of a text are in the order of the language, and elements stay what they are", () => {
  const name = { name: "bob" };
  useTexts({ ...de, pageAnswerTo: "%2 – Antwort an %1" });
  assert.deepEqual(parts("pageAnswerTo", name, "ja").filter(Boolean), ["ja", " – Antwort an ", name]);
  assert.equal(text("pageBatteryAbout", "3,9 V", 75), "3,9 V, etwa 75 %");
  useTexts(en);
});
