"""A user who has a keyboard and nothing else: each stop of the focus is looked at."""

import json

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

# Where the focus is, whether it is seen there, and whether something covers it.
STOP = """
const part = document.activeElement;
const style = getComputedStyle(part);
const { left, top, right, bottom, width, height } = part.getBoundingClientRect();
const outline = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1 && !/rgba\\(.*, 0\\)|transparent/.test(style.outlineColor);
const ring = /0px 0px 0px [1-9]/.test(style.boxShadow);
const inView = width > 0 && height > 0 && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
const middle = [Math.min(innerWidth - 1, Math.max(0, (left + right) / 2)), Math.min(innerHeight - 1, Math.max(0, (top + bottom) / 2))];
const over = inView ? document.elementFromPoint(...middle) : null;
return {
  tag: part.localName, name: (part.ariaLabel ?? part.textContent ?? '').trim().slice(0, 40), lost: part === document.body || part === document.documentElement,
  seen: part.matches(':focus-visible') && (outline || ring), inView, covered: Boolean(over) && !part.contains(over) && !over.contains(part),
};
"""


class Keyboard:
    """Presses keys, and notes stops at which the focus is lost, unseen or covered."""

    def __init__(self, browser):
        self.browser, self.problems = browser, []

    def press(self, *keys):
        ActionChains(self.browser.driver).send_keys(*keys).perform()
        self.browser.settle()

    def stop(self, what):
        """The focus as it is; it must be somewhere, and seen."""
        found = self.browser.run(STOP)
        where = f"{found['tag']} {found['name']!r}"
        if found["lost"]:
            self.note(f"{what}: the focus is lost")
        elif not found["seen"]:
            self.note(f"{what}: the focus is not seen at {where}")
        elif not found["inView"]:
            self.note(f"{what}: the focus is out of view at {where}")
        elif found["covered"]:
            self.note(f"{what}: something covers the focus at {where}")

    def note(self, problem):
        if problem not in self.problems:
            self.problems.append(problem)

    def tab_to(self, selector, text="", most=120):
        """Presses Tab until a part has the focus that fits."""
        fits = f"""const part = document.activeElement;
            return part.matches({json.dumps(selector)}) && (part.textContent + (part.ariaLabel ?? '')).includes({json.dumps(text)})"""
        for _ in range(most):
            self.press(Keys.TAB)
            # Past the last part the browser itself has the focus; the next Tab comes to the first one.
            if self.browser.run("return document.activeElement !== document.body"):
                self.stop(f"on the way to {selector} {text}".strip())
            if self.browser.run(fits):
                return
        raise AssertionError(f"no Tab leads to {selector} {text}")

    def write(self, words):
        """Types into the field that has the focus, in place of what is there."""
        ActionChains(self.browser.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).send_keys(words).perform()
        self.browser.settle()

    def enter(self, check, what):
        """Presses Enter and waits for what follows; the focus must be somewhere then."""
        self.press(Keys.ENTER)
        self.follow(check, what)

    def follow(self, check, what):
        """Waits for a selector, or for a check as `until` has them; the focus must be somewhere then."""
        if isinstance(check, str) and "return " not in check:
            self.browser.find(check)
        else:
            self.browser.until(what, check)
        self.browser.settle()
        self.stop(f"after {what}")
