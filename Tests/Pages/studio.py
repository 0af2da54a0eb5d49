"""The studio in a headless Chromium: a mesh that runs, and the player of files.

Usage: studio.py [--program MESHBED] [--screenshots DIR] [CASE…]

Exit 0: all cases passed. A screenshot of each page is kept, narrow and wide, light and dark.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

from selenium.webdriver.common.keys import Keys

from browser import Browser, LIMIT, SCHEMES, WIDTHS, loopback_up
from keys import Keyboard
from tree import announces, faults, listen

# Texts that do harm where they become markup, or move what stands beside them.
HOSTILE = ["</script><script>window.hostile=1</script>", "<img src=x onerror='window.hostile=1'>", "\u202eright to left",
           "\U0001f3d4" * 7, "a'b\"c&d"]

READY = "return document.body.dataset.state === 'ready'"
PLAYER = "const player = globalThis.meshbedPlayer; "


class Studio:
    """A studio that serves a world or a file; ends with the block."""

    def __init__(self, program, *words):
        self.process = subprocess.Popen([program, "studio", *words, "--ready-json", "--until-stdin-closes"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.ready = json.loads(self.process.stdout.readline())
        base = self.ready["control"].removesuffix("/api")
        self.url = f"{base}/#token={self.ready['token']}"
        if "--open" in words:
            self.url += "&show=document"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=60)

    def advance(self, seconds):
        """Lets time pass without a page; the digest then."""
        request = urllib.request.Request(
            self.ready["control"] + "/advance", json.dumps({"seconds": seconds}).encode(),
            {"Authorization": f"Bearer {self.ready['token']}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["digest"]


def shot_everywhere(browser, name, act=lambda: None):
    """Problems of the page as it is, at all widths and in both schemes."""
    problems = []
    for width in WIDTHS:
        for scheme in SCHEMES:
            browser.look(width, scheme)
            act()
            browser.run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            problems += [f"{name} {width} {scheme}: {problem}" for problem in browser.problems(name)]
    browser.look(1440, "light")
    return problems


def equal(got, wanted, what):
    return [] if got == wanted else [f"{what}: {got!r}, not {wanted!r}"]


# --- Cases ---

def runs(browser, program, folder):
    """A town talks: time passes by itself, stops, steps, is scrubbed, and a message has its fate."""
    problems = []
    with Studio(program, "town", "--seed", "7", "--traffic", "chat:3s") as studio:
        browser.show(studio.url)
        browser.until("the studio is ready", READY)
        problems += equal(browser.find("#seed").text, "seed 7", "the seed on the page")
        browser.until("time passes", PLAYER + "return player.time > 4e6")
        browser.run("document.querySelector('#speed').value = '20'; document.querySelector('#speed').dispatchEvent(new Event('change'))")
        browser.until("a message was delivered", PLAYER + "return [...document.querySelectorAll('.standing')].some(one => ['delivered', 'acknowledged'].includes(one.textContent))")
        browser.click("#play")
        browser.until("time stands", PLAYER + "return !player.isPlaying")
        # An idle page draws nothing.
        browser.run("globalThis.drawnBefore = globalThis.meshbedPlayer.drawn")
        browser.run("return new Promise(done => setTimeout(done, 600))")
        drawn = browser.run("return globalThis.meshbedPlayer.drawn - globalThis.drawnBefore")
        if drawn > 2:
            problems.append(f"the idle page drew {drawn} times")
        before = browser.run(PLAYER + "return player.time")
        browser.click("#forward")
        browser.until("a step forward", PLAYER + f"return player.time > {before}")
        browser.click("#back")
        browser.until("a step back", PLAYER + f"return player.time <= {before}")
        browser.run("const one = document.querySelector('#scrubber'); one.value = '5000000'; one.dispatchEvent(new Event('input'))")
        browser.until("scrubbed", PLAYER + "return Math.abs(player.time - 5e6) < 2")
        browser.press("\ue010")  # End
        browser.click("#messages button:not(:disabled)")
        browser.find("#hops .hop")
        if "·" in browser.find("#fate-title").text:
            problems.append("the fate has no title")
        problems += shot_everywhere(browser, "studio-message")
        browser.click("#panel button", "All messages")
        browser.find("#messages")
        # The same seconds without anybody watching.
        now = browser.run(PLAYER + "return player.live.now")
        watched = browser.run(PLAYER + "return player.live.digest")
    with Studio(program, "town", "--seed", "7", "--traffic", "chat:3s") as studio:
        problems += equal(studio.advance(now / 1e6), watched, "the digest of the run that nobody watched")
    return problems


def city(browser, program, folder):
    """Many nodes can be read: traffic in place of rays, messages by words and state, busy lanes first, and speed as it is."""
    problems = []
    with Studio(program, "city:300", "--seed", "7", "--traffic", "chat:2s") as studio:
        studio.advance(90)
        browser.show(studio.url)
        browser.until("the studio is ready", READY)
        # The page was not there while this happened.
        problems += equal(browser.run(PLAYER + "return player.store.time.data[0] < 20e6 && player.store.span >= 90e6"), True, "the whole run is there")
        browser.until("there is traffic in place of rays", PLAYER + "return player.map.isCrowd")
        figures = [frames(browser, speed) for speed in (1, 100)]
        print("    frames a second at 1 and 100: " + ", ".join(f"{one:.0f}" for one in figures), "(software rendering; a clock decides nothing)")
        browser.until("the speed is told", "return !document.querySelector('#pace').hidden && /as fast as it can \\(×[0-9.]+\\)/.test(document.querySelector('#pace').textContent)")
        browser.click("#play")
        browser.until("time stands", PLAYER + "return !player.isPlaying")
        sent = browser.run(PLAYER + "return player.lanes.order.slice(0, 60).map(node => player.store.countsAt(node, Infinity).sent)")
        if sent[0] < 2 * sent[-1]:
            problems.append(f"busy lanes do not come first: {sent}")
        states = browser.run("return [...document.querySelectorAll('.state')].map(one => one.textContent)")
        given_up = next(int(state.split()[-1]) for state in states if state.startswith("given up"))
        browser.click(".state", "given up")
        browser.until("only those are listed", f"return document.querySelectorAll('#messages li').length === Math.min(300, {given_up})")
        losses = browser.run("return [...document.querySelectorAll('#messages .loss')].map(one => one.textContent)")
        if not losses or not all(text.startswith(("last heard by ", "heard by nobody")) for text in losses):
            problems.append(f"losses are told as {losses[:3]}")
        problems += shot_everywhere(browser, "studio-city")
        browser.type("#message-words", "chat 1")
        browser.until("words are found", "return [...document.querySelectorAll('#messages .words:not(.loss)')].every(one => one.textContent.includes('chat 1'))")
        browser.click(".state", "all")
        browser.run("document.activeElement.blur()")
        browser.click("#messages button:not(:disabled)")
        browser.find("#hops .hop")
        problems += shot_everywhere(browser, "studio-city-message")
        browser.click("#tab-node")
        browser.type("#node-pick", "r5")
        browser.until("names are offered", "return document.querySelectorAll('#node-pick-names option').length > 3")
        browser.press("\ue007")
        browser.until("a node is chosen", PLAYER + "return player.store.world.names[player.node].startsWith('r5')")
        # A page that is opened again goes back as far as the one before.
        snapshots = browser.run(PLAYER + "return player.live.snapshots.map(one => one.at)")
        browser.show("about:blank")
        browser.show(studio.url)
        browser.until("the studio is ready again", READY)
        browser.click("#play")
        again = browser.run(PLAYER + "return player.live.snapshots.map(one => one.at)")
        problems += equal(again[:len(snapshots)], snapshots, "times to go back to")
    return problems


def frames(browser, speed):
    """Pictures a second of a page that runs at a speed."""
    browser.run(f"const one = document.querySelector('#speed'); one.value = '{speed}'; one.dispatchEvent(new Event('change'))")
    return browser.run("""
        const player = globalThis.meshbedPlayer, begin = player.drawn, at = performance.now();
        return new Promise(done => setTimeout(() => done((player.drawn - begin) / (performance.now() - at) * 1000), 4000))""")


def hands(browser, program, folder):
    """A link is cut, power goes, a text is sent, and the world goes back to before."""
    problems = []
    with Studio(program, "line:4", "--seed", "7", "--traffic", "none") as studio:
        browser.show(studio.url)
        browser.until("the studio is ready", READY)
        browser.click("#play")
        links = browser.run(PLAYER + "return player.store.world.from.length")
        browser.click("#tab-hands")
        begin = browser.run(PLAYER + "return player.time")
        browser.click("#cut")
        browser.until("the link is gone", PLAYER + f"return player.store.world.from.length === {links - 1}")
        problems += equal(browser.run(PLAYER + "return player.store.marks.map(one => one.words)"), ["The link is cut."], "what was done by hand")
        browser.click("#send")
        browser.until("the message is there", PLAYER + "return player.store.messages.length === 1")
        browser.click("#tab-node")
        browser.run("const one = document.querySelector('#node-pick'); one.value = '1'; one.dispatchEvent(new Event('change'))")
        browser.type("#console-line", "ver")
        browser.press("\ue007")
        browser.until("the console answers", "return document.querySelector('#console')?.textContent.includes('> ver')")
        browser.click("#panel button", "Power off")
        browser.until("the power is off", "return [...document.querySelectorAll('#panel dd')].some(one => one.textContent === 'off')")
        problems += shot_everywhere(browser, "studio-node")
        browser.click("#panel button", "Power on")
        browser.click("#tab-hands")
        browser.run(PLAYER + f"player.seek({begin})")
        browser.click("#rewind")
        browser.until("the link is back", PLAYER + f"return player.store.world.from.length === {links}")
        browser.until("nothing was said", PLAYER + "return player.store.messages.length === 0")
        problems += shot_everywhere(browser, "studio-steer")
        browser.click("#tab-about")
        problems += shot_everywhere(browser, "studio-about")
    return problems


def by_keyboard(browser, program, folder):
    """A fault and a scrub of time without a pointer; what has the focus is seen at each stop."""
    with Studio(program, "line:4", "--seed", "7", "--traffic", "none") as studio:
        browser.show(studio.url)
        browser.until("the studio is ready", READY)
        keyboard = Keyboard(browser)
        keyboard.tab_to("#play")
        keyboard.enter(PLAYER + "return !player.isPlaying", "pausing")
        keyboard.tab_to("[role=tab][aria-selected=true]")
        keyboard.press(Keys.ARROW_RIGHT)
        keyboard.press(Keys.ARROW_RIGHT)
        keyboard.follow("#lose", "choosing a tab with the arrows")
        keyboard.enter("#lose", "choosing it once more")
        keyboard.tab_to("#hand-loss")
        keyboard.write("100")
        keyboard.tab_to("#lose")
        keyboard.enter(PLAYER + "return player.store.faults.length === 1", "a fault")
        keyboard.tab_to("#to-start")
        keyboard.tab_to("#forward")
        for _ in range(3):
            keyboard.enter(PLAYER + "return !player.live.isBusy", "a step")
        keyboard.tab_to("#scrubber")
        now = browser.run(PLAYER + "return player.live.now")
        for key, at in (Keys.HOME, "0"), (Keys.END, "player.live.now"):
            keyboard.press(key)
            keyboard.follow(PLAYER + f"return Math.abs(player.time - {at}) < 2", "a scrub")
        before = browser.run(PLAYER + "return player.time")
        keyboard.press(Keys.ARROW_LEFT)
        keyboard.follow(PLAYER + f"return player.time < {before}", "a scrub to the event before")
        keyboard.tab_to("button[id^=end-]")
        keyboard.enter(PLAYER + f"return player.live.now > {now} && player.store.faults.every(one => one.end < Infinity)", "the end of the fault")
        return keyboard.problems


def trees(browser, program, folder):
    """The page as its accessibility tree has it, tab by tab: names and roles of controls, one first heading, landmarks; and what is said."""
    problems = []
    with Studio(program, "town", "--seed", "7", "--traffic", "chat:3s") as studio:
        studio.advance(30)
        browser.show(studio.url)
        browser.until("the studio is ready", READY)
        browser.click("#play")
        listen(browser)
        browser.run(PLAYER + "player.chooseNode(1)")
        for tab in ("messages", "node", "hands", "about"):
            browser.click(f"#tab-{tab}")
            for width in WIDTHS:
                browser.look(width)
                browser.settle()
                problems += faults(browser, f"{tab} at {width} px")
            browser.look()
        browser.click("#tab-hands")
        browser.click("#cut")
        announces(browser, "The link is cut.")
    browser.click("#send")
    announces(browser, "does not answer")
    browser.driver.get_log("browser")
    list(browser.foreign_requests())
    return problems


def apps(browser, program, folder):
    """The apps of two companions stand beside the mesh, each with its own radio."""
    problems = []
    with Studio(program, "town", "--seed", "7", "--apps", "alice,bob") as studio:
        browser.show(studio.url + "&apps=alice,bob")
        browser.until("the studio is ready", READY)
        browser.click("#show-apps")
        for place, name in enumerate(("alice", "bob")):
            browser.until(f"the app of {name} has its radio", f"""
                const frame = document.querySelectorAll('#apps iframe')[{place}];
                return frame?.contentDocument?.body?.innerText.includes('Connected');""")
        # What alice writes to everybody flies over the mesh, and stands in the app of bob.
        alice, bob = browser.driver.find_elements("css selector", "#apps iframe")
        browser.driver.switch_to.frame(alice)
        browser.click("main a, main button", "Public")
        browser.type(".composer textarea", "hello over the roofs")
        browser.click(".composer button[type=submit]")
        browser.driver.switch_to.default_content()
        browser.until("bob has it", """
            return document.querySelectorAll('#apps iframe')[1].contentDocument.body.innerText.includes('hello over the roofs');""")
        browser.until("the mesh shows it", PLAYER + "return player.store.totals.sent > 3")
        browser.click("#play")
        problems += shot_everywhere(browser, "studio-apps")
    return problems


def guards(browser, program, folder):
    """A client without a token, or of another origin, neither reads nor commands; the page alone is open."""
    problems = []
    with Studio(program, "village", "--seed", "7") as studio:
        base = studio.url.split("/#")[0]
        bearer = {"Authorization": f"Bearer {studio.ready['token']}"}

        def status(path, headers, data=None):
            try:
                with urllib.request.urlopen(urllib.request.Request(base + path, data, headers)) as answer:
                    return answer.status, answer.headers.get("Content-Security-Policy", "")
            except urllib.error.HTTPError as refusal:
                return refusal.code, ""

        for path, headers, data, wanted in (
                ("/", {}, None, 200), ("/player/player.js", {}, None, 200), ("/player/other.js", {}, None, 404),
                ("/api/world", {}, None, 401), ("/api/world", bearer, None, 200),
                ("/api/world", {"Authorization": "Bearer 00"}, None, 401),
                ("/api/world", {**bearer, "Origin": "http://example.org"}, None, 403),
                ("/api/advance", {**bearer, "Origin": "null"}, b'{"seconds":1}', 403),
                ("/api/advance", {}, b'{"seconds":1}', 401),
                ("/api/trace/packed", {"Sec-Fetch-Site": "cross-site", **bearer}, None, 403)):
            problems += equal(status(path, headers, data)[0], wanted, f"{path} with {sorted(headers)}")
        policy = status("/", {})[1]
        if "script-src 'self'" not in policy or "unsafe" in policy:
            problems.append(f"the policy of the page is {policy}")
        browser.show(base + "/")
        browser.until("the page says that it may not", "return document.querySelector('#toast').textContent.includes('token')")
        # What this case asked for is no business of the next one.
        browser.driver.get_log("browser")
        list(browser.foreign_requests())
    return problems


def hostile_trace(folder):
    """A trace whose world, nodes, texts and reasons are hostile."""
    trace = folder / "hostile.ndjson"
    nodes = [{"name": text, "role": role, "x": 100 * at, "y": 50 * (at % 2)}
             for at, (text, role) in enumerate(zip(HOSTILE, ["companion", "repeater", "companion", "room_server", "sensor"]))]
    lines = [{"format": "meshbed trace 1", "world": HOSTILE[0], "seed": "7", "for": 9000000, "nodes": nodes,
              "links": [[0, 1, 800, -8000, 800, -8000]]}]
    for at, text in enumerate(HOSTILE):
        lines.append({"t": 1000000 * at, "n": 0, "e": "message", "number": at + 1, "to": HOSTILE[1], "text": text})
        lines.append({"t": 1000000 * at, "n": 1, "e": "discard", "reason": text})
    trace.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return trace


def hostile(browser, program, folder):
    """Names and texts that look like markup are shown as text, on the page and in the exported file."""
    trace, page = hostile_trace(folder), folder / "hostile.html"
    subprocess.run([program, "studio", "--open", str(trace), "--export", str(page)], check=True)
    problems = []
    with Studio(program, "--open", str(trace)) as studio:
        for name, url in (("studio-hostile", studio.url), ("export-hostile", page.as_uri())):
            browser.show(url)
            browser.until("the page is ready", READY)
            browser.run(PLAYER + "player.seek(9e6)")
            browser.until("all is listed", f"return document.querySelectorAll('#messages li').length === {len(HOSTILE)}")
            shown = browser.run("return [...document.querySelectorAll('#messages .words')].map(one => one.textContent)")
            problems += equal(sorted(shown), sorted(text.replace("\u202e", "\ufffd") for text in HOSTILE), f"texts of {name}")
            browser.run(PLAYER + "player.chooseNode(0)")
            problems += shot_everywhere(browser, name)
    return problems


def exports(browser, program, folder):
    """A run as one file plays from a disk, without a server and without a request."""
    page = folder / "grid.html"
    subprocess.run([program, "studio", "grid:4x4", "--seed", "7", "--for", "60s", "--traffic", "chat:5s", "--export", str(page)], check=True)
    browser.show(page.as_uri())
    browser.until("the page is ready", READY)
    problems = equal(browser.run(PLAYER + "return player.store.nodeCount"), 16, "nodes of the file")
    browser.run(PLAYER + "player.seek(player.store.span)")
    browser.click("#messages button:not(:disabled)")
    browser.find("#hops .hop")
    problems += shot_everywhere(browser, "export")
    browser.run(PLAYER + "player.seek(0)")
    browser.click("#play")
    browser.until("it plays", PLAYER + "return player.time > 3e5")
    browser.click("#play")
    return problems


def recordings(program, folder):
    """A recording, and the report of a run in JSON."""
    root = pathlib.Path(__file__).resolve().parents[2]
    report = folder / "comply.json"
    subprocess.run([program, "comply", "--target", "emulator", "--only", "50-60", "--json", str(report)],
                   check=True, stdout=subprocess.DEVNULL)
    return ("recording", sorted(root.glob("Captures/**/*.capture"))[0]), ("report", report)


def lanes(browser, program, folder):
    """A recording and a report have lanes, and say what was in their frames."""
    problems = []
    for name, path in recordings(program, folder):
        page = folder / f"{name}.html"
        subprocess.run([program, "studio", "--open", str(path), "--export", str(page)], check=True)
        browser.show(page.as_uri())
        browser.until("the page is ready", READY)
        browser.click("#panel .list button")
        browser.find("#panel pre")
        problems += shot_everywhere(browser, f"lanes-{name}")
    return problems


# What a page with ten thousand nodes may need, in bytes.
MOST_MEMORY = 200e6
LARGE = """
const side = 100, nodes = side * side, frames = 90000;
const player = globalThis.meshbedPlayer;
let state = 7;
const draw = (below) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
const links = [[], []];
for (let node = 0; node < nodes; node++) {
  for (const other of [node + 1, node + side, node + side + 1, node + side - 1]) {
    if (other < nodes) { links[0].push(node); links[1].push(other); }
  }
}
const rows = {time: [], kind: [], node: [], first: []};
const add = (time, kind, node, first) => { rows.time.push(time); rows.kind.push(kind); rows.node.push(node); rows.first.push(first); };
for (let frame = 0; frame < frames; frame++) {
  const sender = draw(nodes), at = frame * 6600;
  add(at, 0, sender, frame);
  for (let listener = 1; listener <= 10; listener++) add(at + listener, listener % 3 ? 4 : 5, (sender + listener * 37) % nodes, frame);
  if (frame % 9 === 0) add(at + 11, 8, (sender + 37) % nodes, 2);
}
const count = rows.time.length;
const filled = (Type, length, value) => new Type(length).map((_, place) => value(place));
const head = {title: "large", source: "trace", facts: [], metresPerUnit: 1, span: frames * 6600,
  nodes: Array.from({length: nodes}, (_, node) => `n${node}`), roles: Array.from({length: nodes}, (_, node) => node % 5 ? "repeater" : "companion"),
  strings: ["collision"], messages: [], notes: [], noteNumbers: [], columns: {
    nodeX: filled(Float32Array, nodes, node => (node % side) * 400 + draw(300)), nodeY: filled(Float32Array, nodes, node => Math.floor(node / side) * 400 + draw(300)),
    linkFrom: Uint32Array.from(links[0]), linkTo: Uint32Array.from(links[1]), linkThere: filled(Int16Array, links[0].length, () => draw(2000) - 800),
    linkBack: filled(Int16Array, links[0].length, () => draw(2000) - 800), linkBackbone: filled(Uint8Array, links[0].length, place => place % 4 ? 0 : 1),
    time: Float64Array.from(rows.time), kind: Uint8Array.from(rows.kind), node: Uint32Array.from(rows.node), first: Uint32Array.from(rows.first),
    second: new Int32Array(count), airtime: new Uint32Array(frames).fill(420000), hashLow: filled(Uint32Array, frames, frame => frame >> 3),
    hashHigh: new Uint32Array(frames), type: new Uint8Array(frames).fill(2), route: new Uint8Array(frames), hops: new Uint8Array(frames),
    length: new Uint8Array(frames), bytes: new Uint8Array(0)}};
let begin = performance.now();
const store = new player.store.constructor();
store.load(head);
const load = performance.now() - begin;
player.store = store;
player.packet = -1; player.way = player.map.way = player.lanes.way = null; player.node = player.map.node = -1;
player.worldIsThere();
const jump = (time) => {
  const begin = performance.now();
  player.seek(time);
  player.tick(performance.now());
  // What was drawn is there, not only asked for.
  player.map.canvas.getContext("2d").getImageData(0, 0, 1, 1);
  return performance.now() - begin;
};
const first = jump(store.span / 3);
const times = [];
for (let step = 1; step <= 20; step++) times.push(jump(store.span * ((step * 7) % 20) / 20));
player.lanes.show(0, store.span);
const wide = jump(store.span / 2);
player.map.zoom(1.7, 300, 200);
const zoomed = jump(store.span / 2);
times.sort((a, b) => a - b);
return {events: store.count, nodes: store.nodeCount, load, first, median: times[10], longest: times[19], wide, zoomed};
"""


def large(browser, program, folder):
    """Ten thousand nodes and a million events: what loading and jumps take. A clock decides nothing, so it only tells."""
    page = folder / "small.html"
    subprocess.run([program, "studio", "village", "--seed", "7", "--for", "30s", "--export", str(page)], check=True)
    browser.show(page.as_uri())
    browser.until("the page is ready", READY)
    # All of it is one script, which a busy machine does not end within a minute.
    browser.driver.set_script_timeout(10 * LIMIT)
    figures = browser.run(LARGE)
    browser.driver.set_script_timeout(LIMIT)
    print("    " + ", ".join(f"{name} {value:.0f}" for name, value in figures.items()), "(ms)")
    browser.settle()
    used = browser.memory()
    print("    memory: " + ", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in used.items()))
    browser.screenshot("large")
    browser.driver.get_log("browser")
    problems = equal((figures["nodes"], figures["events"] >= 1_000_000), (10_000, True), "size")
    if sum(used.values()) > MOST_MEMORY:
        problems.append(f"the page needs {sum(used.values()) / 1e6:.0f} MB")
    return problems


CASES = {case.__name__: case for case in (runs, city, hands, by_keyboard, trees, apps, guards, hostile, exports, lanes, large)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=".build/release/meshbed")
    parser.add_argument("--screenshots", default=".build/pages")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    loopback_up()
    program = str(pathlib.Path(options.program).resolve())
    failed = 0
    chosen = options.cases or list(CASES)
    with tempfile.TemporaryDirectory() as folder, Browser(options.screenshots) as browser:
        for name in chosen:
            problems = CASES[name](browser, program, pathlib.Path(folder))
            failed += 1 if problems else 0
            print(f"{'FAILED' if problems else 'passed'}  {name}", *problems, sep="\n    ", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
