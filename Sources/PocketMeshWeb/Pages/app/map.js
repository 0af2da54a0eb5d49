// The map of contacts and paths, on a canvas of our own; and the list of those that are not on it yet.

import { colour } from "../shared/theme.js";
import { get, post } from "./api.js";
import { avatar, button, doing, field, fill, h, icon, iconButton, outside, say, shown, tell } from "./dom.js";
import { View, pathPlaces, scaleBar } from "./projection.mjs";
import { counted, distance, parts, text } from "./texts.mjs";

const KINDS = [["chat", "pagePeople"], ["repeater", "filterRepeaters"], ["room", "filterRooms"], ["sensor", "filterSensors"]];
const COLOURS = { chat: "node-companion", repeater: "node-repeater", room: "node-room", sensor: "node-sensor" };
const TILES_KEPT = 300;

export class MapPage {
  #map = null;
  #view = new View(300, 300);
  #chosen = null;
  #keys = new Map();
  #tiles = new Map();
  #pointers = new Map();
  /** Where the map looked when it showed all; a user who has moved it since looks elsewhere. */
  #fitted = "";
  /** Something changed while the map was moved: it is read when the fingers are gone. */
  #isStale = false;
  #isListing = false;
  /** The node that is being put on the map: its `id`, null for the own radio, and its `name`. */
  #placing = null;

  constructor(app) {
    this.app = app;
    this.canvas = h("canvas", {
      tabindex: "0", role: "application", "aria-label": text("pageMapHelp"),
      onkeydown: (event) => this.#key(event),
    });
    this.kinds = h("div.kinds", { role: "group", "aria-label": text("pageKindsOfNodes") });
    this.card = h("div.card.chosen", { hidden: true });
    this.unplaced = h("span.count", { "aria-hidden": "true" });
    this.places = iconButton("pin", text("pagePlaces"), () => this.#list(!this.#isListing), { "aria-expanded": "false" });
    this.places.append(this.unplaced);
    this.pin = h("div.pin", { hidden: true, "aria-hidden": "true" }, icon("pin"));
    this.element = h("section.pane", { "aria-label": text("pageMap") }, h("h1.unseen", {}, text("pageMap")), h("div.map", {}, this.canvas, this.kinds, this.pin,
      h("div.tools", {}, iconButton("plus", text("pageZoomIn"), () => this.#zoom(1)), iconButton("minus", text("pageZoomOut"), () => this.#zoom(-1)),
        iconButton("fit", text("pageShowAll"), () => this.#fit()), this.places), this.card));
    this.#listen();
    this.observer = new ResizeObserver(() => this.#resize());
    this.observer.observe(this.canvas);
    this.load();
  }

  close() {
    this.observer.disconnect();
  }

  async load() {
    try {
      const [map, contacts] = await Promise.all([get("map"), get("contacts")]);
      // Hops are beginnings of keys; the list of contacts has those.
      this.#keys = new Map(contacts.contacts.map((row) => [row.id, row.keyPrefix]));
      this.#take(map);
    } catch (error) {
      tell(error);
    }
  }

  event(event) {
    if (!["contactsChanged", "deviceChanged", "connectionChanged"].includes(event.kind)) return;
    if (this.#pointers.size) this.#isStale = true;
    else this.load();
  }

  redraw() {
    this.#draw();
  }

  #take(map) {
    this.#map = map;
    fill(this.kinds, KINDS.map(([kind, label]) => h("button.compact", {
      type: "button", "aria-pressed": String(map.kinds.includes(kind)), onclick: (event) => this.#toggle(kind, event.currentTarget),
    }, text(label))));
    if (this.#isUntouched) this.#fit();
    if (this.#chosen && !map.markers.some((marker) => marker.id === this.#chosen)) this.#choose(null);
    const missing = map.unplaced.length;
    this.unplaced.textContent = missing > 99 ? "99+" : missing || "";
    this.places.setAttribute("aria-label", missing ? text("pagePlacesMissing", missing) : text("pagePlaces"));
    if (this.#isListing) this.#showList();
    this.canvas.setAttribute("aria-description", map.markers.length ? counted(map.markers.length, "pageNodesPlaced") : text("pageNoNodePlaced"));
    this.#draw();
  }

  async #toggle(kind, control) {
    const kinds = this.#map.kinds.includes(kind) ? this.#map.kinds.filter((one) => one !== kind) : [...this.#map.kinds, kind];
    const map = await doing(control, () => post("map/kinds", { kinds: kinds.join(",") }));
    if (map) this.#take(map);
    [...this.kinds.children].find((one) => one.textContent === control.textContent)?.focus();
  }

  #fit() {
    if (!this.#map?.bounds) return;
    this.#view.fit(this.#map.bounds);
    this.#fitted = this.canvas.clientWidth > 0 ? this.#looksAt : "";
    this.#draw();
  }

  get #looksAt() {
    return JSON.stringify([this.#view.middle, this.#view.zoom]);
  }

  get #isUntouched() {
    return !this.#fitted || this.#fitted === this.#looksAt;
  }

  #zoom(step, point) {
    this.#view.zoomBy(step, point);
    this.#draw();
  }

  #resize() {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth) return;
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    this.#view.width = clientWidth;
    this.#view.height = clientHeight;
    if (this.#isUntouched) this.#fit();
    this.#draw();
  }

  // Hands and keys

  #listen() {
    const { canvas } = this;
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      moved = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = this.#pointers.get(event.pointerId);
      if (!before) return;
      const now = { x: event.offsetX, y: event.offsetY };
      if (this.#pointers.size === 2) {
        const [other] = [...this.#pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
        const [was, is] = [Math.hypot(before.x - other.x, before.y - other.y), Math.hypot(now.x - other.x, now.y - other.y)];
        if (was > 0 && is > 0) this.#view.zoomBy(Math.log2(is / was), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
        this.#view.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
      } else this.#view.pan(now.x - before.x, now.y - before.y);
      moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
      this.#pointers.set(event.pointerId, now);
      this.#draw();
    });
    const end = (event) => {
      const had = this.#pointers.delete(event.pointerId);
      if (had && this.#isStale && !this.#pointers.size) {
        this.#isStale = false;
        this.load();
      }
      if (had && !this.#placing && event.type === "pointerup" && moved < 5) this.#choose(this.#at(event.offsetX, event.offsetY));
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("lostpointercapture", end);
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.#zoom(-Math.sign(event.deltaY) * 0.35, { x: event.offsetX, y: event.offsetY });
    }, { passive: false });
  }

  #key(event) {
    const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    if (moves[event.key]) this.#view.pan(...moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.#view.zoomBy(0.5);
    else if (event.key === "-") this.#view.zoomBy(-0.5);
    else if (event.key === "0") this.#fit();
    else if (this.#placing && event.key === "Enter") this.card.querySelector("form")?.requestSubmit();
    else if ((this.#placing || this.#isListing) && event.key === "Escape") this.#list(false);
    else if (event.key.toLowerCase() === "n" && this.#map?.markers.length) {
      const index = this.#map.markers.findIndex((marker) => marker.id === this.#chosen);
      this.#choose(this.#map.markers[(index + 1) % this.#map.markers.length]);
    } else if (event.key === "Enter" && this.#chosen) this.app.go(`contacts/${this.#chosen}`);
    else if (event.key === "Escape") this.#choose(null);
    else return;
    event.preventDefault();
    this.#draw();
  }

  #at(x, y) {
    let best = null;
    for (const marker of this.#map?.markers ?? []) {
      const point = this.#view.toPoint(marker);
      const far = Math.hypot(point.x - x, point.y - y);
      if (far < 22 && (!best || far < best.far)) best = { marker, far };
    }
    return best?.marker ?? null;
  }

  #choose(marker) {
    this.#leave();
    this.#chosen = marker?.id ?? null;
    this.card.hidden = !marker;
    if (marker) {
      const far = marker.metres ?? null;
      fill(this.card, h("div.row", {}, avatar({ initials: [...marker.name][0] ?? "?", kind: marker.markerType, hue: 160 }),
        h("div.grow", {}, h("strong.clip", {}, outside(marker.name)), h("p.small.muted", {},
          [far === null ? null : text("pageFar", distance(far)),
            marker.hops ? (marker.hops.length ? counted(marker.hops.length, "pageOverHops") : text("pageReachedDirectly")) : text("pageNoPath")].filter(Boolean).join(" · "))),
        h("a.button", { href: `#/contacts/${marker.id}` }, text("actionOpen")), iconButton("close", text("pageClose"), () => this.#choose(null))));
      say(marker.accessibilityLabel);
    }
    this.#draw();
  }

  // Nodes that are not on the map

  #leave() {
    this.#isListing = false;
    this.#placing = null;
    this.pin.hidden = true;
    this.places.setAttribute("aria-expanded", "false");
  }

  /** Opens or closes the list; what is being placed is given up. */
  #list(isOpen) {
    this.#leave();
    this.#chosen = null;
    this.#isListing = isOpen;
    this.card.hidden = !isOpen;
    this.places.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) this.#showList();
    (isOpen ? this.card.querySelector("button") : this.places)?.focus({ preventScroll: true });
    this.#draw();
  }

  #showList() {
    if (!this.#map) return;
    const { own, unplaced } = this.#map;
    const row = (mark, name, words, label, node) => h("li.row", {}, avatar(mark),
      h("div.grow", {}, name, h("p.small.muted", {}, words)), h("button", { type: "button", "aria-label": label, onclick: () => this.#place(node) }, text(node.place ? "pageMove" : "pagePlace")));
    fill(this.card, h("div.row", {}, h("h2.grow", {}, text("pagePlaces")), iconButton("close", text("pageCloseList"), () => this.#list(false))),
      h("ul.places", {},
        row({ initials: "•", kind: "chat", hue: 160 }, h("strong", {}, text("pageThisRadio")), text(own ? "pageOnMap" : "pageNotOnMap"),
          text(own ? "pageMoveOwn" : "pagePlaceOwn"), { id: null, name: text("pageThisRadioWithin"), place: own }),
        unplaced.map((node) => row({ initials: [...node.name][0] ?? "?", kind: node.kind, hue: 160 }, h("strong.clip", {}, outside(node.name)), text("pageNotSaid"),
          text("pagePlaceNamed", shown(node.name)), { id: node.id, name: node.name })),
        unplaced.length ? null : h("li.muted", {}, text("pageAllPlaced"))));
  }

  /** Puts a node on the map: the pin stands still in the middle, and the map moves below it. */
  #place(node) {
    this.#isListing = false;
    this.#placing = node;
    this.pin.hidden = false;
    if (node.place) this.#view.centre(node.place);
    const coordinate = (limit) => h("input", { type: "number", inputmode: "decimal", step: "any", required: true, min: String(-limit), max: String(limit), oninput: () => this.#typed() });
    this.north = coordinate(90);
    this.east = coordinate(180);
    fill(this.card, h("form.stack", { onsubmit: (event) => this.#setPlace(event) },
      h("strong.clip", {}, parts("pagePlaceOf", outside(node.name))),
      h("p.small.muted", {}, text("pagePlaceHint"), node.id ? [" ", text("pagePlaceCounts")] : null),
      h("div.grid2", {}, field(text("pageDegreesNorth"), this.north), field(text("pageDegreesEast"), this.east)),
      h("div.actions-row", {}, h("button.primary", { type: "submit" }, text("pageSetPlace")), button(text("pageCancel"), () => this.#list(true)))));
    this.canvas.focus({ preventScroll: true });
    say(text("pagePinStands", node.name));
    this.#draw();
  }

  /** The map follows what is typed. */
  #typed() {
    if (!this.north.value || !this.east.value || !this.north.validity.valid || !this.east.validity.valid) return;
    this.#view.centre({ latitude: Number(this.north.value), longitude: Number(this.east.value) });
    this.#draw();
  }

  /** The fields follow the map, unless somebody types in them. */
  #followMap() {
    if (!this.#placing || this.card.querySelector("input:focus")) return;
    const { latitude, longitude } = this.#view.toPlace({ x: this.#view.width / 2, y: this.#view.height / 2 });
    this.north.value = latitude.toFixed(6);
    this.east.value = longitude.toFixed(6);
  }

  async #setPlace(event) {
    event.preventDefault();
    const { id, name } = this.#placing;
    const place = { latitude: Number(this.north.value), longitude: Number(this.east.value) };
    const map = await doing(this.card.querySelector("button.primary"), () => post(id ? `map/contacts/${id}` : "map/own", place));
    if (!map) return;
    if (map.error) return this.#take(map);
    this.#list(true);
    this.#take(map);
    say(text("pageIsOnMap", name));
  }

  // Drawing

  #draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.#paint());
  }

  #paint() {
    const { canvas } = this;
    const view = this.#view;
    const pen = canvas.getContext("2d");
    if (!pen || !canvas.isConnected) return;
    const ratio = canvas.width / (view.width || 1);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = colour("sunken");
    pen.fillRect(0, 0, view.width, view.height);
    if (this.app.state.tiles) this.#paintTiles(pen);
    else this.#paintGrid(pen);
    if (this.#map) {
      this.#paintPaths(pen);
      for (const marker of this.#map.markers) this.#paintMarker(pen, marker, false);
      if (this.#map.own) this.#paintMarker(pen, this.#map.own, true);
      if (!this.#map.markers.length && !this.#map.own && !this.#placing) this.#paintWords(pen);
    }
    this.#paintScale(pen);
    this.#paintCompass(pen);
    this.#followMap();
  }

  #paintGrid(pen) {
    const view = this.#view;
    const bar = scaleBar(view.metresPerPixel, 90);
    pen.strokeStyle = colour("line");
    pen.lineWidth = 1;
    const origin = view.toPoint({ latitude: 0, longitude: 0 });
    pen.beginPath();
    for (let x = ((origin.x % bar.pixels) + bar.pixels) % bar.pixels; x < view.width; x += bar.pixels) {
      pen.moveTo(Math.round(x) + 0.5, 0);
      pen.lineTo(Math.round(x) + 0.5, view.height);
    }
    for (let y = ((origin.y % bar.pixels) + bar.pixels) % bar.pixels; y < view.height; y += bar.pixels) {
      pen.moveTo(0, Math.round(y) + 0.5);
      pen.lineTo(view.width, Math.round(y) + 0.5);
    }
    pen.stroke();
  }

  #paintTiles(pen) {
    for (const tile of this.#view.tiles()) {
      const image = this.#tile(tile);
      if (image.complete && image.naturalWidth) pen.drawImage(image, tile.left, tile.top, tile.side + 0.5, tile.side + 0.5);
    }
  }

  #tile({ z, x, y }) {
    const key = `${z}/${x}/${y}`;
    let image = this.#tiles.get(key);
    if (!image) {
      image = new Image();
      image.referrerPolicy = "no-referrer";
      image.onload = () => this.#draw();
      image.src = this.app.state.tiles.replace("{z}", z).replace("{x}", x).replace("{y}", y);
      this.#tiles.set(key, image);
      if (this.#tiles.size > TILES_KEPT) this.#tiles.delete(this.#tiles.keys().next().value);
    }
    return image;
  }

  #paintPaths(pen) {
    const { markers, own } = this.#map;
    const repeaters = markers.filter((one) => one.markerType === "repeater" || one.markerType === "room")
      .map((one) => ({ ...one, key: this.#keys.get(one.id) }));
    for (const marker of markers) {
      if (!marker.hops || !own) continue;
      const { places, isCertain } = pathPlaces(own, marker.hops, marker, repeaters);
      const isChosen = marker.id === this.#chosen;
      pen.strokeStyle = colour(isChosen ? "accent" : "line-strong");
      pen.globalAlpha = isChosen || !this.#chosen ? 1 : 0.35;
      pen.lineWidth = isChosen ? 3 : 1.5;
      pen.setLineDash(isCertain ? [] : [5, 5]);
      pen.beginPath();
      let before = null;
      for (const place of places) {
        const point = this.#view.toPoint(place, before);
        if (before) pen.lineTo(point.x, point.y);
        else pen.moveTo(point.x, point.y);
        before = point;
      }
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  #paintMarker(pen, marker, isOwn) {
    const { x, y } = this.#view.toPoint(marker);
    if (x < -80 || y < -40 || x > this.#view.width + 80 || y > this.#view.height + 40) return;
    const isChosen = marker.id === this.#chosen;
    const radius = isChosen ? 10 : 7;
    pen.fillStyle = colour(isOwn ? "accent" : COLOURS[marker.markerType] ?? "node-companion");
    pen.strokeStyle = colour("surface");
    pen.lineWidth = 2.5;
    pen.beginPath();
    // Kinds have shapes of their own: round people, square repeaters, pointed rooms, three-sided sensors.
    if (marker.markerType === "repeater") pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    else if (marker.markerType === "room") this.#polygon(pen, x, y, radius + 2, 4);
    else if (marker.markerType === "sensor") this.#polygon(pen, x, y, radius + 3, 3);
    else pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.closePath();
    pen.fill();
    pen.stroke();
    if (isOwn) {
      pen.strokeStyle = colour("accent");
      pen.lineWidth = 2;
      pen.beginPath();
      pen.arc(x, y, radius + 5, 0, 2 * Math.PI);
      pen.stroke();
    }
    const words = shown(marker.name).slice(0, 32);
    pen.font = "600 12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "start";
    pen.direction = "ltr";
    pen.lineWidth = 4;
    pen.strokeStyle = colour("surface");
    pen.strokeText(words, x + radius + 6, y);
    pen.fillStyle = colour("text");
    pen.fillText(words, x + radius + 6, y);
  }

  #polygon(pen, x, y, radius, corners) {
    for (let corner = 0; corner < corners; corner++) {
      const angle = corner * 2 * Math.PI / corners - Math.PI / 2;
      pen.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    }
  }

  #paintWords(pen) {
    pen.fillStyle = colour("muted");
    pen.font = "15px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.fillText(text("pageNoNodePlaced"), this.#view.width / 2, this.#view.height / 2);
    if (this.#map.unplaced.length) pen.fillText(text("pagePinPuts"), this.#view.width / 2, this.#view.height / 2 + 24);
    pen.textAlign = "start";
  }

  #paintScale(pen) {
    const bar = scaleBar(this.#view.metresPerPixel);
    const [x, y] = [16, this.#view.height - 18];
    pen.strokeStyle = colour("text");
    pen.fillStyle = colour("text");
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x, y - 5);
    pen.lineTo(x, y);
    pen.lineTo(x + bar.pixels, y);
    pen.lineTo(x + bar.pixels, y - 5);
    pen.stroke();
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "bottom";
    pen.fillText(distance(bar.metres), x + 4, y - 5);
  }

  #paintCompass(pen) {
    // North is always up: the compass says so.
    const [x, y] = [this.#view.width - 34, this.#view.height - 40];
    pen.fillStyle = colour("bad");
    pen.beginPath();
    pen.moveTo(x, y - 18);
    pen.lineTo(x + 6, y);
    pen.lineTo(x - 6, y);
    pen.fill();
    pen.fillStyle = colour("muted");
    pen.beginPath();
    pen.moveTo(x, y + 18);
    pen.lineTo(x + 6, y);
    pen.lineTo(x - 6, y);
    pen.fill();
    pen.fillStyle = colour("text");
    pen.font = "700 11px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "bottom";
    pen.fillText(text("pageNorth"), x, y - 19);
    pen.textAlign = "start";
  }
}
