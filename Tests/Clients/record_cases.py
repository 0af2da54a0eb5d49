"""Clients through a recorder: they notice nothing, and the recording holds what they saw, however the recorder ends."""

import asyncio
import os
import signal

from meshcore import EventType

from emulator import STOP_LIMIT, Emulator, free_port, launch, wait_until
from lane import ANSWER_LIMIT, expect, same

START_LIMIT = 20


class Recorded(Emulator):
    """An emulator whose radios are reached through `meshbed record`: over TCP, or from a terminal to a terminal."""

    def __init__(self, binary, kinds, seed=7, world="pair", options=()):
        super().__init__(binary, kinds, seed, world)
        self.options, self.recorders, self.files = list(options), {}, {}

    def start(self):
        super().start()
        for name in self.kinds:
            self.record(name)

    def record(self, name):
        """Starts a recorder in front of a radio; clients of this object find it there from now on."""
        number = sum(1 for known in self.files if known.startswith(name))
        path = os.path.join(self.folder, f"{name}-{number}.capture")
        command = [self.binary, "record"]
        if self.kinds[name] == "tcp":
            radio, port = self.inner(name), free_port()
            command += ["tcp", "--listen", f"tcp://127.0.0.1:{port}", "--to", f"tcp://127.0.0.1:{radio}"]
        else:
            radio, link = self.inner(name), os.path.join(self.folder, f"{name}-{number}.tty")
            command += ["serial", "--listen", f"pty:{link}", "--to", f"serial:{radio}"]
        command += ["--output", path, "--story", "clients", *self.options]
        process = launch(command, self.log)
        self.recorders[name], self.files[f"{name}-{number}"] = process, path
        if self.kinds[name] == "tcp":
            self.ports[name] = port
        else:
            self.links[name] = link
        wait_until(self._is_ready, process, START_LIMIT, self.tail)

    def inner(self, name):
        """Where the radio itself is."""
        known = self.__dict__.setdefault("_inner", {})
        return known.setdefault(name, self.ports.get(name) or self.links.get(name))

    def kill(self, name):
        self.recorders[name].kill()
        self.recorders[name].wait()

    def lines(self, name, number=0):
        """The lines of a recording behind its header, as lists of words."""
        with open(self.files[f"{name}-{number}"], encoding="utf-8") as file:
            text = file.read()
        assert text.startswith("meshbed capture 1\n"), text[:80]
        assert text.endswith("\n"), "the last line has no end"
        return [line.split(" ; ")[0].split() for line in text.split("\n\n", 1)[1].splitlines()]

    async def stop(self):
        for process in self.recorders.values():
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                same(await asyncio.to_thread(process.wait, STOP_LIMIT), 0, "exit of a recorder after an interrupt")
        await super().stop()

    def discard(self):
        for process in self.recorders.values():
            if process.poll() is None:
                process.kill()
                process.wait()
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
    emulator.record("alice")
    await alice.connect()
    expect(await alice.commands.get_time(), EventType.CURRENT_TIME)
    assert len(emulator.lines("alice", 1)) > 2


ALL = [what_was_seen, killed]
