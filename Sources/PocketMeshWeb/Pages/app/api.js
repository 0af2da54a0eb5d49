// Speaks with the program that serves this page.

import { EventLines, pause } from "./lines.mjs";

const BASE = new URL("../api/", import.meta.url);
const KEY = `meshbed.token.${BASE.pathname}`;

/** What the program did not do, and why. */
export class Failure extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Takes the token out of the address, where a user would show it around, and keeps it as long as the tab is open. */
export function takeToken() {
  const found = /^#token=([0-9a-f]+)$/.exec(location.hash);
  if (!found) return;
  sessionStorage.setItem(KEY, found[1]);
  // An app of several in one window: all have the same token.
  sessionStorage.setItem("meshbed.token", found[1]);
  history.replaceState(null, "", `${location.pathname}${location.search}#/`);
}

function fields() {
  const token = sessionStorage.getItem(KEY) ?? sessionStorage.getItem("meshbed.token");
  return token ? { Authorization: `Bearer ${token}` } : {};
}

export function hasToken() {
  return "Authorization" in fields();
}

async function answer(method, path, body, type, signal) {
  const head = fields();
  if (body !== undefined) head["Content-Type"] = type;
  let response;
  try {
    response = await fetch(new URL(path, BASE), { method, headers: head, body, signal, cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, "unreachable", "The program does not answer. Is it still running?");
  }
  if (response.ok) return response;
  let told = {};
  try {
    told = (await response.json()).error ?? {};
  } catch {
    // No words of ours.
  }
  throw new Failure(response.status, told.code ?? "unknown", told.message ?? `The program answers ${response.status}.`);
}

/** Reads: get("chats", {limit: 50}). */
export async function get(path, query = {}, signal = undefined) {
  const members = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== null));
  const response = await answer("GET", members.size ? `${path}?${members}` : path, undefined, "", signal);
  return response.json();
}

/** Commands: post("chats/ID/send", {text}). */
export async function post(path, body = {}) {
  return (await answer("POST", path, JSON.stringify(body), "application/json")).json();
}

export async function remove(path) {
  return (await answer("DELETE", path)).json();
}

/** Sends the bytes of a file. */
export async function put(path, bytes) {
  return (await answer("PUT", path, bytes, "application/octet-stream")).json();
}

/** The bytes behind a path, for pictures and files. */
export async function blob(path, signal = undefined) {
  return (await answer("GET", path, undefined, "", signal)).blob();
}

/**
 * Follows the events, and goes on behind the last one after every interruption.
 *
 * `told` gets each event; `changed` is told "open", "closed" or "refused", and `missed` runs when everything has to be
 * read again.
 */
export async function follow(after, { told, changed, missed }) {
  let last = after;
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await answer("GET", `events?after=${last}`);
      changed("open");
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const lines = new EventLines();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        attempt = 0;
        for (const event of lines.push(value)) {
          if (event.name === "missed") missed();
          if (event.id) last = event.id;
          if (event.name !== "missed" && event.data) told(JSON.parse(event.data));
        }
      }
    } catch (error) {
      if (error.status === 401 || error.status === 403) {
        changed("refused");
        return;
      }
    }
    changed("closed");
    await new Promise((resolve) => setTimeout(resolve, pause(attempt)));
  }
}
