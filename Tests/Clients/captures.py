"""Records the stories of stories.py from emulated radios, and holds the recordings in Captures/ against them.

    python Tests/Clients/captures.py --replay FOLDER [--virtual] [--only TEXT]
    python Tests/Clients/captures.py --record FOLDER [--only TEXT]
    python Tests/Clients/captures.py --expect FOLDER [--only TEXT]

Recording: each story is told to a radio of a fresh world, with `meshbed record tcp` in between. Replaying: the recording
plays the radio and the story is told to it again; it plays the app against a fresh world of the same seed; it drives the
service stack, which ends up with what the file beside the recording expects. The headers of all files are checked first.
With --virtual no client takes part and no time is waited for: only what runs in one process on virtual time.
Expecting: what the stack ends up with is written beside each recording, to be looked at before it is committed.

Ends with a line "N passed, N failed", and with 0 only when nothing failed and something passed.
"""

import argparse
import asyncio
import json
import logging
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile

import stories
from emulator import Emulator
from lane import Console, Radio, Report, same
from server import Server, die_with_parent

FIRMWARE, BOARD, SEED, NODE = "v1.17.1", "heltec-v3", 7, "alice"
LIBRARY = "meshcore 2.3.17"
CONSOLES = {"village": ["rep1", "room1", "sens1"]}
STORY_LIMIT = 300
EXPORT_PRIVATE_KEY, IMPORT_PRIVATE_KEY, PRIVATE_KEY = 0x17, 0x18, 0x0E


class App:
    """The means of a story: a client at a port, and the parts of the world."""

    def __init__(self, binary, port, keys, speed, folder):
        self.binary, self.port, self.keys, self.speed, self.folder = binary, port, keys, speed, folder
        self.ports, self.links, self.radio, self._now = {NODE: port}, {}, None, stories.NOON + 60
        # A text of the public channel is on the air for about half a second, and the radio keeps as long a pause.
        self.pause = 1.5 / speed

    def tail(self, lines=0):
        return ""

    async def connect(self):
        self.radio = stories.PatientRadio(NODE, self)
        return await self.radio.connect()

    def now(self):
        """A time stamp of its own for everything that is sent."""
        self._now += 1
        return self._now

    async def meshbed(self, *words):
        """The service stack: `meshbed client`, on a database of its own for the story."""
        process = await asyncio.create_subprocess_exec(
            self.binary, "client", "--target", f"tcp://127.0.0.1:{self.port}",
            "--db", os.path.join(self.folder, "app.sqlite"), *words, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, preexec_fn=die_with_parent)
        output, _ = await process.communicate()
        same(process.returncode, 0, f"exit status of {words}, which printed {output.decode()}")

    async def close(self):
        if self.radio is not None:
            await self.radio.disconnect()


class World(Emulator):
    """A fresh world at a speed of its own."""

    def __init__(self, binary, world, speed):
        kinds = {NODE: "tcp"} | ({"bob": "tcp"} if world == "village" else {})
        kinds |= {name: "console" for name in CONSOLES.get(world, [])}
        super().__init__(binary, kinds, seed=SEED, world=world, speed=speed)

    async def keys(self):
        """The public keys of all others."""
        keys = {}
        if "bob" in self.ports:
            bob = await Radio("bob", self).connect()
            keys["bob"] = (await bob.info())["public_key"]
            await bob.disconnect()
        for name in CONSOLES.get(self.world, []):
            console = Console(name, self)
            answer = await console.run("get public.key")
            keys[name] = re.search("[0-9a-fA-F]{64}", answer)[0].lower()
            await console.disconnect()
        return keys


# Recording

async def record(binary, name, story, world, speed, folder):
    """Tells a story to a fresh world, through a recorder."""
    path = folder / FIRMWARE / BOARD / f"{name}.capture"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    emulator, tap, app = World(binary, world, speed), None, None
    try:
        await emulator.start()
        keys = await emulator.keys()
        tap = Server([
            binary, "record", "tcp", "--listen", "tcp://127.0.0.1:0",
            "--to", f"tcp://127.0.0.1:{emulator.ports[NODE]}", "--output", str(path), "--story", name,
            "--firmware", FIRMWARE, "--board", BOARD, "--keep-secrets"])
        port = await asyncio.to_thread(tap.port, "^Apps connect to ")
        app = App(binary, port, keys, speed, emulator.folder)
        await story(app)
        await app.close()
        await asyncio.sleep(0.5)
        await tap.stopped()
        complete(path, name, world, speed, keys)
        await expect_stack(binary, path)
    finally:
        if app is not None:
            await app.close()
        if tap is not None:
            tap.discard()
        await emulator.stop()
        emulator.discard()


def complete(path, name, world, speed, keys, client=None):
    """Adds the world to the header, so that a replay can begin with the same one."""
    path = pathlib.Path(path)
    head, rest = path.read_text(encoding="utf-8").split("\n\n", 1)
    client = client or ("meshbed client" if name.startswith("stack-") else LIBRARY)
    rows = {"client": client, "world": world, "seed": SEED, "node": NODE}
    if speed != 1:
        rows["speed"] = speed
    rows |= {f"key of {other}": key for other, key in keys.items()}
    head += "".join(f"\n{key}: {value}" for key, value in rows.items())
    path.write_text(f"{head}\n\n{rest}", encoding="utf-8")
    # The recorder keeps what it writes to itself; here is nothing that others may not see.
    path.chmod(0o644)


# Replaying

def header(path):
    """The rows of a recording's header."""
    lines = path.read_text(encoding="utf-8").split("\n\n", 1)[0].split("\n")
    same(lines[0], "meshbed capture 1", f"first line of {path}")
    return dict(line.split(": ", 1) for line in lines[1:])


async def check(path, folder):
    """A recording states its origin, and holds nothing that should stay private."""
    rows = header(path)
    same((rows.get("firmware"), rows.get("board"), f"{rows.get('story')}.capture"), path.relative_to(folder).parts,
         "firmware, board and story against the path")
    assert rows.get("transport") in ("tcp", "serial", "ble", "loopback"), rows
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", rows.get("date", "")), rows
    for row in ("client", "world", "seed", "node"):
        assert rows.get(row), f"no {row} in {rows}"
    frames = 0
    for line in path.read_text(encoding="utf-8").split("\n\n", 1)[1].splitlines():
        words = line.split(" ;")[0].split()
        if len(words) != 4 or words[1] == "air":
            continue
        frames += 1
        code, length = int(words[3][:2], 16), len(words[3]) // 2
        assert not (words[2] == ">" and code in (EXPORT_PRIVATE_KEY, IMPORT_PRIVATE_KEY)), f"a private key: {line}"
        assert not (words[2] == "<" and code == PRIVATE_KEY and length > 1), f"a private key: {line}"
    assert frames > 1, "no frames"


async def as_radio(binary, path, story):
    """The recording plays the radio; the story, told to it again, comes out the same."""
    rows, folder = header(path), tempfile.mkdtemp(prefix="meshbed-captures-")
    keys = {key.removeprefix("key of "): value for key, value in rows.items() if key.startswith("key of ")}
    radio = Server([binary, "replay", str(path), "--as", "radio", "--endpoint", "tcp://127.0.0.1:0"])
    app = None
    try:
        port = await asyncio.to_thread(radio.port, "^The radio of .* listens at ")
        app = App(binary, port, keys, float(rows.get("speed", 1)), folder)
        # A recording has no air that texts could be waiting for.
        app.pause = 0
        await story(app)
        await app.close()
        await asyncio.sleep(0.5)
        said = await radio.stopped()
        assert re.search(r"\b0 departures, 0 of \d+ recorded commands never sent", said), said
    finally:
        if app is not None:
            await app.close()
        radio.discard()
        shutil.rmtree(folder, ignore_errors=True)


async def run(binary, *words, status=(0,)):
    """Runs `meshbed` to its end."""
    process = await asyncio.create_subprocess_exec(
        binary, *words, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT, preexec_fn=die_with_parent)
    try:
        output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    text = output.decode(errors="replace")
    assert process.returncode in status, f"exit {process.returncode} of {' '.join(words)}:\n{text[-2000:]}"


async def as_client(binary, path):
    """The recording plays the app against a fresh world of its seed; the answers are those recorded."""
    speed = header(path).get("speed")
    await run(binary, "replay", str(path), "--as", "client", "--target", "emulator",
              *(["--speed", str(1 / float(speed))] if speed else []))


async def into_stack(binary, path):
    """The recording drives the service stack, which ends up as expected."""
    # What the library never asked was not recorded: the stack's own questions are departures, and expected ones.
    await run(binary, "replay", str(path), "--into", "stack", "--expect-beside")
    if path.stem.startswith("stack-"):
        same(json.loads(expectation(path).read_text(encoding="utf-8"))["departures"], [], "departures of its own recording")


async def expect_stack(binary, path):
    """Writes down what the stack ends up with."""
    await run(binary, "replay", str(path), "--into", "stack", "--write-beside")


def expectation(path):
    """The expected final state of the stack after a recording."""
    return path.with_suffix(".stack.json")


async def replay_all(report, binary, folder, virtual):
    told = {name: story for name, story, *_ in stories.ALL + stories.OVER_BLUETOOTH}
    paths = sorted(folder.rglob("*.capture"))
    for path in paths:
        name = path.stem
        if not report.wants(name):
            continue
        await report.run(f"{name}: header", lambda: check(path, folder))
        if name in told and not virtual:
            await report.run(f"{name}: as radio", lambda: as_radio(binary, path, told[name]))
        await report.run(f"{name}: as client", lambda: as_client(binary, path))
        await report.run(f"{name}: into the stack", lambda: into_stack(binary, path))
    if not report.only:
        await report.run("every story is recorded", lambda: all_recorded(set(told) - {path.stem for path in paths}))
        alone = set(folder.rglob("*.stack.json")) - {expectation(path) for path in paths}
        await report.run("every expectation has its recording", lambda: all_of_use(alone))


async def all_recorded(missing):
    same(sorted(missing), [], "stories without a recording")


async def all_of_use(alone):
    same(sorted(str(path) for path in alone), [], "expectations without a recording")


async def expect_all(report, binary, folder):
    for path in sorted(folder.rglob("*.capture")):
        if report.wants(path.stem):
            await report.run(f"{path.stem}: expectation", lambda: expect_stack(binary, path))


async def record_all(report, binary, folder):
    for name, story, world, speed in stories.ALL:
        if report.wants(name):
            await report.run(f"{name}: {story.__doc__}", lambda: record(binary, name, story, world, speed, folder))


async def main_run(arguments):
    report = Report(arguments.only)
    if arguments.record:
        await record_all(report, arguments.meshbed, pathlib.Path(arguments.record))
    elif arguments.expect:
        await expect_all(report, arguments.meshbed, pathlib.Path(arguments.expect))
    else:
        await replay_all(report, arguments.meshbed, pathlib.Path(arguments.replay), arguments.virtual)
    return report.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"),
                        help="the command under test; MESHBED of the environment, or the release build, unless told")
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--record", metavar="FOLDER", help="record all stories anew into this folder")
    task.add_argument("--replay", metavar="FOLDER", help="check and replay all recordings of this folder")
    task.add_argument("--expect", metavar="FOLDER", help="write anew what the stack is to end up with after each")
    parser.add_argument("--virtual", action="store_true", help="replay only what runs on virtual time")
    parser.add_argument("--only", default="", help="run the stories whose name contains this text")
    # A time limit from outside ends this program the ordinary way, so that its children end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    logging.getLogger("meshcore").setLevel(logging.ERROR)
    return asyncio.run(main_run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
