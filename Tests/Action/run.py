#!/usr/bin/env python3
"""Runs the examples of ci/action as a runner would, in a bare Debian (as root): each passes, and with a planted regression
it fails with an annotation that says what broke. Then what can go wrong with the action itself.

usage: run.py [--binary FILE] [--wheel FILE] [--root FOLDER] [NAME…]

--binary is a release build of the command, .build/release/meshbed unless told; --wheel is made by ci/wheel unless told.
--root keeps the bare root for the next run.
Exit 0: all as it should be. Exit 1: something is not. Exit 2: no root could be made.
"""

import argparse
import hashlib
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass

import yaml

from image import Service
from runner import ROOT, Job, Place

EXAMPLES = ROOT / "ci/action/examples"
PROJECTS = pathlib.Path(__file__).resolve().parent / "Resources"
PACKAGES = ("ca-certificates", "curl", "make", "nodejs", "python3-venv")
VERSION = "0.2.0"
# Seconds that a job may take; reported, and never a verdict: this machine may have other work.
GOALS = {"firmware": 60, "app": 60, "home-automation": 60, "swift": 300}


@dataclass
class Regression:
    """A change of a file of a project, and what the annotations of the failed job have to name."""

    file: str
    old: str
    new: str
    names: str


REGRESSIONS = {
    "firmware": Regression("fault", "", "battery-without-storage\n", r"CMP-207 Battery and storage have 11 bytes"),
    "app": Regression("app.mjs", "subarray(58)", "subarray(57)", r"CMP-044"),
    "home-automation": Regression("integration.py", '.get("text")', '.get("txt")', r"test_cmp_136_"),
    "swift": Regression("Sources/Radio/Radio.swift", "dropFirst(58)", "dropFirst(57)", r"CMP-044"),
}


class Releases:
    """The pages of a release, on this machine."""

    def __init__(self, files):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                file = files.get(self.path)
                self.send_response(200 if file else 404)
                self.end_headers()
                if file:
                    with open(file, "rb") as content:
                        shutil.copyfileobj(content, self.wfile)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"


class Bench:
    """The bare root, the released files, and the verdicts so far."""

    def __init__(self, options, work):
        self.work = work
        self.root = pathlib.Path(options.root or work / "root").resolve()
        if not (self.root / "usr/bin/make").exists():
            subprocess.run([ROOT / "ci/bare_root", "make", self.root, *PACKAGES], check=True)
        self.tarball = work / "meshbed.tar.gz"
        (work / "packed/bin").mkdir(parents=True)
        subprocess.run(["strip", "-o", work / "packed/bin/meshbed", options.binary], check=True)
        subprocess.run(["tar", "-C", work / "packed", "-cf", self.tarball, "-I", "gzip -1", "bin"], check=True)
        self.service = self.root / "var/lib/image/meshbed"
        self.service.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(work / "packed/bin/meshbed", self.service)
        self.wheel = options.wheel and pathlib.Path(options.wheel)
        self.binary = options.binary
        self.failures = 0

    def wheel_file(self):
        if self.wheel is None:
            words = [ROOT / "ci/wheel", self.binary, self.work / "wheels"]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            self.wheel = next((self.work / "wheels").glob("meshbed-*.whl"))
        return self.wheel

    def released(self, package):
        """The version, and the file with its name, of what a job installs."""
        if package == "wheel":
            file = self.wheel_file()
            return file.name.split("-")[1], file, file.name
        return VERSION, self.tarball, f"meshbed-{VERSION}-linux-{os.uname().machine}.tar.gz"

    def job(self, name, project, place, changes=None):
        """Runs the one job of an example; `changes` are inputs of the action in place of the example's."""
        workflow = yaml.safe_load((EXAMPLES / f"{name}.yml").read_text(encoding="utf-8"))
        (job,) = workflow["jobs"].values()
        files = {}
        for step in job["steps"]:
            given = step.get("with", {})
            if given.get("digest") == "DIGEST":
                version, file, called = self.released(given.get("package", "tarball"))
                given["version"] = version
                given["digest"] = hashlib.sha256(file.read_bytes()).hexdigest()
                files[f"/OWNER/meshbed/releases/download/v{version}/{called}"] = file
                given.update(changes or {})
        releases = Releases(files)
        try:
            services = list(job.get("services", {}).values())
            if not services:
                return Job(job, project, place, releases.address).run()
            with Service(self.root, "/var/lib/image/meshbed", services[0]["ports"]):
                return Job(job, project, place, releases.address).run()
        finally:
            releases.server.shutdown()

    def check(self, title, result, problems):
        problems = [problem for problem in problems if problem]
        print(f"{'FAILED ' if problems else 'ok     '} {title:<58} {result.seconds:6.1f} s", flush=True)
        if problems:
            self.failures += 1
            for line in problems + [f"    {level}: {title}: {text[:200]}" for level, title, text in result.annotations]:
                print(f"         {line}")
            print("\n".join(f"         | {line}" for line in result.lines[-25:]))


def copied(name, work):
    project = work / "project"
    shutil.rmtree(project, ignore_errors=True)
    return shutil.copytree(PROJECTS / name, project)


def place_of(name, bench):
    # Swift's toolchain is no part of a bare root: the package is tested on this machine.
    if name == "swift":
        return Place(None, bench.work / "job")
    return Place(bench.root, pathlib.Path("/home/runner"))


def said(result, pattern, level="error"):
    return any(kind == level and re.search(pattern, f"{title}\n{text}") for kind, title, text in result.annotations)


def example(bench, name):
    """The example passes, and its regression is named."""
    project, place = copied(name, bench.work), place_of(name, bench)
    result = bench.job(name, project, place)
    folder = next(iter(result.artefacts), pathlib.Path("/nowhere"))
    bench.check(name, result, [
        "it failed" if result.failed else "",
        f"annotations: {result.annotations}" if said(result, ".") else "",
        "" if "✓" in result.summary else f"no summary: {result.summary[:200]}",
        "" if (folder / "badge.json").exists() else "no badge",
    ])
    print(f"         {'within' if result.seconds <= GOALS[name] else 'beyond'} its goal of {GOALS[name]} s")
    regression = REGRESSIONS[name]
    file = project / regression.file
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    assert regression.old in text, f"{name} has nothing to break"
    file.write_text(text.replace(regression.old, regression.new, 1), encoding="utf-8")
    result = bench.job(name, project, place)
    bench.check(f"{name}, with a regression", result, [
        "" if result.failed else "it passed",
        "" if said(result, regression.names) else f"no annotation names {regression.names}",
        "" if "✗" in result.summary else f"no summary: {result.summary[:200]}",
        "" if result.artefacts else "no reports",
        f"{result.hidden} annotations are hidden" if result.hidden else "",
    ])


# What goes wrong with the action: the inputs, what the annotation has to say, and the log that has to be there.
WRONG = {
    "a digest that does not match": ({"digest": "0" * 64}, r"the digest of .* is [0-9a-f]{64}, not 0000", None),
    "no digest": ({"digest": ""}, r"needs its digest", None),
    "a tag that is not there": ({"version": "9.9.9"}, r"there is no release 9\.9\.9 .*404", None),
    "a target that never comes up": (
        {"start": "echo ::set-env::x; sleep 60", "wait-seconds": "2"},
        r"not at tcp://127\.0\.0\.1:5000 after 2 s", "logs/target.txt"),
    "a target that ends": (
        {"start": "echo no such board; exit 3"}, r"ended with exit status 3 .*no such board", "logs/target.txt"),
    "words with an open quote": ({"arguments": "--target 'x"}, r"arguments: .*quote", None),
    "a check that there is not": ({"check": "compile"}, r"check is comply, .* not 'compile'", None),
    "a check that cannot run": (
        {"start": "", "wait-for": ""}, r"the check could not run: .*127\.0\.0\.1 port 5000", "logs/check.txt"),
}


def wrong(bench, title):
    changes, pattern, log = WRONG[title]
    result = bench.job("firmware", copied("firmware", bench.work), place_of("firmware", bench), changes)
    folder = next(iter(result.artefacts), pathlib.Path("/nowhere"))
    bench.check(title, result, [
        "" if result.failed else "it passed",
        "" if said(result, pattern) else f"no annotation says {pattern}",
        "" if log is None or (folder / log).is_file() else f"there is no {log}",
    ])


def without_root(bench):
    """A Debian package on a runner that is nobody: it says why; the tarball needs no root."""
    place = Place(bench.root, pathlib.Path("/home/runner"), user="1000")
    package = bench.root / "var/tmp/meshbed.deb"
    shutil.copy(bench.tarball, package)
    changes = {"file": "/var/tmp/meshbed.deb", "digest": ""}
    result = bench.job("firmware", copied("firmware", bench.work), place, changes)
    bench.check("a Debian package without root", result, [
        "" if result.failed else "it passed",
        "" if said(result, "installed as root, which this runner does not allow") else "no annotation says so",
    ])
    changes = {"arguments": "--target emulator --only 34", "start": "", "wait-for": ""}
    result = bench.job("firmware", copied("firmware", bench.work), place, changes)
    bench.check("a tarball without root", result, ["it failed" if result.failed else ""])


def flagged(bench):
    """Findings that are flagged pass, as warnings."""
    project = copied("firmware", bench.work)
    (project / "fault").write_text("battery-without-storage\n", encoding="utf-8")
    result = bench.job("firmware", project, place_of("firmware", bench), {
        "exit-policy": "flag", "arguments": "--target tcp://127.0.0.1:5000 --only 207"})
    link = r"\[CMP-207\]\(<http\S+/blob/v0\.2\.0/\S+#cmp-207>\)"
    bench.check("findings that are only flagged", result, [
        "it failed" if result.failed else "",
        "" if said(result, "CMP-207", "warning") else "no warning",
        "" if re.search(link, result.summary) else "no link to CMP-207",
    ])


CASES = {
    **{name: lambda bench, name=name: example(bench, name) for name in REGRESSIONS},
    **{title: lambda bench, title=title: wrong(bench, title) for title in WRONG},
    "without root": without_root,
    "flagged": flagged,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=ROOT / ".build/release/meshbed", type=pathlib.Path)
    parser.add_argument("--wheel")
    parser.add_argument("--root")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in CASES]
    if unknown:
        parser.error(f"there is no '{unknown[0]}'; there are {', '.join(CASES)}")
    if os.getuid() != 0:
        print("run.py: a bare root is made as root", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="meshbed-action.", dir="/var/tmp") as work:
        try:
            bench = Bench(options, pathlib.Path(work))
        except subprocess.CalledProcessError as error:
            print(f"run.py: {error}", file=sys.stderr)
            return 2
        names = [name for name in CASES if not options.names or name in options.names]
        for name in names:
            if name == "swift" and shutil.which("swift") is None:
                print("skipped swift: there is no Swift here")
                continue
            CASES[name](bench)
        print(f"{len(names)} cases, {bench.failures} failed")
        return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
