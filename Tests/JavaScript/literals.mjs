// Finds the texts in a script that a person would read, where the table of texts has to have them. Pure.

/** Calls of which every text is read by a person, beginning with the argument of that number. */
const CALLS = { h: 2, button: 0, iconButton: 1, field: 0, check: 0, empty: 0, say: 0, toast: 0, confirm: 0, ask: 0, fill: 1, fillText: 0, append: 0, readCode: 0, showCode: 0, outside: 0 };
/** Arguments of those calls that are no texts: classes, names of attributes, kinds. */
const NOT_READ = { button: [2], iconButton: [0], toast: [1, 3], outside: [1], confirm: [3] };
/** Members of objects that a person reads. */
const MEMBERS = new Set(["title", "placeholder", "alt", "label", "hint", "aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "textContent", "innerText", "words", "message", "recovery"]);
const VALUES = /^(true|false|null|undefined|[0-9.]+)$/;

/**
 * The texts in a script, each as {words, line, call, argument, member}: the call that it is an argument of, and the member
 * of an object or the attribute that it is the value of. A template has one for each of its pieces.
 */
export function texts(script) {
  const found = [];
  const open = [];
  let place = 0;
  let before = "";
  let name = "";
  let assigned = null;
  const line = () => script.slice(0, place).split("\n").length;
  const note = (words, isCompared = false) => {
    const inner = open.findLast((one) => one.kind !== "group" || one.call);
    const call = open.findLast((one) => one.call || one.kind === "block");
    const member = inner?.kind === "object" ? inner.member : assigned?.depth === open.length ? assigned.name : "";
    if (call?.call && call.argument === 0) call.first ??= words;
    const attribute = call?.call === "setAttribute" && call.argument === 1 ? call.first : "";
    found.push({ words, line: line(), call: call?.call ?? "", argument: call?.argument ?? 0, member: member || attribute, isCompared });
  };
  const quoted = (sign) => {
    let words = "";
    for (place++; script[place] !== sign; place++) {
      if (script[place] === "\\") place++;
      words += script[place - 1] === "\\" && /\w/.test(script[place]) ? " " : script[place];
    }
    place++;
    return words;
  };
  const template = () => {
    let words = "";
    for (; script[place] !== "`"; place++) {
      if (script[place] === "\\") {
        words += " ";
        place++;
        continue;
      }
      if (script.startsWith("${", place)) {
        note(words);
        open.push({ kind: "template" });
        place += 2;
        before = "(";
        return;
      }
      words += script[place];
    }
    place++;
    note(words);
    before = "x";
  };
  while (place < script.length) {
    const sign = script[place];
    if (/\s/.test(sign)) place++;
    else if (script.startsWith("//", place)) place = (script.indexOf("\n", place) + script.length) % script.length || script.length;
    else if (script.startsWith("/*", place)) place = script.indexOf("*/", place) + 2;
    else if (sign === '"' || sign === "'") {
      const isCompared = /[!=]==\s*$/.test(script.slice(Math.max(0, place - 8), place));
      const words = quoted(sign);
      const isKey = /^\s*:(?!:)/.test(script.slice(place)) && open.at(-1)?.kind === "object" && /[{,]/.test(before);
      if (isKey) open.at(-1).member = words;
      else note(words, isCompared);
      before = "x";
    } else if (sign === "`") {
      place++;
      template();
    } else if (sign === "/" && !/[\w)\]x]$/.test(before)) {
      let isClass = false;
      for (place++; script[place] !== "/" || isClass; place++) {
        if (script[place] === "\\") place++;
        else if (script[place] === "[") isClass = true;
        else if (script[place] === "]") isClass = false;
      }
      place += 1 + /^[a-z]*/.exec(script.slice(place + 1))[0].length;
      before = "x";
    } else if (/[\w$#]/.test(sign)) {
      [name] = /^[\w$#]+/.exec(script.slice(place));
      place += name.length;
      if (open.at(-1)?.kind === "object" && /[{,]/.test(before) && /^\s*:/.test(script.slice(place))) open.at(-1).member = name;
      before = /^(return|typeof|case|in|of|await|yield)$/.test(name) ? "(" : name;
    } else {
      if (sign === "(") open.push({ kind: "group", call: /^[\w$#]+$/.test(before) && !VALUES.test(before) ? before : "", argument: 0 });
      else if (sign === "[") open.push({ kind: "group" });
      // A brace after an arrow, a parenthesis or a word begins a block.
      else if (sign === "{") open.push({ kind: /[>)]$/.test(before) || /^[\w$]+$/.test(before) && before !== "return" ? "block" : "object", member: "" });
      else if (sign === ")" || sign === "]") open.pop();
      else if (sign === "}") {
        if (open.pop()?.kind === "template") {
          place++;
          template();
          continue;
        }
      } else if (sign === ",") {
        const inner = open.at(-1);
        if (inner?.call) inner.argument++;
        if (inner?.kind === "object") inner.member = "";
      }
      if (sign === "=" && !/[=!<>]/.test(before) && !/^[=>]/.test(script[place + 1])) assigned = { name, depth: open.length };
      if (sign === ";" || assigned && open.length < assigned.depth) assigned = null;
      before = sign === ">" && script[place - 1] === "=" ? ">" : sign;
      place++;
    }
  }
  return found;
}

/** The texts among those of a script that a person reads; a key of the table is none, and neither is one without a letter. */
export function read(script, { keys, allowed }) {
  return texts(script).filter(({ words, call, argument, member, isCompared }) => {
    if (isCompared || !/\p{L}/u.test(words) || keys.has(words) || allowed.has(words) || NOT_READ[call]?.includes(argument)) return false;
    // A sentence and a word in upper case are read, wherever they stand.
    if (/^\p{Lu}\p{Ll}|\p{L}{2,} \p{L}{2,}|\p{L}[!?…]$/u.test(words)) return true;
    if (MEMBERS.has(member)) return true;
    return call in CALLS && argument >= CALLS[call] && member === "";
  });
}
