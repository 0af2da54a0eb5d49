"""A recording replayed both ways: to the library from PyPI, which notices nothing, and against emulated radios.

    python Tests/Clients/replay.py --meshbed PATH

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
import time
from xml.etree import ElementTree

from meshcore import MeshCore

from emulator import _die_with_parent, _is_open, free_port

LIMIT = 60
SEED = 7
# What the radio says of itself and the library did not set, or what follows from it, differs in a scrubbed recording.
SCRUBBED = {"adv_lat", "adv_lon", "channel_secret", "channel_hash", "lpp", "ble_pin"}


class Failed(Exception):
    """Something is not as it has to be."""


class Lane:
    def __init__(self, binary, folder):
        self.binary, self.folder, self.started = binary, folder, []

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *words, port):
        """Starts a server and waits until it listens."""
        log = open(self.path(f"{words[0]}-{port}.log"), "w+", encoding="utf-8")
        process = subprocess.Popen([self.binary, *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   preexec_fn=_die_with_parent)
        self.started.append(process)
        deadline = time.monotonic() + LIMIT
        while not _is_open(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise Failed(f"{' '.join(words)} does not listen:\n{self.said(process, log)}")
            time.sleep(0.05)
        return process, log

    def said(self, process, log):
        log.seek(0)
        return log.read()

    def stop(self, server, status=0):
        """Interrupts a server; what it said."""
        process, log = server
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        code = process.wait(LIMIT)
        output = self.said(process, log)
        if code != status:
            raise Failed(f"exit {code} instead of {status}:\n{output}")
        return output

    def run(self, *words, status=0):
        """Runs a command to its end; what it said."""
        done = subprocess.run([self.binary, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=LIMIT * 2, check=False)
        if done.returncode != status:
            raise Failed(f"{' '.join(words)}: exit {done.returncode} instead of {status}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def emulate(self, port, *words):
        return self.start("emulate", "--world", "solo", "--seed", str(SEED), "--endpoint",
                          f"alice=tcp://127.0.0.1:{port}", *words, port=port)

    def end(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.wait()


async def session(port):
    """What an app does in a minute; everything that the library was told, as comparable values."""
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
    radio, tap = free_port(), free_port()
    path = lane.path("session.capture")
    emulator = lane.emulate(radio)
    recorder = lane.start("record", "tcp", "--listen", f"tcp://127.0.0.1:{tap}", "--to", f"tcp://127.0.0.1:{radio}",
                          "--output", path, "--story", "a-minute-of-an-app", "--keep-secrets", port=tap)
    live = await session(tap)
    lane.stop(recorder)
    lane.stop(emulator)
    with open(path, encoding="utf-8") as file:
        frames = len(re.findall(r"^\S+ tcp [<>] ", file.read(), re.M))
    passed(f"recorded {len(live)} answers in {frames} frames")
    return live, path


async def as_radio(lane, live, path, what, besides=frozenset()):
    """The recording plays the radio."""
    port = free_port()
    server = lane.start("replay", path, "--as", "radio", "--endpoint", f"tcp://127.0.0.1:{port}", port=port)
    try:
        replayed = await session(port)
    except Exception as error:
        raise Failed(f"{error}\n{lane.said(*server)}") from error
    output = lane.stop(server)
    compare(live, replayed, besides)
    if "0 departures, 0 of" not in output:
        raise Failed(f"departures, or commands that never came:\n{output}")
    passed(f"as radio, {what}: the library notices nothing")


def as_client(lane, path):
    """The recording plays the library."""
    same = ("--world", "solo", "--seed", str(SEED))
    lane.run("replay", path, "--as", "client", "--target", "emulator", *same)
    passed("as client, in a fresh world on virtual time: no difference")
    port = free_port()
    emulator = lane.emulate(port)
    lane.run("replay", path, "--as", "client", "--target", f"tcp://127.0.0.1:{port}", status=2)
    lane.run("replay", path, "--as", "client", "--target", f"tcp://127.0.0.1:{port}", "--allow-changes")
    lane.stop(emulator)
    passed("as client, over TCP: no difference; refused without --allow-changes")


async def once(lane, path):
    """A radio that is left ends by itself, and writes its report."""
    port = free_port()
    process, log = lane.start("replay", path, "--as", "radio", "--once", "--json", lane.path("once.json"),
                              "--endpoint", f"tcp://127.0.0.1:{port}", port=port)
    await session(port)
    try:
        # The library closes its connection in the background.
        code = await asyncio.to_thread(process.wait, LIMIT)
    except subprocess.TimeoutExpired:
        raise Failed(f"--once does not end:\n{lane.said(process, log)}") from None
    with open(lane.path("once.json"), encoding="utf-8") as file:
        report = json.load(file)
    if (code, report["exitCode"], report["broken"], report["kept"] > 20) != (0, 0, 0, True):
        raise Failed(f"exit {code} with {report['kept']} kept, {report['broken']} broken")
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
        port = free_port()
        emulator = lane.emulate(port, "--mutant", mutant)
        output = lane.run("replay", path, "--as", "client", "--target", f"tcp://127.0.0.1:{port}", "--allow-changes",
                          status=1)
        lane.stop(emulator)
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
    parser.add_argument("--meshbed", required=True, help="the command under test")
    # A time limit from outside ends this program the ordinary way, so that its servers end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    logging.getLogger("meshcore").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="meshbed-replay-") as folder:
        lane = Lane(parser.parse_args().meshbed, folder)
        try:
            asyncio.run(run(lane))
        except Failed as failure:
            print(f"FAILED: {failure}", flush=True)
            return 1
        finally:
            lane.end()
    print("a recording replays both ways")
    return 0


if __name__ == "__main__":
    sys.exit(main())
