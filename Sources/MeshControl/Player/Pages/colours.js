// Colours of player.css for a canvas, the shapes of roles, and how lost frames are told apart.

import { isLossReason } from "./document.js";

const COLOURS = [
  "bg", "surface", "sunken", "line", "line-strong", "text", "muted", "accent", "tx", "rx", "drop", "collision", "faded",
  "node-companion", "node-repeater", "node-room", "node-sensor", "link-1", "link-2", "link-3", "link-4", "way", "selected",
  "good",
];

/** All colours as a canvas takes them; read again when the scheme changes. */
export function readPalette() {
  const probe = document.createElement("span");
  probe.hidden = true;
  document.body.append(probe);
  const palette = {};
  for (const name of COLOURS) {
    probe.style.color = `var(--${name})`;
    palette[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return palette;
}

/** Runs whenever other colours are to be shown. */
export function followScheme(changed) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}

/** The colour of a loss or of something given up, by its reason. */
export function reasonColour(reason) {
  if (!isLossReason(reason)) return "faded";
  return reason === "collision" || reason === "halfDuplex" ? "collision" : "drop";
}

const REASONS = {
  collision: "collision", halfDuplex: "listener was sending", off: "listener was off", retuned: "listener retuned",
  senderCut: "sender restarted", tooWeak: "too weak", missed: "followed another frame", linkLoss: "loss of the link",
  fault: "fault", deaf: "listener was deaf", corrupted: "checksum wrong", noise: "spoiled by noise", alreadySeen: "already seen",
  forwardingDenied: "not to be forwarded", notNextHop: "for another next hop", notForUs: "for somebody else",
  ownAdvert: "its own advert", malformed: "malformed", poolEmpty: "no memory for packets", pathFull: "path full",
  badSignature: "signature wrong", tooShort: "too short", ignoredType: "of a type that it ignores", queueFull: "queue full",
  transmitting: "was sending",
};

export const reasonText = (reason) => REASONS[reason] ?? reason;

const ROLES = {
  companion: "companion", repeater: "repeater", room_server: "room server", sensor: "sensor", external: "external node",
  app: "app", radio: "radio", air: "air", script: "script",
};

export const roleText = (role) => ROLES[role] ?? role;

export function roleColour(role) {
  switch (role) {
    case "repeater": case "radio": return "node-repeater";
    case "room_server": case "air": return "node-room";
    case "sensor": case "script": return "node-sensor";
    default: return "node-companion";
  }
}

/** Adds the outline of a role's shape to the path of a canvas. */
export function traceShape(context, role, x, y, size) {
  switch (role) {
    case "repeater":
      context.moveTo(x, y - size * 1.15);
      context.lineTo(x + size * 1.1, y + size * 0.8);
      context.lineTo(x - size * 1.1, y + size * 0.8);
      context.closePath();
      break;
    case "room_server":
      context.rect(x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8);
      break;
    case "sensor":
      context.moveTo(x, y - size * 1.2);
      context.lineTo(x + size * 1.2, y);
      context.lineTo(x, y + size * 1.2);
      context.lineTo(x - size * 1.2, y);
      context.closePath();
      break;
    default:
      context.moveTo(x + size, y);
      context.arc(x, y, size, 0, Math.PI * 2);
  }
}

/** Makes a canvas as sharp as the screen; its context, in units of the page. */
export function fitCanvas(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { context, width, height, ratio };
}
