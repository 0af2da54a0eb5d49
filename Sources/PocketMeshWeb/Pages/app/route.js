// The way of a message: its stations, its attempts, and its packet.

import { h, outside, shown } from "./dom.js";
import { text } from "./texts.mjs";

/** A chain of names, with the SNR at which this radio heard one. */
function chain(stations) {
  return h("ol.chain", {}, stations.map(({ key, name, snr }) => h("li", {},
    name ? outside(name) : h("span.mono", {}, key ?? "?"),
    name && key ? h("span.tiny.muted.mono", {}, ` ${key}`) : null,
    snr ? h("span.tiny.muted", {}, ` ${text("pageHeardAt", snr)}`) : null)));
}

function attempts(way) {
  if (!way.attempts.length) return null;
  return h("section.stack", { "aria-label": text("pageAttempts") }, h("h3", {}, text("pageAttempts")), h("ol.list.attempts", {}, way.attempts.map((attempt) =>
    h("li.stack", {}, h("div", {}, `${attempt.number}. ${shown(attempt.time)}, ${shown(attempt.route)}`),
      attempt.stations.length ? chain(attempt.stations) : null))));
}

function copies(way) {
  if (!way.copies.length) return null;
  return h("section.stack", { "aria-label": text("pageHeard") }, h("h3", {}, text("pageHeard")), h("ol.list.copies", {}, way.copies.map((copy) =>
    h("li.stack", {}, h("div", {}, `${shown(copy.time)}, ${copy.signal}`), chain(copy.stations)))));
}

function packet(way) {
  if (!way.packet) return null;
  return h("details.packet", {}, h("summary", {}, text("pagePacket")), h("pre.mono.tiny", { tabindex: "0", "aria-label": text("pagePacketFields") }, shown(way.packet.text)),
    h("p.mono.tiny", { style: { "overflow-wrap": "anywhere" } }, way.packet.hex));
}

/** What is known of a message's way; nothing where nothing is. */
export function wayParts(way) {
  return way ? [attempts(way), copies(way), packet(way)] : [];
}
