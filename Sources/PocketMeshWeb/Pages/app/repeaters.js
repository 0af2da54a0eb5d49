// What an administrator sets on a repeater: its name, position and radio, the guests' password, and who may do what.

import { ask, button, confirm, field, h, outside, shown } from "./dom.js";

const FIELDS = [
  { key: "name", label: "Name", attributes: { maxlength: 31, required: true, dir: "auto" } },
  { key: "latitude", label: "Latitude", number: true, attributes: { min: -90, max: 90 }, hint: "Degrees, north positive; 0 and 0 for no position" },
  { key: "longitude", label: "Longitude", number: true, attributes: { min: -180, max: 180 }, hint: "Degrees, east positive" },
  { key: "megahertz", label: "Frequency", number: true, attributes: { min: 150, max: 2500 }, hint: "MHz" },
  { key: "kilohertz", label: "Bandwidth", number: true, attributes: { min: 7, max: 500 }, hint: "kHz" },
  { key: "spreadingFactor", label: "Spreading factor", number: true, attributes: { min: 5, max: 12, step: 1 } },
  { key: "codingRate", label: "Coding rate", number: true, attributes: { min: 5, max: 8, step: 1 }, hint: "The denominator: 5 is 4/5" },
  { key: "guestPassword", label: "Guests' password", attributes: { maxlength: 15, autocomplete: "off" }, hint: "At most 15 bytes; empty lets everybody look" },
];
const RADIO = ["megahertz", "kilohertz", "spreadingFactor", "codingRate"];

const card = (title, control, ...parts) => h("section.card.stack", { "aria-label": title },
  h("header", {}, h("h3.grow", {}, title), control), ...parts);

/** The settings of a repeater: asked for, then a form. `send(what, control, body)` sends it, and shows the answer. */
export function settingsPart(node, send) {
  const asking = button(node.settings ? "Ask again" : "Ask", (event) => send("settings", event.currentTarget), "compact");
  if (!node.settings) return card("Settings", asking, h("p.small.muted", {}, "Not asked yet. The node answers five questions one after the other."));
  const inputs = Object.fromEntries(FIELDS.map(({ key, number, attributes }) => [key,
    h("input", { name: key, value: String(node.settings[key]), autocomplete: "off", ...(number ? { type: "number", step: "any" } : {}), ...attributes })]));
  const save = h("button.primary", { type: "submit" }, "Save");
  const form = h("form.stack", {
    onsubmit: async (event) => {
      event.preventDefault();
      const body = Object.fromEntries(FIELDS.map(({ key, number }) => [key, number ? inputs[key].valueAsNumber : inputs[key].value]));
      const isRadio = RADIO.some((key) => body[key] !== node.settings[key]);
      if (isRadio && !await confirm("Change the node's radio?", "Once it restarts it hears only nodes with the same parameters. Who has none nearby has to walk there.", "Change")) return;
      await send("save", save, body);
    },
  }, FIELDS.map(({ key, label, hint }) => field(label, inputs[key], hint)),
  h("p.small.muted", {}, "The radio's parameters apply when the node restarts."), h("div.actions-row", {}, save));
  return card("Settings", asking, form);
}

/** Who may do what on a repeater: the list, changed entry by entry, and a contact added to it. */
export function accessPart(node, send) {
  const asking = button("Ask", (event) => send("access", event.currentTarget), "compact");
  const title = "Who may do what";
  const add = node.candidates.length ? button("Add a contact", (event) => addClient(node, send, event.currentTarget), "compact") : null;
  if (!node.accessList.length) return card(title, asking, h("p.small.muted", {}, "Not asked yet."));
  const rows = node.accessList.map((row) => h("li.row", { "data-key": row.key },
    h("div.grow", {}, row.name ? outside(row.name) : h("span.mono", {}, row.key), h("div.tiny.muted", {}, row.label)),
    button("Change", (event) => changeClient(node, row, send, event.currentTarget), "compact")));
  return card(title, asking, h("ul.list", {}, rows), h("div.actions-row", {}, add));
}

const called = (row) => row.name || row.key;

async function changeClient(node, row, send, control) {
  const roles = node.roles.filter(({ role }) => role !== 0 && role !== row.role && row.isChangeable);
  const role = await ask(called(row), (done) => [
    h("p.small.muted", {}, row.isChangeable ? row.label : `${row.label}. Its whole key is not among the contacts: the entry can only be taken out.`),
    h("ul.list", {}, roles.map(({ role: other, label }) => h("li", {}, h("button.item", { type: "button", "data-role": other, onclick: () => done(other) }, label)))),
    h("div.actions", {}, button("Cancel", () => done(null)), button("Take out", () => done(0), "danger")),
  ]);
  if (role === null || role === undefined) return;
  if (role === 0 && !await confirm(`Take ${shown(called(row))} out?`, "It may log in again as the passwords allow.", "Take out")) return;
  await send("role", control, { key: row.key, role });
}

async function addClient(node, send, control) {
  const contact = h("select", { name: "contact" }, node.candidates.map((one) => h("option", { value: one.key }, shown(one.name))));
  const role = h("select", { name: "role" }, node.roles.filter((one) => one.role !== 0).map((one) => h("option", { value: String(one.role) }, one.label)));
  const body = await ask("Add a contact", (done) => h("form.stack", {
    onsubmit: (event) => {
      event.preventDefault();
      done(contact.value ? { key: contact.value, role: Number(role.value) } : null);
    },
  }, field("Contact", contact), field("Rights", role, "The contact needs no password any more."),
  h("div.actions", {}, button("Cancel", () => done(null)), h("button.primary", { type: "submit" }, "Add"))));
  if (body) await send("role", control, body);
}
