// Which notifications are new, and how this tab brings them. Pure.

/** Keeps which notifications a page has brought already. */
export class News {
  #known = null;

  /** The notifications that are new, newest last; the first list is what was there before, and is no news. */
  fresh(notifications) {
    const known = this.#known;
    this.#known = new Set(notifications.map((one) => one.id));
    return known ? notifications.filter((one) => !known.has(one.id)) : [];
  }
}

/**
 * How a tab brings a notification: "banner" on a page that is seen; "browser" from a page that is not, where the user has
 * allowed that; else "none".
 */
export function manner(isHidden, permission) {
  if (!isHidden) return "banner";
  return permission === "granted" ? "browser" : "none";
}

/** The title of the page with the number of unread messages. */
export function title(count) {
  return count > 0 ? `(${count}) Meshbed` : "Meshbed";
}

/** An icon with a number on it; that of none is the icon itself. */
export function numbered(svg, count) {
  if (!(count > 0)) return svg;
  const words = count > 99 ? "99" : String(count);
  const mark = `<circle cx="22" cy="10" r="10" fill="#b3261e"/><text x="22" y="15" text-anchor="middle" font-family="sans-serif" `
    + `font-weight="700" font-size="${words.length > 1 ? 12 : 15}" fill="#fff">${words}</text>`;
  return svg.replace("</svg>", `${mark}</svg>`);
}

/** States in which a message of one's own stays for a while. */
const SETTLED = new Set(["queued", "sent", "acknowledged", "failed"]);

/** The end of a conversation as it was said last: what has come, and what became of the newest message of one's own. */
export class Speaker {
  #came = null;
  #own = "";

  /** The sentences on what is new in rows, oldest first; the first rows of all are no news. */
  news(rows) {
    const isFirst = this.#came === null;
    const came = rows.findLast((row) => row.side === "incoming");
    const own = rows.findLast((row) => row.side === "outgoing" && SETTLED.has(row.status?.kind));
    // Where the last one was deleted, the one before it was said long ago.
    const isBehind = (row, known) => known === "" || rows.some(({ id }) => id === known) && rows.findIndex(({ id }) => id === known) <= rows.indexOf(row);
    const [ownID, ownKind] = this.#own.split(" ");
    const sentences = [];
    if (!isFirst && came && came.id !== this.#came && isBehind(came, this.#came)) sentences.push(came.accessibilityLabel);
    if (!isFirst && own && `${own.id} ${own.status.kind}` !== `${ownID} ${ownKind}` && isBehind(own, ownID)) sentences.push(own.accessibilityLabel);
    this.#came = came?.id ?? "";
    this.#own = own ? `${own.id} ${own.status.kind}` : "";
    return sentences;
  }
}
