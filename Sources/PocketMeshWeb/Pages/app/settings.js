// Settings: sections of fields that are changed first and saved then, the choice of a radio, and the look of the page.

import { setTheme, theme } from "../shared/theme.js";
import { get, post } from "./api.js";
import { Devices } from "./onboarding.js";
import { chooseLanguage, chosenLanguage } from "./languages.mjs";
import { bytes, number, text } from "./texts.mjs";
import { ask, button, check, confirm, doing, field, fill, h, outside, say, shown, skeletons, tell, toast } from "./dom.js";

export class Settings {
  #body = h("div.pad.column.stack", {}, skeletons());

  constructor(app, { section }) {
    this.app = app;
    this.devices = new Devices(app, 3);
    this.element = h("section.pane", { "aria-label": text("pageSettings") }, h("header", {}, h("h1.grow", {}, text("pageSettings")),
      button(text("pageReadMore"), (event) => this.#advanced(event.currentTarget), "compact")), h("div.fill", {}, this.#body));
    this.wanted = section;
    this.load();
  }

  async load() {
    const answer = await doing(null, async () => {
      this.languages ??= await get("languages");
      return get("settings");
    });
    if (answer && !this.isClosed) this.#draw(answer);
  }

  event(event) {
    this.devices.event(event);
    if (event.kind === "deviceChanged" || event.kind === "connectionChanged") {
      clearTimeout(this.timer);
      // Below the hands nothing changes.
      this.timer = setTimeout(() => { if (!this.element.querySelector("[data-changed], input:focus, textarea:focus, select:focus")) this.load(); }, 100);
    }
  }

  close() {
    this.isClosed = true;
    this.devices.close();
  }

  async #advanced(control) {
    const answer = await doing(control, () => post("settings/advanced"));
    if (answer) this.#draw(answer);
  }

  #draw(answer) {
    const open = new Set([...this.#body.querySelectorAll("details[open]")].map((part) => part.dataset.section));
    const at = this.#body.parentElement.scrollTop;
    const folded = new Set(["advancedRadio", "telemetry", "trustedContacts", "advanced", "dangerZone", "about", "bluetooth", "quickReplies"]);
    fill(this.#body, h("section.card.stack", { id: "section-devices", "aria-label": text("sectionBluetooth") }, h("h2", {}, text("sectionBluetooth")), this.devices.element), this.#look(), this.#language(),
      answer.sections.filter((section) => section.id !== "noDevice").map((section) => {
        const parts = this.#section(section);
        return folded.has(section.id)
          ? h("details.card", { id: `section-${section.id}`, "data-section": section.id, open: open.has(section.id) || this.wanted === section.id }, h("summary", {}, h("h2", { style: { display: "inline" } }, section.title)), parts)
          : h("section.card", { id: `section-${section.id}`, "data-section": section.id, "aria-label": section.title }, h("header", {}, h("h2", {}, section.title)), parts);
      }));
    this.#body.parentElement.scrollTop = at;
    if (this.wanted) document.getElementById(`section-${this.wanted}`)?.scrollIntoView();
    this.wanted = null;
  }

  #look() {
    const current = theme();
    const choices = [["system", "pageAsSystem"], ["light", "pageLight"], ["dark", "pageDark"]];
    return h("section.card", { "aria-label": text("pageColours") }, h("fieldset", {}, h("legend", {}, text("pageColours")), h("div.row.wrap", {}, choices.map(([value, label]) =>
      check(text(label), h("input", { type: "radio", name: "theme", value, checked: value === current, onchange: () => setTheme(value) }))))));
  }

  /** The languages, each by its own name; the page is loaded again in the chosen one. */
  #language() {
    const current = chosenLanguage();
    const choices = [{ tag: "", name: text("pageBrowserLanguage") }, ...this.languages];
    const input = h("select", { name: "language", onchange: () => {
      chooseLanguage(input.value);
      location.reload();
    } }, choices.map(({ tag, name }) => h("option", { value: tag, lang: tag || null, selected: tag === current }, name)));
    return h("section.card", { "aria-label": text("pageLanguage") }, field(text("pageLanguage"), input));
  }

  #section(section) {
    const facts = section.fields.filter((one) => one.kind === "info");
    const actions = section.fields.filter((one) => one.kind === "action");
    const inputs = section.fields.filter((one) => one.kind !== "info" && one.kind !== "action");
    return h("form.stack", { novalidate: true, onsubmit: (event) => this.#save(event, section) },
      section.warnings.map((words) => h("p.notice.warn", {}, words)),
      facts.length ? h("dl.facts", {}, facts.map((one) => [h("dt", {}, one.label), h("dd", {}, outside(one.value))])) : null,
      inputs.length ? h("div.grid2", {}, inputs.map((one) => this.#field(one, section))) : null,
      inputs.length ? h("div.actions-row", { hidden: !section.hasChanges, "data-save": section.id }, h("button.primary", { type: "submit" }, text("pageSave")),
        button(text("pageDiscard"), async (event) => {
          const answer = await doing(event.currentTarget, () => post("settings/discard", { section: section.id }));
          if (answer) this.#draw(answer);
        })) : null,
      actions.length ? h("div.actions-row", {}, actions.map((one) => button(one.label, (event) => this.#perform(one, event.currentTarget), one.confirmation ? "danger" : ""))) : null);
  }

  #field(one, section) {
    const changed = (value) => {
      input.dataset.changed = "";
      const bar = this.#body.querySelector(`[data-save="${section.id}"]`);
      if (bar) bar.hidden = false;
      // One behind the other: of two requests either may come first.
      this.pending = (this.pending ?? Promise.resolve()).then(() => post("settings/set", { field: one.id, value })).catch(tell);
      if (one.id === "usRanges") this.pending.then((answer) => answer && this.#draw(answer));
    };
    let input;
    const attributes = { name: one.id, "data-field": one.id };
    switch (one.kind) {
      case "toggle":
        input = h("input", { ...attributes, type: "checkbox", checked: one.value === "true", onchange: () => changed(String(input.checked)) });
        return h("div.field", {}, check(shown(one.label), input), one.help ? h("span.hint", {}, one.help) : null);
      case "choice":
        input = h("select", { ...attributes, onchange: () => changed(input.value) }, one.options.map((option) =>
          h("option", { value: option.value, selected: option.value === one.value }, shown(option.label))));
        return field(shown(one.label), input, one.help ?? "");
      case "number": {
        input = h("input", { ...attributes, type: "number", inputmode: "decimal", min: String(one.minimum ?? ""), max: String(one.maximum ?? ""), step: "any", oninput: () => {
          const value = Number(input.value);
          const isGood = input.value !== "" && value >= (one.minimum ?? -Infinity) && value <= (one.maximum ?? Infinity);
          input.setAttribute("aria-invalid", String(!isGood));
          if (isGood) changed(input.value);
        } });
        input.value = one.value;
        const range = one.minimum === undefined ? "" : text("pageRange", number(one.minimum), `${number(one.maximum)}${one.unit ? ` ${one.unit}` : ""}`);
        return field(shown(one.label), input, [range, one.help].filter(Boolean).join(". "));
      }
      default: {
        const isLong = one.id === "quickReplies";
        input = h(isLong ? "textarea" : "input", { ...attributes, dir: "auto", rows: isLong ? "5" : null, oninput: () => {
          const used = bytes(input.value);
          const isGood = used <= (one.byteLimit ?? Infinity);
          input.setAttribute("aria-invalid", String(!isGood));
          if (isGood) changed(input.value);
        } });
        input.value = one.value;
        return field(shown(one.label), input, isLong ? text("fieldQuickReplies") : one.byteLimit ? text("pageBytesAtMost", one.byteLimit) : "");
      }
    }
  }

  async #save(event, section) {
    event.preventDefault();
    const bad = event.currentTarget.querySelector("[aria-invalid=true]");
    if (bad) return bad.focus();
    const control = event.submitter;
    await this.pending;
    const answer = await doing(control, () => post("settings/save", { section: section.id }));
    if (!answer) return;
    if (answer.feedback && !answer.error) {
      toast(answer.feedback, "good");
      say(answer.feedback);
    }
    this.#draw(answer);
  }

  async #perform(one, control) {
    let confirmation = "";
    if (one.confirmation) {
      const input = h("input", { autocomplete: "off", spellcheck: false });
      confirmation = await ask(one.label, (done) => h("form.stack", {
        onsubmit: (event) => {
          event.preventDefault();
          done(input.value);
        },
      }, h("p", {}, text("pageUndone")), field(text("pageTypeWord", one.confirmation), input),
      h("div.actions", {}, button(text("pageCancel"), () => done(null)), h("button.danger", { type: "submit" }, one.label))));
      if (confirmation === null) return;
    } else if (["forget", "reboot"].includes(one.id) && !await confirm(`${one.label}?`, text(one.id === "reboot" ? "pageRebootText" : "pageForgetText"), one.label)) return;
    const answer = await doing(control, () => post("settings/perform", { action: one.id, confirmation }));
    if (answer) this.#draw(answer);
  }
}
