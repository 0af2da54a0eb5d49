// Speaks with the program that serves this page.

import { followShared } from "./shared.mjs";
import { chosenLanguage } from "./languages.mjs";
import { text } from "./texts.mjs";

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
  const language = chosenLanguage();
  // Without a choice the browser says its own languages.
  return { ...(token && { Authorization: `Bearer ${token}` }), ...(language && { "Accept-Language": language }) };
}

export function hasToken() {
  return "Authorization" in fields();
}

async function answer(method, path, body, type, { signal, keepalive } = {}) {
  const head = fields();
  if (body !== undefined) head["Content-Type"] = type;
  let response;
  try {
    response = await fetch(new URL(path, BASE), { method, headers: head, body, signal, keepalive, cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, "unreachable", text("pageUnreachable"));
  }
  if (response.ok) return response;
  let told = {};
  try {
    told = (await response.json()).error ?? {};
  } catch {
    // No words of ours.
  }
  throw new Failure(response.status, told.code ?? "unknown", told.message ?? text("pageAnswers", response.status));
}

/** Reads: get("chats", {limit: 50}). */
export async function get(path, query = {}, signal = undefined) {
  const members = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== null));
  const response = await answer("GET", members.size ? `${path}?${members}` : path, undefined, "", { signal });
  return response.json();
}

/** Commands: post("chats/ID/send", {text}). One with `keepalive` is sent to its end, also when the page is closed meanwhile. */
export async function post(path, body = {}, { keepalive } = {}) {
  return (await answer("POST", path, JSON.stringify(body), "application/json", { keepalive })).json();
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
  return (await answer("GET", path, undefined, "", { signal })).blob();
}

/**
 * Follows the events behind a number; all tabs share one stream.
 *
 * `told` gets each event; `changed` is told "open", "closed" or "refused", and `missed` runs when everything has to be
 * read again.
 */
export function follow(after, handlers) {
  followShared({ address: new URL("events", BASE).href, headers: fields(), after, handlers });
}
