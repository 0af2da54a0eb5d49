// What stands beside the map: messages and their fates, a node, hands on the world, where the run comes from.

import { clockText, KIND, KINDS, payloadName, routeName, visibleText } from "./document.js";
import { countStandings, endOf, fateOf, lastHeard, standingOf } from "./fate.js";
import { reasonColour, reasonText, roleText } from "./colours.js";

/** Messages in the list at most; the rest is told by its number. */
const MOST_MESSAGES = 300;
const MOST_EVENTS = 60;
/** Nodes in a menu at most; in a larger world a field takes part of a name. */
const MOST_OPTIONS = 60;
/** Names that such a field offers at most. */
const MOST_OFFERED = 30;

/** An element with members, and children that are elements or texts. Texts are never markup. */
export function element(name, members = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && typeof value !== "string") made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const bdi = (text) => element("bdi", {}, visibleText(text));

const recipientText = (to) => ({ "#public": "everybody", "#advert": "an advert" })[to] ?? to;

export class Panels {
  constructor(player) {
    this.player = player;
    this.tab = "messages";
    this.panel = document.getElementById("panel");
    this.tabs = document.getElementById("tabs");
    this.drawnAt = 0;
    this.console = new Map();
    this.draft = {};
    /** Which messages are listed: those with these words, and in this state. */
    this.filter = { words: "", standing: "" };
  }

  get store() { return this.player.store; }

  name(node) { return this.store.world.names[node] ?? "?"; }

  show(tab) {
    this.tab = tab;
    this.shown = "";
    this.drawnAt = 0;
    this.drawTabs();
    this.draw();
  }

  drawTabs() {
    const names = { messages: this.player.isLanes ? "Events" : "Messages", node: this.player.isLanes ? "Lane" : "Node" };
    if (this.player.live) names.hands = "Steer";
    names.about = "About";
    const tabs = Object.entries(names).map(([tab, name]) => element("button", {
      type: "button", role: "tab", id: `tab-${tab}`, "aria-selected": String(this.tab === tab), "aria-controls": "panel",
      tabindex: this.tab === tab ? "0" : "-1", onclick: () => this.show(tab),
      onkeydown: (event) => {
        const all = Object.keys(names);
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.stopPropagation();
        this.show(all[(all.indexOf(tab) + step + all.length) % all.length]);
      },
    }, name));
    const hadFocus = this.tabs.contains(document.activeElement);
    this.tabs.replaceChildren(...tabs);
    if (hadFocus) document.getElementById(`tab-${this.tab}`).focus();
    this.panel.setAttribute("aria-labelledby", `tab-${this.tab}`);
  }

  /** Draws again what has changed: the key says what is shown. */
  draw() {
    const { player } = this;
    // Whoever reads while time passes needs no list that changes with every picture.
    if (player.isPlaying && performance.now() - this.drawnAt < 250) return;
    const key = [this.tab, player.time, player.store.count, player.packet, player.node, player.event, player.live?.version ?? 0].join("/");
    if (key === this.shown) return;
    this.shown = key;
    this.drawnAt = performance.now();
    // Whoever types keeps the field.
    const active = document.activeElement;
    if (active && this.panel.contains(active) && ["INPUT", "SELECT", "TEXTAREA"].includes(active.tagName)) {
      if (active.id === "message-words") this.listMessages();
      this.shown = "";
      return;
    }
    const top = this.panel.scrollTop;
    const focused = active !== this.panel && this.panel.contains(active) ? active.dataset.key ?? "" : undefined;
    this.panel.replaceChildren(...this.content().flat(Infinity).filter(Boolean));
    this.panel.scrollTop = top;
    // Where the part with the focus is gone, the panel has it.
    if (focused !== undefined) (this.panel.querySelector(`[data-key="${CSS.escape(focused)}"]`) ?? this.panel).focus({ preventScroll: true });
  }

  content() {
    switch (this.tab) {
      case "node": return this.nodePanel();
      case "hands": return this.handsPanel();
      case "about": return this.aboutPanel();
      default: return this.player.isLanes ? this.eventsPanel() : this.messagesPanel();
    }
  }

  // --- Messages ---

  messagesPanel() {
    const { store, player } = this;
    if (player.packet >= 0) return this.fatePanel();
    if (store.messages.length === 0) return [element("p", { class: "muted" }, "Nobody has written yet."), element("ul", { id: "messages" })];
    const words = element("input", {
      id: "message-words", type: "search", "aria-label": "Find messages", placeholder: "Find words, senders, recipients", value: this.filter.words,
      oninput: () => { this.filter.words = words.value; this.listMessages(); },
    });
    this.messageList = element("div", {});
    this.listMessages();
    return [element("div", { class: "row" }, words), this.messageList];
  }

  /** States with their counts, and the messages that are asked for. */
  listMessages() {
    const { store, player, filter } = this;
    const wanted = filter.words.trim().toLowerCase();
    const said = store.messages.filter((one) => one.at <= player.time
      && (wanted === "" || [this.name(one.from), recipientText(one.to), one.text].some((text) => text.toLowerCase().includes(wanted))));
    const counts = countStandings(store, said, player.time);
    const chosen = counts.some(([standing]) => standing === filter.standing) ? filter.standing : "";
    const chip = (standing, words) => element("button", {
      type: "button", class: "state", "data-key": `state-${standing}`, "aria-pressed": String(standing === chosen),
      onclick: () => { filter.standing = standing; this.listMessages(); },
    }, words);
    const listed = chosen === "" ? said : said.filter((one) => standingOf(store, one, player.time) === chosen);
    const rest = store.messages.length - store.messages.filter((one) => one.at <= player.time).length;
    const focused = this.messageList.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    this.messageList.replaceChildren(...[
      element("div", { class: "row", role: "group", "aria-label": "States" }, chip("", `all ${said.length}`), counts.map(([standing, count]) => chip(standing, `${standing} ${count}`))),
      said.length === 0 ? element("p", { class: "muted" }, wanted === "" ? "Nobody has written yet." : "No message has these words.") : null,
      element("ul", { class: "list", id: "messages" }, listed.slice(-MOST_MESSAGES).reverse().map((message) => this.messageItem(message))),
      listed.length > MOST_MESSAGES ? element("p", { class: "muted" }, `and ${listed.length - MOST_MESSAGES} before`) : null,
      rest > 0 && !player.live ? element("p", { class: "muted" }, `${rest} more follow later.`) : null,
    ].filter(Boolean));
    if (focused) this.messageList.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  /** Why a message did not arrive: who heard it last, and what was lost behind that; "" where it did, or may yet. */
  lossText(message) {
    const { store, player } = this;
    const reason = endOf(message, player.time);
    if (reason === "" || standingOf(store, message, player.time) === "delivered") return "";
    if (message.packet < 0) return reason;
    // It has ended: nothing more becomes of it.
    const { heard, lost } = (message.lastHeard ??= lastHeard(store, message.packet));
    return [heard ? `last heard by ${this.name(heard.node)}` : "heard by nobody", lost ? `${reasonText(lost.reason)} at ${this.name(lost.node)}` : reason].join(", ");
  }

  messageItem(message) {
    const standing = standingOf(this.store, message, this.player.time);
    const to = recipientText(message.to);
    const loss = this.lossText(message);
    return element("li", {}, element("button", {
      type: "button", "data-key": `message-${message.number}`, disabled: message.packet < 0,
      onclick: () => this.player.chooseMessage(message),
    },
    element("span", { class: "when" }, clockText(message.at, 1)),
    element("span", { class: "who" }, bdi(this.name(message.from)), " → ", bdi(to)),
    element("span", { class: `standing is-${standing.replaceAll(" ", "-")}`, title: endOf(message, this.player.time) }, standing),
    message.text === "" ? null : element("span", { class: "words" }, bdi(message.text)),
    loss === "" ? null : element("span", { class: "words loss" }, bdi(loss))));
  }

  fatePanel() {
    const { store, player } = this;
    const fate = fateOf(store, player.packet, player.time);
    const { message } = fate;
    const main = new Set(fate.paths.flatMap((path) => path.hops.map((hop) => hop.frame)));
    const reached = [...new Set(fate.hops.flatMap((hop) => hop.delivered))];
    return [
      element("div", { class: "row" }, element("button", { type: "button", "data-key": "all", onclick: () => player.choosePacket(-1) }, "‹ All messages")),
      element("h2", { id: "fate-title" }, message && message.text ? bdi(message.text) : payloadName(fate.type)),
      message ? element("p", { class: "muted" }, bdi(this.name(message.from)), " → ", bdi(message.to), ` at ${clockText(message.at)}`) : null,
      element("dl", { class: "facts" },
        element("dt", {}, "Packet"), element("dd", { class: "mono" }, fate.hash || "no packet"),
        element("dt", {}, "Type"), element("dd", {}, payloadName(fate.type)),
        element("dt", {}, "Sent"), element("dd", {}, fate.hops.length === 1 ? "once" : `${fate.hops.length} times`),
        element("dt", {}, "Reached"), element("dd", {}, reached.length === 0 ? "nobody yet" : reached.slice(0, 12).map((node, at) => [at > 0 ? ", " : "", bdi(this.name(node))]), reached.length > 12 ? ` and ${reached.length - 12} more` : ""),
        message?.acknowledged != null && message.acknowledged <= player.time
          ? [element("dt", {}, "Acknowledged"), element("dd", {}, `after ${((message.acknowledged - message.at) / 1e6).toFixed(2)} s`)] : null,
        message && endOf(message, player.time)
          ? [element("dt", {}, "Ended"), element("dd", {}, `${standingOf(store, message, player.time)}: ${endOf(message, player.time)}`)] : null),
      element("h3", {}, "Hop by hop"),
      element("ol", { id: "hops" }, fate.hops.slice(0, 200).map((hop) => this.hopItem(hop, main.has(hop.frame)))),
    ];
  }

  hopItem(hop, isMain) {
    const { store, player } = this;
    const lost = new Map();
    for (const { node, reason } of [...hop.lost, ...hop.discarded]) {
      if (!lost.has(reason)) lost.set(reason, []);
      lost.get(reason).push(this.name(node));
    }
    // What was not needed is no loss.
    const isLoss = (reason) => hop.lost.some((one) => one.reason === reason) && reasonColour(reason) !== "faded";
    const heard = hop.heard.filter(({ node }) => !hop.delivered.includes(node));
    return element("li", { class: isMain ? "hop is-main" : "hop" },
      element("div", { class: "what" },
        element("button", { type: "button", class: "link", "data-key": `hop-${hop.frame}`, onclick: () => player.chooseHop(hop) }, bdi(this.name(hop.sender))),
        element("span", { class: "muted" }, clockText(hop.begin))),
      element("div", { class: "tags" },
        element("span", { class: "tag" }, `${routeName(store.frames.route.data[hop.frame])}, ${store.frames.hops.data[hop.frame]} hops`),
        hop.delivered.map((node) => element("span", { class: "tag good" }, "✓ delivered to ", bdi(this.name(node)))),
        heard.length > 0 ? element("span", { class: "tag" }, "heard by ", bdi(heard.slice(0, 6).map(({ node }) => this.name(node)).join(", ")), heard.length > 6 ? ` and ${heard.length - 6} more` : "") : null,
        [...lost].map(([reason, names]) => element("span", { class: isLoss(reason) ? "tag bad" : "tag" },
          `${reasonText(reason)}: `, bdi(names.slice(0, 4).join(", ")), names.length > 4 ? ` and ${names.length - 4} more` : ""))));
  }

  // --- Lanes that are no nodes ---

  eventsPanel() {
    const { store, player } = this;
    const parts = [];
    if (player.event >= 0 && store.kind.data[player.event] === KIND.note) {
      const note = store.notes[store.first.data[player.event]];
      parts.push(
        element("h2", {}, bdi(note.label)),
        element("p", { class: "muted" }, `${clockText(store.time.data[player.event])}, `, bdi(this.name(store.node.data[player.event]))),
        element("pre", { class: "console mono", tabindex: "0" }, note.detail.split("\n").map((line) => visibleText(line, 1000)).join("\n")));
    }
    const items = [];
    const begin = Math.max(0, store.eventAfter(player.time) - MOST_EVENTS);
    for (let event = Math.min(store.count, begin + 2 * MOST_EVENTS) - 1; event >= begin; event--) {
      const note = store.kind.data[event] === KIND.note ? store.notes[store.first.data[event]] : null;
      if (!note) continue;
      items.push(element("li", {}, element("button", {
        type: "button", "data-key": `event-${event}`, "aria-pressed": String(event === player.event),
        onclick: () => player.chooseEvent(event),
      }, element("span", { class: "when" }, clockText(store.time.data[event])),
      element("span", { class: "who" }, bdi(this.name(store.node.data[event])), note.to !== store.node.data[event] ? [" → ", bdi(this.name(note.to))] : null),
      element("span", { class: "standing" }, note.style), element("span", { class: "words" }, bdi(note.label)))));
    }
    parts.push(element("ul", { class: "list" }, items));
    return parts;
  }

  // --- Nodes ---

  nodePanel() {
    const { store, player } = this;
    const pick = this.nodePicker("node-pick", "Node", player.node, (node) => player.chooseNode(node));
    if (player.node < 0) return [pick, element("p", { class: "muted" }, "Choose a node on the map.")];
    const node = player.node;
    const counts = store.countsAt(node, player.time);
    const isOff = store.powerAt(player.time, new Uint8Array(store.nodeCount))[node] === 1;
    const record = player.live?.node(node);
    const facts = [
      ["Role", roleText(store.world.roles[node])], ["Power", isOff ? "off" : "on"], ["Sent", counts.sent],
      ["Received", counts.received], ["Lost", counts.lost],
    ];
    if (record) {
      if (record.advertName) facts.push(["Advert name", record.advertName]);
      facts.push(["Airtime", `${record.airtimeSeconds.toFixed(2)} s`]);
      if (record.waiting !== null && record.waiting !== undefined) facts.push(["Queue for the app", `${record.waiting} messages`]);
      facts.push(["Public key", `${record.publicKey.slice(0, 16)}…`]);
      if (record.endpoint) facts.push(["Endpoint", (record.endpoints ?? [record.endpoint]).join(", ")]);
    }
    return [
      pick,
      element("h2", { id: "node-title" }, bdi(this.name(node))),
      element("dl", { class: "facts" }, facts.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, bdi(String(value)))])),
      player.live ? this.boardPart(node, isOff) : null,
      this.bodyPart(node),
      this.contactsPart(node),
      this.consolePart(node),
      this.neighboursPart(node),
      this.recentPart(node),
    ].flat();
  }

  nodePicker(id, label, chosen, changed) {
    const { names } = this.store.world;
    if (names.length > MOST_OPTIONS) {
      const offered = element("datalist", { id: `${id}-names` });
      const offer = () => {
        const wanted = field.value.trim().toLowerCase();
        const found = [];
        for (let node = 0; node < names.length && found.length < MOST_OFFERED; node++) if (names[node].toLowerCase().includes(wanted)) found.push(names[node]);
        offered.replaceChildren(...found.map((name) => element("option", { value: name })));
      };
      const field = element("input", {
        id, type: "search", list: `${id}-names`, value: chosen >= 0 ? names[chosen] : "", placeholder: "part of a name", autocomplete: "off",
        oninput: () => { offer(); if (names.includes(field.value)) changed(names.indexOf(field.value)); }, onfocus: offer,
        onchange: () => {
          const wanted = field.value.trim().toLowerCase();
          const found = names.indexOf(field.value.trim());
          changed(wanted === "" ? -1 : found >= 0 ? found : names.findIndex((name) => name.toLowerCase().includes(wanted)));
        },
      });
      return element("label", { class: "field" }, label, field, offered);
    }
    const select = element("select", { id, onchange: () => changed(Number(select.value)) },
      element("option", { value: "-1" }, "–"), names.map((name, node) => element("option", { value: String(node) }, visibleText(name, 40))));
    select.value = String(chosen);
    return element("label", { class: "field" }, label, select);
  }

  boardPart(node, isOff) {
    const { live } = this.player;
    const name = this.name(node);
    return [element("div", { class: "row" },
      element("button", { type: "button", "data-key": "power", onclick: () => live.change("POST", ["nodes", name, "power"], { isOn: isOff }) }, isOff ? "Power on" : "Power off"),
      element("button", { type: "button", "data-key": "restart", disabled: isOff, onclick: () => live.change("POST", ["nodes", name, "restarts"], {}) }, "Restart"))];
  }

  /** What feeds a node of a live world, and what it measures. */
  bodyPart(node) {
    const { live } = this.player;
    const body = live?.body(node);
    if (!body) return null;
    const charge = body.chargePercent === undefined ? "" : `, ${body.chargePercent.toFixed(1)} %`;
    const facts = [
      ["Battery", `${body.batteryVolts.toFixed(2)} V${charge}`], ["External power", body.hasExternalPower ? "yes" : "no"],
      ["Noise floor", `${body.noiseFloor} dBm`],
    ];
    if (body.outage) facts.unshift(["No power", body.outage]);
    if (body.boardDegrees !== undefined) facts.push(["Board", `${body.boardDegrees} °C`]);
    if (body.gps) facts.push(["GPS", body.gps === "fix" ? `fix, ${body.satellites} satellites` : body.gps]);
    if (body.latitude !== 0 || body.longitude !== 0) facts.push(["Position", `${body.latitude.toFixed(5)}, ${body.longitude.toFixed(5)}`]);
    // Channel 1 is the node itself, whose values stand above.
    const sensors = body.telemetry.filter((record) => record.channel > 1 || record.type === "luminosity");
    return [
      element("h3", {}, "Body"),
      element("dl", { class: "facts", id: "body" }, facts.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, bdi(String(value)))])),
      sensors.length === 0 ? null : element("table", { id: "sensors" },
        element("thead", {}, element("tr", {}, ["Channel", "Sensor", "Value"].map((head) => element("th", { scope: "col" }, head)))),
        element("tbody", {}, sensors.map((record) => element("tr", {}, element("td", {}, String(record.channel)), element("td", {}, bdi(record.type)),
          element("td", {}, bdi(`${record.values.join(", ")} ${record.unit}`.trim())))))),
      element("div", { class: "row" }, element("button", {
        type: "button", "data-key": "supply",
        onclick: () => live.change("POST", ["nodes", this.name(node), "body"], { external_power: !body.hasExternalPower }),
      }, body.hasExternalPower ? "Unplug" : "Plug in")),
    ];
  }

  contactsPart(node) {
    const contacts = this.player.live?.contacts(node);
    if (!contacts) return null;
    return [
      element("h3", {}, `Contacts and routes (${contacts.length})`),
      contacts.length === 0 ? element("p", { class: "muted" }, "It knows nobody yet.")
        : element("table", {}, element("thead", {}, element("tr", {}, ["Name", "Kind", "Route"].map((head) => element("th", { scope: "col" }, head)))),
          element("tbody", {}, contacts.slice(0, 100).map((contact) => element("tr", {},
            element("td", {}, bdi(contact.name)), element("td", {}, roleText(contact.type)),
            element("td", {}, contact.hops === null || contact.hops === undefined ? "flood" : contact.hops === 0 ? "direct" : `${contact.hops} hops, ${contact.path ?? ""}`))))),
    ];
  }

  consolePart(node) {
    const { live } = this.player;
    const role = this.store.world.roles[node];
    if (!live || !["repeater", "room_server", "sensor"].includes(role)) return null;
    const lines = this.console.get(node) ?? [];
    const field = element("input", { id: "console-line", "aria-label": "Command", maxlength: "150", placeholder: "ver, neighbors, get radio …", autocomplete: "off" });
    const send = async (event) => {
      event.preventDefault();
      const line = field.value.trim();
      if (line === "") return;
      field.value = "";
      field.blur();
      const answer = await live.ask("POST", ["nodes", this.name(node), "console"], { line });
      this.console.set(node, [...lines, `> ${line}`, answer ? answer.answer : "(refused)"].slice(-60));
      live.version++;
      await live.refresh();
      this.player.request();
    };
    return [
      element("h3", {}, "Console"),
      lines.length > 0 ? element("pre", { class: "console mono", id: "console", tabindex: "0" }, lines.map((line) => visibleText(line, 400)).join("\n")) : null,
      element("form", { class: "row", onsubmit: send }, field, element("button", { type: "submit" }, "Send")),
    ];
  }

  neighboursPart(node) {
    const { world } = this.store;
    const found = [];
    for (let link = 0; link < world.from.length && found.length < 40; link++) {
      if (world.from[link] === node) found.push([world.to[link], world.back[link], world.there[link]]);
      else if (world.to[link] === node) found.push([world.from[link], world.there[link], world.back[link]]);
    }
    if (found.length === 0) return null;
    const decibels = (snr) => snr === -32768 ? "–" : `${(snr / 100).toFixed(1)} dB`;
    return [element("h3", {}, "Links"), element("table", {},
      element("thead", {}, element("tr", {}, ["With", "Hears at", "Heard at"].map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, found.map(([other, hears, heard]) => element("tr", {}, element("td", {}, bdi(this.name(other))), element("td", {}, decibels(hears)), element("td", {}, decibels(heard))))))];
  }

  recentPart(node) {
    const { store, player } = this;
    const list = store.eventsOf[node] ?? [];
    const end = store.placeAt(node, player.time);
    const rows = [];
    for (let place = end; place >= 0 && rows.length < 25; place--) {
      const event = list[place];
      const kind = store.kind.data[event];
      if (kind === KIND.rxBegin || kind === KIND.txEnd) continue;
      rows.push(element("tr", {}, element("td", { class: "muted" }, clockText(store.time.data[event])), element("td", {}, bdi(this.eventText(event)))));
    }
    return rows.length === 0 ? null : [element("h3", {}, "Latest events"), element("table", {}, element("tbody", {}, rows))];
  }

  /** One line for an event. */
  eventText(event) {
    const { store } = this;
    const frame = store.frameOf.data[event];
    const type = frame < 0 ? "" : payloadName(store.packets[store.frames.packet.data[frame]].type);
    const from = frame < 0 ? "" : ` from ${this.name(store.frames.sender.data[frame])}`;
    switch (store.kind.data[event]) {
      case KIND.txBegin: return `sends ${type}, ${store.frames.length.data[frame]} bytes`;
      case KIND.replayBegin: return `a replay of ${type} begins`;
      case KIND.rxEnd: return `receives ${type}${from}, SNR ${store.snr(event).toFixed(1)} dB`;
      case KIND.rxDrop: return `loses ${type}${from}: ${reasonText(store.reason(event))}`;
      case KIND.discard: return `drops ${type}: ${reasonText(store.reason(event))}`;
      case KIND.forwarded: return `will forward it after ${store.second.data[event]} ms`;
      case KIND.delivered: return `${type} is delivered`;
      case KIND.message: return `is told to send “${store.messages[store.second.data[event]]?.text ?? ""}”`;
      case KIND.acknowledged: return `message ${store.first.data[event]} is acknowledged`;
      case KIND.ended: return `message ${store.first.data[event]} has ended, ${store.strings[store.second.data[event]] ?? ""}`;
      case KIND.note: return store.notes[store.first.data[event]].label;
      case KIND.violated: case KIND.other: return `${KINDS[store.kind.data[event]]}: ${store.reason(event)}`;
      default: return KINDS[store.kind.data[event]];
    }
  }

  // --- Hands on the world ---

  /** A node at the other end of a link, or another node where there is none. */
  neighbour(node) {
    const { from, to } = this.store.world;
    const link = from.findIndex((one, place) => one === node || to[place] === node);
    if (link >= 0) return from[link] === node ? to[link] : from[link];
    return node === 0 ? Math.min(1, this.store.nodeCount - 1) : 0;
  }

  handsPanel() {
    const { player, draft, store } = this;
    const { live } = player;
    draft.from ??= store.world.roles.indexOf("companion");
    draft.to ??= store.world.roles.lastIndexOf("companion");
    draft.one ??= player.node >= 0 ? player.node : 0;
    draft.other ??= this.neighbour(draft.one);
    const picker = (key, label) => this.nodePicker(`hand-${key}`, label, draft[key], (node) => { draft[key] = node; this.shown = ""; });
    const name = (key) => this.name(draft[key]);
    const text = element("input", { id: "hand-text", value: "hello", maxlength: "140", "aria-label": "Text" });
    const share = element("input", { id: "hand-loss", type: "number", min: "0", max: "100", value: "50", "aria-label": "Loss in percent" });
    const group = element("input", { id: "hand-group", "aria-label": "Nodes of one side, with commas", placeholder: "alice, r1", value: draft.group ?? "", oninput: () => { draft.group = group.value; } });
    const fault = (body, words) => live.change("POST", ["faults"], body, words);
    const button = (key, label, act) => element("button", { type: "button", id: key, "data-key": key, onclick: act }, label);
    const faults = store.faults.filter((one) => one.begin <= player.time && one.end > player.time);
    return [
      element("h2", { class: "part" }, "Write"),
      element("div", { class: "row" }, picker("from", "From"), picker("to", "To")),
      element("div", { class: "row" }, text, button("send", "Send", () => live.change("POST", ["nodes", name("from"), "sends"], { to: name("to"), text: text.value }))),
      element("div", { class: "row" }, button("advert", "Send an advert", () => live.change("POST", ["nodes", name("from"), "adverts"], {}))),
      element("h2", { class: "part" }, "Link"),
      element("div", { class: "row" }, picker("one", "Between"), picker("other", "and")),
      element("div", { class: "row" },
        button("cut", "Cut", () => live.change("DELETE", ["links", name("one"), name("other")], undefined, "The link is cut.")),
        button("mend", "Connect", () => live.change("PUT", ["links", name("one"), name("other")], { snr: 8, rssi: -80 }, "The link is there.")),
      ),
      element("div", { class: "row" }, share, element("span", { class: "muted" }, "% loss"),
        button("lose", "Lose on this link", () => fault({ kind: "loss", share: Number(share.value) / 100, from: name("one"), to: name("other") }, "Frames are lost."))),
      element("h2", { class: "part" }, "Partition"),
      element("div", { class: "row" }, group, button("part", "Separate", () => fault({ kind: "partition", nodes: group.value.split(",").map((one) => one.trim()).filter(Boolean) }, "The mesh is in two parts."))),
      element("h2", { class: "part" }, "Faults that go on"),
      faults.length === 0 ? element("p", { class: "muted" }, "None.") : element("ul", {}, faults.map((one) => element("li", { class: "row" },
        element("span", {}, `Fault ${one.number}, since ${clockText(one.begin, 1)}`),
        button(`end-${one.number}`, "End", () => live.change("DELETE", ["faults", String(one.number)], undefined, "The fault is over."))))),
      element("h2", { class: "part" }, "Go back"),
      element("p", { class: "muted" }, "Takes the world back to the time that is shown, so that something else can happen from there."),
      element("div", { class: "row" }, button("rewind", `Go back to ${clockText(player.time, 1)}`, () => live.goBack(player.time))),
    ];
  }

  // --- About ---

  aboutPanel() {
    const { store, player } = this;
    const { totals } = store;
    const facts = [...(player.live?.facts ?? store.facts ?? []), ["Nodes", store.nodeCount], ["Links", store.world.from.length],
      ["Events", store.count], ["Sent", totals.sent], ["Received", totals.received], ["Lost", totals.lost]];
    return [
      element("h2", {}, bdi(store.title ?? "")),
      element("dl", { class: "facts", id: "facts" }, facts.flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, bdi(String(value)))])),
      element("h3", {}, "Keys"),
      element("dl", { class: "facts" }, [["space", "run or pause"], ["← →", "event before, next event"], ["Home, End", "beginning, end"],
        ["+ − 0", "on the map and the lanes: closer, further, all"], ["Esc", "no message is chosen"]]
        .flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)])),
    ];
  }
}
