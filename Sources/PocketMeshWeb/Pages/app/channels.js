// Channels: five ways to one, and what can be done with one.

import { get, post } from "./api.js";
import { readCode, showCode } from "./codes.js";
import { ask, button, check, doing, field, h, shown } from "./dom.js";
import { counted, text } from "./texts.mjs";

// The fields of each way: their names, the keys of their words, the most characters, and the key of a hint.
const FORMS = {
  createPrivate: { path: "create", fields: [["name", "fieldNodeName", 31], ["passphrase", "pagePassphrase", 0, "pagePassphraseHint"]] },
  joinPrivate: { path: "join", fields: [["name", "fieldNodeName", 31], ["secret", "pageSecret", 0, "pageSecretHint"]] },
  joinPublic: { path: "join-public", fields: [] },
  joinHashtag: { path: "join-hashtag", fields: [["word", "pageWord", 30, "pageWordHint"]] },
};

/** Leads through the choice of a way and its form; the new channel is shown at the end. */
export async function addChannel(app, control) {
  const answer = await doing(control, () => get("channels"));
  if (!answer) return;
  const option = await ask(text("pageAddChannel"), (done) => [
    h("p.small.muted", {}, counted(answer.freeSlots, "pageFreeSlots")),
    h("ul.list", {}, answer.options.map(({ option, label }) =>
      h("li", {}, h("button.item", { type: "button", "data-option": option, onclick: () => done({ option, label }) }, label)))),
  ]);
  if (!option) return;
  if (option.option === "scanCode") {
    const uri = await readCode(option.label, text("pageAdd"), text("pageChannelCodeHint"));
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
  }, form.fields.map(([name, label, , hint]) => field(text(label), inputs[name], hint ? text(hint) : "")),
  form.fields.length ? null : h("p", {}, text("pageEverybodyReads")),
  h("div.actions", {}, button(text("pageCancel"), () => done(null)), h("button.primary", { type: "submit" }, text("pageAdd")))));
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
  if (answer?.uri) await showCode(text("pageChannelNamed", channel.name), answer, text("pageChannelShare"));
}

async function setRegion(channel, control) {
  const input = h("input", { name: "region", dir: "auto", autocomplete: "off", maxlength: 30, value: channel.regionScope ?? "" });
  const region = await ask(text("pageRegionOf", shown(channel.name)), (done) => h("form.stack", {
    onsubmit: (event) => {
      event.preventDefault();
      done(input.value);
    },
  }, field(text("pageRegion"), input, text("pageRegionHint")),
  h("div.actions", {}, button(text("pageCancel"), () => done(null)), h("button.primary", { type: "submit" }, text("pageSave")))));
  if (region !== null && region !== undefined) await doing(control, () => post(`channels/${channel.id}/region`, { region }));
}

export async function aboutChannel(app, row, control) {
  const answer = await doing(control, () => get("channels"));
  const channel = answer?.channels.find((one) => one.id === row.id);
  if (!channel) return;
  const choice = await ask(channel.name, (done) => [
    h("dl.facts", {}, h("dt", {}, text("pageSlot")), h("dd", {}, channel.index), h("dt", {}, text("pageReaders")),
      h("dd", {}, channel.isPublic ? text("pageEverybody") : text("pageWithSecret")), h("dt", {}, text("pageRegion")),
      h("dd", { dir: "auto" }, channel.regionScope ? shown(channel.regionScope) : text("pageAsSet"))),
    h("div.actions", {}, button(text("pageShowCode"), () => done("share")), button(text("pageRegionButton"), () => done("region")), button(text("pageHideChannel"), () => done("hide")),
      button(text("pageLeave"), () => done("leave"), "danger")),
  ]);
  if (choice === "share") await share(channel, control);
  if (choice === "region") await setRegion(channel, control);
  if (choice === "hide") {
    await doing(control, () => post(`channels/${channel.id}/enabled`, { isOn: false }));
    app.go("chats");
  }
  if (choice === "leave") {
    const deletes = h("input", { type: "checkbox" });
    const isSure = await ask(text("pageLeaveNamed", shown(channel.name)), (done) => [
      h("p", {}, text("pageLeaveChannel")),
      check(text("pageDeleteMessages"), deletes),
      h("div.actions", {}, button(text("pageCancel"), () => done(false)), button(text("pageLeave"), () => done(true), "danger")),
    ]);
    if (!isSure) return;
    const result = await doing(control, () => post(`channels/${channel.id}/leave`, { deletesMessages: deletes.checked }));
    if (result && !result.error) app.go("chats");
  }
}
