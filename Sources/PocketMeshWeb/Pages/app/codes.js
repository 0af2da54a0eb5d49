// Codes that a telephone's camera reads, and codes that are read here.

import { ask, button, field, h, say, toast } from "./dom.js";
import { cameraWords, look, support } from "./scan.mjs";
import { text } from "./texts.mjs";

/** A picture that the program has drawn; nothing where the address is too long for a code. */
function picture(code) {
  if (!code) return null;
  return h("div.code", {}, h("img", { src: `data:image/svg+xml,${encodeURIComponent(code)}`, alt: text("pageCodeAlt") }));
}

/** Shows an address as a code, and as text to copy. */
export function showCode(title, { uri, code }, words = "") {
  const area = h("textarea", { readonly: true, rows: "3", "aria-label": text("pageAddress"), class: "mono" });
  area.value = uri;
  return ask(title, (done) => [
    picture(code), words ? h("p.small.muted", {}, words) : null, area,
    h("div.actions", {}, button(text("pageCopy"), async () => {
      try {
        await navigator.clipboard.writeText(uri);
        say(text("pageCopied"));
        toast(text("pageInClipboard"), "good");
      } catch {
        area.select();
      }
    }), button(text("pageDone"), () => done(true), "primary")),
  ]);
}

/** The time between two looks through the camera, in milliseconds. */
const LOOK = 200;

/** Looks through the camera until a code has an address; `stop` ends it. */
class CameraLook {
  #stream = null;
  #isOver = false;

  constructor(detector, video) {
    this.detector = detector;
    this.video = video;
  }

  /** The address that was seen first; null where it was stopped before. */
  async start() {
    this.#stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    if (this.#isOver) this.stop();
    this.video.hidden = false;
    this.video.srcObject = this.#stream;
    await this.video.play();
    while (!this.#isOver) {
      const { uri } = await look(this.detector, this.video);
      if (uri) return uri;
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
    return null;
  }

  stop() {
    this.#isOver = true;
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
  }
}

/** Asks for the address in a code: by the camera, from a picture, or pasted. `hint` says how such an address begins. */
export async function readCode(title, action, hint) {
  const { readsCodes, hasCamera, words } = await support(window);
  const detector = readsCodes ? new BarcodeDetector({ formats: ["qr_code"] }) : null;
  const input = h("textarea", { name: "uri", rows: "3", required: true, spellcheck: false, dir: "auto", class: "mono", autofocus: true });
  const said = h("p.small", { role: "status" }, words);
  const video = h("video.camera", { muted: true, playsinline: true, hidden: true, "aria-label": text("pageCamera") });
  const picture = h("input", { type: "file", accept: "image/*", "aria-label": text("pageCodePicture") });
  let camera = null;
  const seen = (uri, done) => {
    input.value = uri;
    say(text("pageCodeRead"));
    done(uri);
  };
  const uri = await ask(title, (done) => {
    const useCamera = async () => {
      camera?.stop();
      camera = new CameraLook(detector, video);
      said.textContent = text("pageHoldCode");
      try {
        const found = await camera.start();
        if (found) seen(found, done);
      } catch (error) {
        said.textContent = cameraWords(error);
      }
    };
    picture.addEventListener("change", async () => {
      if (!picture.files.length) return;
      try {
        const { uri: found, count } = await look(detector, await createImageBitmap(picture.files[0]));
        if (found) seen(found, done);
        else said.textContent = text(count ? "pageCodeOther" : "pageCodeMissing");
      } catch {
        said.textContent = text("pagePictureUnreadable");
      }
    });
    return h("form.stack", {
      onsubmit: (event) => {
        event.preventDefault();
        done(input.value.trim());
      },
    }, said, video, hasCamera ? button(text("pageUseCamera"), useCamera) : null,
    readsCodes ? field(text("pageCodePicture"), picture) : null, field(text("pageCodeAddress"), input, hint),
    h("div.actions", {}, button(text("pageCancel"), () => done(null)), h("button.primary", { type: "submit" }, action)));
  });
  camera?.stop();
  return uri || null;
}
