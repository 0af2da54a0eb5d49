// The address of a radio, from the fields in which it is entered.

/** The kinds of links: the keys of the words for their fields. The first one is chosen at first. */
export const KINDS = [
  { key: "tcp", label: "pageLinkNetwork", field: "pageHost", example: "192.168.1.20", hint: "pageHostHint", prefix: "tcp://" },
  { key: "ble", label: "permissionBluetooth", field: "pageNameOrAddress", example: "MeshCore-1234", hint: "pageBluetoothHint", prefix: "ble:" },
  { key: "serial", label: "pageLinkSerial", field: "pageLine", example: "/dev/ttyUSB0", hint: "pageLineHint", prefix: "serial:" },
  { key: "loopback", label: "pageLinkEmulated", field: "pageWorldAndNode", example: "pair/alice", hint: "pageEmulatedHint", prefix: "loopback:" },
];

/** The port that the firmware listens at. */
export const PORT = "5000";

/** The kind of a whole address; null for a text without a scheme. */
export function kindOf(text) {
  return KINDS.find((kind) => text.trim().toLowerCase().startsWith(kind.key === "tcp" ? "tcp:" : kind.prefix))?.key ?? null;
}

/**
 * The address that the fields say: a text with a scheme says its kind itself, whatever kind is chosen.
 *
 * What is left out is the program's to complete, which also says what is missing.
 */
export function addressOf(key, text, { port = "", pin = "" } = {}) {
  let bare = text.trim();
  if (kindOf(bare) === "tcp") [key, bare] = ["tcp", bare.replace(/^tcp:(\/\/)?/i, "")];
  if (!bare || kindOf(bare) || bare.includes("://")) return bare;
  const kind = KINDS.find((one) => one.key === key) ?? KINDS[0];
  if (kind.key === "ble" && pin.trim()) return `${kind.prefix}${bare}${bare.includes("?") ? "&" : "?"}pin=${pin.trim()}`;
  if (kind.key !== "tcp") return kind.prefix + bare;
  const digits = port.trim();
  const isIPv6 = !bare.startsWith("[") && bare.split(":").length > 2;
  const host = isIPv6 ? `[${bare}]` : bare;
  const hasPort = /^[^[\]:]+:|\]:/.test(host);
  return kind.prefix + host + (digits && !hasPort ? `:${digits}` : "");
}
