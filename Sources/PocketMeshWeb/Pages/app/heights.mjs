// Which rows of a long list are in view. Pure: heights in pixels go in, rows come out.

/** The heights of rows: known once they were shown, estimated before. */
export class Heights {
  #known = new Map();
  #keys = [];
  #tops = null;

  constructor(estimate = 72) {
    this.estimate = estimate;
  }

  get count() {
    return this.#keys.length;
  }

  /** The rows, by keys that stay; heights of those that have gone are forgotten. */
  setKeys(keys) {
    if (keys.length === this.#keys.length && keys.every((key, index) => key === this.#keys[index])) return;
    this.#keys = keys.slice();
    if (this.#known.size > 2 * keys.length + 64) {
      const here = new Set(keys);
      for (const key of this.#known.keys()) if (!here.has(key)) this.#known.delete(key);
    }
    this.#tops = null;
  }

  /** Notes the height of a row; whether that changes anything. */
  set(key, height) {
    if (this.#known.get(key) === height) return false;
    this.#known.set(key, height);
    this.#tops = null;
    return true;
  }

  /** Where a row begins; that behind the last row is the height of all. */
  top(index) {
    if (!this.#tops) {
      this.#tops = new Float64Array(this.#keys.length + 1);
      this.#keys.forEach((key, place) => {
        this.#tops[place + 1] = this.#tops[place] + (this.#known.get(key) ?? this.estimate);
      });
    }
    return this.#tops[Math.max(0, Math.min(index, this.#keys.length))];
  }

  get total() {
    return this.top(this.count);
  }

  /** The row at a height: the first that ends below it. */
  at(y) {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.top(middle + 1) <= y) low = middle + 1;
      else high = middle;
    }
    return Math.min(low, Math.max(0, this.count - 1));
  }

  /** The rows to draw for a view: [first, behind the last], with `margin` pixels more on both sides. */
  span(top, height, margin = 400) {
    if (!this.count) return [0, 0];
    return [this.at(Math.max(0, top - margin)), Math.min(this.count, this.at(top + height + margin) + 1)];
  }
}

/** Puts rows that were read again in place of those that they cover: from the first one's order on, the new ones count. */
export function merged(rows, fresh) {
  if (!fresh.length) return rows;
  const from = fresh[0].order;
  return rows.filter((row) => row.order < from).concat(fresh);
}
