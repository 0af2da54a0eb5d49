// Codes that a telephone's camera reads.

import { ask, button, h, say, toast } from "./dom.js";

/** A picture that the program has drawn; nothing where the address is too long for a code. */
function picture(code) {
  if (!code) return null;
  return h("div.code", {}, h("img", { src: `data:image/svg+xml,${encodeURIComponent(code)}`, alt: "Code to be read by a camera" }));
}

/** Shows an address as a code, and as text to copy. */
export function showCode(title, { uri, code }, words = "") {
  const text = h("textarea", { readonly: true, rows: "3", "aria-label": "Address", class: "mono" });
  text.value = uri;
  return ask(title, (done) => [
    picture(code), words ? h("p.small.muted", {}, words) : null, text,
    h("div.actions", {}, button("Copy", async () => {
      try {
        await navigator.clipboard.writeText(uri);
        say("Copied");
        toast("The address is in the clipboard.", "good");
      } catch {
        text.select();
      }
    }), button("Done", () => done(true), "primary")),
  ]);
}
