"""`meshbed client`, the service stack on the command line: alice over TCP, bob over a pseudo-terminal."""

import asyncio
import json
import os
import time

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
    """What the client printed, and what it complained of; another exit status fails the case."""
    try:
        output, errors = await asyncio.wait_for(process.communicate(), LIMIT)
    except asyncio.TimeoutError:
        process.kill()
        await process.wait()
        raise AssertionError(f"no end of: {words}") from None
    output, errors = output.decode(), errors.decode()
    same(process.returncode, status, f"exit status of {words}, which printed {output}{errors}")
    return output, errors


async def client(emulator, name, *words, status=0):
    return (await finish(await start(emulator, name, *words), words, status))[0]


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
    _, complaint = await finish(
        await start(emulator, "alice", "settings", "--tx-power", "99"), "a power above the limit", status=1)
    assert "power" in complaint, complaint


async def meet(emulator, **_):
    """client contacts: adverts make contacts, which the next run knows"""
    deadline = time.monotonic() + 90
    for sender, receiver in (("alice", "bob"), ("bob", "alice")):
        while True:
            await emulator.quiet()
            await rows(emulator, sender, "contacts", "--advertise", "flood")
            await emulator.pass_time(8)
            known = (await rows(emulator, receiver, "contacts"))[0]
            if any(contact["name"] == sender for contact in known):
                break
            assert time.monotonic() < deadline, f"{receiver} does not list {sender}: {known}"
    link = (await client(emulator, "alice", "contacts", "--export", "bob")).strip()
    assert link.startswith("meshcore://contact/add?name=bob&public_key="), link


async def message(emulator, **_):
    """client send: delivered, first by flood and then by the path, while the other side watches"""
    for number, way in ((0, "by flood"), (1, "hop")):
        await emulator.quiet()
        watch = await start(emulator, "bob", "--json", "watch", "--for", "14")
        await asyncio.sleep(4)
        said = await client(emulator, "alice", "send", "bob", f"hello {number}")
        assert "delivered after" in said and way in said.splitlines()[0], said
        events = [json.loads(line) for line in (await finish(watch, "watch"))[0].splitlines()]
        heard = [event for event in events if event.get("text") == f"hello {number}"]
        same([(event["from"], event["kind"]) for event in heard], [("alice", "direct")], f"watched {events}")


async def answer(emulator, **_):
    """client send from the pseudo-terminal, as JSON"""
    await emulator.quiet()
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
    await emulator.quiet()
    watch = await start(emulator, "bob", "--json", "watch", "--for", "14")
    await asyncio.sleep(4)
    for text in ("hello lane", "hello again"):
        same((await rows(emulator, "alice", "channel", "send", "#lane", text))[0]["status"], "sent", "status")
    events = [json.loads(line) for line in (await finish(watch, "watch"))[0].splitlines()]
    heard = [event for event in events if event.get("channel") == "#lane"]
    assert heard and all(event["from"] == "alice" for event in heard), events
    await client(emulator, "alice", "channel", "leave", "#lane")
    same([row["name"] for row in (await rows(emulator, "alice", "channel"))[0]], ["Public"], "channels")


async def contact_key(emulator, name, kind):
    """The beginning of the key of this radio's contact of this kind; nothing when there is none."""
    known = (await rows(emulator, name, "contacts"))[0]
    return next((contact["key"][:12] for contact in known if contact["type"] == kind), None)


async def nodes(emulator, **_):
    """client contacts: adverts of a repeater and a room make contacts"""
    for label, kind in (("rep1", "repeater"), ("room1", "room server")):
        console = Console(label, emulator)
        for _ in range(8):
            await emulator.quiet()
            same(await console.run("advert"), "OK - Advert sent", f"console of {label}")
            await emulator.pass_time(8)
            if all([await contact_key(emulator, name, kind) for name in ("alice", "bob")]):
                break
        else:
            raise AssertionError(f"nobody hears {label}")
        await console.disconnect()


async def attempt(emulator, holds, name, *words, tries=6):
    """Runs a command until its exit status is 0 and its output holds: what meets another packet is lost."""
    for _ in range(tries):
        await emulator.quiet()
        process = await start(emulator, name, *words)
        output, errors = await asyncio.wait_for(process.communicate(), LIMIT)
        if process.returncode == 0 and holds(output.decode()):
            return output.decode()
    raise AssertionError(f"{words}: exit {process.returncode}, {output.decode()}{errors.decode()}")


async def repeater(emulator, **_):
    """client login to a repeater: status and command lines"""
    key = await contact_key(emulator, "alice", "repeater")
    text = await attempt(emulator, lambda text: "ver -> v1.17.1" in text, "alice", "login", key, "--password",
                         "password", "--status", "--command", "ver")
    assert "logged in as admin" in text and "battery" in text, text
    _, complaint = await finish(
        await start(emulator, "alice", "login", key, "--password", "wrong", "--forget"), "a wrong password", status=1)
    assert complaint.startswith("meshbed client: "), complaint


async def room(emulator, **_):
    """client room: a post of one is read by the other"""
    def posts(text):
        return [json.loads(line) for line in text.splitlines()]

    key = await contact_key(emulator, "alice", "room server")
    await attempt(emulator, lambda text: any(post["status"] == "delivered" for post in posts(text)), "alice",
                  "--json", "room", key, "--password", "hello", "--post", "market on Saturday", "--wait", "8")
    text = await attempt(emulator, lambda text: "market on Saturday" in text, "bob", "--json", "room", key,
                         "--password", "hello", "--wait", "20")
    same({post["from"] for post in posts(text) if post["text"] == "market on Saturday"}, {"alice"}, "author")


async def mistakes(emulator, **_):
    """client errors say what is wrong: exit 2"""
    _, complaint = await finish(await start(emulator, "alice", "send", "carol", "hi"), "an unknown name", status=2)
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


ALL = [info, settings, meet, message, answer, unconfirmed, channel, nodes, repeater, room, mistakes]
