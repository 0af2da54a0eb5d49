// The first steps: what it is, what the host allows, and which radio; and the choice of a radio by itself.

import { get, post } from "./api.js";
import { button, doing, field, fill, h, iconButton, outside, say, shown, skeletons, confirm } from "./dom.js";

const STEPS = ["welcome", "permissions", "deviceScan"];

export class Onboarding {
  #card = h("div.card", {}, skeletons(3));

  constructor(app) {
    this.app = app;
    this.devices = new Devices(app);
    this.element = h("div.welcome.scroll", {}, this.#card);
    this.load();
  }

  async load() {
    const answer = await doing(null, () => get("onboarding"));
    if (answer) this.#draw(answer);
  }

  event(event) {
    this.devices.event(event);
    if (event.kind === "navigationRequested") this.load();
  }

  close() {
    this.devices.close();
  }

  async #step(control, path) {
    const answer = await doing(control, () => post(`onboarding/${path}`));
    if (!answer) return;
    if (answer.isDone) return this.app.readState();
    this.#draw(answer);
    this.#card.querySelector("h1")?.focus();
  }

  #draw({ page, permissions }) {
    const place = STEPS.indexOf(page.step);
    fill(this.#card, h("ol.steps", { "aria-label": `Step ${place + 1} of ${STEPS.length}` }, STEPS.map((_, index) => h(index <= place ? "li.done" : "li", {}))),
      h("h1", { tabindex: "-1" }, page.title), page.paragraphs.map((words) => h("p", {}, words)),
      page.step === "permissions" ? h("ul.list", {}, permissions.map((row) => h("li", {}, h("div.item", {},
        h("span.grow", {}, h("span.name", {}, row.title), h("br"), h("span.small.muted", {}, row.text)),
        h(row.state === "granted" ? "span.tag.good" : "span.tag", {}, row.state))))) : null,
      page.step === "deviceScan" ? this.devices.element : null,
      h("div.actions-row", {}, place > 0 ? button("Back", (event) => this.#step(event.currentTarget, "back")) : null,
        h(page.step === "deviceScan" ? "button.end" : "button.primary.end", { type: "button", onclick: (event) => this.#step(event.currentTarget, "advance") }, page.button)));
  }
}

/** Radios: known, heard, or by their address; and the PIN of one that wants it. */
export class Devices {
  #parts = h("div.stack", {}, skeletons(2));
  #address = h("input", { name: "address", placeholder: "tcp://192.168.1.20:5000", spellcheck: false, autocomplete: "off", class: "mono" });

  constructor(app) {
    this.app = app;
    this.form = h("form.stack", { onsubmit: (event) => this.#connect(event, this.#address.value.trim()) },
      field("Address", this.#address, "tcp://HOST:PORT, serial:/dev/ttyUSB0, ble:NAME or an address as the client takes it"),
      h("div.actions-row", {}, h("button.primary", { type: "submit" }, "Connect")));
    this.element = h("div.stack", {}, this.#parts, this.form);
    this.load();
  }

  async load() {
    const answer = await doing(null, () => get("devices"));
    if (answer) this.#take(answer);
  }

  event(event) {
    if (event.kind === "connectionChanged") this.load();
  }

  close() {
    clearInterval(this.scanning);
    if (this.isScanning) post("devices/scan", { isOn: false }).catch(() => {});
  }

  async #scan(control) {
    const answer = await doing(control, () => post("devices/scan", { isOn: !this.isScanning }));
    if (answer) this.#take(answer);
    clearInterval(this.scanning);
    // What is heard is no event: whoever scans asks.
    if (answer?.isScanning) this.scanning = setInterval(() => this.load(), 1000);
  }

  async #connect(event, address) {
    event?.preventDefault();
    if (!address) return;
    const answer = await doing(this.form, () => post("devices/connect", { address }));
    if (!answer) return;
    this.#take(answer);
    await this.app.readState();
  }

  #take(answer) {
    this.isScanning = answer.isScanning;
    if (!answer.isScanning) clearInterval(this.scanning);
    fill(this.#parts,
      answer.pinRequest ? this.#pin(answer.pinRequest) : null,
      answer.saved.length ? [h("h3", {}, "Known radios"), h("ul.list", {}, answer.saved.map((row) => h("li", {}, this.#row(row, true))))] : null,
      answer.canScan ? h("div.row", {}, h("h3.grow", {}, "Radios nearby"), button(answer.isScanning ? "Stop" : "Scan", (event) => this.#scan(event.currentTarget), "compact")) : null,
      answer.canScan ? h("ul.list", { "aria-live": "polite" }, answer.found.map((row) => h("li", {}, this.#row(row, false)))) : null,
      answer.isScanning && !answer.found.length ? h("p.small.muted", { role: "status" }, "Listening …") : null);
    if (answer.pinRequest) this.#parts.querySelector("input")?.focus();
  }

  #row(row, isSaved) {
    return h("div.item", {}, h("span.grow", {}, h("span.name.clip", {}, outside(row.name)), h("br"), h("span.tiny.muted.mono", {}, shown(row.id))),
      row.rssi === undefined ? null : h("span.tag", {}, `${row.rssi} dBm`),
      row.isConnected ? h("span.tag.good", {}, "connected") : null,
      row.isConnected ? button("Disconnect", async (event) => {
        const answer = await doing(event.currentTarget, () => post("devices/disconnect"));
        if (answer) this.#take(answer);
      }, "compact") : button("Connect", (event) => this.#connect(event, row.id), "compact"),
      isSaved && row.deviceID && !row.isConnected ? iconButton("close", `Forget ${shown(row.name)}`, async (event) => {
        const control = event.currentTarget;
        if (!await confirm("Forget this radio?", "The way to it is forgotten. Messages stay.", "Forget")) return;
        const answer = await doing(control, () => post("devices/forget", { deviceID: row.deviceID }));
        if (answer) this.#take(answer);
      }, { isCompact: true }) : null);
  }

  #pin(row) {
    const input = h("input", { inputmode: "numeric", pattern: "[0-9]{6}", maxlength: 6, autocomplete: "one-time-code", class: "mono" });
    return h("form.card.stack", {
      onsubmit: async (event) => {
        event.preventDefault();
        const answer = await doing(event.currentTarget, () => post("devices/pin", { pin: input.value }));
        if (answer) this.#take(answer);
        await this.app.readState();
      },
    }, field("PIN", input, `The six digits that ${shown(row.name)} shows. Radios without a display have 123456.`),
    h("div.actions-row", {}, h("button.primary", { type: "submit" }, "Pair"), button("Cancel", async (event) => {
      const answer = await doing(event.currentTarget, () => post("devices/pin"));
      if (answer) this.#take(answer);
      say("No PIN is asked for any more");
    })));
  }
}
