// Server-sent events from the pieces of a stream. Pure: what comes in is text, what goes out are events.

/** The longest event that is kept; a longer one is dropped whole. */
export const LONGEST = 1 << 20;

/** Collects pieces until an empty line ends an event: push("id: 7\ndata: {}\n\n") gives [{id: "7", name: "", data: "{}"}]. */
export class EventLines {
  #rest = "";
  #lines = [];
  #size = 0;

  push(piece) {
    const events = [];
    this.#rest += piece;
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end < 0) break;
      const line = this.#rest.slice(0, end).replace(/\r$/, "");
      this.#rest = this.#rest.slice(end + 1);
      if (line) {
        this.#size += line.length;
        if (this.#size <= LONGEST) this.#lines.push(line);
      } else {
        const event = this.#size <= LONGEST ? read(this.#lines) : null;
        if (event) events.push(event);
        this.#lines = [];
        this.#size = 0;
      }
    }
    if (this.#rest.length > LONGEST) {
      // No end in sight: forget it, and with it the event that it belongs to.
      this.#rest = "";
      this.#size = LONGEST + 1;
    }
    return events;
  }
}

function read(lines) {
  const event = { id: "", name: "", data: "" };
  let has = false;
  for (const line of lines) {
    if (line.startsWith(":")) continue;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") event.id = value;
    else if (field === "event") event.name = value;
    else if (field === "data") {
      event.data = has ? `${event.data}\n${value}` : value;
      has = true;
    }
  }
  return has || event.name ? event : null;
}

/** How long to wait before the nth new connection, in milliseconds: 250 ms at first, 8 s at most. */
export function pause(attempt) {
  return Math.min(8000, 250 * 2 ** Math.min(attempt, 5));
}
