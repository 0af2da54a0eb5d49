// Texts from outside. Pure.

/** Control characters and marks of direction become visible signs; a text cannot hide what follows it. */
export function shown(text) {
  return String(text ?? "").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (sign) => {
    const code = sign.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\ufffd";
  });
}

let table = {};

/** Takes the program's table of texts, in the language that it has chosen. */
export function useTexts(texts) {
  table = texts;
}

/** The text of a key; %1, %2 and so on in it become the arguments. */
export function text(key, ...values) {
  return String(table[key] ?? key).replace(/%([1-9])/g, (sign, number) => (number <= values.length ? String(values[number - 1]) : sign));
}

/** The text for a number of things: that of `keyOne` for one, of `keyMany` for more or none. */
export function counted(count, keyOne, keyMany) {
  return count === 1 ? text(keyOne) : text(keyMany, count);
}

/** Bytes of UTF-8: radios count those, not characters. */
export function bytes(text) {
  return new TextEncoder().encode(text).length;
}
