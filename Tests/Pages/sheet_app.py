"""The app's pages in their states, for the contact sheet."""

import json
import time

from app import BOB, HOSTILE, ROOM, TEXTS, WEST, Bench, asked

# Each page, and the states in which it has to be seen.
PAGES = {
    "First steps": "empty error",
    "Chats": "empty one many error offline hostile",
    "Chat": "empty one many error offline hostile",
    "Channel": "empty one many hostile",
    "Room": "empty one error offline",
    "Contacts": "empty one many offline hostile",
    "Contact": "one offline hostile",
    "Discovery": "empty hostile",
    "Map": "empty one many hostile",
    "Repeater": "empty many error",
    "Notifications": "empty one many hostile",
    "Settings": "empty many error offline",
    "Program gone": "offline",
}
# Names and texts that are markup, backwards, very long in one word, or of many parts.
BACKWARDS, LONG, EMOJI = "\u202egnp.ecila\u202c", "Donaudampfschifffahrtsgesellsch", "👩‍🚀🚀🛰️👽🌍a"
HEBREW = "שלום עולם"
STRANGERS = [HOSTILE, BACKWARDS, LONG, EMOJI, HEBREW]
WORDS = [*TEXTS, "W" * 120, "https://example.org/" + "a" * 90, f"{HEBREW} 12 (abc) {HEBREW}"]
# Those whom nobody has met, one of ill will.
PASSING = ["passer-by 1", "passer-by 2", "\"><svg onload=hostile=1>"]
FRIENDS = [f"hiker {number}" for number in range(1, 31)]


def world(folder):
    """A world around alice, who knows nearly everybody: a room, two repeaters, friends, and nodes with hostile names."""
    quiet = {"adverts_on_boot": False, "advert_minutes": 0, "flood_advert_hours": 0, "password": "secret"}
    companions = ["alice", BOB, *STRANGERS, *FRIENDS]
    nodes = [{"name": name, "role": "companion"} for name in companions]
    nodes += [{"name": WEST}, {"name": "East Hill"}, {"name": ROOM, "role": "room_server"}]
    met = [node["name"] for node in nodes]
    nodes += [{"name": name, "role": "companion"} for name in PASSING]
    others = [node["name"] for node in nodes[1:]]
    path = folder / "sheet.json"
    path.write_text(json.dumps({
        "format": "meshbed world 1", "name": "sheet", "met": met, "nodes": nodes, "repeater": quiet,
        "room_server": quiet | {"guest_password": "hello"},
        "links": [{"from": "alice", "to": name} for name in others]}), encoding="utf-8")
    return str(path)


class Tour:
    """A bench with a world of its own, for as long as the block."""

    def __init__(self, sheet, program, folder, world):
        self.bench = Bench(program, sheet.browser, folder, world)

    def __enter__(self):
        return self.bench

    def __exit__(self, *_):
        self.bench.close()
        self.bench.browser.meanwhile = lambda: time.sleep(0.05)


def pages(bench, sheet, state, *those):
    """Looks at pages: name, address, what has to be there, what is seen."""
    for page, address, selector, words in those:
        bench.go(address)
        bench.browser.find(selector)
        bench.browser.gone(".skeleton")
        sheet.add(page, state, words)


def public(bench):
    return next(row["id"] for row in bench.browser.ask("chats")["rows"] if row["kind"] == "channel")


def app_empty(sheet, program, folder):
    """First steps, and a radio that nobody has used and nobody hears."""
    browser = sheet.browser
    with Tour(sheet, program, folder, "solo") as bench:
        bench.start("empty.sqlite", target=False)
        bench.open()
        browser.find(".welcome h1")
        sheet.add("First steps", "empty", "what it is, and where the radio may be")
        browser.click(".welcome .onward button")
        browser.find(".welcome .item")
        sheet.add("First steps", "empty", "what the machine allows")
        browser.click(".welcome .onward button.primary")
        browser.type("input[name=address]", "127.0.0.1:1")
        browser.click(".welcome form button.primary")
        browser.find(".welcome form .problem", "port 1")
        sheet.add("First steps", "error", "nothing is at the address")
        browser.click(".welcome button.compact", "Scan")
        browser.find(".welcome .notice", "Radios nearby cannot be found")
        sheet.add("First steps", "error", "no Bluetooth")
        browser.type("input[name=address]", bench.target)
        browser.click(".welcome form button.primary")
        bench.connected()
        pages(bench, sheet, "empty",
              ("Chats", "chats", ".list-pane a.item", "a new radio has the public channel"),
              ("Channel", f"chats/{public(bench)}", ".log .empty", "nobody has written"),
              ("Contacts", "contacts", ".list-pane .empty", "nobody was heard"),
              ("Discovery", "discovery", ".detail-pane h1", "nobody was heard"),
              ("Map", "map", ".map canvas", "nobody has a place"),
              ("Notifications", "notifications", ".detail-pane .empty", "nothing to tell"),
              ("Settings", "settings", "[data-section=node]", "a radio at factory settings"))


def app_one(sheet, program, folder):
    """A radio with one contact, one message, and one place."""
    browser = sheet.browser
    with Tour(sheet, program, folder, "desk") as bench:
        bench.start("one.sqlite")
        bench.open()
        bench.connected()
        bench.meets(BOB)
        bench.met_by(BOB)
        bench.go(f"chats/{bench.contact(BOB)}")
        browser.find(".log .empty", "No messages yet")
        sheet.add("Chat", "empty", "a contact to whom nobody has written")
        browser.type(".composer textarea", "hello bob")
        browser.click(".composer button[type=submit]")
        browser.find(".message.outgoing .status.acknowledged")
        sheet.add("Chat", "one", "a message that has arrived")
        browser.click(".message.outgoing .under button[aria-label='More about this message']")
        browser.find("dialog dl.facts")
        sheet.add("Chat", "one", "what is known of it")
        browser.click("dialog button[aria-label=Close]")
        bench.go(f"chats/{public(bench)}")
        browser.find(".detail-pane h1", "Public")
        browser.type(".composer textarea", "hello everybody")
        browser.click(".composer button[type=submit]")
        browser.find(".message.outgoing .status.sent")
        sheet.add("Channel", "one", "a message to everybody")
        bench.go("settings")
        bench.comes_unseen(BOB, "are you there?", "return document.querySelector('.banner')?.textContent.includes('are you there?')")
        sheet.add("Notifications", "one", "a banner on another page")
        for field, value in ("latitude", "47.38"), ("longitude", "8.54"):
            browser.post("settings/set", {"field": field, "value": value})
        browser.post("settings/save", {"section": "node"})
        pages(bench, sheet, "one",
              ("Notifications", "notifications", ".detail-pane .item", "a message that was not read"),
              ("Chats", "chats", ".list-pane .count", "a conversation with an unread message"),
              ("Contacts", "contacts", ".list-pane a.item", "one contact"),
              ("Contact", f"contacts/{bench.contact(BOB)}", ".detail-pane h1", "a contact who was heard directly"),
              ("Map", "map", ".map canvas", "the own place alone"))


def app_many(sheet, program, folder):
    """A radio that knows many, some of ill will; what fails, and what is left without a link."""
    with Tour(sheet, program, folder, world(folder)) as bench:
        bench.start("many.sqlite")
        bench.open()
        bench.connected()
        for step in (talk, look_around, news, servers, failures, without_link, without_program):
            step(bench, sheet)


def talk(bench, sheet):
    """Friends write, and strangers do."""
    bench.browser.until("all contacts", lambda: len(bench.browser.ask("contacts")["contacts"]) >= len(FRIENDS) + len(STRANGERS))
    for number in range(12):
        bench.texts(BOB, f"message {number} of many, about the weather on the hill and what to carry there")
    for name in FRIENDS[:10]:
        bench.texts(name, f"greetings of {name}")
    for words in WORDS:
        bench.texts(HOSTILE, words)
    for name in STRANGERS[1:]:
        bench.texts(name, f"from {name}")
    for number, name in enumerate([BOB, HOSTILE, LONG, *FRIENDS[:6]]):
        bench.mesh[name].says(WORDS[number % len(WORDS)] if number % 2 else f"everybody, here is {number}")
        bench.mesh.advance(10)


def look_around(bench, sheet):
    browser = sheet.browser
    pages(bench, sheet, "many",
          ("Chats", "chats", ".list-pane a.item", "conversations, newest first"),
          ("Chat", f"chats/{bench.contact(BOB)}", ".message.incoming", "many messages"),
          ("Channel", f"chats/{public(bench)}", ".message.incoming", "many senders"),
          ("Contacts", "contacts", ".list-pane a.item", "contacts of all kinds"),
          ("Settings", "settings", "[data-section=node]", "all sections"))
    browser.run("document.querySelectorAll('details').forEach(part => part.open = true)")
    sheet.add("Settings", "many", "all sections unfolded", whole=True)
    bench.go(f"chats/{public(bench)}")
    browser.find(".message.incoming .words", WORDS[1].replace("\u0001", "\u2401").replace("\u001b", "\u241b"))
    sheet.add("Channel", "hostile", "markup and control characters in texts and names")
    pages(bench, sheet, "hostile",
          ("Chats", "chats", ".list-pane a.item", "names that are markup, backwards, or one long word"),
          ("Contacts", "contacts", ".list-pane a.item", "the same names"),
          ("Contact", f"contacts/{bench.contact(BACKWARDS)}", ".detail-pane h1", "a name that runs backwards"),
          ("Contact", f"contacts/{bench.contact(LONG)}", ".detail-pane h1", "a name of one long word"),
          ("Chat", f"chats/{bench.contact(HOSTILE)}", ".message.incoming", "texts that are markup, one word, or in two directions"))
    for place, name in enumerate([WEST, "East Hill", ROOM]):
        bench.mesh[name].console(f"set lat {47.38 + place / 100}")
        bench.mesh[name].console(f"set lon {8.54 + place / 70}")
        bench.mesh[name].console("advert")
        bench.mesh.advance(20)
    browser.post("contacts/sync", {})
    browser.until("three places", lambda: len(browser.ask("map")["markers"]) >= 3)
    bench.go("map")
    browser.until("the map drawn", "return document.querySelector('.map canvas')?.getAttribute('aria-description')?.startsWith('3 ')")
    sheet.add("Map", "many", "nodes with a place")
    browser.click(".map .tools button[aria-expanded]")
    browser.find(".map .places li", LONG)
    sheet.add("Map", "hostile", "nodes without a place, by their names")


def news(bench, sheet):
    """Messages of conversations that no page shows."""
    browser = sheet.browser
    bench.go("settings")
    for name in (*FRIENDS[:6], *STRANGERS):
        browser.post(f"chats/{bench.contact(name)}/close", {})
        words = WORDS[0] if name == HOSTILE else WORDS[-2] if name == LONG else f"again from {name}"
        before = len(browser.ask("notifications")["notifications"])
        for _ in range(8):
            bench.mesh[name].sends(words, to="alice")
            bench.mesh.advance(20)
            if len(browser.ask("notifications")["notifications"]) > before:
                break
        if name == FRIENDS[5]:
            sheet.add("Notifications", "many", "banners on another page")
            pages(bench, sheet, "many", ("Notifications", "notifications", ".detail-pane .item", "many messages"))
            bench.go("settings")
    sheet.add("Notifications", "hostile", "banners with markup and long words")
    pages(bench, sheet, "hostile", ("Notifications", "notifications", ".detail-pane .item", "texts that are markup"))


def servers(bench, sheet):
    """The room and the repeater: before the login, with a wrong password, and behind it."""
    browser = sheet.browser
    browser.post("settings/set", {"field": "autoAdd", "value": "false"})
    browser.post("settings/save", {"section": "contacts"})
    for name in PASSING:
        bench.mesh[name].adverts()
        bench.mesh.advance(20)
    bench.go("discovery")
    browser.find(".detail-pane .item .name", PASSING[-1])
    sheet.add("Discovery", "hostile", "what was heard and is no contact; one of them has a name that is markup")
    bench.go(f"rooms/{bench.contact(ROOM)}")
    browser.find(".pane h2", "Log in")
    sheet.add("Room", "empty", "before the login")
    refuse(browser)
    sheet.add("Room", "error", "a login that failed")
    bench.log_in("hello", ".composer:not([hidden]) textarea")
    browser.type(".composer textarea", "good morning, room")
    browser.click(".composer button[type=submit]")
    browser.find(".message.outgoing .status.acknowledged, .message.outgoing .status.sent")
    sheet.add("Room", "one", "a post")
    bench.go(f"repeaters/{bench.contact(WEST)}")
    browser.find(".pane h2", "Log in")
    sheet.add("Repeater", "empty", "before the login")
    refuse(browser)
    sheet.add("Repeater", "error", "a login that failed")
    bench.log_in("secret", "section[aria-label=Console]:not([hidden])")
    browser.type("section[aria-label=Console] input", "get name")
    browser.click("section[aria-label=Console] button.primary")
    browser.find(".console div:not(.asked)", WEST)
    asked(browser, "section[aria-label=Settings] header button", "section[aria-label=Settings] input[name=name]")
    sheet.add("Repeater", "many", "what an administrator sees")
    browser.run("document.querySelector('section[aria-label=Console]').scrollIntoView({block: 'end'})")
    sheet.add("Repeater", "many", "its console")


def refuse(browser):
    """Logs in with a wrong password until the page says that it failed."""
    browser.type("input[type=password]", "wrong")
    browser.click(".pane form.card button.primary")
    browser.find(".pane form.card p.bad", limit=120)


def failures(bench, sheet):
    """A message that is never acknowledged, and a setting that is none."""
    browser = sheet.browser
    bench.mesh[BOB].power(False)
    bench.go(f"chats/{bench.contact(BOB)}")
    browser.type(".composer textarea", "does this arrive?")
    browser.click(".composer button[type=submit]")
    browser.find(".message.outgoing .status.failed", limit=120)
    sheet.add("Chat", "error", "a message that nobody has acknowledged")
    bench.go("chats")
    browser.find(".list-pane a.item")
    browser.type(".list-pane input[type=search]", "nothing has this")
    browser.find(".list-pane .empty", "No message has these words.")
    sheet.add("Chats", "error", "a search that finds nothing")
    browser.type(".list-pane input[type=search]", "")
    bench.go("settings/advancedRadio")
    browser.type("[data-field=spreadingFactor]", "99")
    assert browser.find("[data-field=spreadingFactor]").get_attribute("aria-invalid") == "true"
    sheet.add("Settings", "error", "a number out of range")
    browser.run("document.activeElement.blur()")


def without_link(bench, sheet):
    """The board has no power."""
    browser = sheet.browser
    bench.mesh["alice"].power(False)
    browser.find(".link-state:not([data-state=ready])")
    bench.go(f"chats/{bench.contact(BOB)}")
    browser.type(".composer textarea", "later, then")
    browser.click(".composer button[type=submit]")
    browser.find(".status.queued")
    sheet.add("Chat", "offline", "a message that waits")
    pages(bench, sheet, "offline",
          ("Chats", "chats", ".list-pane a.item", "the link is gone"),
          ("Room", f"rooms/{bench.contact(ROOM)}", ".detail-pane h1", "the link is gone"),
          ("Contacts", "contacts", ".list-pane a.item", "the link is gone"),
          ("Contact", f"contacts/{bench.contact(BOB)}", ".detail-pane h1", "the link is gone"),
          ("Settings", "settings", "#section-devices", "the link is gone"))


def without_program(bench, sheet):
    """The program has ended below an open page."""
    browser = sheet.browser
    bench.go("chats")
    browser.find(".list-pane a.item")
    bench.stop()
    browser.until("the stream has ended", "return document.documentElement.dataset.stream !== 'open'")
    sheet.add("Program gone", "offline", "the program has ended below an open page", allowed=("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED"))


TOURS = (app_empty, app_one, app_many)
