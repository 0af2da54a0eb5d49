"""`meshbed client`, the service stack on the command line: alice over TCP, bob over a pseudo-terminal."""

import asyncio
import json
import os
import signal

import codes
from lane import Console, same

NODES = {"alice": "tcp", "bob": "pty", "rep1": "console", "room1": "console"}

LIMIT = 120


def target(emulator, name):
    if name in emulator.ports:
        return f"tcp://127.0.0.1:{emulator.ports[name]}"
    return f"serial:{emulator.links[name]}"


async def start(emulator, name, *words):
    """Starts the client on the database of this radio."""
    return await asyncio.create_subprocess_exec(
        emulator.binary, "client", "--target", target(emulator, name),
        "--db", os.path.join(emulator.folder, f"{name}.sqlite"), *words,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)


async def finish(process, words, status=0):
    """Returns the client's output and its errors; another exit status fails the case."""
    try:
        output, errors = await asyncio.wait_for(process.communicate(), LIMIT)
    except asyncio.TimeoutError:
        process.kill()
        await process.wait()
        raise AssertionError(f"no end of: {words}") from None
    output, errors = output.decode(), errors.decode()
    same(process.returncode, status, f"exit status of {words}, which printed {output}{errors}")
    return output, errors


async def run(emulator, name, *words, status=0):
    """Runs the client while time passes: what it printed, and what it complained of."""
    async with emulator.passing():
        return await finish(await start(emulator, name, *words), words, status)


async def client(emulator, name, *words, status=0):
    return (await run(emulator, name, *words, status=status))[0]


async def rows(emulator, name, *words, status=0):
    """The JSON that the client prints, line by line."""
    return [json.loads(line) for line in (await client(emulator, name, "--json", *words, status=status)).splitlines()]


async def info(emulator, **_):
    """client info and client sync over both links"""
    for name in ("alice", "bob"):
        radio = (await rows(emulator, name, "info"))[0]
        same((radio["level"], radio["radio"]["megahertz"], radio["radio"]["codingRate"]), (13, 869.618, 5), "radio")
        same(radio["name"], radio["key"][:8].upper(), "factory name")
        counts = (await rows(emulator, name, "sync"))[0]
        same((counts["channels"], counts["queued"], counts.get("problem")), (1, 0, None), "database")


async def settings(emulator, **_):
    """client settings changes and reads back"""
    for name in ("alice", "bob"):
        row = (await rows(emulator, name, "settings", "--name", name, "--tx-power", "11", "--position=47.5,11.25"))[0]
        same((row["name"], row["txPower"], row["latitude"], row["longitude"]), (name, 11, 47.5, 11.25), "settings")
        await rows(emulator, name, "settings", "--tx-power", "22")
    _, complaint = await run(emulator, "alice", "settings", "--tx-power", "99", status=1)
    assert "power" in complaint, complaint


async def meet(emulator, **_):
    """client contacts: adverts make contacts, which the next run knows"""
    for sender, receiver in (("alice", "bob"), ("bob", "alice")):
        await rows(emulator, sender, "contacts", "--advertise", "flood")
        await emulator.pass_time(8)
        known = (await rows(emulator, receiver, "contacts"))[0]
        assert sender in [contact["name"] for contact in known], f"{receiver} does not list {sender}: {known}"
    link = (await client(emulator, "alice", "contacts", "--export", "bob")).strip()
    assert link.startswith("meshcore://contact/add?name=bob&public_key="), link
    output = await client(emulator, "alice", "contacts", "--export", "bob", "--qr")
    same((codes.texts(output), output.splitlines()[-1]), ([link], link), "code")


async def scanned(emulator, **_):
    """emulate --qr: a contact for each companion radio that a phone can reach, and a word where there is none"""
    words = ["--time", "lockstep", "--clients", "0", "--for", "1s", "--seed", "7"]
    for places, count in ((["alice=tcp://0.0.0.0:0", "bob=tcp://127.0.0.1:0"], 1), (["alice=tcp://127.0.0.1:0"], 0)):
        process = await asyncio.create_subprocess_exec(
            emulator.binary, "emulate", "pair", "--qr", *words, *(f"--endpoint={place}" for place in places),
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        output, _ = await finish(process, words)
        links = [line for line in output.splitlines() if line.startswith("meshcore://")]
        same((codes.texts(output), len(links)), (links, count), "codes")
        assert count == 1 or "No code: " in output, output


class Watch:
    """`client watch` at bob's radio: it runs until what is waited for has been seen, and then is interrupted, as by a user."""

    def __init__(self, emulator):
        self.emulator, self.process, self.events = emulator, None, []

    async def __aenter__(self):
        self.process = await start(self.emulator, "bob", "--json", "watch")
        # Its first line says that it is connected and has synchronised.
        await self.until(lambda event: event.get("state") == "ready")
        return self

    async def until(self, wanted):
        """The first event from here on that is wanted."""
        async with self.emulator.passing():
            while True:
                line = await asyncio.wait_for(self.process.stdout.readline(), LIMIT)
                assert line, f"watch has ended: {self.events}"
                self.events.append(json.loads(line))
                if wanted(self.events[-1]):
                    return self.events[-1]

    async def __aexit__(self, *_):
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGINT)
        await finish(self.process, "watch")


async def message(emulator, **_):
    """client send: delivered, first by flood and then by the path, while the other side watches"""
    for number, way in ((0, "by flood"), (1, "hop")):
        async with Watch(emulator) as watch:
            said = await client(emulator, "alice", "send", "bob", f"hello {number}")
            assert "delivered after" in said and way in said.splitlines()[0], said
            heard = await watch.until(lambda event: event.get("text") == f"hello {number}")
            same((heard["from"], heard["kind"]), ("alice", "direct"), f"watched {watch.events}")


async def answer(emulator, **_):
    """client send from the pseudo-terminal, as JSON"""
    sent = (await rows(emulator, "bob", "send", "alice", "hello alice"))[0]
    same((sent["status"], sent["to"]), ("delivered", "alice"), "fate")
    same((await rows(emulator, "alice", "sync"))[0]["unread"], 1, "unread messages")
    kept = await rows(emulator, "alice", "messages", "bob")
    same([(row["text"], row["status"]) for row in kept],
         [("hello 0", "delivered"), ("hello 1", "delivered"), ("hello alice", "received")], "conversation")


async def unconfirmed(emulator, **_):
    """client send to somebody who does not hear: four attempts, exit 1"""
    key = "ab" * 32
    await rows(emulator, "alice", "contacts", "--add", f"meshcore://contact/add?name=nobody&public_key={key}&type=1")
    sent = (await rows(emulator, "alice", "send", "nobody", "hello?", status=1))[0]
    same((sent["status"], sent["attempts"]), ("failed", 4), "fate")


async def channel(emulator, **_):
    """client channel: join, send, hear, leave"""
    for name in ("alice", "bob"):
        same((await rows(emulator, name, "channel", "join", "#lane"))[0]["slot"], 1, "slot")
    async with Watch(emulator) as watch:
        for text in ("hello lane", "hello again"):
            same((await rows(emulator, "alice", "channel", "send", "#lane", text))[0]["status"], "sent", "status")
            heard = await watch.until(lambda event: event.get("channel") == "#lane")
            same((heard["from"], heard["text"]), ("alice", text), f"watched {watch.events}")
    await client(emulator, "alice", "channel", "leave", "#lane")
    secret = "00112233445566778899aabbccddeeff"
    link = f"meshcore://channel/add?name=crew&secret={secret}&region_scope=de"
    joined = (await rows(emulator, "alice", "channel", "join", link))[0]
    same((joined["name"], joined["region"]), ("crew", "de"), "channel of a link")
    await client(emulator, "alice", "channel", "leave", "crew")
    same([row["name"] for row in (await rows(emulator, "alice", "channel"))[0]], ["Public"], "channels")


async def contact_key(emulator, name, kind):
    """The beginning of the key of this radio's contact of this kind; nothing when there is none."""
    known = (await rows(emulator, name, "contacts"))[0]
    return next((contact["key"][:12] for contact in known if contact["type"] == kind), None)


async def nodes(emulator, **_):
    """client contacts: adverts of a repeater and a room make contacts"""
    for label, kind in (("rep1", "repeater"), ("room1", "room server")):
        console = Console(label, emulator)
        same(await console.run("advert"), "OK - Advert sent", f"console of {label}")
        await emulator.pass_time(8)
        for name in ("alice", "bob"):
            assert await contact_key(emulator, name, kind), f"{name} does not hear {label}"
        await console.disconnect()


async def repeater(emulator, **_):
    """client login to a repeater: status and command lines"""
    key = await contact_key(emulator, "alice", "repeater")
    text = await client(emulator, "alice", "login", key, "--password", "password", "--status", "--command", "ver")
    assert "logged in as admin" in text and "Battery: " in text and "ver -> v1.17.1" in text, text
    _, complaint = await run(emulator, "alice", "login", key, "--password", "wrong", "--forget", status=1)
    assert complaint.startswith("meshbed client: "), complaint


async def room(emulator, **_):
    """client room: a post of one is read by the other"""
    key = await contact_key(emulator, "alice", "room server")
    posts = await rows(emulator, "alice", "room", key, "--password", "hello", "--post", "market on Saturday", "--wait", "2")
    assert any(post["status"] == "delivered" for post in posts), posts
    posts = await rows(emulator, "bob", "room", key, "--password", "hello", "--wait", "4")
    same({post["from"] for post in posts if post["text"] == "market on Saturday"}, {"alice"}, "author")


async def mistakes(emulator, **_):
    """client errors say what is wrong: exit 2"""
    _, complaint = await run(emulator, "alice", "send", "carol", "hi", status=2)
    assert "carol" in complaint and "contacts" in complaint, complaint
    for words, status, part in (
            (["--target", "tcp://127.0.0.1:1", "info"], 2, "not reached"),
            (["--target", "http://127.0.0.1", "info"], 2, "expected tcp:"),
            (["--target", target(emulator, "alice"), "--db", emulator.folder, "info"], 2, "")):
        process = await asyncio.create_subprocess_exec(
            emulator.binary, "client", *words, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE)
        _, complaint = await finish(process, words, status)
        assert part in complaint and complaint, complaint


ALL = [info, settings, meet, scanned, message, answer, unconfirmed, channel, nodes, repeater, room, mistakes]
