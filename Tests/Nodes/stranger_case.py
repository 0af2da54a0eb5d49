"""Companion radios that nobody here wrote, under comply: each is judged to the end, with a verdict for every check."""

import asyncio
import json
import os
import tempfile

import verdicts
from lane import same

# DEVICE_INFO of protocol level 3: 80 bytes, and nothing behind the version.
OLD_DEVICE_INFO = (bytes.fromhex("0d03320800000000") + b"19 Mar 2025".ljust(12, b"\0")
                   + b"Some Board".ljust(40, b"\0") + b"v1.4.0".ljust(20, b"\0"))
SELF_INFO = (bytes.fromhex("05011616") + bytes(range(32)) + bytes(12) + (869_525).to_bytes(4, "little")
             + (250_000).to_bytes(4, "little") + bytes([11, 5]) + b"Stranger")
UNKNOWN, OK = bytes([1, 1]), bytes([0])
TIME = 1_760_000_000
CHANNELS = 8
LIMIT = 360


def old_radio(command):
    """The frames that a radio of level 3 answers a command with, as far as it knows it."""
    code = command[:1].hex()
    if code == "1f":
        slot = command[1] if len(command) > 1 else CHANNELS
        return [bytes([0x12, slot]) + bytes(48)] if slot < CHANNELS else [bytes([1, 2])]
    return {
        "01": [SELF_INFO], "16": [OLD_DEVICE_INFO], "05": [bytes([9]) + TIME.to_bytes(4, "little")],
        "04": [bytes([2, 0, 0, 0, 0]), bytes([4, 0, 0, 0, 0])], "0a": [bytes([10])], "06": [OK], "08": [OK],
        "0e": [OK], "0b": [OK], "0c": [OK], "20": [OK], "26": [OK],
    }.get(code, [UNKNOWN])


def refusing_radio(_):
    """It answers every command alike."""
    return [UNKNOWN]


class StandIn:
    """A companion radio at a TCP port that makes frames of a command's bytes."""

    def __init__(self, answer):
        self.answer, self.server, self.clients = answer, None, set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        return self.server.sockets[0].getsockname()[1]

    async def __aexit__(self, *_):
        self.server.close()
        for writer in self.clients:
            writer.close()

    async def serve(self, reader, writer):
        self.clients.add(writer)
        try:
            while await reader.readexactly(1):
                length = int.from_bytes(await reader.readexactly(2), "little")
                for frame in self.answer(await reader.readexactly(length) if length else b""):
                    writer.write(b">" + len(frame).to_bytes(2, "little") + frame)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.clients.discard(writer)
            writer.close()


async def checks(binary, port):
    """The verdicts of the whole suite on the radio at a port, by check; the exit status and notes of the run."""
    with tempfile.TemporaryDirectory(prefix="meshbed-stranger-") as folder:
        report = os.path.join(folder, "report.json")
        process = await asyncio.create_subprocess_exec(
            binary, "comply", "--target", f"tcp://127.0.0.1:{port}", "--json", report,
            stdout=asyncio.subprocess.DEVNULL)
        status = await asyncio.wait_for(process.wait(), LIMIT)
        with open(report, encoding="utf-8") as file:
            written = json.load(file)
    return {check["id"]: check["verdict"] for check in written["checks"]}, status, written.get("notes", [])


async def count_of_checks(binary):
    """The number of checks of a run without a second radio: that of a run against the emulator."""
    process = await asyncio.create_subprocess_exec(
        binary, "comply", "--target", "emulator", "--json", "-", stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL)
    output, _ = await asyncio.wait_for(process.communicate(), LIMIT)
    return len(json.loads(output)["checks"])


async def judged(binary, name, answer):
    """Holds the verdicts of a stand-in against those that are known; the notes of the run."""
    async with StandIn(answer) as port:
        verdicts_now, status, notes = await checks(binary, port)
    same(status, 1, "exit status of comply")
    same(len(verdicts_now), await count_of_checks(binary), "checks with a verdict")
    verdicts.compare(name, verdicts_now)
    return "\n".join(notes)


async def old(binary):
    """a radio of level 3, which ends DEVICE_INFO behind its version, gets a verdict for every check"""
    notes = await judged(binary, "level 3", old_radio)
    assert "level 3, version 'v1.4.0'" in notes, notes


async def refusing(binary):
    """a radio that answers every command with UNSUPPORTED_CMD gets a verdict for every check"""
    notes = await judged(binary, "unsupported", refusing_radio)
    assert "does not say its version" in notes, notes
