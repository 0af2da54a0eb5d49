"""A virtual machine with the kernel's own Bluetooth, and the program in it that cases are sent to."""

import asyncio
import ctypes
import json
import os
import shlex
import shutil
import signal
import sys
import tempfile

from parts import path_of

MEMORY = 2048
START_LIMIT = 180
# Of the machine as a whole, whatever it does.
LIFE_LIMIT = 1200
# From the limit of a case to the word of the machine that it has given it up.
GRACE = 30


class Ended(AssertionError):
    """The machine has ended, or does not start."""


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Machine:
    """One boot. What it writes is in `folder`: its console, and the logs of its programs."""

    def __init__(self, kernel, first, folder, binary):
        self.kernel, self.first, self.folder, self.binary = kernel, first, folder, binary
        self.process = self.server = self.reader = self.writer = self.limit = None
        self.attached = asyncio.Event()
        self.has_ended = False

    async def start(self):
        """Boots; what the program in it says of its kernel and its adapters."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        # The path of a socket may be no longer than 107 bytes; the folder's may.
        self.scratch = tempfile.mkdtemp(prefix="machine-")
        self.socket = os.path.join(self.scratch, "cases")
        with open(os.path.join(self.folder, "start"), "w", encoding="utf-8") as script:
            program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guest.py")
            words = [sys.executable, "-u", program, "--folder", self.folder, "--meshbed", self.binary]
            path = os.environ.get("PATH", "/usr/bin:/bin")
            script.write(f"export PATH={shlex.quote(path + ':/usr/sbin:/sbin')} HOME=/root LC_ALL=C.UTF-8\n")
            script.write(f"cd {shlex.quote(os.getcwd())}\n")
            script.write(f"exec {shlex.join(words)} >{shlex.quote(self.folder)}/guest.log 2>&1\n")
        self.server = await asyncio.start_unix_server(self._attach, self.socket, limit=1 << 24)
        with open(os.path.join(self.folder, "qemu.log"), "wb") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self.words(), stdin=asyncio.subprocess.DEVNULL, preexec_fn=die_with_parent, stdout=log,
                stderr=asyncio.subprocess.STDOUT)
        self.limit = asyncio.get_running_loop().call_later(LIFE_LIMIT, self.end)
        answer = await self.answer(START_LIMIT)
        if answer.get("problem"):
            raise Ended(answer["problem"])
        return answer

    def words(self):
        share = [f"local,path={path},mount_tag={tag},security_model=none,multidevs=remap,{more}"
                 for path, tag, more in (("/", "host", "readonly=on"), (self.folder, "share", "readonly=off"))]
        return [
            path_of("qemu-system-x86_64"),
            # Not KVM: its device may be there, and hang. One processor: two miss the controllers' first reset.
            "-accel", "tcg", "-cpu", "max", "-smp", "1", "-m", str(MEMORY), "-nodefaults", "-no-reboot", "-display", "none",
            "-kernel", self.kernel, "-initrd", self.first,
            # A kernel that has found a fault of its own is not trusted with another case: it ends, and so the machine.
            "-append", f"console=ttyS0 quiet oops=panic panic=-1 machine.folder={self.folder}",
            "-serial", "file:" + os.path.join(self.folder, "console.log"),
            "-chardev", f"socket,id=cases,path={self.socket}", "-serial", "chardev:cases",
            "-virtfs", share[0], "-virtfs", share[1]]

    async def _attach(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.attached.set()

    async def answer(self, limit):
        """The next line of the program in it."""
        async def ended():
            await self.process.wait()
            raise Ended(f"the machine has ended; its console: {os.path.join(self.folder, 'console.log')}")

        async def line():
            await self.attached.wait()
            while True:
                text = await self.reader.readline()
                if not text:
                    # The system tells of the end of the line first.
                    return await ended()
                try:
                    return json.loads(text)
                except ValueError:
                    # What the terminal's own end said before the program took it over.
                    continue

        tasks, done = [asyncio.create_task(line()), asyncio.create_task(ended())], set()
        try:
            done, _ = await asyncio.wait(tasks, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            if not done:
                # Its answer would be taken for the next one.
                self.end()
        await asyncio.gather(*tasks, return_exceptions=True)
        if not done:
            raise Ended(f"no answer of the machine in {limit} s; its console: "
                        + os.path.join(self.folder, "console.log"))
        return next(task for task in tasks if task in done).result()

    async def run(self, name, limit):
        """Runs a case in it, which gives it up after its limit; raises what went wrong there."""
        self.writer.write(json.dumps({"case": name, "limit": limit}).encode() + b"\n")
        await self.writer.drain()
        answer = await self.answer(limit + GRACE)
        if answer["problem"] is not None:
            raise AssertionError(answer["problem"])

    @property
    def is_running(self):
        # One whose plug was pulled is told of by the system a moment later.
        return (self.process is not None and self.process.returncode is None and self.writer is not None
                and not self.has_ended)

    async def stop(self):
        """Switches it off: by its own means, else without them."""
        if self.is_running:
            self.writer.write(json.dumps({"case": None}).encode() + b"\n")
            try:
                await asyncio.wait_for(self.process.wait(), 20)
            except asyncio.TimeoutError:
                pass
        self.end()
        if self.process is not None:
            await self.process.wait()
        if self.limit is not None:
            self.limit.cancel()
        if self.writer is not None:
            self.writer.close()
        if self.server is not None:
            self.server.close()
            shutil.rmtree(self.scratch, ignore_errors=True)

    def end(self):
        """Pulls the plug."""
        self.has_ended = True
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
