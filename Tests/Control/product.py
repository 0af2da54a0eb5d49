"""A `meshbed emulate` with a control API: started, asked, and ended by closing its standard input."""

import ctypes
import http.client
import json
import os
import signal
import subprocess
import urllib.parse

START = ["emulate", "village", "--time", "stepped", "--control", "http://127.0.0.1:0", "--ready-json", "--until-stdin-closes"]


def die_with_parent():
    """Linux ends the program when this one is killed, so that none stays behind."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Product:
    """One emulated world. `control` is the address of its api; `process` is None for a control API that somebody else started."""

    def __init__(self, meshbed, address=None):
        self.process = None
        if address is None:
            self.process = subprocess.Popen([meshbed, *START, "--seed", "7"], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, preexec_fn=die_with_parent)
            line = self.process.stdout.readline()
            assert line, f"it ended before it was ready, with {self.process.wait()}"
            address = json.loads(line)["control"]
        self.control = address.rstrip("/")
        place = urllib.parse.urlsplit(self.control)
        self.host, self.port = place.hostname, place.port

    def ask(self, method, path, body=None):
        """Status and body of an answer, over a connection of its own."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=300)
        try:
            connection.request(method, path, None if body is None else json.dumps(body),
                               {} if body is None else {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if "json" in answer.getheader("Content-Type", "") else text
        finally:
            connection.close()

    def now(self):
        """Seconds of the world since the run began, once all that was asked before is done."""
        status, state = self.ask("POST", "/advance", {"seconds": 0})
        assert status == 200, (status, state)
        return state["now"]

    def memory(self):
        """Bytes of memory that the program has; None where it is not ours."""
        if self.process is None:
            return None
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS:"))

    def end(self):
        """Closes its standard input: it has to end by itself, with 0."""
        if self.process is not None:
            self.process.stdin.close()
            code = self.process.wait(60)
            assert code == 0, f"it ended with {code}"

    def discard(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def add_options(parser):
    """The options of every program here."""
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"),
                        help="the command under test; MESHBED of the environment, or the release build, unless told")
    parser.add_argument("--address", help="a control API that is there already, such as http://127.0.0.1:8080")
