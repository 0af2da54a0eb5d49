// Rooms, and repeaters as their administrators see them.

import { get, post } from "./api.js";
import { MessageLog, grow } from "./chats.js";
import { accessPart, settingsPart } from "./repeaters.js";
import { Speaker } from "./news.mjs";
import { bytes, counted, text } from "./texts.mjs";
import { ask, button, check, confirm, doing, empty, field, fill, h, icon, iconButton, outside, refocus, say, sentences, shown, skeletons } from "./dom.js";

/** The form of a login; while an answer is waited for it counts down. */
class Login {
  constructor({ words, send, read }) {
    this.send = send;
    this.read = read;
    this.password = h("input", { type: "password", autocomplete: "off" });
    this.remembers = h("input", { type: "checkbox", checked: true });
    this.submit = h("button.primary", { type: "submit" }, text("pageLogIn"));
    this.words = h("p.small", { role: "status" });
    this.element = h("form.card.stack", { onsubmit: (event) => this.#start(event) },
      h("h2.part", {}, text("pageLogIn")), h("p.small.muted", {}, words), field(text("pagePassword"), this.password, text("pagePasswordHint")),
      check(text("pageKeepPassword"), this.remembers), this.words, h("div.actions-row", {}, this.submit));
  }

  show(login, isConnected) {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = isConnected;
    if (isConnected && hadFocus) refocus(this.element);
    // A button that is disabled loses the focus.
    this.submit.setAttribute("aria-disabled", String(login.isLoggingIn));
    this.words.className = login.error ? "small bad" : "small";
    this.words.textContent = login.isLoggingIn
      ? login.secondsLeft ? text("pageAwaitingSeconds", login.secondsLeft) : text("pageAwaiting")
      : login.error ? shown(sentences(login.error.message, login.error.recovery)) : login.hasPassword ? text("pagePasswordKept") : "";
  }

  async #start(event) {
    event.preventDefault();
    if (this.submit.getAttribute("aria-disabled") === "true") return;
    const body = { remembers: this.remembers.checked };
    if (this.password.value) body.password = this.password.value;
    this.submit.setAttribute("aria-disabled", "true");
    this.words.className = "small";
    this.words.textContent = text("pageLoginSending");
    const ticking = setInterval(() => this.read(), 1000);
    await this.send(body, this.submit);
    clearInterval(ticking);
    this.submit.setAttribute("aria-disabled", "false");
    this.password.value = "";
  }
}

export class Room {
  #room = null;
  #speaker = new Speaker();

  constructor(app, { id }) {
    this.app = app;
    this.id = id;
    this.title = h("h1.clip", {}, "…");
    this.sub = h("div.tiny.muted.clip", {});
    this.log = new MessageLog({ label: text("statusPosts"), build: (post) => this.#post(post), older: () => this.#older() });
    this.login = new Login({
      words: text("pageRoomLogin"),
      send: async (body, control) => {
        const room = await doing(control, () => post(`rooms/${this.id}/join`, body.password === undefined ? { ...body, password: "" } : body));
        if (room) this.#take(room);
        if (room?.isConnected) say(text("pageLoggedIn"));
      },
      read: async () => {
        const room = await get(`rooms/${this.id}`).catch(() => null);
        if (room?.login.isLoggingIn) this.login.show(room.login, room.isConnected);
      },
    });
    this.text = h("textarea", {
      rows: "1", placeholder: text("pagePost"), "aria-label": text("pagePost"), dir: "auto", oninput: () => this.#typed(),
      onkeydown: (event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.#send(event); },
    });
    this.counter = h("span.counter", { "aria-hidden": "true" });
    this.sendButton = h("button.primary.icon", { type: "submit", "aria-label": text("pagePostButton"), title: text("pagePostButton"), disabled: true }, icon("send"));
    this.composer = h("form.composer", { onsubmit: (event) => this.#send(event), hidden: true }, h("div.line", {}, this.text, this.sendButton), this.counter);
    this.readOnly = h("p.notice.warn", { hidden: true }, text("pageReadOnly"));
    this.element = h("section.pane.detail-pane", { "aria-label": text("kindRoom") },
      h("header", {}, h("a.button.icon.quiet.back", { href: "#/chats", "aria-label": text("pageBackToChats") }, icon("back")), h("div.head-words", {}, this.title, this.sub),
        iconButton("more", text("pageAboutRoom"), (event) => this.#about(event.currentTarget))),
      h("div.pad.column", {}, this.login.element, this.readOnly), this.log.element, this.log.newer, this.composer);
    this.load();
  }

  async load() {
    const room = await doing(null, () => post(`rooms/${this.id}/read`));
    if (room && !this.isClosed) this.#take(room);
  }

  event(event) {
    if ((event.kind === "roomMessageReceived" || event.kind === "nodeChanged") && event.sessionID !== this.#room?.id) return;
    if (["roomMessageReceived", "nodeChanged", "postChanged", "connectionChanged"].includes(event.kind)) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.load(), 40);
    }
  }

  close() {
    this.isClosed = true;
    this.log.close();
    this.keep();
  }

  /** Leaves what was typed with the program; a page that was not answered yet does not know what was typed before. */
  keep() {
    post(`rooms/${this.id}/close`, this.#room || this.text.value ? { draft: this.text.value } : {}, { keepalive: true }).catch(() => {});
  }

  #take(room) {
    const isFirst = !this.#room;
    this.#room = room;
    if (isFirst && room.draft && !this.text.value) this.text.value = room.draft;
    fill(this.title, outside(room.name));
    const words = [room.isConnected ? room.login.permission : text("pageNotLoggedIn"), room.unsyncedCount ? counted(room.unsyncedCount, "pagePostsToCome") : null];
    this.sub.textContent = words.filter(Boolean).join(" · ");
    this.login.show(room.login, room.isConnected);
    this.readOnly.hidden = !room.isConnected || room.canPost;
    this.readOnly.parentElement.hidden = room.isConnected && room.canPost;
    this.composer.hidden = !room.canPost;
    this.log.set(room.posts);
    if (!room.posts.length) fill(this.log.list, h("li", {}, empty(text(room.isConnected ? "pageNoPosts" : "pagePostsAfterLogin"))));
    for (const sentence of this.#speaker.news(room.posts)) say(sentence);
    this.#typed();
  }

  #post(row) {
    return h(`li.message.${row.side}`, { "data-id": row.id }, row.timestamp.isShown ? h("div.when", {}, row.timestamp.text) : null,
      h("div.bubble", {}, row.side === "incoming" ? h("span.who", {}, outside(row.author)) : null, h("span.words", { dir: "auto" }, shown(row.text))),
      h("div.under", {}, row.timestamp.isShown ? null : h("span", {}, row.timestamp.text),
        row.status ? h(`span.status.${row.status.kind}`, { title: row.status.detail }, icon(row.status.kind), row.status.label) : null));
  }

  async #older() {
    if (this.reading || !this.#room?.hasOlder) return;
    this.reading = true;
    const room = await doing(null, () => post(`rooms/${this.id}/older`));
    this.reading = false;
    if (room && !this.isClosed) this.#take(room);
  }

  #typed() {
    grow(this.text);
    const used = bytes(this.text.value);
    const limit = this.#room?.counter.limit ?? 160;
    this.counter.textContent = used * 5 >= limit * 4 ? text("pageBytesUsed", used, limit) : "";
    this.counter.classList.toggle("over", used > limit);
    this.sendButton.disabled = used === 0 || used > limit;
  }

  async #send(event) {
    event.preventDefault();
    if (this.sendButton.disabled) return;
    const words = this.text.value;
    const room = await doing(this.sendButton, () => post(`rooms/${this.id}/post`, { text: words }));
    if (room?.isTaken && this.text.value === words) this.text.value = "";
    if (room) {
      this.log.toEnd();
      this.#take(room);
    }
    this.text.focus();
  }

  async #about(control) {
    if (await confirm(text("pageLeaveNamed", shown(this.#room?.name ?? "")), text("pageLeaveRoomText"), text("pageLeave"))) {
      const answer = await doing(control, () => post(`rooms/${this.id}/leave`));
      if (answer && !answer.error) this.app.go("chats");
    }
  }
}

export class Repeater {
  #node = null;

  constructor(app, { id }) {
    this.app = app;
    this.id = id;
    this.title = h("h1.clip", {}, "…");
    this.sub = h("div.tiny.muted", {});
    this.login = new Login({
      words: text("pageRepeaterLogin"),
      send: async (body, control) => {
        const node = await doing(control, () => post(`repeaters/${this.id}/login`, body));
        if (node) this.#take(node);
        if (node?.isConnected) {
          say(text("pageLoggedIn"));
          await this.#ask("status", null);
        }
      },
      read: async () => {
        const node = await get(`repeaters/${this.id}`).catch(() => null);
        if (node?.login.isLoggingIn) this.login.show(node.login, node.isConnected);
      },
    });
    this.parts = h("div.stack");
    this.lines = h("div.console", { tabindex: "0", role: "log", "aria-label": text("pageConsole") });
    this.line = h("input", { "aria-label": text("pageCommand"), placeholder: "get name", autocomplete: "off", spellcheck: false, class: "mono" });
    this.console = h("section.card.stack", { "aria-label": text("pageConsole"), hidden: true }, h("h2.part", {}, text("pageConsole")), this.lines,
      h("form.row", { onsubmit: (event) => this.#command(event) }, this.line, h("button.primary", { type: "submit" }, text("pageSend"))),
      this.actions = h("div.actions-row"));
    this.body = h("div.fill", {}, h("div.pad.column.stack", {}, this.login.element, this.parts, this.console));
    this.element = h("section.pane.detail-pane", { "aria-label": text("pageNode") },
      h("header", {}, h("a.button.icon.quiet.back", { href: "#/contacts", "aria-label": text("pageBackToContacts") }, icon("back")),
        h("div.head-words", {}, this.title, this.sub)), this.body);
    fill(this.parts, skeletons(2));
    this.load();
  }

  async load() {
    const node = await doing(null, () => get(`repeaters/${this.id}`));
    if (node && !this.isClosed) this.#take(node);
  }

  event(event) {
    if (event.kind === "nodeChanged" || event.kind === "connectionChanged") {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.load(), 60);
    }
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    post(`repeaters/${this.id}/close`).catch(() => {});
  }

  async #ask(what, control, body = {}) {
    // One behind the other: a node that is being asked takes no second question.
    this.asking = (this.asking ?? Promise.resolve()).then(() => doing(control, () => post(`repeaters/${this.id}/${what}`, body)));
    const node = await this.asking;
    if (node && !this.isClosed) this.#take(node);
    return node;
  }

  #take(node) {
    this.#node = node;
    fill(this.title, outside(node.name));
    this.sub.textContent = node.isConnected ? node.login.permission ?? "" : text("pageNotLoggedIn");
    this.login.show(node.login, node.isConnected);
    const key = JSON.stringify([node.isConnected, node.isAdmin, node.clock, node.status, node.neighbours, node.telemetry, node.accessList, node.settings]);
    if (key !== this.drawn) {
      this.drawn = key;
      this.#draw(node);
    }
    this.console.hidden = !node.isAdmin;
    const count = node.console.length;
    if (count !== this.lines.childElementCount) {
      fill(this.lines, node.console.map((line) => h(line.isCommand ? "div.asked" : "div", { dir: "auto" }, line.isCommand ? `> ${shown(line.text)}` : shown(line.text))));
      this.lines.scrollTop = this.lines.scrollHeight;
    }
  }

  /** The settings' card; what was typed into it stays as long as the node has the same ones. */
  #settings(node) {
    const key = JSON.stringify(node.settings ?? null);
    if (key !== this.settingsKey) {
      this.settingsKey = key;
      this.settingsCard = settingsPart(node, (...asked) => this.#ask(...asked));
    }
    return this.settingsCard;
  }

  #draw(node) {
    if (!node.isConnected) return fill(this.parts);
    const part = (title, what, rows) => h("section.card", { "aria-label": title },
      h("header", {}, h("h2.part.grow", {}, title), button(text("pageAsk"), (event) => this.#ask(what, event.currentTarget), "compact")),
      rows.length ? h("dl.facts", {}, rows.map((row) => [h("dt", {}, row.label), h("dd", {}, outside(row.value))])) : h("p.small.muted", {}, text("pageNotAsked")));
    fill(this.parts,
      node.clock ? h("div.notice.warn", {}, h("span.grow", {}, node.clock),
        node.isAdmin ? button(node.actions.find(({ action }) => action === "syncClock").label, (event) => this.#ask("action", event.currentTarget, { action: "syncClock" }), "compact") : null) : null,
      part(text("pageStatus"), "status", node.status),
      part(text("pageNeighbours"), "neighbours", node.neighbours.map((one) => ({ label: one.name ? outside(one.name) : one.key, value: text("pageNeighbourHeard", one.snr, one.age) }))),
      part(text("sectionTelemetry"), "telemetry", node.telemetry),
      node.isAdmin ? this.#settings(node) : null,
      node.isAdmin ? accessPart(node, (...asked) => this.#ask(...asked)) : null,
      h("div.actions-row", {}, button(text("pageLogOut"), (event) => this.#ask("logout", event.currentTarget))));
    fill(this.actions, node.actions.map(({ action, label }) => button(label, async (event) => {
      const control = event.currentTarget;
      if (action === "reboot" && !await confirm(text("pageRestartNode"), text("pageRestartNodeText"), text("repeaterReboot"))) return;
      await this.#ask("action", control, { action });
    }, "compact")), button(text("pagePassword"), (event) => this.#password(event.currentTarget), "compact"));
  }

  async #command(event) {
    event.preventDefault();
    const line = this.line.value.trim();
    if (!line) return;
    this.line.value = "";
    await this.#ask("command", this.line, { line });
    this.line.focus();
  }

  async #password(control) {
    const input = h("input", { type: "password", autocomplete: "new-password", required: true });
    const password = await ask(text("pageSetAdminPassword"), (done) => h("form.stack", {
      onsubmit: (event) => {
        event.preventDefault();
        done(input.value);
      },
    }, field(text("pageNewPassword"), input), h("div.actions", {}, h("button.primary", { type: "submit" }, text("pageSet")))));
    if (password) await this.#ask("password", control, { password });
  }
}
