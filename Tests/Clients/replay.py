"""A recording replayed both ways: to the library from PyPI, which notices nothing, and against emulated radios.

    python Tests/Clients/replay.py [--meshbed PATH]

The library talks to an emulated radio through `meshbed record tcp`. The recording, and the same one scrubbed, then plays
the radio for the library; after that it plays the library for a fresh radio of the same seed, and for radios with a fault
each, which must be named by the field. A replayed radio ends with its client when asked to, and several recordings get a
verdict each. Ends with 0 when all of that holds.
"""

import argparse
import asyncio
import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

from meshcore import MeshCore

from server import Server

LIMIT = 60
SEED = 7
# What the radio says of itself and the library did not set, or what follows from it, differs in a scrubbed recording.
SCRUBBED = {"adv_lat", "adv_lon", "channel_secret", "channel_hash", "lpp", "ble_pin"}


class Failed(AssertionError):
    """Something is not as it has to be."""


class Lane:
    def __init__(self, binary, folder):
        self.binary, self.folder, self.started = binary, folder, []

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *words, pattern):
        """Starts a server and waits until it says, behind what matches, at which port it listens: server and port."""
        server = Server([self.binary, *words])
        self.started.append(server)
        return server, server.port(pattern)

    def run(self, *words, status=0):
        """Runs a command to its end; what it said."""
        done = subprocess.run([self.binary, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LIMIT * 2, check=False)
        if done.returncode != status:
            raise Failed(f"{' '.join(words)}: exit {done.returncode} instead of {status}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def emulate(self, *words):
        return self.start("emulate", "--world", "solo", "--seed", str(SEED), "--endpoint", "alice=tcp://127.0.0.1:0",
                          *words, pattern="^ +alice .* ")

    def replay(self, path, *words):
        """The recording as a radio."""
        return self.start("replay", path, "--as", "radio", *words, "--endpoint", "tcp://127.0.0.1:0",
                          pattern="^The radio of .* listens at ")

    def end(self):
        for server in self.started:
            server.discard()


async def session(port):
    """Runs an app for a minute; returns everything that the library received, as comparable values."""
    client = await MeshCore.create_tcp("127.0.0.1", port, only_error=True, default_timeout=10)
    if client is None:
        raise Failed("the radio does not answer")
    commands, seen = client.commands, []

    async def ask(name, *arguments):
        event = await getattr(commands, name)(*arguments)
        seen.append((name, event.type.value, event.payload))

    friend = {"public_key": "c3" * 32, "type": 1, "flags": 0, "out_path": "", "out_path_len": -1,
              "out_path_hash_mode": -1, "adv_name": "bob", "last_advert": 1_700_000_000, "adv_lat": 48.5,
              "adv_lon": -2.25}
    await ask("send_device_query")
    await ask("send_appstart")
    await ask("get_time")
    await ask("set_time", 1_900_000_000)
    await ask("set_name", "alice on the hill")
    await ask("set_coords", 48.117266, -1.677793)
    await ask("send_appstart")
    await ask("add_contact", friend)
    await ask("get_contacts")
    await ask("set_channel", 1, "family", bytes(range(16)))
    for index in (0, 1, 39):
        await ask("get_channel", index)
    await ask("send_msg", bytes.fromhex("c3" * 32), "are you there?", 1_900_000_100)
    await ask("send_chan_msg", 1, "dinner is ready", 1_900_000_200)
    await ask("get_msg")
    await ask("get_bat")
    await ask("get_self_telemetry")
    await ask("get_stats_core")
    await ask("send_trace", 0, 0x01020304, 0, b"")
    await ask("remove_contact", bytes.fromhex("c3" * 32))
    await ask("remove_contact", bytes.fromhex("c3" * 32))
    await ask("get_contacts")
    await client.disconnect()
    return seen


def plain(value):
    """Values as text that says the same for the same bytes."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in sorted(value.items(), key=lambda pair: str(pair[0]))}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.hex() if isinstance(value, (bytes, bytearray)) else value


def compare(live, replayed, besides=frozenset()):
    def strip(value):
        if isinstance(value, dict):
            return {key: strip(item) for key, item in value.items() if key not in besides}
        return [strip(item) for item in value] if isinstance(value, list) else value

    if len(live) != len(replayed):
        raise Failed(f"{len(replayed)} answers instead of {len(live)}")
    for (name, kind, payload), (_, other_kind, other_payload) in zip(live, replayed):
        if kind != other_kind or strip(plain(payload)) != strip(plain(other_payload)):
            raise Failed(f"{name}: {kind} {plain(payload)}\n  replayed {other_kind} {plain(other_payload)}")


def passed(text):
    print(f"ok      {text}", flush=True)


async def record(lane):
    """The library, a tap and an emulated radio."""
    path = lane.path("session.capture")
    emulator, radio = lane.emulate()
    recorder, tap = lane.start("record", "tcp", "--listen", "tcp://127.0.0.1:0", "--to", f"tcp://127.0.0.1:{radio}",
                               "--output", path, "--story", "a-minute-of-an-app", "--keep-secrets",
                               pattern="^Apps connect to ")
    live = await session(tap)
    recorder.stop()
    emulator.stop()
    with open(path, encoding="utf-8") as file:
        frames = len(re.findall(r"^\S+ tcp [<>] ", file.read(), re.M))
    passed(f"recorded {len(live)} answers in {frames} frames")
    return live, path


async def as_radio(lane, live, path, what, besides=frozenset()):
    """The recording plays the radio."""
    server, port = lane.replay(path)
    try:
        replayed = await session(port)
    except Exception as error:
        raise Failed(f"{error}\n{server.text}") from error
    output = server.stop()
    compare(live, replayed, besides)
    if "0 departures, 0 of" not in output:
        raise Failed(f"departures, or commands that never came:\n{output}")
    passed(f"as radio, {what}: the library notices nothing")


def as_client(lane, path):
    """The recording plays the library."""
    same = ("--world", "solo", "--seed", str(SEED))
    lane.run("replay", path, "--as", "client", "--target", "emulator", *same)
    passed("as client, in a fresh world on virtual time: no difference")
    emulator, port = lane.emulate()
    lane.run("replay", path, "--as", "client", "--target", f"tcp://127.0.0.1:{port}", status=2)
    lane.run("replay", path, "--as", "client", "--target", f"tcp://127.0.0.1:{port}", "--allow-changes")
    emulator.stop()
    passed("as client, over TCP: no difference; refused without --allow-changes")


async def once(lane, path):
    """A radio that is left ends by itself, and writes its report."""
    server, port = lane.replay(path, "--once", "--json", lane.path("once.json"))
    await session(port)
    # The library closes its connection in the background.
    await asyncio.to_thread(server.wait, LIMIT)
    with open(lane.path("once.json"), encoding="utf-8") as file:
        report = json.load(file)
    if (report["exitCode"], report["broken"], report["kept"] > 20) != (0, 0, True):
        raise Failed(f"exit code {report['exitCode']} with {report['kept']} kept, {report['broken']} broken")
    passed("as radio, --once: it ends with its client")


def verdicts(lane, path):
    """Several recordings get a verdict each, against what is expected beside them."""
    folder = lane.path("several")
    os.mkdir(folder)
    for name in ("a", "b"):
        shutil.copy(path, os.path.join(folder, f"{name}.capture"))
    lane.run("replay", folder, "--into", "stack", "--expect-beside", status=2)
    lane.run("replay", folder, "--into", "stack", "--write-beside")
    lane.run("replay", folder, "--into", "stack", "--expect-beside")
    expected = os.path.join(folder, "b.stack.json")
    with open(expected, encoding="utf-8") as file:
        outcome = json.load(file)
    outcome["departures"].pop()
    outcome["radio"]["name"] = "somebody"
    with open(expected, "w", encoding="utf-8") as file:
        json.dump(outcome, file)
    output = lane.run("replay", folder, "--into", "stack", "--expect-beside", "--junit", lane.path("several.xml"),
                      status=1)
    for line in (f"kept     {folder}/a.capture: as expected", f"BROKEN   {folder}/b.capture: 2 not as expected",
                 "departures: not expected: \"CMD_", 'radio.name: expected "somebody"',
                 "2 recordings: 1 kept, 1 broken, 0 could not run"):
        if line not in output:
            raise Failed(f"no line '{line}' in:\n{output}")
    suites = ElementTree.parse(lane.path("several.xml")).getroot()
    if (suites.get("tests"), suites.get("failures"), suites.get("errors")) != ("2", "1", "0"):
        raise Failed(f"JUnit report of {suites.attrib}")
    done = subprocess.run([lane.binary, "replay", folder, lane.path("none.capture"), "--into", "stack", "--json", "-"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False)
    report = json.loads(done.stdout)
    if (done.returncode, report["exitCode"], report["couldNotRun"]) != (2, 2, 1) or "FAILED" not in done.stderr:
        raise Failed(f"exit {done.returncode}:\n{done.stderr}")
    passed("several recordings: a verdict for each, in words, JUnit and JSON")


def with_faults(lane, path):
    """Radios with one fault each."""
    for mutant, field in MUTANTS:
        emulator, port = lane.emulate("--mutant", mutant)
        output = lane.run("replay", path, "--as", "client", "--target", f"tcp://127.0.0.1:{port}", "--allow-changes",
                          status=1)
        emulator.stop()
        if not re.search(field, output):
            raise Failed(f"with {mutant}, no difference of {field}:\n{output}")
        passed(f"as client, {mutant}: {re.search(field, output)[0]}")


MUTANTS = [("device-info-of-last-release", "fw_ver_code: recorded 13, seen 12"),
           ("self-info-place-swapped", "lat: recorded [^;\\n]*"), ("frequency-in-hertz", "freq: recorded [^;\\n]*")]


async def run(lane):
    live, path = await record(lane)
    await as_radio(lane, live, path, "as recorded")
    scrubbed = lane.path("scrubbed.capture")
    lane.run("capture", "scrub", path, scrubbed)
    await as_radio(lane, live, scrubbed, "scrubbed", SCRUBBED)
    as_client(lane, path)
    with_faults(lane, path)
    await once(lane, path)
    verdicts(lane, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"),
                        help="the command under test; MESHBED of the environment, or the release build, unless told")
    # A time limit from outside ends this program the ordinary way, so that its servers end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    logging.getLogger("meshcore").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="meshbed-replay-") as folder:
        lane = Lane(parser.parse_args().meshbed, folder)
        try:
            asyncio.run(run(lane))
        except AssertionError as failure:
            print(f"FAILED: {failure}", flush=True)
            return 1
        finally:
            lane.end()
    print("a recording replays both ways")
    return 0


if __name__ == "__main__":
    sys.exit(main())
