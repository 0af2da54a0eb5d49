"""The adapter of the article YourFirmware, compiled as a builder of firmware would, as a node on our air."""

import asyncio
import os
import re
import shutil
import subprocess
import tempfile

from meshcore import EventType

from lane import Radio, expect
from server import Server

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ARTICLES = os.path.join(ROOT, "Sources", "MeshTestbed", "MeshTestbed.docc")
STAND_IN = os.path.join(ROOT, "Tests", "Nodes", "adapter")
COMPILERS = ("c++", "g++", "clang++")
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]
LIMIT = 60
# A flood to a channel that nobody has: header, no path, hash of the channel, MAC and one block of cipher text.
CHANNEL_TEXT = "1500" + "77" + "c0db" + bytes(range(0xC0, 0xD0)).hex()


def adapter_of(article):
    """The first and longest block of C++ in the article's text: the adapter."""
    return max(re.findall(r"^```cpp\n(.*?)^```$", article, re.M | re.S), key=len)


def build(folder, article="YourFirmware", header="ModemRadio.h", source="main.cpp"):
    """Compiles the article's adapter with the program that drives it; the path of the program."""
    compiler = next((name for name in COMPILERS if shutil.which(name)), None)
    assert compiler, f"no C++ compiler: none of {', '.join(COMPILERS)} is installed"
    with open(os.path.join(ARTICLES, article + ".md"), encoding="utf-8") as text:
        code = adapter_of(text.read())
    with open(os.path.join(folder, header), "w", encoding="utf-8") as file:
        file.write(code)
    program = os.path.join(folder, "adapter")
    subprocess.run([compiler, "-std=c++17", "-O1", *WARNINGS, "-I", STAND_IN, "-I", folder,
                    os.path.join(STAND_IN, source), "-o", program], check=True, timeout=LIMIT)
    return program


class Adapter:
    """The program, and what it prints."""

    def __init__(self, program, port):
        self.program, self.port, self.process = program, port, None

    async def start(self, *packet):
        self.process = await asyncio.create_subprocess_exec(
            self.program, str(self.port), *packet, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)

    async def line(self):
        line = await asyncio.wait_for(self.process.stdout.readline(), LIMIT)
        assert line, f"the program has ended with {await self.process.wait()}"
        return line.decode().strip()

    async def end(self):
        """Ends it through its standard input; it must end with 0."""
        self.process.stdin.close()
        assert await asyncio.wait_for(self.process.wait(), LIMIT) == 0, f"exit {self.process.returncode}"


async def session(binary):
    """a build of the firmware hears and sends through the adapter of its article"""
    with tempfile.TemporaryDirectory(prefix="meshbed-adapter-") as folder:
        program = await asyncio.to_thread(build, folder)
        server = Server([binary, "emulate", "village", "--seed", "7", "--endpoint", "alice=modem:tcp://127.0.0.1:0",
                         "--endpoint", "bob=tcp://127.0.0.1:0"], os.path.join(folder, "log"))
        server.wait_for()
        adapter = Adapter(program, server.port(r"^ +alice .* modem:"))
        server.ports, server.links = {"bob": server.port(r"^ +bob .* ")}, {}
        try:
            bob = await Radio("bob", server).connect()
            await adapter.start()
            expect(await bob.commands.send_advert(flood=True), EventType.OK)
            heard = re.match(r"heard ([0-9a-f]+) snr (-?[\d.]+) rssi (-?\d+) score ([\d.]+) floor (-\d+)$", await adapter.line())
            assert heard, "the adapter has heard nothing"
            await adapter.end()
            assert 0 < float(heard[4]) <= 1 and int(heard[3]) < 0, heard[0]

            # The repeater between them relays it, and bob's radio reports what it hears.
            since = bob.mark()
            await adapter.start(CHANNEL_TEXT)
            sent = await adapter.line()
            assert re.match(rf"sent {len(CHANNEL_TEXT) // 2} bytes, reckoned [1-9]\d* ms$", sent), sent
            while not any(CHANNEL_TEXT[4:] in str(event.payload) for event in bob.events[since:]):
                assert await bob.news(LIMIT), "bob has not heard it"
            await adapter.end()
            await bob.disconnect()
        finally:
            await server.stopped()
