"""A `meshbed emulate` of our own: endpoints it chooses itself, a fixed seed, its state in a scratch folder, and a clean end."""

import asyncio
import os
import re
import shutil
import tempfile
import time

from server import Server
from worlds import TERMINALS

# Seconds of the world per second of the clock. What clients wait for comes sooner; what they wait out is counted in the
# world's seconds.
SPEED = 20


class Emulator:
    """One emulated world that follows the clock, for those who have one: recordings of real sessions, and nodes of others.

    `kinds` says how each node is reached: {"alice": "tcp", "bob": "pty", "rep1": "console"};
    "modem" is a bare modem on a terminal.
    """

    # Whether a failed case is repeated alone before it counts: by the clock, a packet may meet another one.
    repeats = True
    passes_in_cases = False
    loop = asyncio.SelectorEventLoop

    def __init__(self, binary, kinds, seed=7, world="village", speed=SPEED):
        self.binary, self.kinds, self.seed, self.world, self.speed = binary, kinds, seed, world, speed
        self.folder = tempfile.mkdtemp(prefix="meshbed-clients-")
        self.log = os.path.join(self.folder, "emulator.log")
        self.ports = {}
        self.links = {name: os.path.join(self.folder, f"{name}.tty") for name, kind in kinds.items()
                      if kind in TERMINALS}
        self.server, self.started, self.starts = None, 0.0, 0

    async def start(self):
        command = [self.binary, "emulate", "--world", self.world, "--seed", str(self.seed),
                   "--speed", str(self.speed), "--state", os.path.join(self.folder, "state")]
        for name, kind in self.kinds.items():
            place = TERMINALS[kind] + self.links[name] if kind in TERMINALS else "tcp://127.0.0.1:0"
            command += ["--endpoint", f"{name}={place}"]
        if any(kind in ("tcp", "pty") for kind in self.kinds.values()):
            # What passed, in case it has to be looked at.
            command += ["--record", os.path.join(self.folder, f"session-{self.starts}.capture"), "--keep-secrets"]
        self.starts += 1
        self.started = time.monotonic()
        self.server = Server(command, self.log)
        await asyncio.to_thread(self.server.wait_for)
        for name, kind in self.kinds.items():
            if kind not in TERMINALS:
                self.ports[name] = self.server.port(rf"^ +{re.escape(name)} .* ")

    async def outcome(self):
        return None

    async def quiet(self):
        """Waits out the seconds in which the nodes of a fresh world advert: 1 to 17 s after its start, then every 120 s.

        What is sent then can meet an advert on the way and be lost, as with real nodes.
        """
        phase = (self.since(self.started) - 16) % 120
        if phase > 95 or phase < 4:
            await self.pass_time((124 - phase) % 120)

    async def pass_time(self, seconds):
        """Lets time of the world pass."""
        await asyncio.sleep(seconds / self.speed)

    def since(self, moment):
        """The most seconds of the world that can have passed since then."""
        return (time.monotonic() - moment) * self.speed

    def real(self, seconds):
        """Seconds by the clock to wait for something that may be lost on the air and is tried again."""
        return max(3, seconds / self.speed)

    async def stop(self):
        """Interrupts the emulator, as a user would; it must end by itself, with 0, and take its links along."""
        await self.server.stopped()
        left = [link for link in self.links.values() if os.path.lexists(link)]
        assert not left, f"links left behind: {left}"

    @property
    def is_running(self):
        return self.server is not None and self.server.is_running

    async def keep(self, folder):
        """Copies what tells of this run: logs and recordings."""
        os.makedirs(folder, exist_ok=True)
        for name in sorted(os.listdir(self.folder)):
            if name.endswith((".log", ".capture")):
                shutil.copy(os.path.join(self.folder, name), folder)

    def discard(self):
        if self.server is not None:
            self.server.discard()
        shutil.rmtree(self.folder, ignore_errors=True)

    def tail(self, lines=15):
        return "\n".join(self.server.text.splitlines()[-lines:]) if self.server else ""
