"""A `meshbed emulate` of our own: free endpoints, a fixed seed, its state in a scratch folder, and a clean end."""

import asyncio
import atexit
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

START_LIMIT = 30
STOP_LIMIT = 15
_running = []


def free_port():
    """A TCP port of the loopback interface that nobody uses at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _die_with_parent():
    """Linux ends the emulator when this program is killed, so that none stays behind."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


@atexit.register
def _stop_all():
    for process in _running:
        if process.poll() is None:
            process.kill()
            process.wait()


def launch(command, log_path):
    """Starts a program that writes into a log and ends with this one at the latest."""
    with open(log_path, "ab") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   preexec_fn=_die_with_parent)
    _running.append(process)
    return process


def wait_until(condition, process, limit, tail):
    """Waits until the condition holds, as long as the process runs."""
    deadline = time.monotonic() + limit
    while not condition():
        if process.poll() is not None:
            raise AssertionError(f"it ended with exit {process.returncode}:\n{tail()}")
        if time.monotonic() > deadline:
            raise AssertionError(f"no endpoints after {limit} s:\n{tail()}")
        time.sleep(0.05)


class Emulator:
    """One emulated world. `kinds` says how each node is reached: {"alice": "tcp", "bob": "pty", "rep1": "console"}."""

    def __init__(self, binary, kinds, seed=7, world="pair", speed=1):
        self.binary, self.kinds, self.seed, self.world, self.speed = binary, kinds, seed, world, speed
        self.folder = tempfile.mkdtemp(prefix="meshbed-clients-")
        self.log = os.path.join(self.folder, "emulator.log")
        self.ports = {name: free_port() for name, kind in kinds.items() if kind in ("tcp", "console")}
        self.links = {name: os.path.join(self.folder, f"{name}.tty") for name, kind in kinds.items() if kind == "pty"}
        self.process, self.started = None, 0.0

    def start(self):
        command = [self.binary, "emulate", "--world", self.world, "--seed", str(self.seed),
                   "--speed", str(self.speed), "--state", os.path.join(self.folder, "state")]
        for name, port in self.ports.items():
            command += ["--endpoint", f"{name}=tcp://127.0.0.1:{port}"]
        for name, link in self.links.items():
            command += ["--endpoint", f"{name}=pty:{link}"]
        self.process = launch(command, self.log)
        self.started = time.monotonic()
        wait_until(self._is_ready, self.process, START_LIMIT, self.tail)

    async def quiet(self):
        """Waits out the moments at which all nodes of a fresh world advert at once: 16 s after boot, then every 120 s.

        What is sent then meets an advert on the way and is lost, as with real nodes switched on together.
        """
        phase = (time.monotonic() - self.started - 16) % 120
        if phase > 110 or phase < 4:
            await asyncio.sleep((124 - phase) % 120)

    def _is_ready(self):
        return all(map(os.path.exists, self.links.values())) and all(map(_is_open, self.ports.values()))

    async def stop(self):
        """Interrupts the emulator, as a user would; it must end by itself, with 0, and take its links along."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            code = await asyncio.to_thread(self.process.wait, STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"still running {STOP_LIMIT} s after an interrupt:\n{self.tail()}") from None
        assert code == 0, f"exit {code} after an interrupt:\n{self.tail()}"
        left = [link for link in self.links.values() if os.path.lexists(link)]
        assert not left, f"links left behind: {left}"

    def discard(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def tail(self, lines=15):
        try:
            with open(self.log, encoding="utf-8", errors="replace") as log:
                return "".join(log.readlines()[-lines:])
        except OSError:
            return ""


def _is_open(port):
    """Whether somebody listens, read from the kernel's table: a connection would cost the radio its only client."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        return any(line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A" for line in table)
