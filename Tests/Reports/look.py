"""Opens HTML reports in headless Chromium, narrow and wide, light and dark, and looks at what a reader would see.

Usage: look.py --screenshots DIR NAME=REPORT.html,REPORT.json…

The JSON of the same run says what must be there. Each page is opened four times; a screenshot of each is kept. Exit 0:
all is as it should be. Exit 1: something is not, a line for each.
"""

import argparse
import base64
import fcntl
import json
import os
import pathlib
import socket
import struct
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

WIDTHS = (400, 1600)
SCHEMES = ("light", "dark")
# Of WCAG 2, level AA, for text of any size.
CONTRAST = 4.5
# Longer pages are cut in the screenshot.
TALLEST = 6000

CONTRAST_SCRIPT = (pathlib.Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")

# Labels of a timeline: none may leave its picture, no two may overlap.
LABELS_SCRIPT = """
const problems = [];
for (const svg of document.querySelectorAll("svg.timeline")) {
  const paper = svg.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll("text")].map(text => [text.lastChild.data, text.getBoundingClientRect()]);
  boxes.forEach(([words, box], index) => {
    if (box.left < paper.left - 1 || box.right > paper.right + 1) problems.push(`'${words}' leaves the picture`);
    for (const [others, other] of boxes.slice(index + 1)) {
      const width = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const height = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (width > 1 && height > 3) problems.push(`'${words}' and '${others}' overlap`);
    }
  });
}
return problems;
"""

# What sticks out of the page, if it is too wide.
OVERFLOW_SCRIPT = """
const root = document.documentElement;
if (root.scrollWidth <= window.innerWidth) return [];
return [`the page is ${root.scrollWidth} wide`, ...[...document.querySelectorAll("body *")]
  .filter(element => element.getBoundingClientRect().right > window.innerWidth + 1 && !element.closest(".scroll *"))
  .slice(0, 5).map(element => `${element.tagName} .${element.className} sticks out`)];
"""

# What somebody who cannot see or has no mouse needs.
ACCESS_SCRIPT = """
const problems = [];
for (const name of ["header", "nav", "main", "footer", "h1", "title"])
  if (!document.querySelector(name)) problems.push(`there is no ${name}`);
if (!document.documentElement.lang) problems.push("the page names no language");
let level = 0;
for (const head of document.querySelectorAll("h1, h2, h3, h4")) {
  const next = Number(head.tagName[1]);
  if (next > level + 1) problems.push(`${head.tagName} '${head.textContent}' follows a heading of level ${level}`);
  level = next;
}
for (const head of document.querySelectorAll("th")) if (!head.scope) problems.push(`'${head.textContent}' has no scope`);
for (const box of document.querySelectorAll(".scroll"))
  if (box.scrollWidth > box.clientWidth && box.tabIndex < 0) problems.push("no key scrolls a part that is too wide");
for (const input of document.querySelectorAll("input"))
  if (!input.labels.length) problems.push(`input ${input.id} has no label`);
for (const svg of document.querySelectorAll("svg"))
  if (!svg.getAttribute("aria-label")) problems.push("a picture has no words");
return problems;
"""

COUNTS_SCRIPT = """
const count = selector => document.querySelectorAll(selector).length;
return {
  entries: count(".entry"), kept: count(".entry[data-verdict=kept]"), broken: count(".entry[data-verdict=broken]"),
  notRun: count(".entry[data-verdict=notrun]"), notApplicable: count(".entry[data-verdict=na]"),
  failures: count("article.failure"), commands: count("article.failure .command"),
  pictures: [...document.querySelectorAll("article.failure svg.timeline")].filter(svg =>
    svg.getBoundingClientRect().height > 60 && svg.querySelectorAll("path.tl-arrow").length > 0 &&
    svg.querySelector("g.tl-failure")).length,
  cells: count(".matrix tbody td:not(.none):not(:has(.chip)), .matrix .chip"), rows: count(".matrix tbody tr"),
  states: count(".states tbody tr"), never: count(".states tr.never"),
  frames: [...document.querySelectorAll("article.failure")].filter(article =>
    article.querySelector("details.frame table.fields")).length,
};
"""


def loopback_up():
    """In a network namespace of our own even the loopback interface is down; the driver needs it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sh", b"lo", 0x1 | 0x40)  # IFF_UP | IFF_RUNNING
        try:
            fcntl.ioctl(control, 0x8914, request)  # SIOCSIFFLAGS
        except OSError:
            pass  # Not ours, and then it is up.


def start():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--no-first-run", "--disable-background-networking", "--disable-component-update",
                     "--host-resolver-rules=MAP * ~NOTFOUND"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    driver.set_page_load_timeout(60)
    return driver


def requests(driver):
    """The addresses that the page asked for, without the file itself."""
    for line in driver.get_log("performance"):
        message = json.loads(line["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if not url.startswith("file://") and not url.startswith("chrome://"):
                yield url
        elif message["method"] == "Network.webSocketCreated":
            yield message["params"]["url"]


def screenshot(driver, path, width):
    height = driver.execute_script("return Math.ceil(document.documentElement.getBoundingClientRect().height)")
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {
        "format": "png", "captureBeyondViewport": True,
        "clip": {"x": 0, "y": 0, "width": width, "height": min(height, TALLEST), "scale": 1}})
    path.write_bytes(base64.b64decode(shot["data"]))


def check_filter(driver, expected):
    """The few lines of script: words and boxes choose what is shown, by keyboard."""
    words = driver.find_element(By.ID, "words")
    if not words.is_displayed():
        yield "the filter is not shown"
        return
    first = expected["checks"][-1]["id"]
    words.send_keys(first)
    shown = driver.execute_script("return document.querySelectorAll('.entry:not([hidden])').length")
    named = sum(first.lower() in json.dumps(check, ensure_ascii=False).lower() for check in expected["checks"])
    if not 1 <= shown <= named:
        yield f"'{first}' shows {shown} entries"
    words.send_keys(Keys.CONTROL, "a")
    words.send_keys(Keys.DELETE)
    shown = driver.execute_script("return document.querySelectorAll('.entry:not([hidden])').length")
    if shown != len(expected["checks"]):
        yield f"without words {shown} entries are shown"


def check_counts(driver, expected):
    found = driver.execute_script(COUNTS_SCRIPT)
    broken = expected["broken"]
    wanted = {"entries": len(expected["checks"]), "kept": expected["kept"], "broken": broken,
              "notRun": expected["notRun"], "notApplicable": expected["notApplicable"],
              "failures": broken + expected["couldNotRun"], "commands": broken + expected["couldNotRun"],
              "pictures": broken, "frames": broken}
    matrix = expected.get("matrix", {"rows": [], "cells": []})
    states = expected.get("coverage", [])
    wanted |= {"rows": len(matrix["rows"]), "cells": len(matrix["cells"]), "states": len(states),
               "never": sum(state["count"] == 0 for state in states)}
    for name, count in wanted.items():
        if found[name] != count:
            yield f"{found[name]} {name}, not {count}"


def look(driver, page, expected, width, scheme, path):
    """The faults of the page at this width and in this scheme."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    driver.get(page.resolve().as_uri())
    if not driver.execute_script(f"return matchMedia('(prefers-color-scheme: {scheme})').matches"):
        yield "the browser does not show this scheme"
    if driver.execute_script("return window.innerWidth") != width:
        yield "the browser does not have this width"
    yield from driver.execute_script(OVERFLOW_SCRIPT)
    screenshot(driver, path, width)
    # What is folded is text as well.
    driver.execute_script("document.querySelectorAll('details').forEach(part => part.open = true)")
    yield from driver.execute_script(OVERFLOW_SCRIPT)
    yield from driver.execute_script(LABELS_SCRIPT)
    yield from driver.execute_script(ACCESS_SCRIPT)
    yield from driver.execute_script(CONTRAST_SCRIPT, CONTRAST)
    yield from check_counts(driver, expected)
    if expected["checks"]:
        yield from check_filter(driver, expected)
    for entry in driver.get_log("browser"):
        yield f"console: {entry['message']}"
    for url in requests(driver):
        yield f"asked the network for {url}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--screenshots", type=pathlib.Path, required=True)
    parser.add_argument("reports", nargs="+", metavar="NAME=HTML,JSON")
    arguments = parser.parse_args()
    arguments.screenshots.mkdir(parents=True, exist_ok=True)
    loopback_up()
    driver = start()
    failures = 0
    looks = 0
    try:
        for report in arguments.reports:
            name, files = report.split("=", 1)
            page, data = (pathlib.Path(path) for path in files.split(","))
            expected = json.loads(data.read_text(encoding="utf-8"))
            for width in WIDTHS:
                for scheme in SCHEMES:
                    path = arguments.screenshots / f"{name}-{width}-{scheme}.png"
                    problems = list(look(driver, page, expected, width, scheme, path))
                    looks += 1
                    failures += bool(problems)
                    print(f"{name} at {width} px, {scheme}: {'FAILED' if problems else 'ok'}  {path}", flush=True)
                    for problem in problems[:20]:
                        print(f"  {problem}")
    finally:
        driver.quit()
    print(f"reports: {looks} looks, {failures} failed")
    return 1 if failures or looks == 0 else 0


if __name__ == "__main__":
    os.environ["SE_OFFLINE"] = "true"
    sys.exit(main())
