// Channels: five ways to one, and what can be done with one.

import { get, post } from "./api.js";
import { readCode, showCode } from "./codes.js";
import { ask, button, check, doing, field, h, shown } from "./dom.js";

const FORMS = {
  createPrivate: { path: "create", fields: [["name", "Name", 31], ["passphrase", "Passphrase (optional)", 0, "Without one the secret is random: share it by its code."]] },
  joinPrivate: { path: "join", fields: [["name", "Name", 31], ["secret", "Secret", 0, "32 hexadecimal digits"]] },
  joinPublic: { path: "join-public", fields: [] },
  joinHashtag: { path: "join-hashtag", fields: [["word", "Word", 30, "Everybody who knows the word reads along: #hiking"]] },
};

/** Leads through the choice of a way and its form; the new channel is shown at the end. */
export async function addChannel(app, control) {
  const answer = await doing(control, () => get("channels"));
  if (!answer) return;
  const option = await ask("Add a channel", (done) => [
    h("p.small.muted", {}, `${answer.freeSlots} slots of the radio are free.`),
    h("ul.list", {}, answer.options.map(({ option, label }) =>
      h("li", {}, h("button.item", { type: "button", "data-option": option, onclick: () => done({ option, label }) }, label)))),
  ]);
  if (!option) return;
  if (option.option === "scanCode") {
    const uri = await readCode(option.label, "Add", "meshcore://channel/add?…, as a code reader shows it");
    if (uri) await join(app, answer, control, "join-uri", { uri });
    return;
  }
  const form = FORMS[option.option];
  const inputs = Object.fromEntries(form.fields.map(([name, , limit]) =>
    [name, h("input", { name, dir: "auto", autocomplete: "off", required: name !== "passphrase", maxlength: limit || null })]));
  const values = await ask(option.label, (done) => h("form.stack", {
    onsubmit: (event) => {
      event.preventDefault();
      done(Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.value])));
    },
  }, form.fields.map(([name, label, , hint]) => field(label, inputs[name], hint)),
  form.fields.length ? null : h("p", {}, "Everybody has this channel, and everybody reads it."),
  h("div.actions", {}, button("Cancel", () => done(null)), h("button.primary", { type: "submit" }, "Add"))));
  if (values) await join(app, answer, control, form.path, values);
}

/** Sends the form of a way, and shows the channel that there is then. */
async function join(app, answer, control, path, values) {
  const before = new Set(answer.channels.map((channel) => channel.id));
  const result = await doing(control, () => post(`channels/${path}`, values));
  if (!result || result.error) return;
  const added = result.channels.find((channel) => !before.has(channel.id));
  if (result.secret) await share(added, control);
  if (added) app.go(`chats/${added.id}`);
}

async function share(channel, control) {
  if (!channel) return;
  const answer = await doing(control, () => post(`channels/${channel.id}/share`));
  if (answer?.uri) await showCode(`Channel ${channel.name}`, answer, "Who has this code reads and writes on the channel.");
}

async function setRegion(channel, control) {
  const input = h("input", { name: "region", dir: "auto", autocomplete: "off", maxlength: 30, value: channel.regionScope ?? "" });
  const region = await ask(`Region of ${shown(channel.name)}`, (done) => h("form.stack", {
    onsubmit: (event) => {
      event.preventDefault();
      done(input.value);
    },
  }, field("Region", input, "Only repeaters of this region relay what is sent here. Without one the radio's own setting holds."),
  h("div.actions", {}, button("Cancel", () => done(null)), h("button.primary", { type: "submit" }, "Save"))));
  if (region !== null && region !== undefined) await doing(control, () => post(`channels/${channel.id}/region`, { region }));
}

export async function aboutChannel(app, row, control) {
  const answer = await doing(control, () => get("channels"));
  const channel = answer?.channels.find((one) => one.id === row.id);
  if (!channel) return;
  const choice = await ask(channel.name, (done) => [
    h("dl.facts", {}, h("dt", {}, "Slot"), h("dd", {}, channel.index), h("dt", {}, "Readers"),
      h("dd", {}, channel.isPublic ? "everybody" : "who has the secret"), h("dt", {}, "Region"),
      h("dd", { dir: "auto" }, channel.regionScope ? shown(channel.regionScope) : "as the radio is set")),
    h("div.actions", {}, button("Show code", () => done("share")), button("Region…", () => done("region")), button("Hide from chats", () => done("hide")),
      button("Leave", () => done("leave"), "danger")),
  ]);
  if (choice === "share") await share(channel, control);
  if (choice === "region") await setRegion(channel, control);
  if (choice === "hide") {
    await doing(control, () => post(`channels/${channel.id}/enabled`, { isOn: false }));
    app.go("chats");
  }
  if (choice === "leave") {
    const deletes = h("input", { type: "checkbox" });
    const isSure = await ask(`Leave ${shown(channel.name)}?`, (done) => [
      h("p", {}, "The slot of the radio is emptied. Without its secret nobody comes back."),
      check("Delete its messages too", deletes),
      h("div.actions", {}, button("Cancel", () => done(false)), button("Leave", () => done(true), "danger")),
    ]);
    if (!isSure) return;
    const result = await doing(control, () => post(`channels/${channel.id}/leave`, { deletesMessages: deletes.checked }));
    if (result && !result.error) app.go("chats");
  }
}
