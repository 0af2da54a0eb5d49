// The path to a contact: searched, edited, forgotten and measured.

import { get, post } from "./api.js";
import { parts, text } from "./texts.mjs";
import { button, doing, empty, field, fill, h, icon, iconButton, outside, say, shown, skeletons } from "./dom.js";

export class Path {
  #body = h("div.fill", {}, skeletons());
  #title = h("h1.grow.clip", {}, text("pagePath"));

  constructor(app, { id }) {
    this.id = id;
    this.element = h("section.pane.detail-pane", { "aria-label": text("pagePath") },
      h("header", {}, h("a.button.icon.quiet", { href: `#/contacts/${id}`, "aria-label": text("pageBackToContact") }, icon("back")), this.#title), this.#body);
    this.load();
  }

  async load() {
    const answer = await doing(null, () => get(`contacts/${this.id}/path`));
    if (answer) this.#draw(answer);
    else fill(this.#body, empty(text("pageContactGone")));
  }

  event(event) {
    if (event.kind === "routingChanged" && event.conversationID === this.id) this.load();
  }

  close() {
    clearInterval(this.ticking);
  }

  async #do(control, action, body = {}) {
    const answer = await doing(control, () => post(`contacts/${this.id}/path/${action}`, body));
    if (answer) this.#draw(answer);
    return answer;
  }

  async #discover(control) {
    clearInterval(this.ticking);
    if (!await this.#do(control, "discover")) return;
    // The program searches and counts down; the page shows where it is.
    this.ticking = setInterval(async () => {
      const answer = await get(`contacts/${this.id}/path`).catch(() => null);
      if (!answer) return;
      this.#draw(answer);
      if (answer.isDiscovering) return;
      clearInterval(this.ticking);
      if (answer.result) say(answer.result);
    }, 1000);
  }

  #draw(path) {
    fill(this.#title, parts("pagePathTo", outside(path.name)));
    const edited = path.editedHops;
    fill(this.#body, h("div.pad.column.stack", {},
      h("p.muted", {}, text(path.isFlood ? "pagePathFlood" : path.hops.length ? "pagePathHops" : "pagePathDirect")),
      path.result ? h("p.notice", { role: "status" }, path.result) : null,
      path.isDiscovering ? h("p.notice", { role: "status" }, text("pagePathSearching", path.secondsLeft)) : null,
      edited ? this.#editor(path, edited) : h("ol.hops", {}, path.hops.map((hop, index) => h("li", {}, h("span.tag", {}, index + 1),
        h("span.grow", {}, hop.name ? outside(hop.name) : text("pageUnknownRepeater")), h("code", {}, hop.key),
        path.trace[index] ? h("span.tag.info", {}, path.trace[index]) : null))),
      edited ? null : h("div.actions-row", {}, button(text("pageSearchPath"), (event) => this.#discover(event.currentTarget), "primary"),
        button(text("pageEdit"), (event) => this.#do(event.currentTarget, "edit", { isOn: true })),
        path.isFlood ? null : button(text("pageMeasure"), (event) => this.#do(event.currentTarget, "trace")),
        path.isFlood ? null : button(text("pageForgetPath"), (event) => this.#do(event.currentTarget, "reset"), "danger"))));
  }

  #editor(path, hops) {
    const key = h("input", { list: "relays", spellcheck: false, autocomplete: "off", class: "mono", pattern: "[0-9A-Fa-f]{2}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{6}" });
    return h("form.stack", {
      onsubmit: (event) => {
        event.preventDefault();
        this.#do(key, "add", { key: key.value.trim() });
      },
    }, h("ol.hops", {}, hops.map((hop, index) => h("li", {}, h("span.grow", {}, hop.name ? outside(hop.name) : h("code", {}, hop.key)),
      index > 0 ? button(text("pageEarlier"), (event) => this.#do(event.currentTarget, "move", { from: index, to: index - 1 }), "compact") : null,
      iconButton("close", text("pageRemoveHop", index + 1), (event) => this.#do(event.currentTarget, "remove", { index }))))),
    hops.length ? null : h("p.muted", {}, text("pageNoHops")),
    h("datalist", { id: "relays" }, path.relays.map((relay) => h("option", { value: relay.keyPrefix.slice(0, 2), label: shown(relay.name) }))),
    field(text("pageAddHop"), key, text("pageAddHopHint")),
    h("div.actions-row", {}, h("button", { type: "submit" }, text("pageAdd")),
      button(text("pageSave"), (event) => this.#do(event.currentTarget, "save"), "primary"),
      button(text("pageCancel"), (event) => this.#do(event.currentTarget, "edit", { isOn: false }))));
  }
}
