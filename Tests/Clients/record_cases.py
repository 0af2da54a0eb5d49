"""Clients through a recorder: they notice nothing, and the recording holds what they saw, however the recorder ends."""

import asyncio
import os

from meshcore import EventType

from lane import ANSWER_LIMIT, expect, same
from server import Server
from worlds import SEED, TerminalWorld


class Recorded(TerminalWorld):
    """An emulator whose radios are reached through `meshbed record`: over TCP, or from a terminal to a terminal."""

    def __init__(self, binary, kinds, seed=SEED, world="village"):
        super().__init__(binary, kinds, seed, world)
        self.recorders, self.files = {}, {}

    async def start(self):
        await super().start()
        for name in self.kinds:
            await asyncio.to_thread(self.record, name)

    def record(self, name):
        """Starts a recorder in front of a radio; clients of this object find it there from now on."""
        number = sum(1 for known in self.files if known.startswith(name))
        path = os.path.join(self.folder, f"{name}-{number}.capture")
        command = [self.binary, "record"]
        if self.kinds[name] == "tcp":
            command += ["tcp", "--listen", "tcp://127.0.0.1:0", "--to", f"tcp://127.0.0.1:{self.inner(name)}"]
        else:
            link = os.path.join(self.folder, f"{name}-{number}.tty")
            command += ["serial", "--listen", f"pty:{link}", "--to", f"serial:{self.inner(name)}"]
        command += ["--output", path, "--story", "clients"]
        recorder = Server(command, self.log)
        self.recorders[name], self.files[f"{name}-{number}"] = recorder, path
        recorder.wait_for()
        if self.kinds[name] == "tcp":
            self.ports[name] = recorder.port("^Apps connect to ")
        else:
            self.links[name] = link

    def inner(self, name):
        """The address of the radio itself."""
        known = self.__dict__.setdefault("_inner", {})
        return known.setdefault(name, self.ports.get(name) or self.links.get(name))

    def kill(self, name):
        self.recorders[name].discard()

    def lines(self, name, number=0):
        """The lines of a recording behind its header, as lists of words."""
        with open(self.files[f"{name}-{number}"], encoding="utf-8") as file:
            text = file.read()
        assert text.startswith("meshbed capture 1\n"), text[:80]
        assert text.endswith("\n"), "the last line has no end"
        return [line.split(" ; ")[0].split() for line in text.split("\n\n", 1)[1].splitlines()]

    async def stop(self):
        for recorder in self.recorders.values():
            if recorder.is_running:
                await recorder.stopped()
        await super().stop()

    def discard(self):
        for recorder in self.recorders.values():
            recorder.discard()
        super().discard()


async def what_was_seen(emulator, alice):
    """the recording has every command and every answer, and no problem"""
    await alice.connect()
    before = len(emulator.lines("alice"))
    expect(await alice.commands.get_bat(), EventType.BATTERY)
    fresh = emulator.lines("alice")[before:]
    frames = [words for words in fresh if words[2] in "<>" and words[1] != "air" and words[3][:2] != "88"]
    same([(words[2], words[3][:2]) for words in frames], [(">", "14"), ("<", "0c")], "what passed")
    problems = [words for words in emulator.lines("alice") if words[2] == "!"]
    same(problems, [], "problems")


async def killed(emulator, alice):
    """what an app has seen is in the recording of a killed recorder, and the radio can be recorded again"""
    payload = expect(await alice.commands.get_time(), EventType.CURRENT_TIME)
    emulator.kill("alice")
    answer = payload["time"].to_bytes(4, "little").hex()
    lines = emulator.lines("alice")
    assert any(words[2:4] == ["<", "09" + answer] for words in lines), f"{answer} is not in {lines[-3:]}"
    await asyncio.wait_for(alice.disconnect(), ANSWER_LIMIT)
    await asyncio.to_thread(emulator.record, "alice")
    await alice.connect()
    expect(await alice.commands.get_time(), EventType.CURRENT_TIME)
    assert len(emulator.lines("alice", 1)) > 2


ALL = [what_was_seen, killed]
