"""The radio class in C++ of the article ExternalNodes, compiled as a builder of firmware would, in lockstep with a world."""

import asyncio
import os
import re
import tempfile

from adapter_case import CHANNEL_TEXT, build
from lane import same
from server import Server

LIMIT = 300


async def run(binary, program):
    """A minute of the world with the program in alice's place; the digest, and what the program has printed."""
    server = Server([binary, "emulate", "village", "--seed", "7", "--time", "lockstep", "--for", "60s",
                     "--endpoint", "alice=external:tcp://127.0.0.1:0"])
    port = await asyncio.to_thread(server.port, r"^ +alice .* external:")
    process = await asyncio.create_subprocess_exec(program, str(port), CHANNEL_TEXT, stdout=asyncio.subprocess.PIPE)
    printed, _ = await asyncio.wait_for(process.communicate(), LIMIT)
    same(process.returncode, 0, "exit status of the program")
    text = await asyncio.to_thread(server.wait, LIMIT)
    return re.search(r"^Stopped at 60\.000 s, digest ([0-9a-f]{16})", text, re.M)[1], printed.decode()


async def session(binary):
    """a build of the firmware is asked what it does, and two runs have one digest"""
    with tempfile.TemporaryDirectory(prefix="meshbed-lockstep-") as folder:
        program = await asyncio.to_thread(build, folder, "ExternalNodes", "LockstepRadio.h", "lockstep.cpp")
        runs = [await run(binary, program) for _ in range(2)]
    same(runs[0], runs[1], "the second run")
    printed = runs[0][1]
    assert CHANNEL_TEXT[4:] in printed, f"the repeater has not relayed what was sent:\n{printed}"
    same(re.search(r"^sent (\d+)$", printed, re.M)[1], "5", "packets sent")
