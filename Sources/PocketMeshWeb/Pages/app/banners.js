// News on every page: a banner, a sound, a number on icon and title, and the browser's own notifications.

import { get, post } from "./api.js";
import { ask, button, doing, h, icon, iconButton, outside, say, sentences, shown, takeOut } from "./dom.js";
import { News, manner, numbered, title } from "./news.mjs";
import { text } from "./texts.mjs";

/** How long a banner stays that nobody touches, in milliseconds. */
const STAY = 10_000;
/** Banners at once. */
const LIMIT = 3;
/** The action that only closes; a banner has a cross for it. */
const DISMISS = "DISMISS_ACTION";
/** The lock that each page holds while it is seen. */
const SEEN = "meshbed.seen";

export class Banners {
  #news = new News();
  #shown = new Map();
  #icon = null;
  #count = 0;
  #leave = null;

  constructor(app) {
    this.app = app;
    document.addEventListener("visibilitychange", () => this.#noteSeen());
    this.#noteSeen();
    this.load();
  }

  /** Brings what is new, and takes back what was read elsewhere. */
  async load() {
    if (this.reading) {
      this.isAskedAgain = true;
      return;
    }
    this.reading = true;
    try {
      do {
        this.isAskedAgain = false;
        const answer = await get("notifications").catch(() => null);
        if (answer) this.#take(answer.notifications);
      } while (this.isAskedAgain);
    } finally {
      this.reading = false;
    }
  }

  #take(notifications) {
    const ids = new Set(notifications.map((one) => one.id));
    for (const [id, banner] of this.#shown) if (!ids.has(id)) this.#remove(id, banner);
    const fresh = this.#news.fresh(notifications);
    if (!fresh.length) return;
    const how = manner(document.hidden, globalThis.Notification?.permission);
    if (how === "banner") for (const note of fresh) this.#show(note);
    if (how === "banner") for (const note of fresh) say(sentences(note.title, note.body));
    else if (how === "browser") alone(SEEN, () => { for (const note of fresh) this.#showOutside(note); });
    const loud = fresh.findLast((note) => note.hasSound);
    // Of all pages one sounds.
    if (loud && how === "banner") alone(`meshbed.sound ${loud.id}`, chime, 1000);
  }

  #show(note) {
    while (this.#shown.size >= LIMIT) this.#remove(...this.#shown.entries().next().value);
    const act = (action) => this.#act(note, action);
    const banner = h("div.notice.toast.banner", { role: "status", "data-id": note.id },
      h("div.grow", {}, h("strong", {}, outside(note.title)), h("p.small.lines", {}, outside(note.body)),
        h("div.row.wrap", {}, button(text("actionOpen"), () => act(null), "compact"),
          note.actions.map((action, index) => (action === DISMISS ? null
            : button(note.actionLabels[index], () => act(action), "compact"))))),
      iconButton("close", text("actionDismiss"), () => act(DISMISS)));
    document.getElementById("toasts").append(banner);
    this.#shown.set(note.id, banner);
    const leave = () => {
      // Under the hand, or with the focus in it, it stays.
      if (banner.matches(":hover, :focus-within")) banner.timer = setTimeout(leave, STAY);
      else this.#remove(note.id, banner);
    };
    banner.timer = setTimeout(leave, STAY);
  }

  #remove(id, banner) {
    clearTimeout(banner.timer);
    takeOut(banner);
    if (this.#shown.get(id) === banner) this.#shown.delete(id);
  }

  async #act(note, action) {
    const banner = this.#shown.get(note.id);
    if (banner) this.#remove(note.id, banner);
    // One that was only closed stays in the list of notifications.
    if (action === DISMISS) return;
    await perform(this.app, note, action);
  }

  #showOutside(note) {
    const popup = new Notification(shown(note.title), {
      body: shown(note.body), tag: note.id, icon: new URL("../shared/icon.svg", import.meta.url).href, silent: !note.hasSound,
    });
    popup.onclick = () => {
      window.focus();
      popup.close();
      this.#act(note, null);
    };
  }

  /** Shows a number on title and icon, by the user's switch. */
  async number(count) {
    document.title = title(count);
    if (count === this.#count) return;
    this.#count = count;
    if (count) navigator.setAppBadge?.(count).catch(() => {});
    else navigator.clearAppBadge?.().catch(() => {});
    const link = document.querySelector("link[rel=icon]");
    this.#icon ??= fetch(link.href).then((answer) => answer.text(), () => null);
    const svg = await this.#icon;
    if (svg && this.#count === count) link.href = `data:image/svg+xml,${encodeURIComponent(numbered(svg, count))}`;
  }

  /** Holds the lock of pages that are seen, as long as this one is. */
  #noteSeen() {
    if (document.hidden) {
      this.#leave?.();
      this.#leave = null;
    } else if (!this.#leave) {
      const held = new Promise((resolve) => { this.#leave = resolve; });
      navigator.locks?.request(SEEN, { mode: "shared" }, () => held).catch(() => {});
    }
  }
}

/** Performs an action of a notification, or opens it where none is named; the answer is the list of those that are left. */
export async function perform(app, note, action, control = null) {
  let words;
  if (action === "REPLY_ACTION") {
    const input = h("input", { "aria-label": text("actionReply"), dir: "auto" });
    words = await ask(text("pageReplyTo", shown(note.title)), (done) => h("form.stack", {
      onsubmit: (event) => {
        event.preventDefault();
        done(input.value);
      },
    }, h("p.small.muted", { dir: "auto" }, shown(note.body)), input, h("div.actions", {}, h("button.primary", { type: "submit" }, text("pageSend")))));
    if (!words) return null;
  }
  const answer = await doing(control, () => post("notifications/perform", { id: note.id, action: action ?? undefined, text: words }));
  if (answer && !action) await app.navigate();
  return answer;
}

/**
 * Runs something unless another page has the lock, and keeps the lock for a while: other pages are told of the same a little
 * later. Without locks each page does it.
 */
function alone(name, work, time = 0) {
  if (!navigator.locks) return work();
  navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    work();
    if (time) await new Promise((resolve) => setTimeout(resolve, time));
  }).catch(() => {});
}

let audio = null;

/** Two short tones; a browser that has not seen the user act on the page yet makes none. */
function chime() {
  if (!navigator.userActivation?.hasBeenActive) return;
  audio ??= globalThis.AudioContext ? new AudioContext() : null;
  if (!audio) return;
  audio.resume().then(() => {
    [[660, 0], [880, 0.12]].forEach(([pitch, after]) => {
      const tone = new OscillatorNode(audio, { frequency: pitch });
      const volume = new GainNode(audio, { gain: 0 });
      const begin = audio.currentTime + after;
      volume.gain.setValueAtTime(0, begin);
      volume.gain.linearRampToValueAtTime(0.12, begin + 0.01);
      volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.18);
      tone.connect(volume).connect(audio.destination);
      tone.start(begin);
      tone.stop(begin + 0.2);
    });
  }, () => {});
}

/** The bell of the bar: how many notifications there are. */
export function bell(place, count) {
  const label = count ? text("pageBellCount", count) : text("sectionNotifications");
  if (place.dataset.drawn === label) return;
  place.dataset.drawn = label;
  place.replaceChildren(h("a.button.icon.quiet", { href: "#/notifications", "aria-label": label, title: label }, icon("bell"),
    count ? h("span.count", { "aria-hidden": "true" }, count > 99 ? "99+" : count) : null));
}

/** Asks for the browser's notifications; `null` where there is nothing to ask. */
export function permission(changed) {
  const state = globalThis.Notification?.permission;
  if (state === "default") {
    return h("div.notice", {}, h("span.grow", {}, text("pageAskNotifications")),
      button(text("pageAllow"), () => Notification.requestPermission().then(changed), "compact"));
  }
  return state === "denied" ? h("p.small.muted", {}, text("pageDenied")) : null;
}
