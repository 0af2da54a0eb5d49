// Builds elements. Texts only ever become text: no function here takes markup.

import { shown, text } from "./texts.mjs";

export { shown };

/**
 * An element: h("p.muted", {title: "…", onclick}, "text", h("bdi", {}, name)).
 *
 * The name takes classes behind dots. `dataset` and `style` take objects; `null`, `undefined` and `false` leave an
 * attribute or a child out.
 */
export function h(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(element.dataset, value);
    else if (key === "style") for (const [name, words] of Object.entries(value)) element.style.setProperty(name, words);
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/** Replaces what is in an element. The focus stays on what is there again: who uses a keyboard does not start over. */
export function fill(element, ...children) {
  const focused = element.contains(document.activeElement) ? signature(document.activeElement) : null;
  element.replaceChildren();
  append(element, children);
  if (focused) {
    const again = [...element.querySelectorAll(focused.tag)].find((part) => signature(part).words === focused.words && part.checkVisibility());
    if (again) again.focus({ preventScroll: true });
    else refocus(element);
  }
  return element;
}

/** Gives the focus to the heading of a page: what had it is gone, and who uses a keyboard goes on from there. */
export function refocus(place) {
  const page = place?.closest(".pane") ?? document.getElementById("main");
  const head = [...page.querySelectorAll("h1")].find((one) => one.checkVisibility());
  head?.setAttribute("tabindex", "-1");
  head?.focus({ preventScroll: true });
}

/** Takes a part out of the page, and the focus back from it. */
export function takeOut(part) {
  const hadFocus = part.contains(document.activeElement);
  part.remove();
  if (hadFocus) refocus();
}

function signature(part) {
  return { tag: part.localName, words: part.dataset.id ?? (part.id || part.name || part.getAttribute("aria-label") || part.textContent) };
}

/** A word from outside: its direction is its own, and its control characters are seen. */
export function outside(words, name = "bdi") {
  return h(name, { dir: "auto" }, shown(words));
}

const SHAPES = {
  chats: "M4 5h16v11H9l-5 4z",
  contacts: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.6-6 8-6s8 2 8 6",
  map: "M9 4 3 6v14l6-2 6 2 6-2V4l-6 2zM9 4v14M15 6v14",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5",
  bell: "M6 16V11a6 6 0 1 1 12 0v5l2 2H4zM10 21h4",
  back: "M15 5l-7 7 7 7",
  send: "M4 12 20 4l-5 16-3-6z",
  plus: "M12 5v14M5 12h14",
  pen: "M4 20l1-4L16 5l3 3L8 19z",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 21 21",
  star: "M12 4l2.5 5.2 5.5.8-4 4 1 5.6-5-2.700-5 2.700 1-5.600-4-4 5.500-.8z",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.500 9.500h.01",
  close: "M6 6l12 12M18 6 6 18",
  link: "M12 20v-8M8.500 8.500a5 5 0 0 1 7 0M5.600 5.600a9 9 0 0 1 12.800 0",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  refresh: "M20 11a8 8 0 1 0-2.300 6.300M20 5v6h-6",
  compass: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM15 9l-2 4-4 2 2-4z",
  minus: "M5 12h14",
  pin: "M12 22c4-5.500 7-9 7-12.500a7 7 0 0 0-14 0C5 13 8 16.500 12 22zM12 12a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  queued: "M12 7v5l3 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  sending: "M5 12h14M13 6l6 6-6 6",
  sent: "M5 12.500 10 17 19 7",
  acknowledged: "M3 12.500 7.500 17 15 8M11.500 16l1 1L21 8",
  failed: "M12 8v5M12 16.500h.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
};

const SVG = "http://www.w3.org/2000/svg";

/** A drawn sign; its words are beside it. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon-line");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", SHAPES[name] ?? SHAPES.more);
  svg.append(path);
  return svg;
}

/** A button with a sign and a name that is heard, and seen where it is pointed at. */
export function iconButton(name, label, onclick, attributes = {}) {
  const { isCompact, ...others } = attributes;
  return h(isCompact ? "button.icon.quiet.compact" : "button.icon.quiet",
    { type: "button", "aria-label": label, title: label, onclick, ...others }, icon(name));
}

export function button(label, onclick, kind = "") {
  return h(kind ? `button.${kind.split(" ").join(".")}` : "button", { type: "button", onclick }, label);
}

let fieldCount = 0;

/** A labelled field: field(words, input, hint). */
export function field(label, control, hint = "") {
  fieldCount++;
  control.id ||= `field-${fieldCount}`;
  const words = hint ? h("span.hint", { id: `${control.id}-hint` }, hint) : null;
  if (words) control.setAttribute("aria-describedby", words.id);
  return h("div.field", {}, h("label", { for: control.id }, label), control, words);
}

export function check(label, control) {
  return h("label.check", {}, control, h("span", {}, label));
}

/** The mark of a node, as the app's state describes it. */
export function avatar(mark) {
  const kind = mark?.kind ?? "chat";
  const element = h(`span.avatar.${kind}`, { "aria-hidden": "true" }, shown(mark?.initials ?? "?"));
  if (mark && (kind === "chat" || kind === "channel")) element.style.setProperty("--hue", String(mark.hue));
  return element;
}

/** Sentences that wait for the next picture: what is said at once is said together. */
const waiting = [];

/** Says something to screen readers. */
export function say(words) {
  const place = document.getElementById("said");
  if (!waiting.includes(words)) waiting.push(words);
  if (waiting.length > 3) waiting.shift();
  place.textContent = "";
  requestAnimationFrame(() => { if (waiting.length) place.textContent = sentences(...waiting.splice(0).map(shown)); });
}

/** Shows a message for a while; errors stay until they are closed, once each, and of each topic the last one. */
export function toast(words, kind = "", more = "", topic = "") {
  const place = document.getElementById("toasts");
  const close = () => takeOut(note);
  const note = h(`div.notice.toast${kind ? `.${kind}` : ""}`, { role: kind === "bad" ? "alert" : "status", dataset: { topic, words: `${words}\n${more}` } },
    h("div.grow", {}, h("strong", { dir: "auto" }, shown(words)), more ? h("p.small", { dir: "auto" }, shown(more)) : null),
    iconButton("close", text("pageCloseMessage"), close));
  settle((other) => (topic && other.topic === topic) || other.words === note.dataset.words);
  while (place.children.length > 3) place.firstChild.remove();
  place.append(note);
  if (kind !== "bad") say(sentences(words, more));
  if (kind !== "bad") setTimeout(close, 6000);
}

/** Takes back the messages of which this is so: what is mended, or said again. */
export function settle(isOver) {
  for (const note of [...document.getElementById("toasts").children]) if (isOver(note.dataset)) takeOut(note);
}

/** Texts one behind the other, each with its full stop. */
export function sentences(...texts) {
  return texts.filter(Boolean).map((one) => (/[.!?…]$/.test(one) ? one : `${one}.`)).join(" ");
}

/** Shows what went wrong: a failure of the program, or an error that the app's state tells. */
export function tell(error) {
  if (!error || error.name === "AbortError") return;
  if (error.title) toast(error.title, "bad", sentences(error.message, error.recovery), error.operation === "connection" ? "connection" : "");
  else toast(error.message ?? String(error), "bad");
}

/**
 * Asks in a dialog: `body` builds its parts, the answer is what `done` was called with, or null.
 *
 * The focus goes into the dialog, and comes back to where it was.
 */
export function ask(title, body) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    let answer = null;
    const dialog = h("dialog", { "aria-label": title });
    const done = (value) => {
      answer = value;
      dialog.close();
    };
    const content = h("div.body", {}, h("header.row", {}, h("h2.grow", { dir: "auto" }, shown(title)),
      iconButton("close", text("pageClose"), () => dialog.close())), body(done));
    dialog.append(content);
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (before?.isConnected) before.focus();
      else refocus();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    (dialog.querySelector("[autofocus], input, textarea, select") ?? dialog.querySelector("button.primary"))?.focus();
  });
}

/** Asks whether something is to be done that cannot be undone. */
export function confirm(title, words, action, isDangerous = true) {
  return ask(title, (done) => [
    h("p", { dir: "auto" }, shown(words)),
    h("div.actions", {}, button(text("pageCancel"), () => done(false)), button(action, () => done(true), isDangerous ? "danger" : "primary")),
  ]);
}

/** What a list shows while it is being read. */
export function skeletons(count = 5) {
  return h("div.stack", { "aria-hidden": "true" }, Array.from({ length: count }, () => h("div.skeleton.tall")));
}

export function empty(words, ...more) {
  return h("div.empty", {}, h("p", {}, words), ...more);
}

/** Runs something, shows what goes wrong, and keeps a button from being pressed twice. */
export async function doing(control, work, failed = tell) {
  if (control?.getAttribute?.("aria-busy") === "true") return null;
  control?.setAttribute?.("aria-busy", "true");
  try {
    const answer = await work();
    if (answer?.error) failed(answer.error);
    return answer;
  } catch (error) {
    failed(error);
    return null;
  } finally {
    control?.removeAttribute?.("aria-busy");
  }
}
