// The traffic of a stretch of time, by node and by pair: what a map shows where rays would cover each other.

import { KIND } from "./document.js";

/** Events that are counted at most; of more, every so-manieth is. */
const MOST_COUNTED = 60_000;
/** Grades of a pair, from some traffic to the most. */
export const HEAT_GRADES = 4;

export class Heat {
  constructor() {
    this.received = new Float64Array(0);
    this.lost = new Float64Array(0);
    /** By sender and listener, as one number: receptions. */
    this.pairs = new Map();
    this.key = "";
  }

  /** Counts what lies between two times; nothing where that was counted already. */
  measure(store, begin, end) {
    const first = store.eventAt(Math.max(0, begin)), last = store.eventAfter(end);
    const key = `${store.course}/${first}/${last}/${store.nodeCount}`;
    if (key === this.key) return this;
    this.key = key;
    const count = store.nodeCount;
    if (this.received.length !== count) [this.received, this.lost] = [new Float64Array(count), new Float64Array(count)];
    this.received.fill(0);
    this.lost.fill(0);
    this.pairs.clear();
    const step = Math.max(1, Math.ceil((last - first) / MOST_COUNTED));
    for (let event = first; event < last; event += step) {
      const kind = store.kind.data[event], node = store.node.data[event];
      if (kind === KIND.rxEnd) {
        this.received[node] += step;
        const frame = store.frameOf.data[event];
        if (frame < 0) continue;
        const pair = store.frames.sender.data[frame] * count + node;
        this.pairs.set(pair, (this.pairs.get(pair) ?? 0) + step);
      } else if (kind === KIND.rxDrop && store.isLoss(event)) {
        this.lost[node] += step;
      }
    }
    this.most = this.received.reduce((most, one) => Math.max(most, one), 1);
    this.mostOfPair = 1;
    for (const one of this.pairs.values()) this.mostOfPair = Math.max(this.mostOfPair, one);
    return this;
  }

  /** Pairs by grade, the busiest last: `[sender, listener]`. Roots, so that half the traffic is not half as little. */
  grades() {
    const grades = Array.from({ length: HEAT_GRADES }, () => []);
    const count = this.received.length;
    for (const [pair, one] of this.pairs) {
      const grade = Math.min(HEAT_GRADES - 1, Math.floor(Math.sqrt(one / this.mostOfPair) * HEAT_GRADES));
      grades[grade].push([Math.floor(pair / count), pair % count]);
    }
    return grades;
  }

  /** What a node received against the one that received most, 0 to 1. */
  share(node) { return Math.sqrt(this.received[node] / this.most); }

  /** Frames at a node that were lost, of all that came there, 0 to 1. */
  lossShare(node) {
    const all = this.received[node] + this.lost[node];
    return all === 0 ? 0 : this.lost[node] / all;
  }
}
