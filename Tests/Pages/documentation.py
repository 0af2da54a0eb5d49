"""The site of ci/docs in a browser: its kinds of pages, narrow and wide, light and dark, its menus and its search.

usage: documentation.py [--site .build/docs] [--screenshots FOLDER] [CASE…]

A page passes without a violation of WCAG 2 A and AA, without sticking out, without a line in the console, and without a request
to another host. Exit 0: all cases passed.
"""

import argparse
import functools
import http.server
import pathlib
import sys
import threading

from browser import SCHEMES, WIDTHS, Browser, loopback_up

PAGES = {
    "first": "index.html",
    "tutorial": "MeshTestbed/TestingFromPython.html",
    "tables": "MeshTestbed/Architecture.html",
    "pictures": "MeshTestbed/RunningANetwork.html",
    "statements": "MeshCompanion/CompanionStatements.html",
    "commands": "commands.html",
    "words": "words.html",
    "libraries": "swift.html",
    "module": "MeshCore/MeshCore.html",
    "type": "MeshCore/api/MeshCoreSession.html",
    "licences": "licences.html",
}
# Tables and code scroll by themselves. The theme's scripts stand at the end of its pages.
MARKUP = """
return [...document.querySelectorAll("body iframe, body object, body embed, body base, marquee")]
  .map(element => `foreign markup: ${element.tagName}`);
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Says nothing: requests are the browser's to judge."""


def served(folder):
    """Serves a folder on a free port of this machine; returns the address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def pages(browser, address):
    """Each kind of page at each width in each scheme."""
    found = []
    for name, page in PAGES.items():
        for width in WIDTHS:
            for scheme in SCHEMES:
                browser.show(f"{address}/{page}", width, scheme)
                browser.until("the theme has begun", "return document.querySelector('.js') !== null || "
                              "document.documentElement.classList.contains('js')")
                found += browser.problems(name, markup=MARKUP)
    return found


def search(browser, address):
    """A word of the documentation and a public name are found, from the keyboard."""
    found = []
    for words, page in (("acknowledgement", "html"), ("MeshCoreSession", "MeshCoreSession.html"), ("flood-fallback", "html")):
        browser.show(f"{address}/index.html")
        browser.type(".md-search__input", words)
        first = browser.find(".md-search-result__link")
        if page not in (first.get_attribute("href") or ""):
            found.append(f"{words}: the first result is {first.get_attribute('href')}")
    browser.screenshot("search")
    return found


def menu(browser, address):
    """The menu of a narrow window opens."""
    browser.show(f"{address}/MeshTestbed/Studies.html", width=390)
    browser.click("label.md-header__button[for=__drawer]")
    browser.find(".md-nav--primary .md-nav__item--active")
    browser.run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return browser.problems("menu", markup=MARKUP)


CASES = {case.__name__: case for case in (pages, search, menu)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--site", default=".build/docs")
    parser.add_argument("--screenshots", default=".build/pages")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    loopback_up()
    address, failed = served(pathlib.Path(options.site).resolve()), 0
    chosen = options.cases or list(CASES)
    with Browser(options.screenshots) as browser:
        for name in chosen:
            problems = CASES[name](browser, address)
            failed += 1 if problems else 0
            print(f"{'FAILED' if problems else 'passed'}  {name}", *problems, sep="\n    ", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
