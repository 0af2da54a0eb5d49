// The list of chats, and a conversation with a contact or on a channel.

import { blob, get, post, put } from "./api.js";
import { addChannel } from "./channels.js";
import { Heights, merged } from "./heights.mjs";
import { bytes, counted, parts, text } from "./texts.mjs";
import { since } from "./times.mjs";
import { ask, avatar, button, confirm, doing, empty, fill, h, icon, iconButton, outside, say, sentences, shown, skeletons, tell, toast } from "./dom.js";
import { coming, prepared } from "./pictures.js";
import { Speaker } from "./news.mjs";
import { wayParts } from "./route.js";

const PAGE = 50;
// How a conversation begins, with the keys of a name and a hint.
const BEGINNINGS = [
  ["contact", "pageChatWithContact", "pageChatWithContactHint"], ["channel", "pageAddChannel", "pageAddChannelHint"],
  ["import", "pageImport", "pageImportHint"],
];

/** Where a row of the list leads. */
export function address(row) {
  return row.kind === "room" ? `rooms/${row.id}` : `chats/${row.id}`;
}

export class ChatList {
  #rows = null;
  #current = null;
  #searchText = "";
  #list = h("div.fill", {}, skeletons());
  #query = h("input", { type: "search", placeholder: text("pageSearchMessages"), "aria-label": text("pageSearchMessages"), oninput: () => this.#search() });

  constructor(app) {
    this.app = app;
    this.star = iconButton("star", text("pageFavouritesFirst"), () => this.#favourites());
    this.element = h("section.pane.list-pane", { "aria-label": text("pageChats") },
      h("header", {}, h("h1.grow", {}, text("pageChats")), this.star,
        iconButton("plus", text("pageNewChat"), (event) => this.#add(event.currentTarget))),
      h("div.tools", {}, h("div.search", {}, icon("search"), this.#query)),
      this.#list);
    this.load();
  }

  nothing() {
    return empty(text("pageChooseChat"));
  }

  async load() {
    try {
      const answer = await get("chats");
      this.#rows = answer.rows;
      this.star.setAttribute("aria-pressed", String(answer.favoritesFirst));
      if (answer.error) tell(answer.error);
      if (!this.#searchText) this.#draw();
    } catch (error) {
      tell(error);
    }
  }

  event(event) {
    switch (event.kind) {
      case "conversationsChanged": case "contactsChanged": case "directMessageReceived": case "channelMessageReceived":
      case "roomMessageReceived": case "connectionChanged": case "messageChanged": case "nodeChanged":
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.load(), 40);
    }
  }

  mark(id) {
    this.#current = id;
    for (const item of this.#list.querySelectorAll("a.item")) {
      if (item.dataset.id === id) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    }
  }

  #draw() {
    if (!this.#rows) return;
    if (!this.#rows.length) {
      return fill(this.#list, empty(text("pageNoChats"),
        button(text("pageAddChannel"), (event) => this.#add(event.currentTarget), "primary")));
    }
    const at = this.#list.scrollTop;
    fill(this.#list, h("ul.list", {}, this.#rows.map((row) => h("li", {}, h("a.item", {
      href: `#/${address(row)}`, "data-id": row.id, "aria-label": `${shown(row.accessibilityLabel)}${row.preview ? `: ${shown(row.preview)}` : ""}`,
      "aria-current": row.id === this.#current ? "true" : null,
    }, avatar(row.avatar), h("span.grow", {},
      h("span.row-line", {}, h("span.clip.name", {}, outside(row.name)),
        row.isFavorite ? icon("star") : null, h("span.tiny.muted.nowrap", {}, row.lastMessageDate ? since(row.lastMessageDate, row.time) : row.time)),
      h("span.row-line", {}, h("span.clip.small.muted", {}, row.preview ? outside(row.preview) : text("pageNoMessageYet")),
        row.unsyncedCount ? h("span.tag", {}, text("pageToCome", row.unsyncedCount)) : null,
        row.unreadCount ? h("span.count", {}, row.unreadCount) : null)))))));
    for (const star of this.#list.querySelectorAll(".row-line > svg")) star.classList.add("star");
    this.#list.scrollTop = at;
  }

  async #favourites() {
    await doing(this.star, () => post("chats/favorites-first", { isOn: this.star.getAttribute("aria-pressed") !== "true" }));
    await this.load();
  }

  #search() {
    clearTimeout(this.searching);
    this.searching = setTimeout(() => this.#find(), 150);
  }

  async #find() {
    this.#searchText = this.#query.value.trim();
    if (!this.#searchText) {
      await post("search", { text: "" }).catch(tell);
      return this.#draw();
    }
    const answer = await doing(null, () => post("search", { text: this.#searchText }));
    if (answer) this.#drawMatches(answer);
  }

  #drawMatches(answer) {
    const found = answer.matches.length;
    const words = found ? `${counted(found, "pageFound")}${answer.hasMore ? "+" : ""}` : text("pageFindsNothing");
    say(words);
    fill(this.#list, found ? h("p.small.muted.found", {}, words) : empty(words),
      h("ul.list", {}, answer.matches.map((match) => h("li", {}, h("a.item", {
        href: match.conversationID ? `#/chats/${match.conversationID}?at=${match.id}` : "#/chats",
      }, h("span.grow", {}, h("span.row-line", {}, h("span.clip.name", {}, outside(match.conversation)), h("span.tiny.muted", {}, match.time)),
        h("span.small", {}, outside(match.text))))))),
      answer.hasMore ? h("p.pad", {}, button(text("pageMore"), async (event) => {
        const more = await doing(event.currentTarget, () => post("search/more"));
        if (more) this.#drawMatches(more);
      })) : null);
  }

  async #add(control) {
    const choice = await ask(text("pageNew"), (done) => h("ul.list", {},
      BEGINNINGS.map(([key, name, words]) => h("li", {},
        h("button.item", { type: "button", onclick: () => done(key) }, h("span.grow", {}, h("span.name", {}, text(name)), h("br"), h("span.small.muted", {}, text(words))))))));
    if (choice === "contact") this.app.go("contacts");
    if (choice === "import") this.app.go("contacts?import=1");
    if (choice === "channel") await addChannel(this.app, control);
  }
}

/** A long list of messages of which only those in view are drawn. */
export class MessageLog {
  rows = [];
  #heights = new Heights(68);
  #drawn = new Map();
  #atEnd = true;

  /** `build` makes an element of a row, `older` is asked for more when the beginning comes in view. */
  constructor({ label, build, older }) {
    this.build = build;
    this.older = older;
    this.list = h("ol", { "aria-label": label });
    this.newer = button(text("pageNewest"), () => this.toEnd(), "newer compact");
    this.newer.hidden = true;
    this.element = h("div.log", { tabindex: "0", role: "region", "aria-label": label }, this.list);
    this.element.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.observer = new ResizeObserver(() => (this.#atEnd ? this.toEnd() : this.#draw()));
    this.observer.observe(this.element);
  }

  close() {
    this.observer.disconnect();
  }

  get isAtEnd() {
    return this.#atEnd;
  }

  /** Shows these rows; what was in view stays where it is, and the end stays in view when it was. */
  set(rows) {
    const place = this.#anchor();
    this.rows = rows;
    this.#heights.setKeys(rows.map((row) => row.id));
    this.#draw(true);
    if (this.#atEnd) this.toEnd();
    else this.#restore(place);
  }

  toEnd() {
    this.#atEnd = true;
    for (let round = 0; round < 3; round++) {
      this.element.scrollTop = this.element.scrollHeight;
      this.#draw();
    }
    this.element.scrollTop = this.element.scrollHeight;
    this.newer.hidden = true;
  }

  /** Brings a row in view, and marks it. */
  show(id) {
    const index = this.rows.findIndex((row) => row.id === id);
    if (index < 0) return false;
    this.#atEnd = false;
    for (let round = 0; round < 3; round++) {
      this.element.scrollTop = Math.max(0, this.#heights.top(index) - this.element.clientHeight / 3);
      this.#draw();
    }
    for (const [key, element] of this.#drawn) element.classList.toggle("focused", key === id);
    this.newer.hidden = false;
    return true;
  }

  #anchor() {
    const index = this.#heights.at(this.element.scrollTop);
    const row = this.rows[index];
    return row && { id: row.id, offset: this.element.scrollTop - this.#heights.top(index) };
  }

  #restore(place) {
    if (!place) return;
    const index = this.rows.findIndex((row) => row.id === place.id);
    if (index >= 0) this.element.scrollTop = this.#heights.top(index) + place.offset;
    this.#draw();
  }

  #scrolled() {
    const { element } = this;
    this.#atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
    this.newer.hidden = this.#atEnd;
    this.#draw();
    if (element.scrollTop < 600) this.older?.();
  }

  #draw(isAnew = false) {
    const { element, list, rows } = this;
    if (!rows.length) {
      // What a page says in place of rows stays, whatever becomes of the size.
      for (const part of this.#drawn.values()) part.remove();
      this.#drawn = new Map();
      list.style.padding = "";
      return;
    }
    const [first, end] = this.#heights.span(element.scrollTop, element.clientHeight || 800);
    const wanted = new Map();
    const children = [];
    for (let index = first; index < end; index++) {
      const row = rows[index];
      const known = this.#drawn.get(row.id);
      const part = known && (!isAnew || known.row === JSON.stringify(row)) ? known : this.build(row);
      if (part !== known) part.row = JSON.stringify(row);
      part.setAttribute("aria-setsize", String(rows.length));
      part.setAttribute("aria-posinset", String(index + 1));
      wanted.set(row.id, part);
      children.push(part);
    }
    const focused = list.contains(document.activeElement) ? document.activeElement : null;
    this.#drawn = wanted;
    this.#place(children);
    if (focused && !focused.isConnected) element.focus({ preventScroll: true });
    list.style.paddingTop = `${this.#heights.top(first)}px`;
    list.style.paddingBottom = `${this.#heights.total - this.#heights.top(end)}px`;
    let hasChanged = false;
    children.forEach((part, index) => {
      hasChanged = this.#heights.set(rows[first + index].id, part.offsetHeight) || hasChanged;
    });
    if (hasChanged) {
      list.style.paddingTop = `${this.#heights.top(first)}px`;
      list.style.paddingBottom = `${this.#heights.total - this.#heights.top(end)}px`;
    }
  }

  /** Moves as little as possible: an element that stays keeps its focus. */
  #place(children) {
    const { list } = this;
    const stays = new Set(children);
    for (const child of [...list.children]) if (!stays.has(child)) child.remove();
    let next = list.firstChild;
    for (const child of children) {
      if (child === next) next = next.nextSibling;
      else list.insertBefore(child, next);
    }
  }
}

/** Lets a field grow with its text where the browser's style sheets cannot. */
export function grow(area) {
  if (CSS.supports("field-sizing", "content")) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`;
}

export class Chat {
  #chat = null;
  #pictures = new Map();
  #reading = false;
  #speaker = new Speaker();

  constructor(app, { id, at }) {
    this.app = app;
    this.id = id;
    this.at = at;
    this.title = h("h1.clip", {}, "…");
    this.sub = h("div.tiny.muted.clip", {});
    this.mark = h("span");
    this.log = new MessageLog({ label: text("pageMessages"), build: (row) => this.#message(row), older: () => this.#older() });
    this.text = h("textarea", {
      rows: "1", placeholder: text("pageMessage"), "aria-label": text("pageMessage"), dir: "auto",
      oninput: () => this.#typed(), onkeydown: (event) => this.#key(event),
    });
    this.counter = h("span.counter", { "aria-hidden": "true" });
    this.file = h("input", { type: "file", accept: "image/jpeg,image/png,image/webp", hidden: true, tabindex: "-1", "aria-label": text("image"), onchange: () => this.#picture() });
    this.imageButton = iconButton("image", text("pageSendPicture"), () => this.file.click());
    this.sendButton = h("button.primary.icon", { type: "submit", "aria-label": text("pageSend"), title: text("pageSend") }, icon("send"));
    this.reply = h("div.replying", { hidden: true });
    this.failure = h("div.notice.bad", { hidden: true, role: "alert" });
    this.coming = h("div.coming", { "aria-label": text("pagePicturesComing"), hidden: true });
    this.quick = h("div.chips", { role: "group", "aria-label": text("sectionQuickReplies") });
    this.quick.hidden = true;
    this.element = h("section.pane.detail-pane", { "aria-label": text("pageConversation") },
      h("header", {}, h("a.button.icon.quiet.back", { href: "#/chats", "aria-label": text("pageBackToChats") }, icon("back")),
        this.mark, h("div.head-words", {}, this.title, this.sub),
        iconButton("more", text("pageAboutConversation"), (event) => this.#about(event.currentTarget))),
      this.log.element, this.log.newer, this.coming,
      h("form.composer", { onsubmit: (event) => this.#send(event) }, this.failure, this.reply, this.quick,
        h("div.line", {}, this.imageButton, this.file, this.text, this.sendButton), this.counter));
    fill(this.log.list, Array.from({ length: 4 }, () => h("li", { "aria-hidden": "true" }, h("div.skeleton.tall"))));
    this.open();
  }

  async open() {
    const chat = await doing(null, () => post(`chats/${this.id}/open`, this.at ? { messageID: this.at } : {}));
    if (!chat || this.isClosed) {
      if (!this.isClosed && !chat) fill(this.log.list);
      return;
    }
    // What was typed before the answer came stays.
    if (chat.draft && !this.text.value) this.text.value = chat.draft;
    this.#take(chat, true);
    this.#typed();
    if (chat.focusedMessageID) await this.#reveal(chat.focusedMessageID);
  }

  again({ at }) {
    if (at) this.#reveal(at);
  }

  close() {
    this.isClosed = true;
    this.log.close();
    for (const url of this.#pictures.values()) if (typeof url === "string") URL.revokeObjectURL(url);
    this.keep();
  }

  /** Leaves what was typed with the program; a page that was not answered yet does not know what was typed before. */
  keep() {
    post(`chats/${this.id}/close`, this.#chat || this.text.value ? { draft: this.text.value } : {}, { keepalive: true }).catch(() => {});
  }

  async load() {
    clearTimeout(this.timer);
    const chat = await doing(null, () => get(`chats/${this.id}`, { limit: PAGE }));
    if (chat && !this.isClosed) this.#take(chat);
  }

  event(event) {
    switch (event.kind) {
      case "directMessageReceived": case "channelMessageReceived":
        if (event.conversationID !== this.id) return;
        break;
      case "messageStatusUpdated": case "messageFailed": case "messageRetrying": case "messageChanged": case "imageProgressed":
      case "conversationsChanged": case "connectionChanged": case "routingChanged":
        break;
      default: return;
    }
    if (event.messageID && (event.kind === "messageChanged" || event.kind === "imageProgressed")) this.#pictures.delete(event.messageID);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), 30);
  }

  #take(chat, isFirst = false) {
    this.#chat = chat;
    fill(this.title, outside(chat.row.name));
    fill(this.mark, avatar(chat.row.avatar));
    fill(this.sub, chat.subtitle ? outside(chat.subtitle) : "");
    this.imageButton.hidden = chat.row.kind !== "chat";
    this.log.set(isFirst ? chat.messages : merged(this.log.rows, chat.messages));
    if (!chat.messages.length) {
      if (!chat.hasOlder) this.log.set([]);
      fill(this.log.list, h("li", {}, empty(text("pageNoMessages"))));
    }
    for (const sentence of this.#speaker.news(chat.messages)) say(sentence);
    coming(this.coming, chat.incomingPictures);
    this.#drawReply(chat.replyTarget);
    this.#drawQuick(chat.quickReplies);
    this.#drawFailure(chat.retry, chat.canRetry);
    if (chat.error && chat.error.code !== chat.retry?.error.code) tell(chat.error);
  }

  /** Offers another try of what failed, until it has succeeded or was read. */
  #drawFailure(retry, canRetry) {
    const drawn = JSON.stringify([retry, canRetry]);
    if (drawn === this.drawnFailure) return;
    this.drawnFailure = drawn;
    this.failure.hidden = !retry;
    if (!retry) return fill(this.failure);
    const { error } = retry;
    const act = (path) => async (event) => {
      const chat = await doing(event.currentTarget, () => post(`chats/${this.id}/${path}`));
      if (chat) this.#take(chat);
    };
    fill(this.failure, h("div.grow", {}, h("strong", { dir: "auto" }, shown(error.title)),
      h("p.small", { dir: "auto" }, shown(sentences(error.message, error.recovery)))),
      canRetry ? button(text("pageTryAgain"), act("try-again"), "compact") : null,
      iconButton("close", text("actionDismiss"), act("dismiss-retry"), { isCompact: true }));
  }

  #drawReply(target) {
    this.reply.hidden = !target;
    if (!target) return;
    fill(this.reply, h("div.grow.clip", {}, parts("pageAnswerTo", outside(target.sender), outside(target.text))),
      iconButton("close", text("pageAnswerNothing"), async (event) => {
        const chat = await doing(event.currentTarget, () => post(`chats/${this.id}/reply`, {}));
        if (chat) this.#take(chat);
        this.text.focus();
      }, { isCompact: true }));
  }

  #drawQuick(replies) {
    const isShown = Boolean(replies?.length) && this.text.value === "" && this.log.rows.at(-1)?.side === "incoming";
    this.quick.hidden = !isShown;
    if (!isShown || this.quick.dataset.drawn === JSON.stringify(replies)) return;
    this.quick.dataset.drawn = JSON.stringify(replies);
    fill(this.quick, replies.map((words) => button(shown(words), (event) => this.#sendText(words, event.currentTarget))));
  }

  // Reading

  async #older() {
    const oldest = this.log.rows[0];
    if (this.#reading || !oldest || !this.#chat?.hasOlder) return;
    this.#reading = true;
    try {
      const page = await get(`chats/${this.id}/messages`, { before: oldest.order, limit: 4 * PAGE });
      this.#chat.hasOlder = page.hasOlder;
      if (!this.isClosed) this.log.set(page.messages.concat(this.log.rows));
    } catch (error) {
      tell(error);
    } finally {
      this.#reading = false;
    }
  }

  async #reveal(id) {
    while (!this.log.show(id) && this.#chat?.hasOlder) await this.#older();
  }

  // Writing

  #typed() {
    grow(this.text);
    const used = bytes(this.text.value);
    const limit = this.#chat?.counter?.limit ?? 160;
    const isOver = used > limit;
    this.counter.textContent = used * 5 >= limit * 4 ? text("pageBytesUsed", used, limit) : "";
    this.counter.classList.toggle("over", isOver);
    this.text.setAttribute("aria-invalid", String(isOver));
    this.sendButton.disabled = isOver || used === 0;
    if (isOver !== this.wasOver && this.wasOver !== undefined) say(isOver ? counted(used - limit, "counterOver") : text("pageFits"));
    this.wasOver = isOver;
    this.#drawQuick(this.#chat?.quickReplies);
  }

  #key(event) {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.#send(event);
    }
  }

  async #send(event) {
    event.preventDefault();
    if (this.sendButton.disabled) return;
    const words = this.text.value;
    if (await this.#sendText(words, this.sendButton) && this.text.value === words) this.text.value = "";
    this.#typed();
    this.text.focus();
  }

  async #sendText(words, control) {
    const chat = await doing(control, () => post(`chats/${this.id}/send`, { text: words }));
    if (!chat) return false;
    this.log.toEnd();
    this.#take(chat);
    return chat.isTaken;
  }

  async #picture() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    if (file.size > 8 << 20) return toast(text("pagePictureTooLarge"), "bad", text("pagePictureLimit"));
    const bytes = await doing(this.imageButton, () => prepared(file));
    if (!bytes) return;
    const answer = await doing(this.imageButton, () => put(`chats/${this.id}/image/cost`, bytes));
    if (!answer?.cost) return answer?.error && tell(answer.error);
    const { question } = answer.cost;
    if (question && !await confirm(text("pageSendPictureQuestion"), question, text("pageSend"), false)) return;
    const chat = await doing(this.imageButton, () => put(`chats/${this.id}/image`, bytes));
    if (chat) this.#take(chat);
  }

  // A message

  #message(row) {
    const actions = this.#actions(row);
    return h(`li.message.${row.side}`, { "data-id": row.id },
      row.timestamp.isShown ? h("div.when", {}, row.timestamp.text) : null,
      h("div.bubble", {},
        row.sender && this.#chat?.row.kind !== "chat" ? h("span.who", {}, outside(row.sender)) : null,
        row.quote ? h("span.quote", {}, h("b", {}, outside(row.quote.sender)), outside(row.quote.text)) : null,
        row.isImage ? this.#image(row) : h("span.words", { dir: "auto" }, shown(row.text))),
      h("div.under", {}, row.timestamp.isShown ? null : h("span", {}, row.timestamp.text),
        row.status ? h(`span.status.${row.status.kind}`, { title: row.status.detail }, icon(row.status.kind), row.status.label) : null,
        row.metadata ? h("span", {}, row.metadata) : null, actions));
  }

  #actions(row) {
    const labels = { retry: "pageRetry", deleteQueued: "pageDelete", cancelImage: "pageCancel" };
    const direct = row.actions.filter((action) => action in labels)
      .map((action) => button(text(labels[action]), (event) => this.#act(action, row, event.currentTarget), "compact"));
    const more = row.actions.filter((action) => !(action in labels));
    return [direct, more.length ? iconButton("more", text("pageMoreMessage"),
      (event) => this.#menu(row, more, event.currentTarget), { isCompact: true }) : null];
  }

  async #menu(row, actions, control) {
    const labels = { reply: "actionReply", delete: "pageDeleteHere" };
    const details = await get(`chats/${this.id}/messages/${row.id}`).catch(() => null);
    const choice = await ask(text("pageMessage"), (done) => [
      details?.rows ? h("dl.facts", {}, details.rows.map((line) => [h("dt", {}, line.label), h("dd", {}, outside(line.value))])) : null,
      wayParts(details?.way),
      h("div.actions", {}, actions.filter((action) => action !== "details").map((action) =>
        button(text(labels[action]), () => done(action), action === "delete" ? "danger" : ""))),
    ]);
    if (choice) await this.#act(choice, row, control);
  }

  async #act(action, row, control) {
    if (action === "delete" && !await confirm(text("pageDeleteMessage"), text("pageDeleteMessageText"), text("pageDelete"))) return;
    const path = { reply: "reply", retry: "retry", deleteQueued: "delete-queued", delete: "delete", cancelImage: "cancel-image" }[action];
    const chat = await doing(control, () => post(`chats/${this.id}/${path}`, { messageID: row.id }));
    if (!chat) return;
    if (action === "delete" || action === "deleteQueued") this.log.set(this.log.rows.filter((other) => other.id !== row.id));
    this.#take(chat);
    if (action === "reply") this.text.focus();
  }

  #image(row) {
    const progress = row.imageProgress;
    if (progress) {
      const label = text(row.side === "outgoing" ? "pagePictureSending" : "pagePictureComing");
      return h("div.stack", {}, h("span", {}, text("pageChunks", label, progress.done, progress.total)),
        h("progress", { max: progress.total, value: progress.done, "aria-label": label }));
    }
    const image = h("img", { alt: text(row.side === "outgoing" ? "pagePictureSent" : "pagePictureCame"), width: "192" });
    const known = this.#pictures.get(row.id);
    if (typeof known === "string") image.src = known;
    else this.#loadImage(row.id).then((url) => { if (url) image.src = url; });
    return image;
  }

  #loadImage(id) {
    const known = this.#pictures.get(id);
    if (known) return Promise.resolve(known);
    const loading = blob(`chats/${this.id}/messages/${id}/image`).then((bytes) => {
      const url = URL.createObjectURL(bytes);
      this.#pictures.set(id, url);
      return url;
    }, () => {
      this.#pictures.delete(id);
      return null;
    });
    this.#pictures.set(id, loading);
    return loading;
  }

  async #about(control) {
    const { row } = this.#chat ?? {};
    if (!row) return;
    if (row.kind === "channel") {
      const { aboutChannel } = await import("./channels.js");
      return aboutChannel(this.app, row, control);
    }
    this.app.go(`contacts/${row.id}`);
  }
}
