"""Worlds whose time their clients and cases hold: it passes by what is waited for, and no clock decides what a case sees.

The Python package of this repository starts and steers them. There are three kinds:

- `SteppedWorld`: its clients run on the package's event loop, whose clock is the world's. All timers of a client pass in the
  world's time, and the same seed gives the same run, bit by bit.
- `TerminalWorld`: clients of this process whose bytes pass a pseudo-terminal or a recorder. Neither tells when bytes are
  still on the way, so such a client keeps its timers on the clock. Time of the world passes while clients are quiet.
- `ProgramWorld`: clients that are programs of their own, with clocks of their own. Time passes while one of them runs.

In the last two a clock is only a limit: a client that is slower is waited for, and time stands still meanwhile.
"""

import asyncio
import contextlib
import os
import pathlib
import random
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Sources" / "Python"))

from meshbed import AsyncMesh, WorldLoop, is_quiet, is_up  # noqa: E402

SEED = 7
# Where the calendar of clients begins in a stepped world: 2026-01-01.
CALENDAR = 1_767_225_600
# Nodes of a fresh world advert 1 to 17 s after its start.
FIRST_ADVERTS = 20
# How long packets of the world's own may be on their way.
QUIET_LIMIT = 60
# How long a board may take to be there again.
BOOT_LIMIT = 60
# How far the world goes before it looks again whether anybody still waits. Clients are looked at after each event.
SLICE = 0.1
# Kinds of nodes that are reached by a terminal, and how it is named.
TERMINALS = {"pty": "pty:", "modem": "modem:pty:"}


class World:
    """An emulated world. `kinds` says how each node is reached: {"alice": "tcp", "bob": "pty", "rep1": "console"}."""

    # Whether a failed case is repeated: not here, where nothing is left to chance.
    repeats = False
    # Whether time passes by itself while a case runs.
    passes_in_cases = False
    # On what event loop clients and cases run.
    loop = asyncio.SelectorEventLoop
    options = ()

    def __init__(self, binary, kinds, seed=SEED, world="village"):
        self.binary, self.kinds, self.seed, self.world = binary, kinds, seed, world
        self.folder = tempfile.mkdtemp(prefix="meshbed-clients-")
        self.log = os.path.join(self.folder, "emulator.log")
        self.ports, self.mesh, self.starts = {}, None, 0
        self.links = {name: os.path.join(self.folder, f"{name}.tty") for name, kind in kinds.items() if kind in TERMINALS}

    async def start(self):
        places = [name if name not in self.links else f"{name}={TERMINALS[self.kinds[name]]}{self.links[name]}"
                  for name in self.kinds]
        options = ["--state", os.path.join(self.folder, "state"), *self.options]
        if any(kind in ("tcp", "pty") for kind in self.kinds.values()):
            # What passed, in case it has to be looked at.
            options += ["--record", os.path.join(self.folder, f"session-{self.starts}.capture"), "--keep-secrets"]
        self.starts += 1
        self.mesh = await AsyncMesh.start(
            self.world, seed=self.seed, endpoints=places, options=options, binary=self.binary)
        self.ports = {name: self.mesh.radios[name].port for name in self.kinds if name in self.mesh.radios}

    async def moment(self):
        """The world's time, in seconds since its start."""
        return (await self.mesh.state()).now

    async def pass_time(self, seconds):
        """Lets time of the world pass."""
        await self.mesh.advance(seconds)

    async def comes_up(self, name):
        """Lets time pass until the board of a node runs, which may have been told to start again just now."""
        await self.mesh.advance(1)
        await self.mesh.run_until(is_up(name), within=BOOT_LIMIT)

    async def outcome(self):
        """The values that two equal runs have in common, in a line; `None` where no two runs are equal."""
        return None

    async def quiet(self):
        """Returns when a packet sent now meets none that the world's nodes send on their own."""

    async def stop(self):
        """Interrupts the emulator, as a user would; it must end by itself, with 0, and take its links along."""
        status = await asyncio.to_thread(self.mesh.command.interrupt)
        await self.mesh.close()
        assert status == 0, f"exit {status} of {' '.join(self.mesh.command.words)}"
        left = [link for link in self.links.values() if os.path.lexists(link)]
        assert not left, f"links left behind: {left}"

    @property
    def is_running(self):
        return self.mesh is not None and self.mesh.command.is_running

    async def keep(self, folder):
        """Copies what tells of this run: trace, log and recordings."""
        os.makedirs(folder, exist_ok=True)
        if self.is_running:
            pathlib.Path(folder, "emulator.log").write_text(self.mesh.command.errors())
            pathlib.Path(folder, "trace.ndjson").write_text(await self.mesh.trace())
        for name in sorted(os.listdir(self.folder)):
            if name.endswith((".log", ".capture")):
                shutil.copy(os.path.join(self.folder, name), folder)

    def discard(self):
        if self.is_running:
            self.mesh.command.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


class SteppedWorld(World):
    """A world on a loop of its own time, with TCP ports and consoles."""

    loop = WorldLoop
    # The loop knows itself when its clients have finished.
    options = ("--quiet", "0ms")

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self._calendar = contextlib.ExitStack()

    async def start(self):
        await super().start()
        loop = asyncio.get_running_loop()
        loop.attach(self.mesh)
        # What the library sends holds times of its calendar and random tags.
        self._calendar.close()
        self._calendar.enter_context(loop.calendar(CALENDAR))
        random.seed(self.seed)

    async def quiet(self):
        """Waits until no node has an advert to send: they do 1 to 17 s after the start, then every 120 s.

        What is sent then can meet an advert on the way and be lost, as with real nodes.
        """
        phase = (await self.moment() - 16) % 120
        if phase > 95 or phase < 4:
            await self.pass_time((124 - phase) % 120)

    async def outcome(self):
        state = await self.mesh.state()
        return f"digest {state.digest} after {state.now:.0f} s of the world"

    async def stop(self):
        asyncio.get_running_loop().attach(None)
        await super().stop()

    def discard(self):
        super().discard()
        self._calendar.close()


class ProgramWorld(World):
    """A world of clients that are programs, or that speak through one."""

    async def start(self):
        await super().start()
        await self.be_silent()

    async def quiet(self):
        """Waits until nothing is on the air: programs say that they have done their work while its answer still comes."""
        await self.mesh.run_until(is_quiet(), within=QUIET_LIMIT)

    async def be_silent(self):
        """Nodes advert no more on their own: such an advert could meet what a client sends, at a moment that no seed says."""
        for node in await self.mesh.nodes():
            if node.role == "companion":
                continue
            for line in ("set advert.interval 0", "set flood.advert.interval 0"):
                answer = await self.console(node.name, line)
                assert answer == "OK", f"{node.name}: {line}: {answer}"
        await self.pass_time(FIRST_ADVERTS)

    async def console(self, name, line):
        if name not in self.kinds:
            return await self.mesh[name].console(line)
        # Here, as the module `lane` stands on this one.
        from lane import Console
        console = Console(name, self)
        try:
            return await console.run(line)
        finally:
            await console.disconnect()

    @contextlib.asynccontextmanager
    async def passing(self):
        """Time passes while clients are quiet, as in lockstep; outside, it stands still."""
        is_over = False

        async def passes():
            while not is_over:
                await self.mesh.advance(SLICE)

        task = asyncio.create_task(passes())
        try:
            yield
        finally:
            is_over = True
            await asyncio.gather(task, return_exceptions=True)


class TerminalWorld(ProgramWorld):
    """The same, for cases whose clients are in this process."""

    passes_in_cases = True
