// What an administrator sets on a repeater: its name, position and radio, the guests' password, and who may do what.

import { ask, button, confirm, field, h, outside, shown } from "./dom.js";
import { text } from "./texts.mjs";

// What is entered, with the keys of its words.
const FIELDS = [
  { key: "name", label: "fieldNodeName", attributes: { maxlength: 31, required: true, dir: "auto" } },
  { key: "latitude", label: "fieldLatitude", number: true, attributes: { min: -90, max: 90 }, hint: "pageNorthHint" },
  { key: "longitude", label: "fieldLongitude", number: true, attributes: { min: -180, max: 180 }, hint: "pageEastHint" },
  { key: "megahertz", label: "fieldFrequency", number: true, attributes: { min: 150, max: 2500 }, hint: "pageMegahertz" },
  { key: "kilohertz", label: "fieldBandwidth", number: true, attributes: { min: 7, max: 500 }, hint: "pageKilohertz" },
  { key: "spreadingFactor", label: "fieldSpreadingFactor", number: true, attributes: { min: 5, max: 12, step: 1 } },
  { key: "codingRate", label: "fieldCodingRate", number: true, attributes: { min: 5, max: 8, step: 1 }, hint: "pageCodingRateHint" },
  { key: "guestPassword", label: "pageGuestPassword", attributes: { maxlength: 15, autocomplete: "off" }, hint: "pageGuestPasswordHint" },
];
const RADIO = ["megahertz", "kilohertz", "spreadingFactor", "codingRate"];

const card = (title, control, ...parts) => h("section.card.stack", { "aria-label": title },
  h("header", {}, h("h2.part.grow", {}, title), control), ...parts);

/** The settings of a repeater: asked for, then a form. `send(what, control, body)` sends it, and shows the answer. */
export function settingsPart(node, send) {
  const asking = button(text(node.settings ? "pageAskAgain" : "pageAsk"), (event) => send("settings", event.currentTarget), "compact");
  if (!node.settings) return card(text("pageSettings"), asking, h("p.small.muted", {}, text("pageFiveQuestions")));
  const inputs = Object.fromEntries(FIELDS.map(({ key, number, attributes }) => [key,
    h("input", { name: key, value: String(node.settings[key]), autocomplete: "off", ...(number ? { type: "number", step: "any" } : {}), ...attributes })]));
  const save = h("button.primary", { type: "submit" }, text("pageSave"));
  const form = h("form.stack", {
    onsubmit: async (event) => {
      event.preventDefault();
      const body = Object.fromEntries(FIELDS.map(({ key, number }) => [key, number ? inputs[key].valueAsNumber : inputs[key].value]));
      const isRadio = RADIO.some((key) => body[key] !== node.settings[key]);
      if (isRadio && !await confirm(text("pageChangeRadio"), text("pageChangeRadioText"), text("pageChange"))) return;
      await send("save", save, body);
    },
  }, FIELDS.map(({ key, label, hint }) => field(text(label), inputs[key], hint ? text(hint) : "")),
  h("p.small.muted", {}, text("pageAtRestart")), h("div.actions-row", {}, save));
  return card(text("pageSettings"), asking, form);
}

/** Who may do what on a repeater: the list, changed entry by entry, and a contact added to it. */
export function accessPart(node, send) {
  const asking = button(text("pageAsk"), (event) => send("access", event.currentTarget), "compact");
  const title = text("pageAccess");
  const add = node.candidates.length ? button(text("pageAddContact"), (event) => addClient(node, send, event.currentTarget), "compact") : null;
  if (!node.accessList.length) return card(title, asking, h("p.small.muted", {}, text("pageNotAsked")));
  const rows = node.accessList.map((row) => h("li.row", { "data-key": row.key },
    h("div.grow", {}, row.name ? outside(row.name) : h("span.mono", {}, row.key), h("div.tiny.muted", {}, row.label)),
    button(text("pageChange"), (event) => changeClient(node, row, send, event.currentTarget), "compact")));
  return card(title, asking, h("ul.list", {}, rows), h("div.actions-row", {}, add));
}

const called = (row) => row.name || row.key;

async function changeClient(node, row, send, control) {
  const roles = node.roles.filter(({ role }) => role !== 0 && role !== row.role && row.isChangeable);
  const role = await ask(called(row), (done) => [
    h("p.small.muted", {}, row.isChangeable ? row.label : text("pageEntryOnlyOut", row.label)),
    h("ul.list", {}, roles.map(({ role: other, label }) => h("li", {}, h("button.item", { type: "button", "data-role": other, onclick: () => done(other) }, label)))),
    h("div.actions", {}, button(text("pageCancel"), () => done(null)), button(text("pageTakeOut"), () => done(0), "danger")),
  ]);
  if (role === null || role === undefined) return;
  if (role === 0 && !await confirm(text("pageTakeOutNamed", shown(called(row))), text("pageTakeOutText"), text("pageTakeOut"))) return;
  await send("role", control, { key: row.key, role });
}

async function addClient(node, send, control) {
  const contact = h("select", { name: "contact" }, node.candidates.map((one) => h("option", { value: one.key }, shown(one.name))));
  const role = h("select", { name: "role" }, node.roles.filter((one) => one.role !== 0).map((one) => h("option", { value: String(one.role) }, one.label)));
  const body = await ask(text("pageAddContact"), (done) => h("form.stack", {
    onsubmit: (event) => {
      event.preventDefault();
      done(contact.value ? { key: contact.value, role: Number(role.value) } : null);
    },
  }, field(text("kindChat"), contact), field(text("pageRights"), role, text("pageRightsHint")),
  h("div.actions", {}, button(text("pageCancel"), () => done(null)), h("button.primary", { type: "submit" }, text("pageAdd")))));
  if (body) await send("role", control, body);
}
