"""A headless Chromium that looks at pages as their readers do: narrow and wide, light and dark, with axe.

    with Browser(screenshots) as browser:
        browser.show(url, width=390, scheme="dark")
        browser.click("button[data-action=send]")
        problems = browser.problems("chat")      # axe, overflow, console, requests to other hosts; keeps a screenshot

Nothing waits for a clock: `until` asks the page again until it says yes, and a limit only ends what hangs.
"""

import base64
import fcntl
import json
import os
import pathlib
import socket
import struct
import time
import urllib.parse

import axe_playwright_python
from selenium import webdriver
from selenium.common.exceptions import ElementNotInteractableException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

WIDTHS = {390: 844, 1440: 900}
SCHEMES = ("light", "dark")
# After this a page is taken to hang.
LIMIT = 60
AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
# The levels A and AA of WCAG, in its versions 2.0 to 2.2.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

AXE_SCRIPT = """
const [rules, done] = arguments;
axe.run(document, {runOnly: {type: "tag", values: rules}, resultTypes: ["violations"]}).then(
  result => done(result.violations.map(rule => `axe ${rule.id}: ${rule.help}: ` +
    rule.nodes.slice(0, 3).map(node => `${node.target.join(" ")} (${node.any.concat(node.all)
      .map(check => check.message).slice(0, 1).join()})`).join("; "))),
  error => done([`axe failed: ${error}`]));
"""

OVERFLOW_SCRIPT = """
const root = document.documentElement;
if (root.scrollWidth <= window.innerWidth) return [];
return [`the page is ${root.scrollWidth} px wide`, ...[...document.querySelectorAll("body *")]
  .filter(element => element.getBoundingClientRect().right > window.innerWidth + 1 && !element.closest(".scroll *"))
  .slice(0, 5).map(element => `${element.tagName} .${element.className} sticks out`)];
"""

# Elements of markup that no page of ours has: one of them means that a text from outside became markup.
FOREIGN_SCRIPT = """
return [...document.querySelectorAll("body script, body iframe:not([data-own]), body object, body embed, body base, marquee")]
  .map(element => `foreign markup: ${element.tagName}`).concat(window.hostile ? ["a hostile text ran"] : []);
"""


# A control is what its label makes of it. The link past the bar shows only with the focus.
TOUCH_SCRIPT = """
const found = [];
const seen = (part) => !part.closest('[hidden]') && part.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
const name = (part) => `${part.localName} ${JSON.stringify((part.ariaLabel ?? part.textContent).slice(0, 30))}`;
for (const part of document.querySelectorAll('a[href], button, input, select, textarea, summary, [role=tab]')) {
  if (!seen(part) || part.classList.contains('skip')) continue;
  const target = part.matches('input[type=checkbox], input[type=radio]') && part.closest('label') || part;
  const { width, height } = target.getBoundingClientRect();
  if (width && (width < 43.5 || height < 43.5)) found.push(`${name(part)} is ${width.toFixed()} x ${height.toFixed()} px for a finger`);
}
for (const part of document.querySelectorAll('.composer *, .chips *')) {
  const { left, right, width } = part.getBoundingClientRect();
  if (width && seen(part) && (left < -0.5 || right > innerWidth + 0.5)) found.push(`${name(part)} is cut off`);
}
const heads = [...document.querySelectorAll('h1')].filter((head) => seen(head) && (head.getAttribute('aria-level') ?? '1') === '1');
if (heads.length !== 1) found.push(`the page has ${heads.length} first headings`);
return found;
"""

# A reader who goes from heading to heading misses none: no level is left out on the way down. Beside another pane a list comes
# first, and is a second heading.
HEADINGS_SCRIPT = """
const found = [];
let level = 1;
for (const head of document.querySelectorAll('h1, h2, h3, h4, h5, h6, [role=heading]')) {
  if (head.closest('[hidden]') || !head.checkVisibility({ checkVisibilityCSS: true })) continue;
  const next = Number(head.getAttribute('aria-level') ?? head.localName.slice(1));
  if (next > level + 1) found.push(`the heading ${JSON.stringify(head.textContent.slice(0, 30))} of level ${next} follows one of level ${level}`);
  level = next;
}
return found;
"""

# Words that stand out of what they are written on; a text that ends in dots on purpose has its whole in its title or page.
# Counts lie on a corner of theirs, and beyond it.
STANDS_OUT_SCRIPT = """
const counts = [...document.querySelectorAll('.count')].filter(part => getComputedStyle(part).position === 'absolute');
for (const count of counts) count.style.display = 'none';
const found = [...document.querySelectorAll('a[href], button, label, legend, summary, h1, h2, h3, dt, .tag, .card, .notice')]
  .filter(part => part.checkVisibility() && part.clientWidth && part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX === 'visible')
  .map(part => `${part.localName} ${JSON.stringify((part.ariaLabel ?? part.textContent).slice(0, 30))} has words that stand out of it`);
for (const count of counts) count.style.display = '';
return found;
"""


def loopback_up():
    """In a network namespace of our own even the loopback interface is down; the driver needs it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sh", b"lo", 0x1 | 0x40)  # IFF_UP | IFF_RUNNING
        try:
            fcntl.ioctl(control, 0x8914, request)  # SIOCSIFFLAGS
        except OSError:
            pass  # Not ours, and then it is up.


class Browser:
    """One browser; `show` opens a page in it at a width and in a scheme."""

    def __init__(self, screenshots):
        self.screenshots = pathlib.Path(screenshots)
        self.screenshots.mkdir(parents=True, exist_ok=True)
        self.width, self.scheme, self.origin = 1440, "light", None
        # What is done between two looks at a page: a case lets time of its mesh pass.
        self.meanwhile = lambda: time.sleep(0.05)
        os.environ["SE_OFFLINE"] = "true"
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                         "--no-first-run", "--disable-background-networking", "--disable-component-update",
                         "--force-prefers-reduced-motion", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_page_load_timeout(LIMIT)
        self.driver.set_script_timeout(LIMIT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    # Showing

    def look(self, width=1440, scheme="light"):
        """From here on the page has this width and these colours, as it is."""
        self.width, self.scheme = width, scheme
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": WIDTHS.get(width, 900), "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme},
                         {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def show(self, url, width=1440, scheme="light"):
        """Opens a page; requests to any other origin than its own count as problems."""
        self.look(width, scheme)
        parts = urllib.parse.urlsplit(url)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        # An address that differs only behind # would not be loaded again.
        self.driver.get("about:blank")
        # What the page before has said and asked is not this one's.
        for kind in ("browser", "performance"):
            self.driver.get_log(kind)
        self.driver.get(url)

    # Asking what the page asks

    def ask(self, path):
        """An answer of the app's API, with the page's own token."""
        return self.call("GET", path)

    def post(self, path, body):
        return self.call("POST", path, body)

    def call(self, method, path, body=None):
        return self.driver.execute_async_script("""
            const [method, path, body, done] = arguments;
            fetch("api/" + path, {method, body, headers: {Authorization: "Bearer " + sessionStorage.getItem("meshbed.token")}})
              .then(answer => answer.json()).then(done, error => done({error: String(error)}));
            """, method, path, None if body is None else json.dumps(body))

    def settle(self):
        """Waits until the page has drawn what it has."""
        self.driver.execute_async_script("const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(done))")

    # Acting

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, what, check, limit=LIMIT):
        """Asks again until a check says yes, and gives its answer. A script in text is a check."""
        ask = (lambda: self.run(check)) if isinstance(check, str) else check
        end = time.monotonic() + limit
        while True:
            try:
                answer = ask()
            except (ElementNotInteractableException, StaleElementReferenceException):
                answer = None
            if answer:
                return answer
            if time.monotonic() > end:
                path = self.screenshot("stuck")
                raise AssertionError(f"the page never had: {what}; it looks like {path}")
            self.meanwhile()

    def find(self, selector, text=None, limit=LIMIT):
        """The first element that is to be seen, with a text in it where one is named; waits for it."""
        def seen():
            for element in self.driver.find_elements(By.CSS_SELECTOR, selector):
                if element.is_displayed() and (text is None or text in element.text):
                    return element
            return None
        return self.until(f"{selector}{f' with {text!r}' if text else ''}", seen, limit)

    def gone(self, selector, limit=LIMIT):
        """Waits until nothing that is to be seen fits."""
        self.until(f"no {selector}", lambda: not any(
            element.is_displayed() for element in self.driver.find_elements(By.CSS_SELECTOR, selector)), limit)

    def click(self, selector, text=None):
        def clicked():
            element = self.find(selector, text)
            self.run("arguments[0].scrollIntoView({block: 'nearest'})", element)
            element.click()
            return True
        # What was drawn again between the look and the click is looked for again.
        self.until(f"a click on {selector}", clicked)

    def type(self, selector, words, clear=True):
        """Writes into a field, by the keyboard; characters beyond the first plane are put in as an input method does."""
        self.click(selector)
        element = self.find(selector)
        if clear:
            element.send_keys(Keys.CONTROL, "a")
            element.send_keys(Keys.DELETE)
        if all(ord(letter) < 0x10000 for letter in words):
            element.send_keys(words)
        else:
            self.driver.execute_cdp_cmd("Input.insertText", {"text": words})
        return element

    def press(self, *keys):
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    # Judging

    def crowded(self):
        """Parts of the page on a phone that a finger misses, that are cut off, and whether the page has one first heading."""
        return self.run(TOUCH_SCRIPT)

    def stands_out(self):
        """Parts of the page whose words are wider than they are."""
        return self.run(STANDS_OUT_SCRIPT)

    def headings(self):
        """Headings that are more than one level below the one before."""
        return self.run(HEADINGS_SCRIPT)

    def screenshot(self, name):
        """Saves the visible part, as NAME-WIDTH-SCHEME.png."""
        path = self.screenshots / f"{name}-{self.width}-{self.scheme}.png"
        path.write_bytes(base64.b64decode(self.capture(format="png")))
        return path

    def capture(self, **how):
        """A picture of the page, in base64; `how` is what the debugger takes."""
        return self.driver.execute_cdp_cmd("Page.captureScreenshot", how)["data"]

    def memory(self):
        """Bytes that the page holds after its garbage was collected: objects of its scripts, buffers beside them, and the rest of the DOM."""
        self.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        used = self.driver.execute_cdp_cmd("Runtime.getHeapUsage", {})
        return {"scripts": used["usedSize"], "buffers": used["backingStorageSize"], "DOM": used["embedderHeapUsedSize"]}

    def foreign_requests(self):
        """Addresses of other origins that were asked for since the last look."""
        for line in self.driver.get_log("performance"):
            message = json.loads(line["message"])["message"]
            url = None
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
            elif message["method"] == "Network.webSocketCreated":
                url = message["params"]["url"]
            if url is None or url.split(":")[0] in ("data", "blob", "about", "chrome"):
                continue
            if not (self.origin and url.startswith(self.origin + "/")):
                yield url

    def axe(self):
        """Violations of WCAG 2, A and AA."""
        # Through the debugger, not as a script of the page: its policy lets no other script in.
        if not self.run("return typeof axe === 'object'"):
            self.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE})
        return self.driver.execute_async_script(AXE_SCRIPT, RULES)

    def problems(self, name, allowed=(), markup=FOREIGN_SCRIPT):
        """The faults of the page as it is now, a line each; keeps a screenshot. `allowed` are parts of console lines.

        `markup` is the script that looks for markup that does not belong there.
        """
        self.screenshot(name)
        found = self.run(OVERFLOW_SCRIPT) + self.run(markup) + self.headings() + self.axe()
        found += [f"console: {entry['message']}" for entry in self.driver.get_log("browser")
                  if entry["level"] in ("SEVERE", "WARNING") and not any(part in entry["message"] for part in allowed)]
        found += [f"asked another host for {url}" for url in self.foreign_requests()]
        return [f"{name} at {self.width} px, {self.scheme}: {problem}" for problem in found]
