"""Walks through the app by the keyboard alone, and through its accessibility tree."""

import json

from selenium.webdriver.common.keys import Keys

from browser import WIDTHS
from keys import Keyboard
from tree import announces, faults, listen


def write(keyboard, words):
    """A text in the conversation that is there now, until it is sent; the focus stays where one types."""
    keyboard.tab_to(".composer textarea")
    keyboard.write(words)
    keyboard.enter(lambda: any(words in message.text for message in keyboard.browser.driver.find_elements("css selector", ".message.outgoing")),
                   f"sending {words!r}")
    keyboard.browser.find(".message.outgoing .status.sent, .message.outgoing .status.acknowledged")
    keyboard.stop("after a text was sent")
    assert keyboard.browser.run("return document.activeElement.matches('.composer textarea')"), "the focus has left the field"


def log_in(keyboard, password, selector):
    """Logs in until the page shows what follows; an answer that met another packet on the way is waited for again."""
    ask = f"return document.querySelector({json.dumps(selector)}) && 'in' || document.querySelector('.pane form.card p.bad') && 'out'"
    for _ in range(6):
        keyboard.tab_to(".pane form.card input[type=password]")
        keyboard.write(password)
        keyboard.enter(lambda: keyboard.browser.run(ask), "a login")
        if keyboard.browser.run(ask) == "in":
            return
    raise AssertionError("nobody answers the login")


def first_message_by_keyboard(bench):
    """From the first page to a sent text without a pointer."""
    bench.start("keys.sqlite", target=False)
    bench.open()
    keyboard = Keyboard(bench.browser)
    bench.browser.find("input[name=address]")
    keyboard.tab_to("input[name=address]")
    keyboard.write(bench.target)
    keyboard.enter(".detail-pane .composer textarea", "connecting")
    write(keyboard, "typed without a mouse")
    bench.problems += keyboard.problems
    bench.stop()


def room_by_keyboard(bench):
    """Leaves a room, logs in again and posts, from the list of contacts and without a pointer."""
    browser, room = bench.browser, bench.contact("Town Room")
    bench.go(f"rooms/{room}")
    browser.find(".composer:not([hidden]) textarea")
    keyboard = Keyboard(browser)
    keyboard.tab_to("button", "About this room")
    keyboard.enter("dialog[open]", "the question whether to leave")
    keyboard.tab_to("dialog button", "Leave")
    keyboard.enter(lambda: browser.run("return location.hash") == "#/chats", "leaving")
    keyboard.tab_to("#tabs a", "Contacts")
    keyboard.enter(".list-pane a.item", "the contacts")
    keyboard.tab_to(".list-pane a.item", "Town Room")
    keyboard.enter(".detail-pane a.button", "the contact")
    keyboard.tab_to(".detail-pane a.button", "Open the room")
    keyboard.enter(".pane form.card input[type=password]", "the room")
    log_in(keyboard, "hello", ".composer:not([hidden])")
    write(keyboard, "good evening, room")
    bench.problems += keyboard.problems


def repeater_by_keyboard(bench):
    """The page of a repeater: its console and its status, from the list of contacts and without a pointer."""
    browser = bench.browser
    bench.go("contacts")
    browser.find(".list-pane a.item", "West Hill")
    keyboard = Keyboard(browser)
    keyboard.tab_to(".list-pane a.item", "West Hill")
    keyboard.enter(".detail-pane a.button", "the contact")
    keyboard.tab_to(".detail-pane a.button", "Status and console")
    keyboard.enter("section[aria-label=Console]:not([hidden])", "the repeater")
    keyboard.tab_to("button", "Log out")
    keyboard.enter(".pane form.card input[type=password]", "logging out")
    log_in(keyboard, "secret", "section[aria-label=Console]:not([hidden])")
    keyboard.tab_to("section[aria-label=Status] button")
    for _ in range(6):
        keyboard.enter(lambda: browser.run("return document.querySelector('section[aria-label=Status] dl.facts') "
                                           "|| document.querySelector('.toast.bad')"), "asking for the status")
        if browser.run("return Boolean(document.querySelector('section[aria-label=Status] dl.facts'))"):
            break
    keyboard.tab_to("section[aria-label=Console] input")
    for _ in range(6):
        keyboard.write("get role")
        keyboard.enter(lambda: "repeater" in browser.run("return document.querySelector('.console').lastElementChild?.textContent ?? ''")
                       or browser.run("return document.querySelector('.toast.bad')"), "a line for the console")
        if not browser.run("return document.querySelector('.toast.bad')"):
            break
        browser.click(".toast.bad button")
    assert browser.run("return document.activeElement.matches('section[aria-label=Console] input')"), "the focus has left the console"
    bench.problems += keyboard.problems


def trees(bench):
    """Each page as its accessibility tree has it: names and roles of all controls, one first heading, landmarks."""
    browser = bench.browser
    bob, room, repeater = (bench.contact(name) for name in ("bob", "Town Room", "West Hill"))
    public = next(row["id"] for row in browser.ask("chats")["rows"] if row["kind"] == "channel")
    for page in ("chats", f"chats/{bob}", f"chats/{public}", f"rooms/{room}", "contacts", f"contacts/{bob}", f"contacts/{bob}/path",
                 f"repeaters/{repeater}", "discovery", "map", "notifications", "settings"):
        bench.go(page)
        browser.find("#main h1")
        browser.gone(".skeleton")
        for width in WIDTHS:
            browser.look(width)
            browser.settle()
            bench.problems += faults(browser, f"{page.split('/')[0]} at {width} px")
        browser.look()


def announcements(bench):
    """A screen reader says that a text came, that one was sent and has arrived, and what has failed."""
    browser, bob = bench.browser, bench.contact("bob")
    bench.go(f"chats/{bob}")
    browser.find(".composer textarea")
    listen(browser)
    bench.texts("bob", "can you hear me?")
    announces(browser, "can you hear me?")
    browser.type(".composer textarea", "yes, I hear you")
    browser.press(Keys.ENTER)
    browser.find(".message.outgoing", "yes, I hear you")
    announces(browser, "Acknowledged")
    bench.go("map")
    browser.find(".map canvas")
    bench.comes_unseen("bob", "and elsewhere?", "return document.querySelector('.banner')?.textContent.includes('and elsewhere?')")
    announces(browser, "and elsewhere?")
    bench.go("settings")
    browser.type("#section-devices input[name=address]", "127.0.0.1:1")
    browser.click("#section-devices form button.primary")
    announces(browser, "127.0.0.1 port 1")
    # The next start goes to the radio that was connected last.
    browser.type("#section-devices input[name=address]", bench.target)
    browser.click("#section-devices form button.primary")
    bench.connected()
