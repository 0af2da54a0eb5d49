"""A radio as antenna of a world: an emulator of its own stands for the radio and the mesh around it."""

import os
import tempfile
import time

from meshcore import EventType

from lane import Radio, expect, same
from server import Server

# Floods may meet on the way and be lost, as with real nodes: they are sent again, as a user would.
TRIES = 8
# Both meshes run by the clock. A message passes two repeaters and two radios, and its acknowledgement the same way back.
LIMIT = 30


class Mesh:
    """An emulated world, as far as `Radio` needs it."""

    def __init__(self, words, folder, log):
        self.server = Server(words, os.path.join(folder, log))
        self.server.wait_for()
        self.ports = {name: self.server.port(rf"^ +{name} .* ") for name in self.listening(words)}
        self.links = {}

    @staticmethod
    def listening(words):
        return [word.split("=")[0] for word in words if "=tcp://127.0.0.1:0" in word]


async def known(here, there, key):
    """Tells whether `there` gets to know `here` by its adverts."""
    for _ in range(TRIES):
        expect(await here.commands.send_advert(flood=True), EventType.OK)
        # The radio tells of much else meanwhile, so that silence is no sign.
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline:
            if key in await there.contacts():
                return
            await there.news(deadline - time.monotonic())
    raise AssertionError(f"{there.name} does not hear of {here.name}")


async def say(here, there, key, text):
    """One message, until it has arrived and is acknowledged."""
    for number in range(TRIES):
        since, mark = here.mark(), there.mark()
        contact = (await here.contacts())[key]
        sent = expect(await here.commands.send_msg(contact, text, attempt=number % 4), EventType.MSG_SENT)
        try:
            await here.wait(EventType.ACK, since, LIMIT, code=sent["expected_ack"].hex())
        except AssertionError:
            continue
        message = expect(await there.message(mark), EventType.CONTACT_MSG_RECV)
        same(message["text"], text, "the text")
        await there.drain()
        return
    raise AssertionError(f"no acknowledgement of {text!r}")


async def session(binary):
    """a message passes a radio into the mesh around it and back, with acknowledgements"""
    with tempfile.TemporaryDirectory(prefix="meshbed-antenna-") as folder:
        free = "tcp://127.0.0.1:0"
        real = Mesh([binary, "emulate", "village", "--seed", "8", "--endpoint", f"alice={free}", "--endpoint", f"bob={free}"],
                    folder, "real.log")
        world = Mesh([binary, "emulate", "village", "--seed", "7", "--antenna", f"alice=tcp://127.0.0.1:{real.ports['alice']}",
                      "--endpoint", f"bob={free}"], folder, "world.log")
        try:
            ours, theirs = await Radio("bob", world).connect(), await Radio("bob", real).connect()
            keys = [(await radio.info())["public_key"] for radio in (ours, theirs)]
            await known(ours, theirs, keys[0])
            await known(theirs, ours, keys[1])
            await say(ours, theirs, keys[1], "to the hill")
            await say(theirs, ours, keys[0], "to the town")
            for radio in (ours, theirs):
                await radio.disconnect()
        finally:
            text = await world.server.stopped()
            await real.server.stopped()
        lines = [line for line in text.splitlines() if line.startswith("alice: heard ") or "the radio took" in line]
        same(len(lines), 2, "lines about the antenna")
        for line in lines:
            print(f"        {line}")
