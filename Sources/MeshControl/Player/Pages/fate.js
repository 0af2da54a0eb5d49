// The fate of a message: each transmission of its packet, who heard it, who lost it and why. As `meshbed mesh why` has it.

import { KIND } from "./document.js";

/** All that `standingOf` says, in the order in which a message goes through it. */
export const STANDINGS = ["waiting", "on its way", "delivered", "acknowledged", "given up", "refused"];

/** The most transmissions that a path is followed back over. */
const LONGEST_PATH = 64;

/** All that became of a packet, up to a time. */
export function fateOf(store, packet, until = Infinity) {
  const { frames } = store;
  const type = store.packets[packet].type;
  const hops = [];
  for (const frame of store.packets[packet].frames) {
    if (frames.begin.data[frame] > until) break;
    const hop = {
      frame, number: frames.number.data[frame], sender: frames.sender.data[frame], begin: frames.begin.data[frame],
      end: frames.begin.data[frame] + frames.airtime.data[frame], cause: frames.cause.data[frame], heard: [], lost: [],
      discarded: [], delivered: [],
    };
    store.eachOfFrame(frame, (event) => {
      if (store.time.data[event] > until) return;
      const node = store.node.data[event];
      switch (store.kind.data[event]) {
        case KIND.rxEnd: hop.heard.push({ node, snr: store.snr(event) }); break;
        case KIND.rxDrop: hop.lost.push({ node, reason: store.reason(event) }); break;
        case KIND.discard: hop.discarded.push({ node, reason: store.reason(event) }); break;
        case KIND.delivered: if (store.first.data[event] === type) hop.delivered.push(node); break;
      }
    });
    hops.push(hop);
  }
  const message = store.packets[packet].message;
  return { packet, hash: store.packets[packet].hash, type, hops, message: store.messages[message] ?? null, paths: pathsOf(hops) };
}

/** How the packet came to each node that got it: transmissions that follow from each other, in the order of arrival. */
export function pathsOf(hops) {
  const place = new Map(hops.map((hop, index) => [hop.frame, index]));
  const seen = new Set();
  const paths = [];
  hops.forEach((hop, last) => {
    for (const node of hop.delivered) {
      if (seen.has(node)) continue;
      seen.add(node);
      const chain = [last];
      while (chain.length < LONGEST_PATH && hops[chain[chain.length - 1]].sender !== hops[0].sender) {
        const at = chain[chain.length - 1];
        const cause = place.get(hops[at].cause);
        if (cause === undefined || cause >= at) break;
        chain.push(cause);
      }
      const way = chain.reverse().map((index) => hops[index]);
      paths.push({ to: node, hops: way, end: way[way.length - 1].end });
    }
  });
  return paths.sort((a, b) => a.end - b.end || a.to - b.to);
}

/** What can be said of a message at a time: "waiting", "on its way", "delivered", "acknowledged", "refused", "given up". */
export function standingOf(store, message, time) {
  if (message.acknowledged !== null && message.acknowledged <= time) return "acknowledged";
  // Whoever ran the mesh has decided it: nothing of the message was left.
  if (message.ended !== null && message.ended.at <= time) return message.ended.standing;
  if (message.packet < 0) return "waiting";
  const first = store.packets[message.packet].frames[0];
  if (first === undefined || store.frames.begin.data[first] > time) return "waiting";
  return deliveredAt(store, message) <= time ? "delivered" : "on its way";
}

/** Why a message ended without an acknowledgement, as far as it had by a time; "" where it had not. */
export function endOf(message, time) {
  const isKnown = message.acknowledged !== null && message.acknowledged <= time;
  return !isKnown && message.ended !== null && message.ended.at <= time ? message.ended.reason : "";
}

/** When everybody had it whom a message was for; infinite where somebody has not. Each delivery is looked at once. */
function deliveredAt(store, message) {
  const { from, to } = message;
  const { names, roles } = store.world;
  const isForAll = to.startsWith("#");
  const { delivered } = store.packets[message.packet];
  const reach = (message.reach ??= { looked: 0, nodes: new Set(), last: 0 });
  for (; reach.looked < delivered.length; reach.looked++) {
    const node = store.node.data[delivered[reach.looked]];
    if (reach.nodes.has(node) || !(isForAll ? roles[node] === "companion" && node !== from : names[node] === to)) continue;
    reach.nodes.add(node);
    reach.last = store.time.data[delivered[reach.looked]];
  }
  const wanted = isForAll ? store.companions - (roles[from] === "companion" ? 1 : 0) : store.named.get(to) ?? 0;
  return wanted > 0 && reach.nodes.size >= wanted ? reach.last : Infinity;
}

/** Up to where a packet came: the node that received it last, and the last loss of it; null for neither. */
export function lastHeard(store, packet) {
  let heard = null, lost = null;
  for (const frame of store.packets[packet].frames) {
    store.eachOfFrame(frame, (event) => {
      const at = store.time.data[event];
      if (store.kind.data[event] === KIND.rxEnd && at >= (heard?.at ?? 0)) heard = { at, node: store.node.data[event] };
      if (store.isLoss(event) && at >= (lost?.at ?? 0)) lost = { at, node: store.node.data[event], reason: store.reason(event) };
    });
  }
  return { heard, lost };
}

/** How many messages stand how at a time, those without any left out. */
export function countStandings(store, messages, time) {
  const counts = new Map(STANDINGS.map((standing) => [standing, 0]));
  for (const message of messages) {
    const standing = standingOf(store, message, time);
    counts.set(standing, (counts.get(standing) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 0);
}
