"""Two more programs from PyPI: meshcorectl at a terminal, and meshcore-proxy, which shares one radio among several apps."""

import asyncio
import json
import os
import sys

from meshcore import EventType

import pair_cases
from cli_cases import LIMIT, HERE
from lane import Radio, expect, same
from server import Server

CONTROL = os.path.join(os.path.dirname(sys.executable), "meshcorectl")


async def control(emulator, *words, status=0):
    """Runs meshcorectl once, which must end with this exit status; the JSON value that it prints, if any."""
    process = await asyncio.create_subprocess_exec(
        CONTROL, "-o", "json", *words, env=dict(os.environ, HOME=emulator.folder), stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    async with emulator.passing():
        output, errors = await asyncio.wait_for(process.communicate(), LIMIT)
    assert b"Traceback" not in errors, errors.decode(errors="replace")
    same(process.returncode, status, f"exit status of {words}: {errors.decode(errors='replace')}")
    try:
        return json.loads(output)
    except json.JSONDecodeError:
        return None


async def device(emulator, **_):
    """meshcorectl: device, version, channels and contacts as JSON"""
    await control(emulator, "config", "set-context", "alice", "--tcp-host", "127.0.0.1",
                  "--tcp-port", str(emulator.ports["alice"]), "--current")
    found = await control(emulator, "get", "device")
    same((found["model"], found["ver"], found["fw ver"], found["radio_freq"]), ("Heltec V3", "v1.17.1", 13, 869.618), "device")
    same((await control(emulator, "version"))["device"]["protocol"], 13, "protocol")
    same([channel["name"] for channel in await control(emulator, "get", "channels")], ["Public"], "channels")
    assert isinstance(await control(emulator, "get", "contacts"), list)


async def refused(emulator, **_):
    """meshcorectl: exit statuses tell an unknown contact, wrong words and a radio that is not there"""
    await control(emulator, "send", "message", "nobody", "hello", status=1)
    await control(emulator, "set", "device", "no-such-parameter", "1", status=1)
    await control(emulator, "no-such-command", status=2)
    # The port of a terminal's radio: nobody listens on port 1.
    await control(emulator, "config", "set-context", "nowhere", "--tcp-host", "127.0.0.1", "--tcp-port", "1")
    await control(emulator, "--context", "nowhere", "get", "device", status=1)


async def sent(emulator, **_):
    """meshcorectl: an advert makes it known, and a message arrives through the repeater"""
    bob = await Radio("bob", emulator).connect()
    try:
        expect(await bob.commands.set_name("bob"), EventType.OK)
        same(await control(emulator, "advert", "--flood"), {"sent": True, "flood": True}, "advert")
        await emulator.pass_time(8)
        since = bob.mark()
        expect(await bob.commands.send_advert(flood=True), EventType.OK)
        await emulator.pass_time(8)
        assert "bob" in [contact["name"] for contact in await control(emulator, "get", "contacts")], "bob is not known"
        await control(emulator, "send", "message", "bob", "from a terminal")
        async with emulator.passing():
            message = expect(await bob.message(since), EventType.CONTACT_MSG_RECV)
        same(message["text"], "from a terminal", "text")
    finally:
        await bob.disconnect()


async def shared(emulator, **_):
    """meshcore-proxy: two apps on bob's radio both get the message that alice sends"""
    proxy = Server([sys.executable, "-u", os.path.join(HERE, "on_pty.py"), "meshcore_proxy.cli", "--serial",
                    emulator.links["bob"], "--host", "127.0.0.1", "--port", "0"])
    proxy.wait_for("Connected to radio")
    behind = Behind(emulator, int(proxy.wait_for(r"listening on \('127\.0\.0\.1', (\d+)\)")[1]))
    alice = await Radio("alice", emulator).connect()
    apps = [await Radio("bob", behind).connect() for _ in range(2)]
    try:
        same(len({(await app.info())["public_key"] for app in apps}), 1, "radios")
        since = [app.mark() for app in apps]
        expect(await alice.commands.send_msg(await pair_cases.contact(alice, apps[0]), "for both"), EventType.MSG_SENT)
        async with emulator.passing():
            expect(await apps[0].message(since[0]), EventType.CONTACT_MSG_RECV)
            for app, place in zip(apps, since):
                event = await app.wait(EventType.CONTACT_MSG_RECV, place)
                same(event.payload["text"], "for both", "text")
    finally:
        for radio in apps + [alice]:
            await radio.disconnect()
        proxy.discard()


class Behind:
    """The emulator as a proxy shows it: bob has another port."""

    def __init__(self, emulator, port):
        self.emulator, self.ports, self.links = emulator, {"bob": port}, {}

    def __getattr__(self, name):
        return getattr(self.emulator, name)


ALL = [device, refused, sent, shared]
