"""The parts of a lab on one machine: emulated boards on pseudo-terminals, servers of serial ports, and labgrid."""

import asyncio
import contextlib
import json
import os
import pathlib
import signal
import shutil
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
# By the clock, on a busy machine.
LIMIT = 60.0
# The layer of ser2net for RFC 2217.
RFC2217 = "telnet(rfc2217,mode=server),"


def free_port():
    """A port that nobody has at this moment; programs that take a number in their configuration need one."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def program(name):
    """The path of a program of this environment or of the system."""
    beside = pathlib.Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name) or shutil.which(name, path="/usr/sbin")
    assert found, f"there is no program {name}"
    return found


async def eventually(what, condition):
    """Waits for a condition; fails when it does not come true in time."""
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, f"{what} did not come within {LIMIT:g} s"
        await asyncio.sleep(0.05)


class Child:
    """A program in a process group of its own, with its output in a file."""

    def __init__(self, folder, name, words, environment=None):
        self.output = folder / f"{name}.log"
        with open(self.output, "wb") as file:
            self.process = subprocess.Popen(
                [str(word) for word in words], stdin=subprocess.PIPE, stdout=file, stderr=subprocess.STDOUT, cwd=folder,
                env=environment, start_new_session=True)

    def said(self):
        return self.output.read_text(encoding="utf-8", errors="replace")

    def kill(self):
        """Ends it and what it has started, at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Lab:
    """A folder with boards, and the environment in which one tester works."""

    def __init__(self, meshbed, folder):
        self.meshbed, self.folder = os.path.abspath(meshbed), pathlib.Path(folder)
        self.children = []
        self.environment = self.of_tester("ann")

    def of_tester(self, name, coordinator=None):
        """The environment of a tester on a machine of its own: locks and records are not those of another one."""
        place = self.folder / name
        place.mkdir(exist_ok=True)
        environment = os.environ | {
            "MESHBED_LOCKS": str(place / "locks"), "XDG_STATE_HOME": str(place), "LG_USERNAME": name,
            "PATH": f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        for variable in ("MESHBED_BENCH", "MESHBED_TARGET", "LG_PLACE", "LG_ENV"):
            environment.pop(variable, None)
        return environment | ({"LG_COORDINATOR": coordinator} if coordinator else {})

    def child(self, name, *words, environment=None):
        child = Child(self.folder, name, words, environment or self.environment)
        self.children.append(child)
        return child

    async def run(self, *words, environment=None, limit=180):
        """Runs the command under test; its exit status and all that it said."""
        process = await asyncio.create_subprocess_exec(
            self.meshbed, *map(str, words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            cwd=self.folder, env=environment or self.environment)
        try:
            said, _ = await asyncio.wait_for(process.communicate(), limit)
        except asyncio.TimeoutError:
            process.kill()
            raise AssertionError(f"{' '.join(map(str, words))} did not end within {limit} s") from None
        return process.returncode, said.decode(errors="replace")

    async def good(self, *words, **options):
        status, said = await self.run(*words, **options)
        assert status == 0, f"{' '.join(map(str, words))} (exit {status}):\n{said}"
        return said

    async def bad(self, sentence, *words, **options):
        """Runs a command that has to end with 2 and one sentence."""
        status, said = await self.run(*words, **options)
        assert status == 2 and sentence in said, f"{' '.join(map(str, words))} (exit {status}):\n{said}"
        return said

    def bench(self, *radios):
        """Writes the bench file."""
        path = self.folder / "bench.json"
        path.write_text(json.dumps({"format": "meshbed-bench/1", "radios": radios}, indent=1), encoding="utf-8")
        return path

    def record(self, tester="ann"):
        """The files of radios that a tester has not put back yet."""
        return sorted((self.folder / tester / "meshbed" / "boards").rglob("*.json"))

    def end(self):
        for child in self.children:
            child.kill()
        for pid in self.folder.glob("*.pid"):
            with contextlib.suppress(ProcessLookupError, ValueError):
                os.kill(int(pid.read_text()), signal.SIGKILL)

    # Boards

    async def board(self, label="heltec"):
        """An emulated board that keeps its flash, on a pseudo-terminal; its power is that of its process."""
        await asyncio.to_thread(subprocess.run, self.power(label, "on"), check=True, timeout=LIMIT)
        return self.folder / f"{label}.tty"

    def power(self, label, verb):
        """The command for a verb, as one for a switch of USB ports would be."""
        return [sys.executable, str(HERE / "power.py"), self.meshbed, str(self.folder), label, verb]

    def powers(self, label):
        return {verb: self.power(label, verb) for verb in ("on", "off", "cycle")} | {"seconds": 60}

    async def ser2net(self, line, layer=""):
        """A server of a line, by ser2net, with a layer above TCP; its port."""
        port = free_port()
        words = ["-n", "-d", "-Y", f"connection: &con01#  accepter: {layer}tcp,127.0.0.1,{port}", "-Y",
                 f"  connector: serialdev(nouucplock=true),{line},115200n81,local",
                 # A client that comes back finds its last connection not yet closed.
                 "-Y", "  options:", "-Y", "    max-connections: 10"]
        self.child(f"ser2net-{port}", program("ser2net"), *words)
        await self.listening(port)
        return port

    async def listening(self, port):
        def is_there():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        await eventually(f"a server at port {port}", is_there)

    # Labgrid

    async def coordinator(self):
        """A coordinator; its address."""
        port = free_port()
        (self.folder / "coordinator").mkdir(exist_ok=True)
        self.child("coordinator", program("labgrid-coordinator"), "-l", f"127.0.0.1:{port}")
        await self.listening(port)
        return f"127.0.0.1:{port}"

    async def exporter(self, coordinator, lines):
        """An exporter of lines by their names, which serves them with ser2net."""
        # The exporter itself says nothing about a server that is not there.
        program("ser2net")
        resources = {"lab": {name: {"cls": "RawSerialPort", "port": os.path.realpath(line)} for name, line in lines.items()}}
        path = self.folder / "exporter.yaml"
        path.write_text(json.dumps(resources), encoding="utf-8")
        child = self.child(
            "exporter", program("labgrid-exporter"), "-c", coordinator, "-n", "exporter", "--hostname", "127.0.0.1", path)
        await eventually("the exporter", lambda: "Exporter ready" in child.said())
        return child

    async def labgrid(self, environment, *words):
        process = await asyncio.create_subprocess_exec(
            program("labgrid-client"), *words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        said, _ = await asyncio.wait_for(process.communicate(), LIMIT)
        return process.returncode, said.decode(errors="replace")

    async def place(self, environment, name, resource):
        """A place with one resource."""
        for words in (("create",), ("add-match", f"exporter/lab/NetworkSerialPort/{resource}")):
            status, said = await self.labgrid(environment, "-p", name, *words)
            assert status == 0, said
        end = time.monotonic() + LIMIT
        while f"'{resource}'" not in said:
            assert time.monotonic() < end, f"{name} has no {resource}: {said}"
            _, said = await self.labgrid(environment, "-p", name, "show")


@contextlib.contextmanager
def opened(meshbed):
    """A lab in a folder of its own, which ends with its programs."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="lab-") as folder:
        lab = Lab(meshbed, folder)
        try:
            yield lab
        finally:
            lab.end()
