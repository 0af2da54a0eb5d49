"""A contact sheet: every page of the app and of the studio, every report and drawing, in its states, as one page of pictures.

Usage: sheet.py [--program MESHBED] [--folder DIR] [TOUR…]

Each state is looked at narrow and wide, light and dark. A view fails with a violation of WCAG 2 A and AA, with markup of a
text from outside, when it sticks out, or when it asks another host. DIR/sheet.html has all pictures, small; each leads to the
large one. Exit 0: all states are there, and no view failed.
"""

import argparse
import base64
import html
import pathlib
import sys
import tempfile
import traceback

import sheet_app
import sheet_files
import sheet_studio
from browser import FOREIGN_SCRIPT, SCHEMES, WIDTHS, Browser, loopback_up

# The width of a small picture, of a narrow and of a wide page.
SMALL = {390: 130, 1440: 300}
# Longer pages are cut in the large picture.
TALLEST = 8000

STYLE = """
:root { color-scheme: light dark; --text: light-dark(#17201d, #e7ecea); --muted: light-dark(#56625d, #a3afaa);
  --bg: light-dark(#f5f6f4, #111514); --line: light-dark(#7f8a85, #76827d); --bad: light-dark(#b3261e, #ff9d93);
  --accent: light-dark(#0b6b50, #5fd3a8); }
body { margin: 0; background: var(--bg); color: var(--text); font: 0.9375rem/1.45 system-ui, sans-serif; }
main, header { max-width: 90rem; margin: 0 auto; padding: 1rem; }
h2 { margin: 2rem 0 0.5rem; border-bottom: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0; list-style: none; }
a { color: var(--accent); overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
figure { margin: 1rem 0; }
.shots { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: flex-start; }
.shots img { display: block; border: 1px solid var(--line); max-width: 100%; height: auto; }
figcaption b { margin-inline-end: 0.5rem; }
.bad { color: var(--bad); overflow-wrap: anywhere; }
.muted { color: var(--muted); }
"""


class Sheet:
    """Views by their page and state, in the order in which they were seen."""

    def __init__(self, browser, folder):
        self.browser, self.folder, self.views, self.problems = browser, folder, [], []

    def add(self, page, state, words, act=lambda: None, allowed=(), markup=FOREIGN_SCRIPT, whole=False):
        """Looks at the page as it is, in all widths and schemes. `act` is done before each look; `whole` is a page that scrolls."""
        browser, shots, problems = self.browser, [], []
        name = f"{len(self.views):03}-{page}-{state}".lower().replace(" ", "-").replace(",", "")
        for width in WIDTHS:
            for scheme in SCHEMES:
                browser.look(width, scheme)
                act()
                browser.settle()
                found = browser.problems(name, allowed, markup)
                if width == 390 and page in sheet_app.PAGES:
                    found += [f"{name} on a phone: {problem}" for problem in browser.crowded()]
                problems += found
                shots.append(self.shoot(name, width, scheme, whole))
        browser.look()
        browser.settle()
        self.views.append((page, state, words, shots, problems))
        self.problems += problems
        print(f"{'FAILED' if problems else 'ok':<7} {page}, {state}: {words}", *problems[:8], sep="\n    ", flush=True)

    def shoot(self, name, width, scheme, whole):
        """Keeps a large picture; the small one, ready for the page, and the way to the large one."""
        browser = self.browser
        height = browser.run("return document.documentElement.scrollHeight")
        large = self.browser.screenshots / f"{name}-{width}-{scheme}.png"
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, TALLEST), "scale": 1}
        # The visible part has been kept already.
        if whole:
            large.write_bytes(base64.b64decode(browser.capture(format="png", captureBeyondViewport=True, clip=clip)))
        factor = SMALL[width] / width
        small = browser.capture(format="webp", quality=80, clip=clip | {"height": WIDTHS[width], "scale": factor})
        return large.relative_to(self.folder), width, scheme, round(WIDTHS[width] * factor), small

    def missing(self, pages):
        """States of pages that nobody looked at."""
        seen = {(page, state) for page, state, *_ in self.views}
        return [f"{page} was not seen in the state {state}"
                for page, states in pages.items() for state in states.split() if (page, state) not in seen]

    def write(self):
        """Writes the page."""
        pages = list(dict.fromkeys(page for page, *_ in self.views))
        links = "".join(f"<li><a href='#{place}'>{html.escape(page)}</a></li>" for place, page in enumerate(pages))
        parts = [f"<nav aria-label='Pages'><ul>{links}</ul></nav>"]
        for place, page in enumerate(pages):
            parts.append(f"<h2 id='{place}'>{html.escape(page)}</h2>")
            parts += [self.figure(*view) for view in self.views if view[0] == page]
        count = sum(len(view[3]) for view in self.views)
        text = (f"<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
                f"<link rel='icon' href='data:,'><title>Contact sheet</title><style>{STYLE}</style>"
                f"<header><h1>Contact sheet</h1><p>{len(pages)} pages, {len(self.views)} states, {count} pictures, "
                f"{len(self.problems)} problems. A picture leads to the large one.</p></header><main>{''.join(parts)}</main></html>")
        path = self.folder / "sheet.html"
        path.write_text(text, encoding="utf-8")
        return path

    @staticmethod
    def figure(page, state, words, shots, problems):
        links = "".join(
            f"<a href='{html.escape(str(large))}'><img src='data:image/webp;base64,{small}' width='{SMALL[width]}' height='{height}'"
            f" loading='lazy' alt='{html.escape(f'{page}, {state}, {width} px, {scheme}')}'></a>"
            for large, width, scheme, height, small in shots)
        bad = "".join(f"<p class='bad'>{html.escape(problem)}</p>" for problem in problems)
        return (f"<figure><div class='shots'>{links}</div><figcaption><b>{html.escape(state)}</b>"
                f"<span class='muted'>{html.escape(words)}</span>{bad}</figcaption></figure>")


TOURS = {tour.__name__: tour for module in (sheet_app, sheet_studio, sheet_files) for tour in module.TOURS}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=".build/release/meshbed")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(".build/contact-sheet"))
    parser.add_argument("tours", nargs="*", help=", ".join(TOURS))
    options = parser.parse_args()
    loopback_up()
    program, chosen = str(pathlib.Path(options.program).resolve()), options.tours or list(TOURS)
    folder = options.folder.resolve()
    failures = []
    with tempfile.TemporaryDirectory(prefix="meshbed-sheet-") as work, Browser(folder / "large") as browser:
        sheet = Sheet(browser, folder)
        for name in chosen:
            try:
                TOURS[name](sheet, program, pathlib.Path(work))
            except Exception:
                failures.append(f"{name}: {traceback.format_exc(limit=4)}")
                browser.screenshot(f"failed-{name}")
        if not options.tours:
            failures += sheet.missing(sheet_app.PAGES | sheet_studio.PAGES | sheet_files.PAGES)
        path = sheet.write()
        browser.show(path.as_uri())
        sheet.add("Contact sheet", "many", "this page itself")
    failures += sheet.problems
    print(*failures, sep="\n")
    print(f"{path}: {len(sheet.views)} states, {len(failures)} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
