// From places on the earth to points of a picture and back (Web Mercator, as tiles of maps have it). Pure.

const TILE = 256;
// Beyond this the projection has no end.
const NORTHMOST = 85.05112878;
// A degree is as long as the app counts it, which says how far nodes are.
const EARTH = 360 * 111_320;

/** A place as part of the whole map: x and y from 0 to 1, y downwards. */
export function project({ latitude, longitude }) {
  const north = Math.max(-NORTHMOST, Math.min(NORTHMOST, latitude)) * Math.PI / 180;
  return { x: (longitude + 180) / 360, y: (1 - Math.asinh(Math.tan(north)) / Math.PI) / 2 };
}

/** The place at a point of the whole map, which goes round: its longitude is within -180 and 180. */
export function unproject({ x, y }) {
  return { latitude: Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI, longitude: (x - Math.floor(x)) * 360 - 180 };
}

/** What is in view: the middle as part of the map, and the zoom as tile servers count it. */
export class View {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.middle = { x: 0.5, y: 0.5 };
    this.zoom = 2;
  }

  /** Pixels of the whole map. */
  get size() {
    return TILE * 2 ** this.zoom;
  }

  /** The point of a place; of those round the earth the one nearest to the middle, or to the place before it on a line. */
  toPoint(place, before = null) {
    const { x, y } = project(place);
    const origin = before ? this.middle.x + (before.x - this.width / 2) / this.size : this.middle.x;
    const near = x - Math.round(x - origin);
    return { x: (near - this.middle.x) * this.size + this.width / 2, y: (y - this.middle.y) * this.size + this.height / 2 };
  }

  toPlace(point) {
    return unproject({ x: this.middle.x + (point.x - this.width / 2) / this.size, y: this.middle.y + (point.y - this.height / 2) / this.size });
  }

  pan(x, y) {
    this.#lookAt(this.middle.x - x / this.size, this.middle.y - y / this.size);
  }

  /** Brings a place to the middle. */
  centre(place) {
    const { x, y } = project(place);
    this.#lookAt(x, y);
  }

  /** The map goes round, and ends in the north and in the south. */
  #lookAt(x, y) {
    this.middle = { x: x - Math.floor(x), y: Math.max(0, Math.min(1, y)) };
  }

  /** Zooms so that what is below a point stays there. */
  zoomBy(step, point = { x: this.width / 2, y: this.height / 2 }) {
    const [right, down] = [point.x - this.width / 2, point.y - this.height / 2];
    const below = { x: this.middle.x + right / this.size, y: this.middle.y + down / this.size };
    this.zoom = Math.max(1, Math.min(20, this.zoom + step));
    this.#lookAt(below.x - right / this.size, below.y - down / this.size);
  }

  /** Brings a part of the earth in view, with an edge of pixels around it; one over 180 degrees has its east above 180. */
  fit({ south, west, north, east }, edge = 60) {
    const [low, high] = [project({ latitude: south, longitude: west }), project({ latitude: north, longitude: east })];
    this.#lookAt((low.x + high.x) / 2, (low.y + high.y) / 2);
    const wide = Math.max(40, this.width - 2 * edge) / Math.max(1e-9, high.x - low.x);
    const tall = Math.max(40, this.height - 2 * edge) / Math.max(1e-9, low.y - high.y);
    this.zoom = Math.max(1, Math.min(17, Math.log2(Math.min(wide, tall) / TILE)));
  }

  /** Metres of a pixel in the middle of the view. */
  get metresPerPixel() {
    return EARTH * Math.cos(unproject(this.middle).latitude * Math.PI / 180) / this.size;
  }

  /** The tiles that cover the view, and where each is drawn. */
  tiles() {
    const level = Math.max(0, Math.min(19, Math.round(this.zoom)));
    const count = 2 ** level;
    const side = this.size / count;
    const left = this.middle.x * count - this.width / 2 / side;
    const top = this.middle.y * count - this.height / 2 / side;
    const found = [];
    for (let row = Math.max(0, Math.floor(top)); row < Math.min(count, top + this.height / side); row++) {
      for (let column = Math.floor(left); column < left + this.width / side; column++) {
        found.push({ z: level, x: ((column % count) + count) % count, y: row, left: (column - left) * side, top: (row - top) * side, side });
      }
    }
    return found;
  }
}

/** The bar of a scale: a round number of metres, at most so many pixels long. */
export function scaleBar(metresPerPixel, longest = 120) {
  const most = metresPerPixel * longest;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = [5, 2, 1].map((digit) => digit * power).find((value) => value <= most) ?? power;
  return { metres, pixels: metres / metresPerPixel };
}

/**
 * The places that a path goes over: this radio, the repeaters whose key begins with a hop, and the contact.
 *
 * A hop that no repeater or more than one has is left out, and the line is then drawn as uncertain.
 */
export function pathPlaces(own, hops, target, repeaters) {
  const found = hops.map((hop) => repeaters.filter((one) => one.key?.startsWith(hop)));
  const known = found.filter((fitting) => fitting.length === 1).map(([one]) => one);
  return { places: [own, ...known, target].filter(Boolean), isCertain: known.length === hops.length };
}
