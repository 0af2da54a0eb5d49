"""Decodes the recordings of a machine with other tools."""

import asyncio
import os
import subprocess

from lane import same

# Of the radio: what the app writes, and what it is notified of.
APP_START, SELF_INFO = "01", "05"


def tshark(path, *words):
    # Without the service's own view of values, which shows them as text.
    done = subprocess.run(["tshark", "-r", path, "--disable-protocol", "btgatt", *words],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"tshark {path}: {done.stderr}"
    return done.stdout.splitlines()


async def decoded(folder, binary):
    """tshark decodes the recordings: the pairing, the frames, and nothing malformed"""
    for name in ("adapter.pcapng", "monitor.btsnoop", "monitor.pcapng"):
        path = os.path.join(folder, name)
        values = await asyncio.to_thread(
            tshark, path, "-Y", "btatt.opcode == 0x12 || btatt.opcode == 0x52 || btatt.opcode == 0x1b",
            "-T", "fields", "-e", "btatt.opcode", "-e", "btatt.value")
        frames = [line.split("\t") for line in values if "\t" in line]
        written = [value for opcode, value in frames if opcode != "0x1b"]
        notified = [value for opcode, value in frames if opcode == "0x1b"]
        assert any(value.startswith(APP_START) for value in written), f"{name}: no APP_START in {written}"
        assert any(value.startswith(SELF_INFO) for value in notified), f"{name}: no SELF_INFO in {notified}"
        pairing = await asyncio.to_thread(tshark, path, "-Y", "btsmp.opcode == 0x0c")
        assert pairing, f"{name}: no public key of a pairing"
        same(await asyncio.to_thread(tshark, path, "-Y", "_ws.malformed"), [], f"{name}: malformed packets")


ALL = [decoded]
