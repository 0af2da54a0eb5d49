// The language that the user has chosen for this browser.

const KEY = "meshbed.language";

/** The tag of the choice that is kept; empty where the browser's own languages count. */
export function chosenLanguage() {
  try {
    const kept = localStorage.getItem(KEY) ?? "";
    return /^[a-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(kept) ? kept : "";
  } catch {
    return "";
  }
}

/** Keeps a choice; the next page that is loaded speaks it. */
export function chooseLanguage(tag) {
  try {
    if (tag) localStorage.setItem(KEY, tag);
    else localStorage.removeItem(KEY);
  } catch {
    // Not kept: the browser's own languages go on to count.
  }
}
