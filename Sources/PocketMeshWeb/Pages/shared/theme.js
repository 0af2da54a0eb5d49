// The scheme of colours that the user has chosen, and colours for a canvas.

const KEY = "meshbed.theme";
const CHOICES = ["system", "light", "dark"];

/** The choice that is kept: "system", "light" or "dark". */
export function theme() {
  try {
    const kept = localStorage.getItem(KEY);
    return CHOICES.includes(kept) ? kept : "system";
  } catch {
    return "system";
  }
}

/** Shows a scheme, and keeps the choice. */
export function setTheme(choice) {
  const root = document.documentElement;
  if (choice === "system") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", choice);
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // Not kept, but shown.
  }
  root.dispatchEvent(new CustomEvent("themechange"));
}

/** Shows the choice that is kept; `changed` runs whenever other colours are shown, for a canvas to draw again. */
export function followTheme(changed = () => {}) {
  const kept = theme();
  if (kept !== "system") document.documentElement.setAttribute("data-theme", kept);
  document.documentElement.addEventListener("themechange", changed);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}

let probe;

/** A colour of theme.css as a canvas takes it: colour("accent") is "rgb(11, 107, 80)". */
export function colour(name) {
  if (!probe) {
    probe = document.createElement("span");
    probe.hidden = true;
    document.body.append(probe);
  }
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}
