// The first steps: what it is, what the host allows, and which radio; and the choice of a radio by itself.

import { KINDS, PORT, addressOf, kindOf } from "./addresses.mjs";
import { get, post } from "./api.js";
import { text } from "./texts.mjs";
import { ask, button, doing, field, fill, h, iconButton, outside, say, sentences, shown, skeletons, confirm, tell } from "./dom.js";

const STEPS = ["welcome", "permissions", "deviceScan"];
// The keys of the words for the state of a permission.
const STATES = { granted: "pageStateGranted", denied: "pageStateDenied", off: "pageStateOff", unavailable: "pageStateUnavailable" };

export class Onboarding {
  #card = h("div.card", {}, skeletons(3));

  constructor(app) {
    this.app = app;
    this.devices = new Devices(app, 2);
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
    fill(this.#card, h("ol.steps", { "aria-label": text("pageStepOf", place + 1, STEPS.length) }, STEPS.map((_, index) => h(index <= place ? "li.done" : "li", {}))),
      h("h1", { tabindex: "-1" }, page.title), page.paragraphs.map((words) => h("p", {}, words)),
      page.step === "permissions" ? h("ul.list", {}, permissions.map((row) => h("li", {}, h("div.item", {},
        h("span.grow", {}, h("span.name", {}, row.title), h("br"), h("span.small.muted", {}, row.text)),
        h(row.state === "granted" ? "span.tag.good" : "span.tag", {}, text(STATES[row.state] ?? row.state)))))) : null,
      // Who knows the radio needs no steps.
      page.step === "permissions" ? null : this.devices.element,
      h("div.actions-row.onward", {}, place > 0 ? button(text("pageBack"), (event) => this.#step(event.currentTarget, "back")) : null,
        h(page.step === "permissions" ? "button.primary.end" : "button.end", { type: "button", onclick: (event) => this.#step(event.currentTarget, "advance") }, page.button)));
  }
}

/** Radios: known, heard, or by their address; and the PIN of one that wants it. */
export class Devices {
  #parts = h("div.stack", {}, skeletons(2));
  #problem = h("p.problem", { id: "address-problem", role: "alert", hidden: true, dir: "auto" });
  #kind = h("select", { name: "kind", onchange: () => this.#choose(this.#kind.value) }, KINDS.map(({ key, label }) => h("option", { value: key }, text(label))));
  #address = h("input", { name: "address", spellcheck: false, autocomplete: "off", autocapitalize: "none", class: "mono", oninput: () => this.#typed() });
  #port = h("input", { name: "port", inputmode: "numeric", maxlength: 5, placeholder: PORT, autocomplete: "off", class: "mono" });
  #pinOfAddress = h("input", { name: "pin", inputmode: "numeric", maxlength: 6, placeholder: "123456", autocomplete: "one-time-code", class: "mono" });

  /** `level` is that of the headings over the lists, one below the heading of what they stand in. */
  constructor(app, level) {
    this.app = app;
    this.head = `h${level}.part`;
    this.fields = {
      address: field(text("pageHost"), this.#address, " "), port: field(text("pagePort"), this.#port), pin: field(text("pagePIN"), this.#pinOfAddress),
    };
    this.form = h("form.stack", {
      novalidate: true, onsubmit: (event) => this.#connect(event, addressOf(this.#kind.value, this.#address.value, { port: this.#port.value, pin: this.#pinOfAddress.value })),
    }, h("div.way", {}, field(text("pageLink"), this.#kind), this.fields.address, this.fields.port, this.fields.pin), this.#problem,
    h("div.actions-row", {}, h("button.primary", { type: "submit" }, text("pageConnect"))));
    this.element = h("div.stack", {}, this.#parts, this.form);
    this.#choose(KINDS[0].key);
    this.load();
  }

  /** The fields of a kind of link. */
  #choose(key) {
    const kind = KINDS.find((one) => one.key === key);
    this.#kind.value = key;
    this.#address.placeholder = kind.example;
    this.fields.address.querySelector("label").textContent = text(kind.field);
    this.fields.address.querySelector(".hint").textContent = text(kind.hint);
    this.fields.port.hidden = key !== "tcp";
    this.fields.pin.hidden = key !== "ble";
  }

  /** A whole address says its kind itself. */
  #typed() {
    const kind = kindOf(this.#address.value);
    if (kind && kind !== this.#kind.value) this.#choose(kind);
  }

  /** What failed stands at the address, once, until it works or is tried again. */
  #fail(failure) {
    const words = failure ? shown(sentences(failure.message, failure.recovery)) : "";
    if (this.#problem.textContent !== words) this.#problem.textContent = words;
    this.#problem.hidden = !words;
    this.#address.setAttribute("aria-invalid", String(Boolean(words)));
    this.#address.setAttribute("aria-describedby", [`${this.#address.id}-hint`, words ? this.#problem.id : ""].join(" ").trim());
  }

  /** Errors of connecting stand at the address; others are told as anywhere. */
  #failed = (error) => {
    if (error.operation !== "connection") tell(error);
  };

  async load() {
    const answer = await doing(null, () => get("devices"), this.#failed);
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
    if (!address) {
      this.#fail({ message: text("pageEnterAddress") });
      return this.#address.focus();
    }
    this.#fail(null);
    await this.#arrive(this.form, () => post("devices/connect", { address }));
  }

  /** Connects, and shows what became of it; the first radio of all leads into a conversation. */
  async #arrive(control, connect) {
    const isFirst = !this.app.state.isOnboarded;
    const answer = await doing(control, connect, this.#failed);
    if (!answer) return;
    this.#take(answer);
    if (isFirst && answer.saved.some((row) => row.isConnected)) {
      const { rows } = await get("chats").catch(() => ({ rows: [] }));
      if (rows.length) this.app.go(`chats/${rows[0].id}`);
    }
    await this.app.readState();
  }

  #take(answer) {
    this.isScanning = answer.isScanning;
    if (!answer.isScanning) clearInterval(this.scanning);
    this.#fail(answer.failure);
    // What is being typed is not taken away.
    if (answer.pinRequest && this.pinned === answer.pinRequest.id && this.#parts.contains(document.activeElement)) return;
    this.pinned = answer.pinRequest?.id;
    fill(this.#parts,
      answer.pinRequest ? this.#pin(answer.pinRequest) : null,
      answer.saved.length ? [h(this.head, {}, text("pageKnownRadios")), h("ul.list", {}, answer.saved.map((row) => h("li", {}, this.#row(row, true))))] : null,
      answer.canScan ? h("div.row", {}, h(`${this.head}.grow`, {}, text("pageRadiosNearby")), button(text(answer.isScanning ? "pageStop" : "pageScan"), (event) => this.#scan(event.currentTarget), "compact")) : null,
      answer.canScan ? h("ul.list", { "aria-live": "polite" }, answer.found.map((row) => h("li", {}, this.#row(row, false)))) : null,
      answer.isScanning && !answer.found.length ? h("p.small.muted", { role: "status" }, text("pageListening")) : null,
      answer.scanFailure ? h("p.notice.warn", { role: "status", dir: "auto" }, shown(sentences(answer.scanFailure.message, answer.scanFailure.recovery))) : null);
    if (answer.pinRequest) this.#parts.querySelector("input")?.focus();
  }

  #row(row, isSaved) {
    return h("div.item.wraps", {}, h("span.grow", {}, h("span.name.clip", {}, outside(row.name)), h("br"), h("span.tiny.muted.mono", {}, shown(row.id))),
      row.rssi === undefined ? null : h("span.tag", {}, text("pageSignal", row.rssi)),
      row.isConnected ? h("span.tag.good", {}, text("pageConnected")) : null,
      row.isConnected ? button(text("actionDisconnect"), async (event) => {
        const answer = await doing(event.currentTarget, () => post("devices/disconnect"));
        if (answer) this.#take(answer);
      }, "compact") : button(text("pageConnect"), (event) => this.#connect(event, row.id), "compact"),
      isSaved && row.deviceID ? iconButton("pen", text("pageRenameNamed", shown(row.name)), (event) => this.#rename(row, event.currentTarget), { isCompact: true }) : null,
      isSaved && row.deviceID && !row.isConnected ? iconButton("close", text("pageForgetNamed", shown(row.name)), async (event) => {
        const control = event.currentTarget;
        if (!await confirm(`${text("actionForget")}?`, text("pageForgetText"), text("pageForget"))) return;
        const answer = await doing(control, () => post("devices/forget", { deviceID: row.deviceID }));
        if (answer) this.#take(answer);
      }, { isCompact: true }) : null);
  }

  async #rename(row, control) {
    const input = h("input", { name: "radio", "aria-label": text("fieldNodeName"), maxlength: 64, value: row.name, dir: "auto" });
    const name = await ask(text("pageRenameNamed", shown(row.name)), (done) => h("form.stack", {
      onsubmit: (event) => {
        event.preventDefault();
        done(input.value);
      },
    }, input, h("p.small.muted", {}, text("pageRenameHint")),
    h("div.actions", {}, h("button.primary", { type: "submit" }, text("pageRename")))));
    if (name === null) return;
    const answer = await doing(control, () => post("devices/rename", { deviceID: row.deviceID, name }));
    if (answer) this.#take(answer);
  }

  #pin(row) {
    const input = h("input", { inputmode: "numeric", pattern: "[0-9]{6}", maxlength: 6, autocomplete: "one-time-code", class: "mono" });
    return h("form.card.stack", {
      onsubmit: async (event) => {
        event.preventDefault();
        this.pinned = null;
        await this.#arrive(event.currentTarget, () => post("devices/pin", { pin: input.value }));
      },
      // Six digits are all: nobody has to press a button as well.
      oninput: (event) => {
        if (/^[0-9]{6}$/.test(input.value)) event.currentTarget.requestSubmit();
      },
    }, field(text("pagePIN"), input, text("pagePinHint", shown(row.name))),
    h("div.actions-row", {}, h("button.primary", { type: "submit" }, text("pagePair")), button(text("pageCancel"), async (event) => {
      const answer = await doing(event.currentTarget, () => post("devices/pin"));
      if (answer) this.#take(answer);
      say(text("pageNoPin"));
    })));
  }
}
