// Texts from outside, and those of the program. Pure.

/** Control characters and marks of direction become visible signs; a text cannot hide what follows it. */
export function shown(words) {
  return String(words ?? "").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (sign) => {
    const code = sign.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\ufffd";
  });
}

let table = {};

/** Uses the program's table of texts, in the language that it has chosen. */
export function useTexts(texts) {
  table = texts;
}

/** The tag of the table's language; empty before there is a table. */
export function language() {
  return table.language ?? "";
}

/** The text of a key; %1, %2 and so on in it become the arguments. */
export function text(key, ...values) {
  return parts(key, ...values).join("");
}

/** The parts of a text, in its order: its words, and the arguments as they are, which may be elements. */
export function parts(key, ...values) {
  return String(table[key] ?? key).split(/(%[1-9])/).map((part, index) =>
    (index % 2 && Number(part[1]) <= values.length ? values[Number(part[1]) - 1] : part));
}

/**
 * The text for a number of things: of the keys that begin so, the one that ends with the number's form in this language,
 * such as `pageFoundOne` and `pageFoundOther`.
 */
export function counted(count, stem) {
  const form = new Intl.PluralRules(language() || "en").select(count);
  const key = `${stem}${form[0].toUpperCase()}${form.slice(1)}`;
  return text(key in table ? key : `${stem}Other`, number(count));
}

/** A number as this language writes it, with at most so many digits behind the mark. */
export function number(value, digits = 6) {
  return new Intl.NumberFormat(language() || "en", { maximumFractionDigits: digits, useGrouping: "min2" }).format(value);
}

/** A distance, in metres or kilometres. */
export function distance(metres) {
  return metres < 1000 ? text("pageMetres", number(metres, 0)) : text("pageKilometres", number(metres / 1000, 1));
}

/** Bytes of UTF-8: radios count those, not characters. */
export function bytes(words) {
  return new TextEncoder().encode(words).length;
}
