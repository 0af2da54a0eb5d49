// Pictures: made ready for sending, and those that are still coming.

import { fill, h } from "./dom.js";
import { text } from "./texts.mjs";

// The server makes them small; more than this is only carried about.
const SIDE = 1024;
const QUALITY = 0.9;

/** The bytes of a picture as a JPEG, whatever the browser can read it from. */
export async function prepared(file) {
  if (file.type === "image/jpeg") return file.arrayBuffer();
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(picture.width * scale)), Math.max(1, Math.round(picture.height * scale)));
  const pen = canvas.getContext("2d");
  // A JPEG has no transparency.
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return (await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY })).arrayBuffer();
}

/** Draws a line for each picture of which some chunks have come. */
export function coming(place, pictures) {
  place.hidden = !pictures?.length;
  fill(place, (pictures ?? []).map(({ progress }) => h("div.stack", {},
    h("span.small", {}, text("pageChunks", text("pagePictureComing"), progress.done, progress.total)),
    h("progress", { max: progress.total, value: progress.done, "aria-label": text("pagePictureComing") }))));
}
