// Codes that a telephone's camera reads.

import { ask, button, h, say, toast } from "./dom.js";
import { squares } from "./squares.mjs";

/** A picture of the code with the quiet edge of four squares that readers need. */
export function picture(text) {
  const rows = squares(text);
  const canvas = h("canvas", { width: rows.length + 8, height: rows.length + 8, role: "img", "aria-label": "Code to be read by a camera" });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = "#000";
  rows.forEach((row, y) => row.forEach((isDark, x) => { if (isDark) pen.fillRect(x + 4, y + 4, 1, 1); }));
  return canvas;
}

/** Shows an address as a code, and as text to copy. */
export function showCode(title, address, words = "") {
  const text = h("textarea", { readonly: true, rows: "3", "aria-label": "Address", class: "mono" });
  text.value = address;
  return ask(title, (done) => [
    h("div.code", {}, picture(address)), words ? h("p.small.muted", {}, words) : null, text,
    h("div.actions", {}, button("Copy", async () => {
      try {
        await navigator.clipboard.writeText(address);
        say("Copied");
        toast("The address is in the clipboard.", "good");
      } catch {
        text.select();
      }
    }), button("Done", () => done(true), "primary")),
  ]);
}
