"""A runner of GitHub Actions, as far as the examples of ci/action need one: steps, actions, files and commands.

It runs a job in a bare root (ci/bare_root), or on this machine.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import uuid
from dataclasses import dataclass, field

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACTION = re.compile(r"[\w.-]+/meshbed/ci/action@v[\w.-]+")
COMMAND = re.compile(r"\s*::([\w-]+)(?: ([^:]*(?::(?!:)[^:]*)*))?::(.*)", re.S)
# What GitHub shows of a kind and step.
SHOWN = 10


class Unlike(Exception):
    """A workflow asks for something that this runner does not know."""


@dataclass
class Place:
    """Where steps run: `root` is a bare root, or None for this machine; `folder` holds all files of the job there."""

    root: pathlib.Path | None
    folder: pathlib.Path
    user: str | None = None

    def here(self, path):
        """The path as this process sees it."""
        return self.root / str(path).lstrip("/") if self.root else pathlib.Path(path)

    def command(self, variables, words, folder):
        """The words that run a command there."""
        given = ["env", f"--chdir={folder}", *(f"{name}={value}" for name, value in variables.items()), *words]
        if self.user:
            given = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups", *given]
        return [str(ROOT / "ci/bare_root"), "run", str(self.root), *given] if self.root else given


@dataclass
class Log:
    """The lines of a step, and the annotations that GitHub would show of it."""

    lines: list = field(default_factory=list)
    annotations: list = field(default_factory=list)
    hidden: int = 0
    stopped: str | None = None

    def take(self, line):
        self.lines.append(line)
        found = COMMAND.fullmatch(line)
        if self.stopped:
            if line.strip() == f"::{self.stopped}::":
                self.stopped = None
            return
        if found is None:
            return
        name, properties, message = found[1], found[2] or "", found[3]
        if name == "stop-commands":
            self.stopped = message
        elif name in ("error", "warning", "notice"):
            if sum(level == name for level, _, _ in self.annotations) == SHOWN:
                self.hidden += 1
                return
            pairs = dict(pair.split("=", 1) for pair in properties.split(",") if "=" in pair)
            self.annotations.append((name, unescaped(pairs.get("title", "")), unescaped(message)))


def unescaped(text):
    for sign, code in (("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C"), ("%", "%25")):
        text = text.replace(code, sign)
    return text


@dataclass
class Result:
    failed: bool = False
    seconds: float = 0
    annotations: list = field(default_factory=list)
    hidden: int = 0
    lines: list = field(default_factory=list)
    summary: str = ""
    artefacts: list = field(default_factory=list)


class Job:
    """A job of a workflow, with the project that it is about."""

    def __init__(self, job, project, place, server):
        self.job, self.project, self.place, self.server = job, project, place, server
        self.result = Result()
        self.environment, self.path, self.outputs = {}, [], {}
        # The runner's own mark on what it starts, by which it finds at the end what is still there.
        self.mark = str(uuid.uuid4())
        self.work, self.temp, self.action = (place.folder / name for name in ("work", "temp", "action"))
        self.files = {name: place.folder / name for name in ("env", "path", "output", "summary")}

    def run(self):
        begin = time.monotonic()
        here = self.place.here(self.place.folder)
        shutil.rmtree(here, ignore_errors=True)
        for folder in (self.work, self.temp):
            self.place.here(folder).mkdir(parents=True)
        shutil.copytree(ROOT / "ci/action", self.place.here(self.action))
        self.place.here(self.files["summary"]).touch()
        if self.place.user:
            subprocess.run(["chown", "-R", self.place.user, here], check=True)
        try:
            for step in self.job["steps"]:
                self.step(step)
        finally:
            self.end()
        self.result.summary = self.place.here(self.files["summary"]).read_text(encoding="utf-8")
        self.result.seconds = time.monotonic() - begin
        return self.result

    def end(self):
        """Ends what steps have left running, as the runner does: by its mark."""
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if f"RUNNER_TRACKING_ID={self.mark}".encode() in (process / "environ").read_bytes().split(b"\0"):
                    os.kill(int(process.name), signal.SIGKILL)
            except OSError:
                pass

    def wanted(self, step):
        condition = str(step.get("if", "success()")).strip()
        known = {"always()": True, "success()": not self.result.failed, "failure()": self.result.failed}
        if condition not in known:
            raise Unlike(f"if: {condition}")
        return known[condition]

    def step(self, step):
        if not self.wanted(step):
            return
        contexts = {"github": self.github(), "env": self.environment}
        uses = step.get("uses", "")
        given = {name: expanded(value, contexts) for name, value in step.get("with", {}).items()}
        if not uses:
            self.shell(step, contexts, step.get("env", {}))
        elif uses.startswith("actions/checkout@"):
            shutil.copytree(self.project, self.place.here(self.work), dirs_exist_ok=True)
            if self.place.user:
                subprocess.run(["chown", "-R", self.place.user, self.place.here(self.work)], check=True)
        elif uses.startswith("actions/upload-artifact@"):
            paths = [self.place.here(self.work / path) for path in given["path"].split()]
            self.result.artefacts += [path for path in paths if path.exists()]
        elif uses.startswith(("actions/setup-node@", "actions/setup-python@")):
            pass  # The root has them.
        elif ACTION.fullmatch(uses):
            self.composite(given, contexts)
        else:
            raise Unlike(f"uses: {uses}")

    def composite(self, given, contexts):
        action = yaml.safe_load((ROOT / "ci/action/action.yml").read_text(encoding="utf-8"))
        unknown = set(given) - set(action["inputs"])
        if unknown:
            # GitHub only warns; an example has none.
            raise Unlike(f"inputs that the action does not have: {', '.join(sorted(unknown))}")
        inputs = {name: given.get(name, str(what["default"])) for name, what in action["inputs"].items()}
        for step in action["runs"]["steps"]:
            self.shell(step, {**contexts, "inputs": inputs}, step.get("env", {}))

    def github(self):
        return {"action_path": str(self.action), "action_repository": "OWNER/meshbed", "action_ref": "v0.2.0",
                "server_url": self.server}

    def shell(self, step, contexts, variables):
        path = ":".join(reversed(self.path)) + ":" if self.path else ""
        usual = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        environment = {
            "PATH": path + (usual if self.place.root else os.environ["PATH"]), "CI": "true", "GITHUB_ACTIONS": "true",
            "HOME": str(self.temp), "RUNNER_TEMP": str(self.temp), "RUNNER_TRACKING_ID": self.mark,
            "LANG": "C.UTF-8", "GITHUB_WORKSPACE": str(self.work), **self.environment,
            **{name: expanded(str(value), contexts) for name, value in variables.items()},
        }
        for name, variable in (("env", "GITHUB_ENV"), ("path", "GITHUB_PATH"), ("output", "GITHUB_OUTPUT"),
                               ("summary", "GITHUB_STEP_SUMMARY")):
            environment[variable] = str(self.files[name])
        for name in ("env", "path", "output"):
            file = self.place.here(self.files[name])
            file.write_text("", encoding="utf-8")
            file.chmod(0o666)
        script = self.temp / f"{uuid.uuid4()}.sh"
        self.place.here(script).write_text(expanded(step["run"], contexts), encoding="utf-8")
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
        log = Log()
        # A file, not a pipe: what a step leaves running may hold its output open.
        with open(self.place.here(self.temp / "log.txt"), "w+", encoding="utf-8", errors="replace") as file:
            process = subprocess.run(self.place.command(environment, words, self.work), stdin=subprocess.DEVNULL,
                                     stdout=file, stderr=subprocess.STDOUT, check=False)
            file.seek(0)
            for line in file.read().split("\n"):
                log.take(line)
        self.result.failed |= process.returncode != 0
        self.result.annotations += log.annotations
        self.result.hidden += log.hidden
        self.result.lines += log.lines
        if log.stopped:
            raise Unlike("a step ended with its commands stopped")
        self.path += self.place.here(self.files["path"]).read_text(encoding="utf-8").split()
        for line in self.place.here(self.files["env"]).read_text(encoding="utf-8").splitlines():
            name, value = line.split("=", 1)
            self.environment[name] = value


def expanded(text, contexts):
    """A text with its expressions in place: a member of a context each."""

    def value(found):
        context, _, name = found[1].strip().partition(".")
        if context not in contexts or name not in contexts[context]:
            raise Unlike(found[0])
        return str(contexts[context][name])

    return re.sub(r"\$\{\{(.*?)\}\}", value, str(text))
