// Texts from outside. Pure.

/** Control characters and marks of direction become visible signs; a text cannot hide what follows it. */
export function shown(text) {
  return String(text ?? "").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (sign) => {
    const code = sign.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\ufffd";
  });
}

/** Bytes of UTF-8: radios count those, not characters. */
export function bytes(text) {
  return new TextEncoder().encode(text).length;
}
