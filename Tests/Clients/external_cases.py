"""Programs of other people's in the place of nodes, in lockstep: the example of the article ExternalNodes, and a world that
wants one."""

import asyncio
import json
import os
import re
import sys
import tempfile

from lane import same
from server import Server

NODES = {"alice": "tcp"}
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ARTICLE = os.path.join(ROOT, "Sources", "MeshTestbed", "MeshTestbed.docc", "ExternalNodes.md")
LIMIT = 120
# Alice's program, and bob beside her; a repeater between them relays what she sends.
WORLD = {
    "format": "meshbed world 1",
    "nodes": [{"name": "alice", "role": "external"}, {"name": "hill", "role": "repeater"},
              {"name": "bob", "role": "companion"}],
    "links": [{"from": "alice", "to": "hill"}, {"from": "hill", "to": "bob"}],
}


def example(folder):
    """The article's program, in a file."""
    with open(ARTICLE, encoding="utf-8") as article:
        code = re.search(r"^```python\n(.*?)^```$", article.read(), re.M | re.S)[1]
    path = os.path.join(folder, "beacon.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(code)
    return path


async def session(binary, program, *world):
    """One run of the world with the program, up to its end; the digest, and what the program has printed."""
    server = Server([binary, "emulate", *world, "--seed", "7", "--time", "lockstep", "--for", "1h"])
    port = await asyncio.to_thread(server.port, r"^ +alice .* external:")
    peer = await asyncio.create_subprocess_exec(
        sys.executable, program, str(port), stdout=asyncio.subprocess.PIPE)
    printed, _ = await asyncio.wait_for(peer.communicate(), LIMIT)
    same(peer.returncode, 0, "exit status of the program")
    text = await asyncio.to_thread(server.wait, LIMIT)
    return re.search(r"^Stopped at 3600\.000 s, digest ([0-9a-f]{16})", text, re.M)[1], printed.decode()


async def repeated(emulator, alice):
    """the article's program hears and is heard, and two runs have one digest"""
    with tempfile.TemporaryDirectory(prefix="meshbed-external-") as folder:
        program = example(folder)
        endpoint = ["village", "--endpoint", "alice=external:tcp://127.0.0.1:0"]
        runs = [await session(emulator.binary, program, *endpoint) for _ in range(2)]
        same(runs[0], runs[1], "the second run")
        assert len(re.findall(r" snr  10\.00 dB ", runs[0][1])) > 5, runs[0][1]

        path = os.path.join(folder, "hill.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(WORLD, file)
        _, printed = await session(emulator.binary, program, path)
        assert "77c0db" in printed, f"the repeater has not relayed the beacon:\n{printed}"


async def ended(emulator, alice):
    """an interrupt ends a run whose program is waited for, and a program that goes ends it with a reason"""
    words = [emulator.binary, "emulate", "village", "--time", "lockstep", "--endpoint", "alice=external:tcp://127.0.0.1:0"]
    for is_interrupted in (True, False):
        server = Server(words)
        port = await asyncio.to_thread(server.port, r"^ +alice .* external:")
        await asyncio.to_thread(server.wait_for)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        assert (await asyncio.wait_for(reader.readline(), LIMIT)).startswith(b'{"start":')
        if is_interrupted:
            text = await server.stopped()
            assert "Stopped at 0.000 s" in text, text
            writer.close()
        else:
            writer.close()
            text = await asyncio.to_thread(server.wait, LIMIT, 2)
            assert 'node "alice" failed at 0 ms of the world: it has closed the connection' in text, text


ALL = [repeated, ended]
