// How long ago something was.

import { counted, text } from "./texts.mjs";

/** How long before `now` a moment was, both in seconds; empty for one that is to come or more than a week old. */
export function ago(moment, now) {
  const passed = Math.floor(now - moment);
  if (passed < -60 || passed >= 7 * 86_400) return "";
  if (passed < 60) return text("pageJustNow");
  if (passed < 3600) return text("pageMinutesAgo", Math.floor(passed / 60));
  if (passed < 86_400) return text("pageHoursAgo", Math.floor(passed / 3600));
  return counted(Math.floor(passed / 86_400), "pageDaysAgo");
}

/** An element that says how long ago a moment was; the full date is its title, and its text where that says more. */
export function since(moment, full) {
  const element = document.createElement("time");
  element.dateTime = new Date(moment * 1000).toISOString();
  element.title = full;
  element.dataset.moment = String(moment);
  element.dataset.full = full;
  say(element, Date.now() / 1000);
  return element;
}

function say(element, now) {
  const words = ago(Number(element.dataset.moment), now) || element.dataset.full;
  if (element.textContent !== words) element.textContent = words;
}

/** Keeps the times of a page that is seen up to date, once a minute. */
export function followTime() {
  const refresh = () => {
    if (document.hidden) return;
    const now = Date.now() / 1000;
    for (const element of document.querySelectorAll("time[data-moment]")) say(element, now);
  };
  setInterval(refresh, 60_000);
  document.addEventListener("visibilitychange", refresh);
}
