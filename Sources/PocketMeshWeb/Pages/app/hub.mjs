// One stream of events for all tabs of a browser. Pure: what opens the stream and what carries messages comes from outside.
//
// A hub reads the stream and sends messages to tabs: {event}, {how} for the state of the stream, and {missed} when events
// up to a number are gone. A follower in each tab takes them, and knows the last event that its page has seen.

import { EventLines, pause } from "./lines.mjs";

/** The newest events that a hub keeps, for tabs that come a moment later. */
export const RECENT = 256;

/** Reads a stream for several tabs; a tab is a function that takes messages. */
export class Hub {
  #tabs = new Set();
  #recent = [];
  #last = null;
  #how = "closed";

  /** The number of the last event; `null` before a tab has named the first one. */
  get last() {
    return this.#last;
  }

  get how() {
    return this.#how;
  }

  /** Adds a tab that has seen the events up to a number, and sends it the newer ones. */
  join(tab, after) {
    this.#tabs.add(tab);
    this.#last ??= after;
    tab({ how: this.#how });
    if (after >= this.#last) return;
    const first = this.#recent[0]?.number;
    if (first === undefined || first > after + 1) return tab({ missed: this.#last });
    for (const event of this.#recent) if (event.number > after) tab({ event });
  }

  leave(tab) {
    this.#tabs.delete(tab);
  }

  changed(how) {
    this.#how = how;
    this.#send({ how });
  }

  /** Passes on an event of the stream, as `EventLines` reads it. */
  take({ id, name, data }) {
    const number = Number(id || this.#last);
    if (name === "missed") {
      this.#recent = [];
      this.#last = number;
      this.#send({ missed: number });
    } else if (data) {
      const event = { number, data: JSON.parse(data) };
      this.#recent.push(event);
      if (this.#recent.length > RECENT) this.#recent.shift();
      this.#last = number;
      this.#send({ event });
    }
  }

  #send(message) {
    for (const tab of this.#tabs) tab(message);
  }
}

/** A tab's place in the events: each is told once and in order, and a gap is told as one. */
export class Follower {
  constructor(last, { told, changed, missed }) {
    this.last = last;
    Object.assign(this, { told, changed, missed });
  }

  take({ how, missed, event }) {
    if (how !== undefined) {
      if (how !== this.how) this.changed(how);
      this.how = how;
    }
    if (missed > this.last) {
      this.last = missed;
      this.missed();
    }
    if (event?.number > this.last) {
      if (event.number > this.last + 1) this.missed();
      this.last = event.number;
      this.told(event.data);
    }
  }
}

/**
 * Reads the stream into a hub until it is refused or the signal says stop; goes on behind the last event after every
 * interruption. `open` gives the stream's pieces of text behind an event.
 */
export async function pump(hub, open, signal = undefined, wait = (time) => new Promise((resolve) => setTimeout(resolve, time))) {
  for (let attempt = 0; !signal?.aborted; attempt++) {
    try {
      const lines = new EventLines();
      const pieces = await open(hub.last, signal);
      hub.changed("open");
      for await (const piece of pieces) {
        attempt = 0;
        for (const event of lines.push(piece)) hub.take(event);
      }
    } catch (error) {
      if (error.status === 401 || error.status === 403) {
        hub.changed("refused");
        return;
      }
    }
    if (signal?.aborted) return;
    hub.changed("closed");
    await wait(pause(attempt));
  }
}

/** Text from a stream of bytes, piece by piece. */
export async function* pieces(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Opens the stream of events at an address, with the fields that the program asks for. */
export async function openStream(address, headers, after, signal) {
  const response = await fetch(`${address}?after=${after}`, { headers, signal, cache: "no-store" });
  if (!response.ok) throw Object.assign(new Error(`the stream answers ${response.status}`), { status: response.status });
  return pieces(response.body);
}
