"""Our own commands as the central: clients, suite, recorder and scenarios with `ble:…`, on one of the controllers."""

import asyncio
import os
import re
import shutil
import tempfile

from server import Server

# Of one run of the command, on a machine that is busy.
LIMIT = 300


class Client:
    """The command on a controller of its own. It keeps its keys in a folder of its own, as on another machine."""

    def __init__(self, binary, port):
        self.binary, self.port, self.folder = binary, port, tempfile.mkdtemp(prefix="meshbed-central-")

    def address(self, radio, pin=None):
        """The name of the radio on a command line."""
        return f"ble:{radio}?via=hci:tcp=127.0.0.1:{self.port}" + (f"&pin={pin}" if pin else "")

    async def run(self, *words, radio, pin=None, status=0):
        """Runs a command with the radio as its target; what it printed."""
        return await self.command(*words, "--target", self.address(radio, pin), status=status)

    async def command(self, *words, status=0):
        """Runs a command; what it printed."""
        environment = {**os.environ, "XDG_STATE_HOME": self.folder, "NO_COLOR": "1"}
        process = await asyncio.create_subprocess_exec(
            self.binary, *words, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
        try:
            output = (await asyncio.wait_for(process.communicate(), LIMIT))[0].decode()
        except asyncio.TimeoutError:
            process.kill()
            raise AssertionError(f"{words} takes longer than {LIMIT} s") from None
        assert process.returncode == status, f"exit {process.returncode}, not {status}: {output}"
        return output

    async def info(self, radio, **more):
        """The radio's own words about itself, by their names."""
        output = await self.run("client", "info", radio=radio, **more)
        return dict(re.findall(r"^(\w+) +(.*)$", output, re.MULTILINE))

    async def recorder(self, radio, path):
        """A recorder between an app and the radio, and the port where the app finds it."""
        words = ["env", f"XDG_STATE_HOME={self.folder}", self.binary, "record", "ble", "--listen", "tcp://127.0.0.1:0",
                 "--to", self.address(radio), "--output", path]
        server = Server(words)
        return server, await asyncio.to_thread(server.port, "^Apps connect to ")

    @property
    def key_files(self):
        folder = os.path.join(self.folder, "meshbed", "bluetooth")
        return [os.path.join(folder, name) for name in os.listdir(folder)] if os.path.isdir(folder) else []

    @property
    def bonds(self):
        """The number of radios whose keys it has."""
        return sum(len(open(path, encoding="utf-8").read().splitlines()) - 1 for path in self.key_files)

    def forget(self):
        """Loses the keys of all radios."""
        for path in self.key_files:
            os.remove(path)

    def discard(self):
        shutil.rmtree(self.folder, ignore_errors=True)
