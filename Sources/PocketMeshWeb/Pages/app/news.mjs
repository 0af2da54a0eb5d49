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
