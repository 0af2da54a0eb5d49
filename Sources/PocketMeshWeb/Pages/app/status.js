// The link to the radio, the work under way, and notifications.

import { get, post } from "./api.js";
import { perform, permission } from "./banners.js";
import { counted, text } from "./texts.mjs";
import { ask, button, doing, empty, fill, h, icon, outside, sentences, shown, skeletons, tell } from "./dom.js";

export function linkButton(app) {
  const { link, queued } = app.state;
  const waiting = queued ? counted(queued, "pageQueued") : null;
  return h("button.quiet.link-state", {
    type: "button", id: "link-button", "data-state": link.state, "aria-label": shown(sentences(link.accessibilityLabel, waiting)), onclick: (event) => showLink(app, event.currentTarget),
  }, h("span.dot", { "aria-hidden": "true" }), h("span.words.clip", {}, link.deviceName ? outside(link.deviceName) : text("sectionNoDevice"),
    h("br"), h("span.tiny.muted", {}, [link.label, waiting, link.batteryPercent === undefined ? null : `${link.batteryPercent} %`].filter(Boolean).join(" · "))));
}

async function showLink(app, control) {
  const { link, failure, canReconnect } = app.state;
  const isUp = link.state === "ready" || link.state === "degraded" || link.state === "synchronising";
  const choice = await ask(link.deviceName ?? text("sectionNoDevice"), (done) => [
    h("dl.facts", {}, h("dt", {}, text("pageLink")), h("dd", {}, link.label),
      link.batteryText ? [h("dt", {}, text("fieldBattery")), h("dd", {}, text("pageBatteryAbout", link.batteryText, link.batteryPercent))] : null),
    link.warnings.map((words) => h("p.notice.warn", {}, words)),
    failure ? h("p.notice.bad", {}, h("span", { dir: "auto" }, sentences(failure.title, failure.message, failure.recovery))) : null,
    h("div.actions", {}, isUp ? [button(text("pageReadBattery"), () => done("battery")), button(text("pageSynchronise"), () => done("sync")), button(text("actionDisconnect"), () => done("devices/disconnect"))]
      : [button(text("pageChooseRadio"), () => done("choose")), canReconnect ? button(text("pageConnect"), () => done("devices/reconnect"), "primary") : null]),
  ]);
  if (choice === "choose") app.go("settings/devices");
  else if (choice) await doing(control, () => post(choice));
  if (choice) app.readState().catch(tell);
}

export function pill(app, place) {
  const { pill: work } = app.state;
  const isFailed = !work.isShown && work.failure;
  place.hidden = !work.isShown && !isFailed;
  place.classList.toggle("failed", Boolean(isFailed));
  if (isFailed) {
    fill(place, h("span.clip", { title: work.failure.message }, work.failure.title),
      button(text("pageTryAgain"), (event) => doing(event.currentTarget, () => post("sync")), "compact"));
  } else if (work.isShown) {
    fill(place, h("span.clip", {}, work.text), work.fraction === undefined || work.fraction === null ? null
      : h("progress", { max: 1, value: work.fraction, "aria-label": work.text }));
  }
}

export class Notifications {
  #body = h("div.fill", {}, skeletons());

  constructor(app) {
    this.app = app;
    this.element = h("section.pane.detail-pane", { "aria-label": text("sectionNotifications") },
      h("header", {}, h("a.button.icon.quiet.back", { href: "#/chats", "aria-label": text("pageBackToChats") }, icon("back")), h("h1", {}, text("sectionNotifications"))), this.#body);
    this.load();
  }

  async load() {
    const answer = await doing(null, () => get("notifications"));
    if (answer) this.#draw(answer);
  }

  event(event) {
    if (event.kind === "notificationsChanged" && !document.querySelector("dialog")) this.load();
  }

  #draw({ notifications }) {
    const asking = permission(() => this.load());
    const head = asking ? h("div.pad", {}, asking) : null;
    if (!notifications.length) return fill(this.#body, head, empty(text("pageNothingToTell")));
    fill(this.#body, head, h("ul.list.pad", {}, notifications.toReversed().map((note) => h("li", {}, h("div.item", {},
      h("span.grow", {}, h("span.name", {}, outside(note.title)), h("br"), h("span.small", {}, outside(note.body))),
      h("span.row.wrap", {}, button(text("actionOpen"), (event) => this.#perform(note, null, event.currentTarget), "compact"),
        note.actions.map((action, index) => button(note.actionLabels[index], (event) => this.#perform(note, action, event.currentTarget), "compact"))))))));
  }

  async #perform(note, action, control) {
    const answer = await perform(this.app, note, action, control);
    if (answer) this.#draw(answer);
  }
}
