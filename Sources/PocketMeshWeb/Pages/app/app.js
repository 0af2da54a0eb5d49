// The frame of the app: the bar, the tabs, which page is in view, and the events that go to it.

import { followTheme } from "../shared/theme.js";
import { follow, get, hasToken, post, takeToken } from "./api.js";
import { ChatList, Chat } from "./chats.js";
import { Contact, ContactList, Discovery } from "./contacts.js";
import { Path } from "./paths.js";
import { MapPage } from "./map.js";
import { Notifications, linkButton, pill } from "./status.js";
import { Banners, bell } from "./banners.js";
import { Repeater, Room } from "./nodes.js";
import { Settings } from "./settings.js";
import { Onboarding } from "./onboarding.js";
import { fill, h, icon, settle, tell } from "./dom.js";
import { language, text, useTexts } from "./texts.mjs";
import { followTime } from "./times.mjs";
import { Ways } from "./ways.mjs";

// Tab, and the key of its words.
const TABS = [["chats", "pageChats"], ["contacts", "sectionContacts"], ["map", "pageMap"], ["settings", "pageSettings"]];

// Address, tab, list beside it, page. `:id` is what stands there.
const ROUTES = [
  ["chats", "chats", ChatList, null],
  ["chats/:id", "chats", ChatList, Chat],
  ["rooms/:id", "chats", ChatList, Room],
  ["notifications", "chats", ChatList, Notifications],
  ["contacts", "contacts", ContactList, null],
  ["contacts/:id", "contacts", ContactList, Contact],
  ["contacts/:id/path", "contacts", ContactList, Path],
  ["repeaters/:id", "contacts", ContactList, Repeater],
  ["discovery", "contacts", ContactList, Discovery],
  ["map", "map", null, MapPage],
  ["settings", "settings", null, Settings],
  ["settings/:section", "settings", null, Settings],
];

const WAYS = "meshbed.ways";

class App {
  state = null;
  list = null;
  page = null;
  #main = document.getElementById("main");
  #stateWanted = false;
  #ways = new Ways(sessionStorage.getItem(WAYS) ?? "");

  async start() {
    followTheme(() => this.page?.redraw?.());
    takeToken();
    try {
      // Texts are open to everybody, also to who has no key.
      useTexts(await get("texts"));
      translate();
      if (!hasToken()) return this.#explain();
      await this.readState();
    } catch (error) {
      if (error.status === 401) return this.#explain();
      if (language()) tell(error);
      else document.getElementById("unreachable").hidden = false;
      setTimeout(() => this.start(), 2000);
      return;
    }
    this.banners = new Banners(this);
    followTime();
    addEventListener("hashchange", () => this.route());
    // A page that is loaded again keeps what was typed.
    addEventListener("pagehide", () => this.page?.keep?.());
    // A conversation that is not seen is not read either: what comes for it is told.
    document.addEventListener("visibilitychange", () => {
      if (!this.page?.keep) return;
      if (document.hidden) this.page.keep();
      else this.page.load();
    });
    this.route();
    follow(this.state.number, {
      told: (event) => this.take(event),
      changed: (how) => this.#streamChanged(how),
      missed: () => this.reload(),
    });
  }

  #explain() {
    fill(this.#main, h("div.welcome", {}, h("div.card", {}, h("h1", {}, text("pageKeyTitle")), h("p", {}, text("pageKeyText")))));
  }

  #streamChanged(how) {
    document.documentElement.dataset.stream = how;
    if (how === "refused") this.#explain();
    if (how === "open") this.readState().catch(tell);
  }

  // State

  async readState() {
    this.state = await get("state");
    this.#draw();
    return this.state;
  }

  #wantState() {
    if (this.#stateWanted) return;
    this.#stateWanted = true;
    setTimeout(() => {
      this.#stateWanted = false;
      this.readState().catch(() => {});
    }, 30);
  }

  #draw() {
    const { state } = this;
    const drawn = JSON.stringify([state.link, state.queued]);
    if (drawn !== this.drawnLink) fill(document.getElementById("link"), linkButton(this));
    this.drawnLink = drawn;
    pill(this, document.getElementById("pill"));
    this.banners?.number(state.badge);
    if (["ready", "degraded", "synchronising"].includes(state.link.state)) settle((note) => note.topic === "connection");
    const isNew = !state.isOnboarded;
    bell(document.getElementById("bell"), state.notifications);
    document.getElementById("bell").hidden = isNew;
    document.getElementById("tabs").hidden = isNew;
    if (isNew !== this.page instanceof Onboarding) this.route();
    this.#drawTabs();
  }

  #drawTabs() {
    const tabs = document.getElementById("tabs");
    const counts = { chats: this.state.unread };
    const current = this.tab;
    const drawn = JSON.stringify([current, counts, this.#ways.json]);
    if (tabs.dataset.drawn === drawn) return;
    tabs.dataset.drawn = drawn;
    fill(tabs, TABS.map(([key, words]) => h("a", {
      href: `#/${this.#ways.to(key, current)}`, "data-id": key, "aria-current": key === current ? "page" : null, class: key === "settings" ? "last" : null,
    }, icon(key), h("span", {}, text(words)), counts[key] ? h("span.count", {}, counts[key], h("span.unseen", {}, " ", text("pageUnread"))) : null)));
  }

  // Events

  take(event) {
    switch (event.kind) {
      case "connectionChanged": case "syncChanged": case "deviceChanged": case "notificationsChanged":
      case "conversationsChanged": case "directMessageReceived": case "channelMessageReceived":
      case "roomMessageReceived":
        this.#wantState();
        break;
      case "messageStatusUpdated": case "messageFailed": case "messageChanged":
        if (this.state.queued) this.#wantState();
        break;
      case "navigationRequested":
        this.#wantState();
        // Of several pages the one in use goes there, else any.
        if (document.hasFocus()) this.navigate();
        else setTimeout(() => this.navigate(), document.hidden ? 600 : 300);
        break;
      case "error":
        if (event.error) tell(event.error);
        break;
    }
    if (event.kind === "notificationsChanged") this.banners.load();
    this.list?.event?.(event);
    if (!(document.hidden && this.page?.keep)) this.page?.event?.(event);
  }

  /** Goes where the app wants a page to go, unless another page has gone there. */
  async navigate() {
    try {
      const { route } = await post("navigation/take");
      if (route) this.go(route);
    } catch {
      // The page stays where it is.
    }
  }

  reload() {
    this.readState().catch(tell);
    this.banners.load();
    this.list?.load?.();
    this.page?.load?.();
  }

  // Pages

  go(address) {
    if (location.hash === `#/${address}`) this.route();
    else location.hash = `#/${address}`;
  }

  route() {
    if (this.state && !this.state.isOnboarded) return this.#show(null, Onboarding, {}, "onboarding", false);
    const [address, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
    const parts = address.split("/").map(decodeURIComponent);
    for (const [pattern, tab, list, page] of ROUTES) {
      const wanted = pattern.split("/");
      if (wanted.length !== parts.length) continue;
      if (!wanted.every((part, index) => part.startsWith(":") || part === parts[index])) continue;
      const values = Object.fromEntries(new URLSearchParams(query));
      wanted.forEach((part, index) => { if (part.startsWith(":")) values[part.slice(1)] = parts[index]; });
      this.tab = tab;
      this.#ways.note(tab, address);
      sessionStorage.setItem(WAYS, this.#ways.json);
      this.#drawTabs();
      return this.#show(list, page, values, address, Boolean(page));
    }
    history.replaceState(null, "", "#/chats");
    this.route();
  }

  #show(List, Page, values, address, isDetail) {
    if (!(List && this.list instanceof List)) {
      this.list?.close?.();
      this.list = List ? new List(this) : null;
    }
    const isSame = Page && this.page instanceof Page && this.page.address === address;
    if (!isSame) {
      this.page?.close?.();
      this.page = Page ? new Page(this, values) : null;
      if (this.page) this.page.address = address;
    } else this.page.again?.(values);
    this.#main.classList.toggle("two", Boolean(List));
    this.#main.classList.toggle("detail", isDetail);
    const nothing = List && !Page ? h("section.pane.detail-pane", { "aria-label": text("pageNothingChosen") }, this.list.nothing()) : null;
    const wanted = [this.list?.element, this.page?.element ?? nothing].filter(Boolean);
    if (wanted.length !== this.#main.children.length || wanted.some((part, index) => part !== this.#main.children[index])) {
      this.#main.replaceChildren(...wanted);
    }
    this.list?.mark?.(values.id);
    // Beside a page the heading of the list is not that of the whole.
    const listHead = this.list?.element.querySelector("h1");
    if (isDetail) {
      listHead?.setAttribute("role", "heading");
      listHead?.setAttribute("aria-level", "2");
    } else {
      listHead?.removeAttribute("role");
      listHead?.removeAttribute("aria-level");
    }
    if (!isSame && this.hasRouted) {
      const head = (this.page ?? this.list).element.querySelector("h1, h2");
      head?.setAttribute("tabindex", "-1");
      head?.focus({ preventScroll: true });
    }
    this.hasRouted = true;
  }
}

/** Gives the parts that stand in the page from the beginning their texts. */
function translate() {
  document.documentElement.lang = language();
  for (const part of document.querySelectorAll("[data-text]")) part.textContent = text(part.dataset.text);
  for (const part of document.querySelectorAll("[data-label]")) part.setAttribute("aria-label", text(part.dataset.label));
}

const app = new App();
addEventListener("unhandledrejection", (event) => tell(event.reason));
app.start();
