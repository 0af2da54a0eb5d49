// The squares of a code that a camera reads. Pure.

import { qrcode } from "./qrcode.mjs";

/** The dark squares of a text's code, row by row; throws when it does not fit in any. */
export function squares(text) {
  const code = qrcode(0, "M");
  // Bytes, so that names in all scripts are what they are: the library's own way takes the low byte of each character.
  code.addData(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""), "Byte");
  code.make();
  const count = code.getModuleCount();
  return Array.from({ length: count }, (_, row) => Array.from({ length: count }, (_, column) => code.isDark(row, column)));
}
