"""The app in a browser, as people use it: an emulated mesh, `meshbed app`, and headless Chromium.

Usage: app.py [--meshbed PATH] [--screenshots DIR] [--only TEXT]

Time of the mesh passes only while a case waits for something on its page, so no case depends on how fast the machine is.
Each page is looked at in two widths and two schemes of colours. The last line counts; exit 0 when all cases passed.
"""

import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
import uuid

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "Sources" / "Python"), str(HERE.parent / "Clients")]

from meshbed import Mesh  # noqa: E402
from selenium import webdriver  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

import codes  # noqa: E402
import walks  # noqa: E402
from bluetoothd import Bluetoothd  # noqa: E402
from browser import SCHEMES, WIDTHS, Browser, loopback_up  # noqa: E402

SEED = 7
BOB = "bob"
HOSTILE = "<img src=x onerror=hostile=1>"
EMOJI = "👩‍🚀🚀🛰️👽🌍a"
BACKWARDS = "\u202egnp.ecila\u202c"
TEXTS = ["<script>window.hostile=1</script>", "a\u0001b\u001b[31mc", "\u202eabc\u202c end", "\"><svg onload=hostile=1>",
         "javascript:hostile=1", "👨‍👩‍👧‍👦" * 3, "&lt;b&gt; stays"]
ROOM, WEST = "Town Room", "West Hill"
NO_BUS = "unix:path=/nothing/here"


class App:
    """`meshbed app` as a child: it ends with this process."""

    def __init__(self, binary, *words, bus=NO_BUS):
        # Never the machine's own Bluetooth, which some have and some have not.
        environment = os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": bus}
        self.process = subprocess.Popen([binary, "app", *words, "--ready-json", "--until-stdin-closes"], env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the app did not start: {self.process.stderr.read().decode()}")
        self.ready = json.loads(line)
        self.url = self.ready["url"]

    def stop(self):
        self.process.stdin.close()
        status = self.process.wait(30)
        self.process.stdout.close()
        self.process.stderr.close()
        assert status == 0, f"the app ended with {status}"


class Bench:
    """A mesh, and what the cases share: one browser, and one app with its database."""

    def __init__(self, binary, browser, folder, world=str(HERE / "valley.json")):
        self.binary, self.browser, self.folder = binary, browser, pathlib.Path(folder)
        self.problems, self.app = [], None
        self.mesh = Mesh.start(world, seed=SEED, endpoints=("alice",), binary=binary)
        browser.meanwhile = lambda: self.mesh.advance(0.2)
        self.target = "tcp://{}:{}".format(*self.mesh.radios["alice"])
        # Everybody has the same time of day, or messages of yesterday would come.
        for node in self.mesh.nodes():
            self.mesh[node.name].sets_clock(int(time.time()))

    def start(self, db="app.sqlite", target=True, bus=NO_BUS):
        self.stop()
        words = ["--target", self.target] if target else []
        self.app = App(self.binary, *words, "--db", str(self.folder / db), bus=bus)

    def stop(self):
        if self.app is not None:
            self.app.stop()
            self.app = None

    def close(self):
        self.stop()
        self.mesh.close()

    def open(self, address="", width=1440, scheme="light"):
        self.browser.show(self.app.url, width, scheme)
        self.browser.until("the page", "return !document.getElementById('waiting')")
        if address:
            self.go(address)

    def go(self, address):
        self.browser.run("location.hash = arguments[0]", f"#/{address}")
        # The page hears of it a little later; until then the one before is there, with fields of the same kind.
        self.browser.settle()

    def connected(self):
        self.browser.find(".link-state[data-state=ready]")

    def looks(self, name, allowed=()):
        """The page as it is, in all widths and schemes."""
        for width in WIDTHS:
            for scheme in SCHEMES:
                self.browser.look(width, scheme)
                self.browser.settle()
                self.problems += self.browser.problems(name, allowed)
                self.problems += [f"{name} at {width} px: {problem}" for problem in self.browser.stands_out()]
                if width == 390:
                    self.problems += [f"{name} on a phone: {problem}" for problem in self.browser.crowded()]
        self.browser.look()
        self.browser.settle()

    def meets(self, *names):
        """Has nodes flood adverts until the app lists them."""
        for name in names:
            for _ in range(8):
                if self.mesh[name].state().role == "companion":
                    self.mesh[name].adverts()
                else:
                    self.mesh[name].console("advert")
                self.mesh.advance(20)
                if any(contact.name == name for contact in self.mesh["alice"].contacts()):
                    break
            # The app collects adverts for a while before it reads.
            self.browser.until(f"the contact {name}", lambda name=name: self.contact(name))

    def met_by(self, name):
        """Has the app's radio flood adverts until another radio knows it."""
        key = next(node.public_key for node in self.mesh.nodes() if node.name == "alice")
        for _ in range(8):
            self.browser.post("contacts/advert", {"flood": True})
            self.mesh.advance(20)
            if any(contact.public_key == key for contact in self.mesh[name].contacts()):
                return
        raise AssertionError(f"{name} does not hear of the app")

    def log_in(self, password, selector):
        """Logs in until the page shows what follows; an answer that met another packet on the way is waited for again."""
        for _ in range(6):
            self.browser.type("input[type=password]", password)
            self.browser.click(".pane form.card button.primary")
            found = self.browser.until("the end of a login", """
                return document.querySelector(arguments[0]) && 'in' || document.querySelector('.pane form.card p.bad') && 'out'""".replace(
                    "arguments[0]", json.dumps(selector)), limit=120)
            if found == "in":
                return
        raise AssertionError("nobody answers the login")

    def texts(self, name, words):
        """Has another radio send a text, again when it was lost on the way, until the app has it."""
        chat = self.contact(name)
        for _ in range(8):
            self.mesh[name].sends(words, to="alice")
            self.mesh.advance(20)
            for _ in range(20):
                self.browser.meanwhile()
                if any(message["text"] == words for message in self.browser.ask(f"chats/{chat}")["messages"]):
                    return
        raise AssertionError(f"{words!r} of {name} does not come")

    def comes_unseen(self, name, words, check):
        """Has another radio send a text to a page that does not show its chat, until a check of the page says yes."""
        self.browser.post(f"chats/{self.contact(name)}/close", {})
        for _ in range(8):
            self.mesh[name].sends(words, to="alice")
            for _ in range(40):
                self.mesh.advance(0.5)
                if self.browser.run(check):
                    return
        raise AssertionError(f"{words!r} of {name} is not seen")

    def contact(self, name):
        """The identifier of a contact; its key begins it in the answer of the app."""
        key = next(node.public_key for node in self.mesh.nodes() if node.name == name)
        answer = self.browser.ask("contacts")
        return next((row["id"] for row in answer["contacts"] + answer["discovered"] if key.startswith(row["keyPrefix"])), None)


# Cases, in the order in which a user meets them.

class Person:
    """Acts on the page, and counts it: each field that is filled, and each press."""

    def __init__(self, browser):
        self.browser, self.actions = browser, 0

    def fills(self, selector, words):
        self.actions += 1
        self.browser.type(selector, words)

    def presses(self, selector, text=None):
        self.actions += 1
        self.browser.click(selector, text)

    def writes(self, words):
        """A text in the conversation that is there now, until it is sent."""
        self.browser.find(".detail-pane .composer textarea")
        self.fills(".composer textarea", words)
        self.presses(".composer button[type=submit]")
        self.browser.find(".message.outgoing", words)
        self.browser.find(".message.outgoing .status.sent")


def few_steps(bench):
    """Four actions lead from the first page to a sent text, with the address of a radio."""
    browser = bench.browser
    bench.start("few.sqlite", target=False)
    bench.open(width=390)
    person = Person(browser)
    person.fills("input[name=address]", bench.target)
    person.presses(".welcome form button.primary")
    # A radio that is new has the public channel, and nothing else to write to.
    person.writes("the first words")
    assert person.actions <= 4, f"{person.actions} actions to the first text"
    bench.problems += browser.problems("few-steps")
    bench.stop()


def few_steps_by_scan(bench):
    """Five actions lead from the first page to a sent text, with a radio that is found by a scan and shows a PIN."""
    browser = bench.browser
    with Bluetoothd(*bench.mesh.radios["alice"]) as daemon:
        bench.start("scan.sqlite", target=False, bus=daemon.address)
        bench.open(width=390)
        person = Person(browser)
        person.presses(".welcome button.compact", "Scan")
        browser.find(".welcome .item", "MeshCore-alice")
        bench.looks("onboarding-found")
        person.presses(".welcome .item button", "Connect")
        browser.find(".welcome form.card input")
        bench.looks("onboarding-pin")
        # Six digits are enough; no button follows.
        person.fills(".welcome form.card input", "123456")
        person.writes("the first words over Bluetooth")
        assert person.actions <= 5, f"{person.actions} actions to the first text"
        bench.problems += browser.problems("few-steps-by-scan")
        assert daemon.called.count("Pair") == 1, "it is paired with once"
        bench.stop()


def fails_at_address(bench, words, reason):
    """Tries an address at which nothing is: it is said once, at the field, and nothing covers the card."""
    browser = bench.browser
    browser.type("input[name=address]", words)
    browser.click(".welcome form button.primary")
    browser.find(".welcome form .problem", reason)
    field = browser.find("input[name=address]")
    assert field.get_attribute("aria-invalid") == "true"
    problem = browser.find(".welcome form .problem").get_attribute("id")
    assert problem in field.get_attribute("aria-describedby").split()
    said = browser.run("""return [...document.querySelectorAll('.toast, .problem:not([hidden])')].map(part => part.textContent)
        .filter(text => text.includes(arguments[0])).length""", reason)
    assert said == 1, f"{reason!r} is said {said} times"


def onboarding(bench):
    """The first steps: what it is, what the host allows, and a radio by its address, whose failures stand at the field."""
    browser = bench.browser
    bench.start(target=False)
    bench.open()
    browser.find(".welcome h1")
    bench.looks("onboarding-welcome")
    browser.click(".welcome .onward button")
    browser.find(".welcome .item")
    bench.looks("onboarding-permissions")
    browser.click(".welcome .onward button.primary")
    fails_at_address(bench, "http://radio", "expected tcp://HOST:PORT")
    for _ in range(3):
        fails_at_address(bench, "127.0.0.1:1", "127.0.0.1 port 1")
    bench.looks("onboarding-no-radio")
    # Without a bus a scan is over, and says why.
    browser.click(".welcome button.compact", "Scan")
    browser.find(".welcome .notice", "Radios nearby cannot be found")
    browser.find(".welcome button.compact", "Scan")
    bench.looks("onboarding-no-scan")
    for kind, name in (("ble", "pin"), ("tcp", "port")):
        browser.run("""const kind = document.querySelector('select[name=kind]');
            kind.value = arguments[0]; kind.dispatchEvent(new Event('change'))""", kind)
        browser.find(f"input[name={name}]")
        bench.looks(f"onboarding-{kind}")
    # Host and port by themselves.
    host, port = bench.target.removeprefix("tcp://").split(":")
    browser.type("input[name=address]", host)
    browser.type("input[name=port]", port)
    browser.click(".welcome form button.primary")
    bench.connected()
    browser.gone(".toast.bad, .problem")
    browser.find(".list-pane h1", "Chats")
    bench.looks("chats-first")


def delivered(bench):
    """A message goes over two repeaters, and is shown as delivered; the answer comes."""
    browser = bench.browser
    bench.meets(BOB)
    # Bob needs the app's key before he can answer.
    bench.met_by(BOB)
    bench.go(f"chats/{bench.contact(BOB)}")
    browser.find(".log .empty", "No messages yet")
    browser.look(390)
    browser.settle()
    browser.find(".log .empty", "No messages yet")
    browser.look()
    browser.type(".composer textarea", "hello over the hills")
    browser.click(".composer button[type=submit]")
    browser.find(".message.outgoing", "hello over the hills")
    browser.find(".message.outgoing .status.acknowledged")
    assert any(message.text == "hello over the hills" for message in bench.mesh[BOB].inbox())
    bench.texts(BOB, "hello alice")
    browser.find(".message.incoming", "hello alice")
    bench.looks("chat")
    browser.click(".message.outgoing .under button[aria-label='More about this message']")
    browser.find("dialog dl.facts")
    bench.looks("chat-details")
    browser.press("\ue00c")
    browser.gone("dialog")


def news(bench):
    """A message that comes while another page is open: a banner, a sound, a number on bell, tab, title and icon."""
    browser = bench.browser
    bench.go("settings")
    browser.click(".pane h1")
    browser.run(COUNT_CHIMES)
    bench.comes_unseen(BOB, "are you there?", "return document.querySelector('.banner')?.textContent.includes('are you there?')")
    browser.until("the number on the title", "return document.title === '(1) Meshbed'")
    browser.until("the number on the icon", "return document.querySelector('link[rel=icon]').href.includes('%3E1%3C')")
    browser.find("#bell .count", "1")
    browser.find("#tabs .count", "1")
    browser.until("a sound", "return window.chimes > 0")
    bench.looks("banner")
    browser.click(".banner button", "Open")
    browser.find(".message.incoming .words", "are you there?")
    browser.gone(".banner")
    browser.until("no number any more", "return document.title === 'Meshbed'")

    # By the user's switches: no sound, and no number on title and icon.
    for field in ("sound", "badge"):
        browser.post("settings/set", {"field": field, "value": "false"})
    browser.post("settings/save", {"section": "notifications"})
    bench.go("map")
    browser.find(".map canvas")
    browser.run("window.chimes = 0")
    bench.comes_unseen(BOB, "and now?", "return document.querySelector('.banner')?.textContent.includes('and now?')")
    browser.find("#tabs .count", "1")
    assert browser.run("return document.title + window.chimes") == "Meshbed0"
    for field in ("sound", "badge"):
        browser.post("settings/set", {"field": field, "value": "true"})
    browser.post("settings/save", {"section": "notifications"})
    browser.until("the number on the title", "return document.title === '(1) Meshbed'")
    browser.click(".banner button", "Reply")
    browser.type("dialog input", "yes, here")
    browser.click("dialog button.primary", "Send")
    browser.until("no number any more", "return document.title === 'Meshbed'")
    bench.go(f"chats/{bench.contact(BOB)}")
    browser.find(".message.outgoing .words", "yes, here")
    bench.go("map")
    bench.comes_unseen(BOB, "good", "return document.querySelector('.banner')?.textContent.includes('good')")
    browser.click(".banner button", "Mark as read")
    browser.until("no number any more", "return document.title === 'Meshbed'")


def background(bench):
    """A page that is not seen asks the browser to show a message, where the user allows that, unless another page is seen."""
    browser, driver = bench.browser, bench.browser.driver
    # Also of the conversation that it shows: nobody reads it there.
    bench.go(f"chats/{bench.contact(BOB)}")
    browser.find(".composer textarea")
    browser.run(NOTE_POPUPS)
    own = driver.current_window_handle
    driver.switch_to.new_window("tab")
    other = driver.current_window_handle
    bench.open("map")
    bench.comes_unseen(BOB, "seen beside", "return document.querySelector('.banner')?.textContent.includes('seen beside')")
    driver.get("about:blank")
    told = []
    for _ in range(8):
        bench.mesh[BOB].sends("seen nowhere", to="alice")
        bench.mesh.advance(20)
        time.sleep(0.5)
        driver.switch_to.window(own)
        told = browser.run("return window.told")
        driver.switch_to.window(other)
        if told:
            break
    driver.close()
    driver.switch_to.window(own)
    assert told and all(words == [BOB, "seen nowhere", False] for words in told), told
    browser.find(".message.incoming .words", "seen nowhere")


def tabs(bench):
    """Eight tabs of one browser have one stream; each is told what comes, also when the tab that reads has closed."""
    browser, driver = bench.browser, bench.browser.driver
    own = driver.current_window_handle
    for way in ("worker", "lock", "alone"):
        hidden = {"worker": "", "lock": "delete globalThis.SharedWorker", "alone":
                  "delete globalThis.SharedWorker; delete Navigator.prototype.locks"}[way]
        count = 3 if way == "alone" else 8
        handles = []
        for _ in range(count):
            driver.switch_to.new_window("tab")
            handles.append(driver.current_window_handle)
            if hidden:
                driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": hidden})
            bench.open("map")
            browser.until("the stream of the tab", "return document.documentElement.dataset.stream === 'open'")
        driver.switch_to.window(handles.pop(0))
        driver.close()
        driver.switch_to.window(handles[0])
        # Whoever reads now, a change reaches every tab.
        word = f"alice by {way}"
        browser.post("settings/set", {"field": "name", "value": word})
        browser.post("settings/save", {"section": "node"})
        for handle in handles:
            driver.switch_to.window(handle)
            browser.find(".link-state", word)
        for handle in handles:
            driver.switch_to.window(handle)
            driver.close()
        driver.switch_to.window(own)
    browser.post("settings/set", {"field": "name", "value": "alice"})
    browser.post("settings/save", {"section": "node"})
    browser.find(".link-state", "alice")


def ways_and_drafts(bench):
    """A tab of the bar leads to where it was left, and what was typed is there again."""
    browser = bench.browser
    bench.go("chats")
    # Typed before the conversation has come: the answer to its opening is held back until there are words.
    browser.run("""const fetched = window.fetch;
        window.fetch = async (path, ...more) => {
          const answer = await fetched(path, ...more);
          if (!String(path).endsWith('/open')) return answer;
          while (document.querySelector('.composer textarea')?.value !== 'half a text') await new Promise(requestAnimationFrame);
          window.fetch = fetched;
          return answer;
        };""")
    bench.go(f"chats/{bench.contact(BOB)}")
    browser.type(".composer textarea", "half a text")
    browser.find(".message")
    assert browser.find(".composer textarea").get_attribute("value") == "half a text"
    browser.click("#tabs a[data-id=contacts]")
    browser.find(".list-pane h1", "Contacts")
    bench.go(f"contacts/{bench.contact(BOB)}")
    browser.find(".detail-pane h1", BOB)
    browser.click("#tabs a[data-id=chats]")
    browser.until("the draft", "return document.querySelector('.composer textarea')?.value === 'half a text'")
    browser.click("#tabs a[data-id=contacts]")
    browser.find(".detail-pane h1", BOB)
    browser.click("#tabs a[data-id=contacts]")
    browser.until("the first page of the tab", "return location.hash === '#/contacts'")
    public = next(row["id"] for row in browser.ask("chats")["rows"] if row["kind"] == "channel")
    bench.go(f"chats/{public}")
    browser.type(".composer textarea", "half a word to all")
    browser.click("#tabs a[data-id=map]")
    browser.find(".map canvas")
    browser.run("location.reload()")
    browser.find(".map canvas")
    browser.click("#tabs a[data-id=chats]")
    browser.until("the channel's draft", "return document.querySelector('.composer textarea')?.value === 'half a word to all'")
    browser.type(".composer textarea", "")
    bench.go("chats")


def reply_and_counter(bench):
    """An answer quotes what it answers; bytes are counted, and a text that is too long cannot be sent."""
    browser = bench.browser
    browser.click(".message.incoming .under button[aria-label='More about this message']")
    browser.click("dialog .actions button", "Reply")
    browser.find(".replying", "hello alice")
    browser.type(".composer textarea", "é" * 90)
    browser.find(".counter.over")
    assert not browser.find(".composer button[type=submit]").is_enabled()
    browser.type(".composer textarea", "quoted")
    browser.click(".composer button[type=submit]")
    browser.find(".message.outgoing .quote", "hello alice")


def room(bench):
    """A room: the login, its permission, and a post; a wrong password is told."""
    browser = bench.browser
    bench.meets(ROOM)
    bench.go(f"rooms/{bench.contact(ROOM)}")
    browser.find(".pane h2", "Log in")
    bench.looks("room-login")
    bench.log_in("hello", ".composer:not([hidden]) textarea")
    browser.type(".composer textarea", "good morning, room")
    browser.click(".composer button[type=submit]")
    browser.find(".message.outgoing", "good morning, room")
    browser.find(".message.outgoing .status.acknowledged, .message.outgoing .status.sent")
    bench.looks("room")


def repeater(bench):
    """A repeater is administered: status, neighbours, console."""
    browser = bench.browser
    bench.meets(WEST)
    bench.go(f"repeaters/{bench.contact(WEST)}")
    bench.log_in("secret", "section[aria-label=Console]:not([hidden])")
    # What meets another packet on the way has no answer, and is asked again.
    for _ in range(6):
        browser.type("section[aria-label=Console] input", "get name")
        browser.click("section[aria-label=Console] button.primary")
        found = browser.until("an answer, or that there is none", """
            return [...document.querySelectorAll('.console div:not(.asked)')].map(line => line.textContent).join()
                || document.querySelector('.toast.bad') && 'none'""")
        if found != "none":
            break
        browser.click(".toast.bad button")
    assert "West Hill" in found, found
    for _ in range(6):
        browser.click("section[aria-label=Neighbours] button")
        if browser.until("neighbours, or none", """
                return document.querySelector('section[aria-label=Neighbours] dl.facts') && 'some'
                    || document.querySelector('.toast.bad') && 'none'""") == "some":
            break
        browser.click(".toast.bad button")
    browser.find("section[aria-label=Neighbours] dl.facts")
    # The settings: five questions, and one or two orders.
    asked(browser, "section[aria-label=Settings] header button", "section[aria-label=Settings] input[name=name]")
    browser.type("section[aria-label=Settings] input[name=guestPassword]", "come in")
    browser.type("section[aria-label=Settings] input[name=latitude]", "48.25")
    asked(browser, "section[aria-label=Settings] button.primary", "section[aria-label=Settings] input[value='come in']")
    asked(browser, "section[aria-label='Who may do what'] header button", "section[aria-label='Who may do what'] li")
    bench.looks("repeater")


def asked(browser, control, found):
    """A control is pressed until the node's answer shows: what meets another packet on the way has no answer."""
    for _ in range(6):
        browser.click(control)
        if browser.until("an answer, or that there is none", f"""
                return document.querySelector({json.dumps(found)}) && 'some'
                    || document.querySelector('.toast.bad') && 'none'""") == "some":
            return
        browser.click(".toast.bad button")
    raise AssertionError(f"no answer after {control}")


def image(bench):
    """A picture is sent over a known path, chunk by chunk, when its sender agrees to the cost, and shown."""
    browser = bench.browser
    path = bench.folder / "picture.jpg"
    path.write_bytes(PICTURE[0])
    bench.go(f"chats/{bench.contact(BOB)}")
    browser.find(".composer textarea")
    browser.driver.find_element("css selector", ".composer input[type=file]").send_keys(str(path))
    browser.find("dialog", "occupies the air")
    bench.looks("image-question")
    browser.click("dialog button", "Send")
    browser.find(".message.outgoing", "chunks")
    browser.until("a picture", "const image = document.querySelector('.message.outgoing img'); return image && image.naturalWidth > 0",
                  limit=240)
    # Bob has a radio, and no app that could say what it has.
    browser.find(".message.outgoing .status", "not confirmed")
    bench.looks("image")


def offline_queue(bench):
    """Without a link messages wait; one is deleted, the other goes out when the link is back."""
    browser = bench.browser
    browser.click(".link-state")
    browser.click("dialog button", "Disconnect")
    browser.find(".link-state[data-state=disconnected]")
    for words in ("waits and goes", "waits and is deleted"):
        browser.type(".composer textarea", words)
        browser.click(".composer button[type=submit]")
        browser.find(".message.outgoing", words)
    browser.find(".status.queued")
    browser.find(".link-state", "2 waiting")
    bench.looks("offline-queue")
    browser.run("""[...document.querySelectorAll('.message')].find(one => one.textContent.includes('is deleted'))
        .querySelector('.under button').click()""")
    browser.until("one message less", "return !document.querySelector('.log').textContent.includes('is deleted')")
    browser.click(".link-state")
    browser.click("dialog button.primary", "Connect")
    bench.connected()
    browser.until("the message delivered", """
        const one = [...document.querySelectorAll('.message')].find(one => one.textContent.includes('waits and goes'));
        return one && one.querySelector('.status.acknowledged')""")
    browser.until("nothing waiting", "return !document.querySelector('.link-state').textContent.includes('waiting')")
    assert "waits and is deleted" not in [message.text for message in bench.mesh[BOB].inbox()]


def reconnect(bench):
    """The board loses its power: the page says so, and is connected again by itself when it is back."""
    browser = bench.browser
    bench.mesh["alice"].power(False)
    browser.find(".link-state:not([data-state=ready])")
    bench.mesh["alice"].power(True)
    bench.connected()


def settings(bench):
    """A name is saved and read back from the radio; a value out of range is not sent."""
    browser = bench.browser
    bench.go("settings")
    browser.type("[data-field=name]", "alice the tall")
    browser.click("[data-section=node] button.primary")
    browser.find(".toast.good")
    browser.find(".link-state", "alice the tall")
    bench.looks("settings")
    browser.click("[data-section=advancedRadio] summary")
    browser.type("[data-field=spreadingFactor]", "99")
    assert browser.find("[data-field=spreadingFactor]").get_attribute("aria-invalid") == "true"
    bench.looks("settings-invalid")
    browser.type("[data-field=spreadingFactor]", "10")
    browser.click("[data-save=advancedRadio] button", "Discard")


def contacts_and_map(bench):
    """Contacts with a favourite, a code and an import; the map and a path on it."""
    browser = bench.browser
    bench.go(f"contacts/{bench.contact(BOB)}")
    browser.click(".detail-pane button", "Favourite")
    browser.find(".detail-pane button[aria-pressed=true]")
    browser.click(".detail-pane button", "Show code")
    browser.find("dialog .code img")
    address = browser.find("dialog textarea").get_attribute("value")
    assert codes.read(browser.run(MODULES)) == address, "the code says something else than the address"
    bench.looks("contact-code")
    browser.click("dialog button.primary", "Done")
    bench.looks("contact")
    assert address.startswith("meshcore://"), address
    browser.click("a.button", "Path")
    browser.find(".hops li")
    bench.looks("path")
    for name, north, east in (WEST, 47.395, 8.57), (ROOM, 47.385, 8.585):
        bench.mesh[name].console(f"set lat {north}")
        bench.mesh[name].console(f"set lon {east}")
    for field, value in ("latitude", "47.38"), ("longitude", "8.54"):
        browser.post("settings/set", {"field": field, "value": value})
    browser.post("settings/save", {"section": "node"})
    for _ in range(8):
        for name in WEST, ROOM:
            bench.mesh[name].console("advert")
            bench.mesh.advance(20)
        # Of contacts that it knows the app reads such a change when it reads the radio's table.
        browser.post("contacts/sync", {})
        if len(browser.ask("map")["markers"]) == 2:
            break
    bench.go("map")
    browser.find(".map canvas")
    browser.until("the map drawn", "return document.querySelector('.map canvas').getAttribute('aria-description')?.startsWith('2 ')")
    browser.find(".map canvas").send_keys("n")
    browser.find(".map .chosen")
    bench.looks("map")
    browser.press(Keys.ESCAPE)
    placed_by_hand(bench)
    dragged(bench)


def placed_by_hand(bench):
    """A node that has not said where it is gets a place: by keys below the pin, and by typing."""
    browser = bench.browser
    without = len(browser.ask("map")["unplaced"])
    assert without > 0, "all nodes have said where they are"
    browser.until("the count of nodes without a place", f"return document.querySelector('.map .tools .count').textContent === '{without}'")
    browser.click(".map .tools button[aria-expanded]")
    browser.find(".map .places li", BOB)
    bench.looks("map-places")
    browser.click(f".map .places button[aria-label='Place {BOB}']")
    browser.find(".map .pin")
    bench.looks("map-pin")
    browser.type(".map form input[min='-90']", "47.39")
    browser.type(".map form input[min='-180']", "8.55")
    canvas = browser.find(".map canvas")
    canvas.send_keys(Keys.ARROW_RIGHT)
    browser.until("the fields follow the map", "return Number(document.querySelector(\".map form input[min='-180']\").value) > 8.55")
    canvas.send_keys(Keys.ENTER)
    browser.until("the node on the map", lambda: any(marker["name"] == BOB and marker["metres"] > 0 for marker in browser.ask("map")["markers"]))
    browser.click(".map .places button[aria-label='Move this radio']")
    browser.type(".map form input[min='-90']", "47.381")
    browser.click(".map form button.primary")
    browser.until("the radio where it was put", lambda: abs(browser.ask("map")["own"]["latitude"] - 47.381) < 1e-5)
    browser.click(".map .card button[aria-label='Close the list']")


def dragged(bench):
    """What changes while the map is dragged is not drawn below the fingers, and not lost either."""
    browser = bench.browser
    reads = "return performance.getEntriesByType('resource').filter(one => one.name.endsWith('/api/map')).length"
    # A browser keeps 250 requests in mind unless told.
    browser.run("performance.clearResourceTimings(); performance.setResourceTimingBufferSize(10000)")
    bench.go("contacts")
    bench.go("map")
    browser.until("the map at rest", lambda: (browser.settle(), browser.run(reads))[1] > 0)
    contact = bench.contact(BOB)
    actions = webdriver.ActionChains(browser.driver)
    actions.move_to_element(browser.find(".map canvas")).click_and_hold().move_by_offset(30, 20).perform()
    before = browser.run(reads)
    browser.post(f"contacts/{contact}/favorite", {"isOn": False})
    for _ in range(10):
        browser.meanwhile()
        browser.settle()
    assert browser.run(reads) == before, "the map was read below the fingers"
    webdriver.ActionChains(browser.driver).release().perform()
    browser.until("the map read afterwards", lambda: browser.run(reads) > before)


def channels(bench):
    """A channel is joined by its word, and a message goes out on it."""
    browser = bench.browser
    bench.go("chats")
    browser.click(".list-pane header button[aria-label='New chat or channel']")
    browser.click("dialog button", "Add a channel")
    browser.find("dialog [data-option=joinHashtag]")
    bench.looks("channel-ways")
    browser.click("dialog [data-option=joinHashtag]")
    browser.type("dialog input[name=word]", "hiking")
    browser.click("dialog button.primary")
    browser.find(".detail-pane h1", "#hiking")
    browser.type(".composer textarea", "anybody on the trail?")
    browser.click(".composer button[type=submit]")
    browser.find(".message.outgoing .status.sent")
    bench.looks("channel")
    # By its code: pasted, because this browser reads none, and with its region.
    bench.go("chats")
    browser.click(".list-pane header button[aria-label='New chat or channel']")
    browser.click("dialog button", "Add a channel")
    browser.click("dialog [data-option=scanCode]")
    browser.find("dialog [role=status]", "cannot read codes")
    bench.looks("channel-code")
    browser.type("dialog textarea", f"meshcore://channel/add?name=crew&secret={'07' * 16}&region_scope=de")
    browser.click("dialog button.primary")
    browser.find(".detail-pane h1", "crew")
    browser.type(".composer textarea", "in our region")
    browser.click(".composer button[type=submit]")
    browser.find(".message.outgoing .status.sent")
    browser.click(".message.outgoing button[aria-label='More about this message']")
    browser.find("dialog section[aria-label=Attempts] li")
    bench.looks("message-way")
    browser.click("dialog button[aria-label=Close]")
    browser.click(".detail-pane header button[aria-label='About this conversation']")
    browser.find("dialog dd", "de")
    browser.click("dialog button[aria-label=Close]")


def hostile(bench):
    """Names and texts that are markup, control characters or backwards are text, on every page."""
    browser = bench.browser
    bench.meets(HOSTILE, EMOJI, BACKWARDS)
    bench.go("contacts")
    browser.find(".list-pane .name", HOSTILE)
    browser.find(".list-pane .name", EMOJI)
    # Marks of direction are seen instead of working.
    browser.find(".list-pane .name", "\ufffdgnp.ecila\ufffd")
    bench.looks("hostile-contacts")
    bench.met_by(HOSTILE)
    for words in TEXTS:
        bench.texts(HOSTILE, words)
    bench.go(f"chats/{bench.contact(HOSTILE)}")
    browser.find(".message.incoming .words", TEXTS[0])
    browser.find(".message.incoming .words", "&lt;b&gt; stays")
    browser.find(".message.incoming .words", "a\u2401b\u241b[31mc")
    browser.type(".composer textarea", TEXTS[0])
    browser.click(".composer button[type=submit]")
    browser.find(".message.outgoing .words", TEXTS[0])
    bench.looks("hostile-chat")
    for address in ("chats", f"contacts/{bench.contact(HOSTILE)}", "map", "notifications", "settings"):
        bench.go(address)
        browser.settle()
        bench.problems += browser.problems("hostile-" + address.split("/")[0])


def keyboard(bench):
    """By the keyboard alone: past the bar to a chat, a message, and back; what has the focus is seen."""
    browser = bench.browser
    bench.open("chats")
    bench.connected()
    browser.find(".list-pane a.item", BOB)
    browser.press("\ue004")
    assert browser.run("return document.activeElement.className") == "skip"
    browser.press("\ue007")
    for _ in range(40):
        browser.press("\ue004")
        if BOB in browser.run("return document.activeElement.matches('a.item') ? document.activeElement.textContent : ''"):
            break
    browser.press("\ue007")
    browser.find(".detail-pane h1", BOB)
    for _ in range(30):
        if browser.run("return document.activeElement.tagName") == "TEXTAREA":
            break
        browser.press("\ue004")
    browser.press("by hand")
    bench.problems += browser.problems("keyboard")
    browser.press("\ue007")
    browser.find(".message.outgoing .words", "by hand")


def search(bench):
    """A search says how many messages it has found: one is one."""
    browser = bench.browser
    bench.go("chats")
    for words, told in ("hello over the hills", "1 message"), ("hello", "messages"), ("nothing has this", "No message has these words."):
        browser.type(".list-pane input[type=search]", words)
        browser.find(".list-pane .found, .list-pane .empty", told)
    browser.type(".list-pane input[type=search]", "")
    browser.find(".list-pane a.item")


def german(bench):
    """The settings choose German: from then on the pages, their labels and what the program says on them are German."""
    browser = bench.browser
    bench.start()
    bench.open("settings")
    bench.connected()
    speak(browser, "de")
    english, german = (browser.ask(f"texts?lang={tag}") for tag in ("en", "de"))
    own = [text for key, text in english.items() if text not in german.values() and len(re.sub(r"%\d|[\W\d_]", "", text)) > 1]
    fixed = {text for text in own if "%" not in text}
    filled = [re.compile(re.sub(r"%\d", ".+", re.escape(text).replace("\\%", "%"))) for text in own if "%" in text]

    def look(address, *anchors):
        bench.go(address)
        for selector, words in anchors:
            browser.find(selector, words)
        browser.settle()
        bench.looks(f"german-{address.split('/')[0].split('?')[0]}{len(address.split('/'))}")
        found = [text for text in browser.run(TEXTS_SHOWN) if text in fixed or any(form.fullmatch(text) for form in filled)]
        bench.problems.extend(f"{address} in German says {text!r}" for text in found)

    try:
        assert browser.run("return document.documentElement.lang") == "de"
        contact = bench.contact(BOB)
        look("settings", ("h1", "Einstellungen"), ("h2", "Name und Position"), ("legend", "Farben"))
        look("chats", ("h1", "Chats"), (".link-state", "Verbunden"), (".empty", "Einen Chat auswählen"))
        look(f"chats/{contact}", (".detail-pane h1", ""), (".under .status", "Bestätigt"))
        look("contacts", ("h1", "Kontakte"), (".chips button", "Räume"))
        look(f"contacts/{contact}", (".actions-row a", "Nachricht schreiben"), ("dt", "Öffentlicher Schlüssel"))
        look(f"contacts/{contact}/path", ("h1", "Pfad zu"), ("button", "Pfad suchen"))
        look(f"rooms/{bench.contact(ROOM)}", ("form.card h2, .composer", ""))
        look(f"repeaters/{bench.contact(WEST)}", ("form.card h2", "Anmelden"))
        look("discovery", ("h1", "In der Nähe gehört"))
        look("map", (".kinds button", "Personen"))
        look("notifications", ("h1", "Mitteilungen"))
        bench.go("settings")
        browser.find("select[name=language]")
        speak(browser, "")
        assert browser.run("return document.documentElement.lang") == "en", "the browser's own language does not count again"
    finally:
        browser.run("localStorage.removeItem('meshbed.language')")


def speak(browser, tag):
    """Chooses a language on the page of the settings, which is loaded again."""
    browser.find("select[name=language]")
    browser.run("""window.isOld = true;
        const choice = document.querySelector('select[name=language]');
        choice.value = arguments[0]; choice.dispatchEvent(new Event('change'))""", tag)
    browser.until("the page in another language", "return !window.isOld && document.querySelector('select[name=language]')")


def restored(bench):
    """A new start without a target has the same messages, and connects to the same radio by itself."""
    browser = bench.browser
    bench.stop()
    bench.start(target=False)
    bench.open(width=390)
    bench.connected()
    browser.click(".list-pane a.item", BOB)
    browser.find(".message", "by hand")
    texts = [message["text"] for message in browser.ask(f"chats/{bench.contact(BOB)}")["messages"]]
    assert "hello over the hills" in texts, texts
    bench.problems += browser.problems("restored")


def long_chat(bench):
    """A chat of 10,000 messages is scrolled from its end to its beginning; only what is in view is drawn."""
    browser = bench.browser
    chat = bench.contact(BOB)
    bench.stop()
    fill(bench.folder / "app.sqlite", uuid.UUID(chat).bytes, 10_000)
    bench.start()
    bench.open(f"chats/{chat}")
    browser.find(".message", "number 10000 of many")
    began = time.monotonic()
    drawn = slowest = 0
    while not browser.run("return document.querySelector('.log').textContent.includes('hello over the hills')"):
        # One wheel turn after the other, each with the page's own time until it has drawn.
        found = browser.driver.execute_async_script("""
            const [done] = arguments;
            const log = document.querySelector('.log');
            const begin = performance.now();
            let slowest = 0;
            let rounds = 0;
            const turn = () => {
                const before = performance.now();
                log.scrollTop = Math.max(0, log.scrollTop - 4000);
                log.dispatchEvent(new Event('scroll'));
                log.offsetHeight;
                slowest = Math.max(slowest, performance.now() - before);
                rounds++;
                if (rounds < 20) requestAnimationFrame(turn);
                else done([document.querySelectorAll('.message').length, slowest]);
            };
            turn();
            """)
        drawn, slowest = max(drawn, found[0]), max(slowest, found[1])
        assert time.monotonic() - began < 240, "the beginning does not come"
    print(f"        10,000 messages: {time.monotonic() - began:.1f} s from the end to the beginning, "
          f"{drawn} drawn at most, {slowest:.0f} ms for the slowest turn", flush=True)
    assert drawn <= 200, f"{drawn} messages are drawn at once"
    bench.problems += browser.problems("long-chat")


def fill(database, contact, count):
    """Puts messages into a chat, like its first one."""
    with sqlite3.connect(database) as store:
        store.row_factory = sqlite3.Row
        model = dict(store.execute(
            "SELECT * FROM message WHERE contactID = ? AND text = 'hello over the hills'", (contact,)).fetchone())
        order = store.execute("SELECT max(receivedOrder) FROM message").fetchone()[0]
        columns = ", ".join(model)
        for number in range(1, count + 1):
            row = model | {"receivedOrder": order + number, "id": uuid.uuid4().bytes, "text": f"number {number} of many",
                           "ackCode": None, "deduplicationKey": None, "replyToID": None}
            store.execute(f"INSERT INTO message ({columns}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))


def idle(bench):
    """An open page and its server with nothing to do: what they use in ten seconds is told."""
    browser = bench.browser
    bench.open("chats")
    bench.connected()
    browser.settle()
    before = usage(bench.app.process.pid)
    calls = browser.driver.execute_async_script("""
        const [done] = arguments;
        const before = performance.getEntriesByType('resource').length;
        setTimeout(() => done(performance.getEntriesByType('resource').length - before), 10000)""")
    after = usage(bench.app.process.pid)
    print(f"        idle for 10 s: {after[0] - before[0]:.2f} s of processor, {after[1] / 1e6:.0f} MB resident, {calls} requests", flush=True)
    # Counts decide: a page with nothing to do asks nothing.
    assert calls <= 2, f"{calls} requests of an idle page"


def usage(process):
    """Seconds of processor and bytes of memory of a process."""
    words = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK"), int(words[21]) * os.sysconf("SC_PAGE_SIZE")


def other_origins(bench):
    """A page of another origin reads nothing and commands nothing, and without the key nothing is shown."""
    browser = bench.browser
    browser.show(bench.app.ready["address"] + "/")
    browser.run("sessionStorage.clear(); location.reload()")
    browser.find("h1", "This page needs its key")
    bench.problems += browser.problems("no-key")
    browser.driver.get("data:text/html,<title>other</title>")
    answers = browser.driver.execute_async_script("""
        const [address, token, done] = arguments;
        const tries = [
          fetch(address + "/api/state"), fetch(address + "/api/state", {headers: {Authorization: "Bearer " + token}}),
          fetch(address + "/api/contacts/advert", {method: "POST", body: "{}"}),
          fetch(address + "/api/contacts/advert", {method: "POST", mode: "no-cors", body: "{}", headers: {}})];
        Promise.allSettled(tries).then(ends => done(ends.map(end => end.status === "rejected" ? "refused" : end.value.type + end.value.status)));
        """, bench.app.ready["address"], bench.app.ready["token"])
    assert answers[:3] == ["refused"] * 3 and answers[3] in ("refused", "opaque0"), answers
    browser.driver.get_log("browser")
    list(browser.foreign_requests())


def picture_arrives(bench):
    """Over one repeater and over three a picture comes whole to the other page, and its sender reads how far it is."""
    for world, way, kind in (("pair", "1 hop", "webp"), ("town", "3 hops", "png")):
        picture_through(bench, world, way, kind)


def picture_through(bench, world, way, kind):
    browser, meanwhile = bench.browser, bench.browser.meanwhile
    mesh = Mesh.start(world, seed=SEED, endpoints=("alice", BOB), binary=bench.binary)
    browser.meanwhile = lambda: mesh.advance(0.5)
    apps = {}
    try:
        for node in mesh.nodes():
            mesh[node.name].sets_clock(int(time.time()))
        for name in ("alice", BOB):
            database = str(bench.folder / f"{world}-{name}.sqlite")
            apps[name] = App(bench.binary, "--target", "tcp://{}:{}".format(*mesh.radios[name]), "--db", database)
        chats = know_each_other(browser, mesh, apps, way)
        browser.show(apps["alice"].url)
        path = bench.folder / f"picture.{kind}"
        path.write_bytes(base64.b64decode(browser.run(DRAW.replace("image/jpeg", f"image/{kind}"))))
        browser.run("location.hash = arguments[0]", f"#/chats/{chats['alice']}")
        browser.find(".composer textarea")
        browser.driver.find_element("css selector", ".composer input[type=file]").send_keys(str(path))
        browser.find("dialog", f"over {way}")
        browser.click("dialog button", "Send")
        browser.find(".message.outgoing", "chunks")
        browser.find(".message.outgoing .status", "Arrived", limit=240)
        browser.show(apps[BOB].url)
        browser.run("location.hash = arguments[0]", f"#/chats/{chats[BOB]}")
        browser.until("the picture", """
            const image = document.querySelector('.message.incoming img');
            return image && image.naturalWidth > 0""")
        bench.problems += browser.problems(f"picture over {world}")
    finally:
        for app in apps.values():
            app.stop()
        browser.meanwhile = meanwhile
        mesh.close()


def know_each_other(browser, mesh, apps, way):
    """Has both apps advertise and write until each knows the way to the other; the identifiers of their chats."""
    def told(name, other):
        key = next(node.public_key for node in mesh.nodes() if node.name == other)
        browser.show(apps[name].url)
        browser.find(".link-state[data-state=ready]")
        browser.post("contacts/advert", {"flood": True})
        mesh.advance(30)
        answer = browser.ask("contacts")
        return next((row["id"] for row in answer["contacts"] + answer["discovered"] if key.startswith(row["keyPrefix"])), None)

    for _ in range(8):
        chats = {name: told(name, other) for name, other in (("alice", BOB), (BOB, "alice"))}
        if all(chats.values()):
            break
    assert all(chats.values()), f"they do not hear of each other: {chats}"
    for name, chat in chats.items():
        browser.show(apps[name].url)
        browser.find(".link-state[data-state=ready]")
        for number in range(8):
            if browser.ask(f"chats/{chat}")["subtitle"] == way:
                break
            browser.post(f"chats/{chat}/send", {"text": f"hello {number}"})
            mesh.advance(40)
        assert browser.ask(f"chats/{chat}")["subtitle"] == way, f"{name} does not learn the way"
    return chats


# A board that had no power has the time of its app again, behind that of the mesh: what it then notes as changed is older
# than what the app has read. So contacts change before.
CASES = [few_steps, few_steps_by_scan, walks.first_message_by_keyboard, onboarding, delivered, reply_and_counter,
         news, background, ways_and_drafts, tabs, room, walks.room_by_keyboard, repeater, walks.repeater_by_keyboard,
         contacts_and_map, image, offline_queue, channels, hostile, reconnect, settings, keyboard, walks.trees,
         walks.announcements, search, german, restored, long_chat, idle, other_origins, picture_arrives]


# The light modules of the code that the page shows, row by row; a module is a pixel of the picture's own size.
MODULES = """
const picture = document.querySelector("dialog .code img");
return picture.decode().then(() => {
  const side = picture.naturalWidth, pen = new OffscreenCanvas(side, side).getContext("2d");
  pen.drawImage(picture, 0, 0);
  const { data } = pen.getImageData(0, 0, side, side);
  return Array.from({ length: side }, (_, y) => Array.from({ length: side }, (_, x) => data[4 * (y * side + x)] > 127));
});
"""

# The texts of the page that are seen or heard, but for what comes from people: each by itself, without what is around it.
TEXTS_SHOWN = """
const found = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
while (walk.nextNode()) {
  const part = walk.currentNode;
  const element = part instanceof Element ? part : part.parentElement;
  if (!element.checkVisibility() || element.closest('[lang], .words, .console')?.matches(':not(html)')) continue;
  if (part instanceof Text) found.push(part.data);
  else if (part instanceof Element) for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) found.push(part.getAttribute(name) ?? '');
}
return [...new Set(found.map(text => text.trim()).filter(Boolean))];
"""

# Counts the tones that the page makes.
COUNT_CHIMES = """
window.chimes = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.chimes++; return start.apply(this, when); };
"""

# Notes what the page has the browser show; the user has allowed it.
NOTE_POPUPS = """
window.told = [];
window.Notification = class {
  static permission = "granted";
  constructor(title, { body, silent }) { window.told.push([title, body, silent]); }
  close() {}
};
"""

# A small landscape, drawn by the browser; over repeaters each chunk takes seconds.
PICTURE = [b""]
DRAW = """
const canvas = document.createElement("canvas");
canvas.width = 64; canvas.height = 48;
const pen = canvas.getContext("2d");
pen.scale(0.2, 0.2);
const sky = pen.createLinearGradient(0, 0, 0, 240);
sky.addColorStop(0, "#7fb2e5"); sky.addColorStop(1, "#f4d9b0");
pen.fillStyle = sky; pen.fillRect(0, 0, 320, 240);
pen.fillStyle = "#3a6b4f"; pen.beginPath(); pen.moveTo(0, 240); pen.lineTo(110, 90); pen.lineTo(320, 240); pen.fill();
return canvas.toDataURL("image/jpeg", 0.8).split(",")[1];
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"))
    parser.add_argument("--screenshots", type=pathlib.Path, default=pathlib.Path(".build/pages-screenshots"))
    parser.add_argument("--only", default="", help="cases whose name holds this, and those before them that they need")
    arguments = parser.parse_args()
    loopback_up()
    binary = os.path.abspath(arguments.meshbed)
    folder = tempfile.mkdtemp(prefix="meshbed-pages-")
    wanted = CASES
    if arguments.only:
        last = max(index for index, case in enumerate(CASES) if arguments.only in case.__name__)
        wanted = CASES[:last + 1]
    failed = 0
    try:
        with Browser(arguments.screenshots) as browser:
            browser.driver.get("about:blank")
            PICTURE[0] = base64.b64decode(browser.run(DRAW))
            bench = Bench(binary, browser, folder)
            try:
                for case in wanted:
                    began = time.monotonic()
                    bench.problems.clear()
                    try:
                        case(bench)
                    except Exception:
                        bench.problems.append(traceback.format_exc(limit=3))
                        browser.screenshot(f"failed-{case.__name__}")
                    failed += bool(bench.problems)
                    print(f"{'FAILED' if bench.problems else 'ok':<7} {case.__name__:<20} {time.monotonic() - began:5.1f} s", flush=True)
                    for problem in bench.problems[:20]:
                        print(f"  {problem}", flush=True)
            finally:
                bench.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"app pages: {len(wanted) - failed} passed, {failed} failed")
    return 1 if failed or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
