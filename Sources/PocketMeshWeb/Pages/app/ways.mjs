// The way into each tab of the app. Pure.

/** Keeps the last address of each tab: who comes back to a tab is where they left it. */
export class Ways {
  #addresses;

  /** `kept` is what `json` gave before the page was loaded again. */
  constructor(kept = "") {
    try {
      this.#addresses = new Map(Object.entries(JSON.parse(kept || "{}")).filter(([, address]) => typeof address === "string"));
    } catch {
      this.#addresses = new Map();
    }
  }

  /** Notes the address that is shown in a tab. */
  note(tab, address) {
    this.#addresses.set(tab, address);
  }

  /** The address to which a tab leads: where it was left, and from within the tab its first page. */
  to(tab, current) {
    return tab === current ? tab : this.#addresses.get(tab) ?? tab;
  }

  get json() {
    return JSON.stringify(Object.fromEntries(this.#addresses));
  }
}
