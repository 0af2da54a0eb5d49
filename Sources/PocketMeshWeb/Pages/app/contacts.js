// Contacts: listed, searched, changed, exported and imported; and nodes that were heard and are none.

import { get, post } from "./api.js";
import { readCode, showCode } from "./codes.js";
import { counted, parts, text } from "./texts.mjs";
import { since } from "./times.mjs";
import { ask, avatar, button, check, doing, empty, field, fill, h, icon, iconButton, outside, say, shown, skeletons, tell, toast } from "./dom.js";

const DRAWN = 200;
// How nodes become known, with the keys of a name and a hint.
const EXCHANGES = [
  ["import", "pageImport", "pageImportHint"], ["own", "pageOwnCode", "pageOwnCodeHint"],
  ["advert", "repeaterAdvert", "pageTellMesh"], ["discover", "pageDiscover", "pageDiscoverHint"],
];

export class ContactList {
  #answer = null;
  #limit = DRAWN;
  #list = h("div.fill", {}, skeletons());
  #chips = h("div.chips", { role: "group", "aria-label": text("pageKindsOfContacts") });
  #query = h("input", { type: "search", placeholder: text("pageSearchContactsHint"), "aria-label": text("pageSearchContacts"), oninput: () => this.#search() });

  constructor(app) {
    this.app = app;
    this.element = h("section.pane.list-pane", { "aria-label": text("sectionContacts") },
      h("header", {}, h("h1.grow", {}, text("sectionContacts")),
        iconButton("refresh", text("pageReadContacts"), (event) => this.#sync(event.currentTarget)),
        iconButton("plus", text("pageContactActions"), (event) => this.#more(event.currentTarget))),
      h("div.tools", {}, h("div.search", {}, icon("search"), this.#query), this.#chips), this.#list);
    this.load().then(() => { if (location.hash.includes("import=1")) this.#import(); });
  }

  nothing() {
    return empty(text("pageChooseContact"));
  }

  async load() {
    try {
      this.#take(await get("contacts"));
    } catch (error) {
      tell(error);
    }
  }

  event(event) {
    if (["contactsChanged", "connectionChanged", "routingChanged"].includes(event.kind)) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.load(), 60);
    }
  }

  mark(id) {
    this.current = id;
    for (const item of this.#list.querySelectorAll("a.item")) {
      if (item.dataset.id === id) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    }
  }

  #take(answer) {
    if (answer.error) tell(answer.error);
    this.#answer = answer;
    const { filter, filters, contacts, discovered } = answer;
    if (this.#chips.dataset.filter !== filter) {
      this.#chips.dataset.filter = filter;
      fill(this.#chips, filters.map((one) => h("button", {
        type: "button", "aria-pressed": String(one.filter === filter), onclick: (event) => this.#filter(one.filter, event.currentTarget),
      }, one.label)));
    }
    const at = this.#list.scrollTop;
    fill(this.#list,
      discovered.length ? h("a.item", { href: "#/discovery" }, icon("compass"), h("span.grow.name", {}, text("pageHeardNearby")), h("span.count", {}, discovered.length)) : null,
      contacts.length ? h("ul.list", {}, contacts.slice(0, this.#limit).map((row) => h("li", {}, this.#row(row))))
        : empty(text(answer.searchText ? "pageNoContactFits" : "pageNoContacts"),
          answer.searchText ? null : button(text("pageTellMesh"), (event) => advert(event.currentTarget), "primary")),
      contacts.length > this.#limit ? h("p.pad", {}, button(text("pageShowMoreOf", contacts.length), () => {
        this.#limit += DRAWN;
        this.#take(this.#answer);
      })) : null);
    this.#list.scrollTop = at;
  }

  #row(row) {
    return h("a.item", {
      href: `#/contacts/${row.id}`, "data-id": row.id, "aria-label": shown(row.accessibilityLabel),
      "aria-current": row.id === this.current ? "true" : null,
    }, avatar(row.avatar), h("span.grow", {},
      h("span.row-line", {}, h("span.clip.name", {}, outside(row.name)), row.isFavorite ? h("span", {}, icon("star")) : null,
        row.isBlocked ? h("span.tag.bad", {}, text("pageBlocked")) : null, row.isOnRadio ? null : h("span.tag", {}, text("pageNotOnRadio"))),
      h("span.row-line.small.muted", {}, h("span.clip", {}, row.route), h("span.tiny.nowrap", {}, row.lastHeardDate ? since(row.lastHeardDate, row.lastHeard) : row.lastHeard))));
  }

  async #filter(filter, control) {
    const answer = await doing(control, () => post("contacts/filter", { filter }));
    if (!answer) return;
    this.#limit = DRAWN;
    this.#take(answer);
    say(counted(answer.contacts.length, "pageContactsFound"));
    this.#chips.querySelector("[aria-pressed=true]")?.focus();
  }

  #search() {
    clearTimeout(this.searching);
    this.searching = setTimeout(async () => {
      const answer = await doing(null, () => post("contacts/search", { text: this.#query.value.trim() }));
      if (answer) {
        this.#take(answer);
        say(counted(answer.contacts.length, "pageContactsFound"));
      }
    }, 150);
  }

  async #sync(control) {
    const answer = await doing(control, () => post("contacts/sync"));
    if (answer) this.#take(answer);
  }

  async #more(control) {
    const choice = await ask(text("sectionContacts"), (done) => h("ul.list", {}, EXCHANGES.map(([key, name, words]) => h("li", {}, h("button.item", { type: "button", "data-choice": key, onclick: () => done(key) },
      h("span.grow", {}, h("span.name", {}, text(name)), h("br"), h("span.small.muted", {}, text(words))))))));
    if (choice === "import") await this.#import();
    if (choice === "own") {
      const answer = await doing(control, () => post("contacts/export"));
      if (answer?.uri) await showCode(text("pageMyCode"), answer, text("pageMyCodeText"));
    }
    if (choice === "advert") await advert(control);
    if (choice === "discover") {
      const answer = await doing(control, () => post("contacts/discover"));
      if (answer?.feedback) toast(answer.feedback, "good");
      this.app.go("discovery");
    }
  }

  async #import() {
    const uri = await readCode(text("pageImport"), text("pageImportButton"), text("pageContactCodeHint"));
    if (!uri) return;
    const answer = await doing(null, () => post("contacts/import", { uri }));
    if (answer?.feedback && !answer.error) toast(answer.feedback, "good");
    if (answer) this.#take(answer);
  }
}

async function advert(control) {
  const flood = await ask(text("repeaterAdvert"), (done) => [
    h("p", {}, text("pageAdvertText")),
    h("div.actions", {}, button(text("pageAdvertDirect"), () => done("direct")), button(text("pageAdvertFlood"), () => done("flood"), "primary")),
  ]);
  if (!flood) return;
  const answer = await doing(control, () => post("contacts/advert", { flood: flood === "flood" }));
  if (answer?.feedback && !answer.error) toast(answer.feedback, "good");
}

export class Contact {
  #body = h("div.fill", {}, skeletons());
  #title = h("h1.grow.clip", {}, "…");

  constructor(app, { id }) {
    this.app = app;
    this.id = id;
    this.element = h("section.pane.detail-pane", { "aria-label": text("kindChat") },
      h("header", {}, h("a.button.icon.quiet.back", { href: "#/contacts", "aria-label": text("pageBackToContacts") }, icon("back")), this.#title),
      this.#body);
    this.load();
  }

  async load() {
    const answer = await doing(null, () => get(`contacts/${this.id}`));
    if (answer) this.#draw(answer);
    else fill(this.#body, empty(text("pageContactGone")));
  }

  event(event) {
    if (event.kind === "contactsChanged" || event.kind === "routingChanged") {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => { if (!document.querySelector("dialog")) this.load(); }, 80);
    }
  }

  close() {
    clearTimeout(this.timer);
  }

  async #do(control, path, body = {}) {
    const answer = await doing(control, () => post(`contacts/${this.id}/${path}`, body));
    if (answer?.feedback && path === "share" && !answer.error) toast(answer.feedback, "good");
    if (answer) this.#draw(answer);
    return answer;
  }

  #draw({ detail }) {
    if (!detail) return;
    const { row } = detail;
    fill(this.#title, outside(row.name));
    const open = {
      chat: ["pageWriteMessage", `chats/${row.id}`], room: ["pageOpenRoom", `rooms/${row.id}`],
      repeater: ["pageStatusConsole", `repeaters/${row.id}`], sensor: ["pageStatusConsole", `repeaters/${row.id}`],
    }[row.kind];
    fill(this.#body, h("div.pad.column.stack", {},
      h("div.card.row", {}, avatar(row.avatar), h("div.grow", {}, h("h2.part", {}, outside(row.name)),
        detail.nickname ? h("p.small.muted", {}, parts("pageCallsItself", outside(detail.advertisedName))) : null,
        h("p.small.muted", {}, row.route)),
      h("div.row.wrap", {}, row.isBlocked ? h("span.tag.bad", {}, text("pageBlocked")) : null, row.isOnRadio ? null : h("span.tag.warn", {}, text("pageNotOnRadio")))),
      h("div.actions-row", {},
        open ? h("a.button", { href: `#/${open[1]}` }, text(open[0])) : null,
        row.kind === "room" ? h("a.button", { href: `#/repeaters/${row.id}` }, text("pageStatusConsole")) : null,
        h("a.button", { href: `#/contacts/${row.id}/path` }, text("pagePath")),
        h("button", { type: "button", "aria-pressed": String(row.isFavorite), onclick: (event) => this.#do(event.currentTarget, "favorite", { isOn: !row.isFavorite }) }, text("pageFavourite")),
        button(text("pageNickname"), (event) => this.#nickname(detail, event.currentTarget)),
        button(text("pageShowCode"), async (event) => {
          const answer = await doing(event.currentTarget, () => post(`contacts/${this.id}/export`));
          if (answer?.uri) await showCode(row.name, answer, text("pageContactCodeText"));
        }),
        button(text("pageHandOn"), (event) => this.#do(event.currentTarget, "share")),
        row.isOnRadio ? null : button(text("pageWriteToRadio"), (event) => this.#do(event.currentTarget, "restore"))),
      h("div.card", {}, h("dl.facts", {}, detail.fields.map((line) => [h("dt", {}, line.label), h("dd", {}, line.date ? since(line.date, line.value) : outside(line.value))]))),
      h("div.actions-row", {},
        button(text(row.isBlocked ? "pageUnblock" : "pageBlock"), (event) => this.#do(event.currentTarget, "blocked", { isOn: !row.isBlocked }), row.isBlocked ? "" : "danger"),
        button(text("pageDelete"), (event) => this.#delete(row, event.currentTarget), "danger"))));
  }

  async #nickname(detail, control) {
    const input = h("input", { dir: "auto", maxlength: 64 });
    input.value = detail.nickname ?? "";
    const name = await ask(text("pageNickname"), (done) => h("form.stack", {
      onsubmit: (event) => {
        event.preventDefault();
        done({ text: input.value.trim() });
      },
    }, field(text("pageNickname"), input, text("pageNicknameHint")), h("div.actions", {}, h("button.primary", { type: "submit" }, text("pageSave")))));
    if (name) await this.#do(control, "nickname", name);
  }

  async #delete(row, control) {
    const deletes = h("input", { type: "checkbox" });
    const isSure = await ask(text("pageDeleteContact"), (done) => [
      h("p", {}, parts("pageDeleteContactText", outside(row.name))),
      check(text("pageDeleteMessages"), deletes),
      h("div.actions", {}, button(text("pageCancel"), () => done(false)), button(text("pageDelete"), () => done(true), "danger")),
    ]);
    if (!isSure) return;
    const answer = await doing(control, () => post(`contacts/${this.id}/delete`, { deletesMessages: deletes.checked }));
    if (answer && !answer.error) this.app.go("contacts");
  }
}

/** Nodes that were heard and are no contacts. */
export class Discovery {
  #body = h("div.fill", {}, skeletons());

  constructor(app) {
    this.app = app;
    this.element = h("section.pane.detail-pane", { "aria-label": text("pageHeardNearby") },
      h("header", {}, h("a.button.icon.quiet.back", { href: "#/contacts", "aria-label": text("pageBackToContacts") }, icon("back")),
        h("h1.grow", {}, text("pageHeardNearby")), button(text("pageDiscover"), async (event) => {
          const answer = await doing(event.currentTarget, () => post("contacts/discover"));
          if (answer?.feedback && !answer.error) toast(answer.feedback, "good");
        })), this.#body);
    this.load();
  }

  async load() {
    const answer = await doing(null, () => get("contacts"));
    if (answer) this.#draw(answer);
  }

  event(event) {
    if (event.kind === "contactsChanged" || event.kind === "nodeDiscovered") this.load();
  }

  #draw({ discovered }) {
    if (!discovered.length) return fill(this.#body, empty(text("pageNothingHeard")));
    fill(this.#body, h("ul.list.pad", {}, discovered.map((row) => h("li", {}, h("div.item", {}, avatar(row.avatar),
      h("span.grow", {}, h("span.name.clip", {}, outside(row.name)), h("br"), h("span.small.muted.mono", {}, row.keyPrefix)),
      button(text("pageAdd"), async (event) => {
        const answer = await doing(event.currentTarget, () => post(`contacts/${row.id}/add`));
        if (answer) this.#draw(answer);
        say(text("pageAdded"));
      }, "compact"))))));
  }
}
