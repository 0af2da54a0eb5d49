"""The image of ci/Dockerfile as a service of a job: its own command in a bare root, healthy when it says so itself."""

import json
import pathlib
import re
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Image:
    def __init__(self):
        text = (ROOT / "ci/Dockerfile").read_text(encoding="utf-8")
        last = re.sub(r"\\\n\s*", "", text).split("\nFROM ")[-1]
        self.entry, self.command = (json.loads(re.search(rf"^{word} (\[.*\])$", last, re.M)[1])
                                    for word in ("ENTRYPOINT", "CMD"))
        self.ports = {int(port) for port in re.search(r"^EXPOSE (.*)$", last, re.M)[1].split()}
        self.health = re.search(r"^HEALTHCHECK .*?CMD (.*)$", last, re.M)[1]


class Service:
    """Runs while a `with` lasts. `binary` is the command within the root."""

    def __init__(self, root, binary, ports):
        self.image, self.root = Image(), root
        for pair in ports:
            outside, inside = str(pair).split(":")
            if int(inside) not in self.image.ports or outside != inside:
                raise AssertionError(f"the image does not expose {pair}")
        words = [binary if word == "meshbed" else word for word in self.image.entry + self.image.command]
        self.process = subprocess.Popen([ROOT / "ci/bare_root", "run", root, *words], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self):
        begin = time.monotonic()
        while subprocess.run([ROOT / "ci/bare_root", "run", self.root, "sh", "-c", self.image.health],
                             capture_output=True, check=False).returncode:
            if self.process.poll() is not None or time.monotonic() - begin > 30:
                self.__exit__()
                raise AssertionError("the image does not become healthy")
            time.sleep(0.2)
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
