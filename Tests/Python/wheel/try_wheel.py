#!/usr/bin/env python3
"""What pip makes of the files of ci/wheel on a machine with Python alone: from nothing to three green tests, and what may go wrong.

usage: try_wheel.py FOLDER [--root BARE]

FOLDER is what ci/wheel wrote into. BARE is a bare Debian with python3-venv, made by ci/bare_root; without it one is made, and
removed again (as root). The machine needs PyPI, for pytest and the client; meshbed comes from FOLDER, and only from there.
Prints a line for each trial, and the seconds and megabytes of the first tests. The clock does not decide.
Exit 0: all trials went well. Exit 1: one did not. Exit 2: there is nothing to try.
"""

import argparse
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WHEELS = "/var/tmp/wheels"
# The home of root in a bare root.
HOME = "/" + "root"
NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups"


@dataclass(frozen=True)
class First:
    """The way to the first green tests: what was typed, how long it took, and what was fetched for it."""

    commands: list
    seconds: float
    megabytes: float


def version():
    return re.search(r'^version = "(.+)"$', (ROOT / "Sources/Python/pyproject.toml").read_text(), re.M)[1]


def carrying(number):
    """The name of the wheel with the command; its folder may have those of other versions."""
    return f"meshbed-{number}-py3-none-manylinux_*.whl"


class Bare:
    """A machine with Python alone, and what ci/wheel wrote on it."""

    def __init__(self, root, folder):
        self.root = pathlib.Path(root)
        shutil.rmtree(self.inside(WHEELS), ignore_errors=True)
        shutil.copytree(folder, self.inside(WHEELS))
        self.version = version()
        wheel, = self.inside(WHEELS).glob(carrying(self.version))
        self.wheel = f"{WHEELS}/{wheel.name}"
        # Where others find it on PyPI.
        self.pip = f"pip install --quiet --find-links {WHEELS}"

    def inside(self, path):
        return self.root / path.lstrip("/")

    def run(self, line):
        """The exit status and all output of a line of shell."""
        done = subprocess.run(
            [ROOT / "ci/bare_root", "run", self.root, "bash", "-c", line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout

    def project(self, path):
        """A folder with the three tests."""
        self.inside(path).mkdir(parents=True)
        shutil.copy(HERE / "test_client.py", self.inside(path))
        return path

    def forget(self):
        """Removes what trials left, the archives that pip kept too."""
        for path in ("/var/tmp/first", "/var/tmp/moved", "/var/tmp/other", "/var/tmp/nobody", f"{HOME}/.cache/pip"):
            shutil.rmtree(self.inside(path), ignore_errors=True)


class Failure(Exception):
    """What a trial has seen in place of what it expected."""


def expect(result, status, *words):
    done, said = result
    if done != status or any(word not in said for word in words):
        raise Failure(f"exit {done}, expected {status} and {', '.join(map(repr, words))}:\n{said[-3000:]}")
    return said


def first_tests(bare):
    """From Python alone to three green tests of the client from PyPI."""
    project = bare.project("/var/tmp/first")
    commands = ["python3 -m venv env", f"env/bin/pip install --find-links {WHEELS} pytest-meshbed=={bare.version} meshcore", "env/bin/pytest -q"]
    began = time.monotonic()
    said = expect(bare.run(f"cd {project} && {' && '.join(commands)}"), 0, "3 passed")
    return First(commands, time.monotonic() - began, fetched(bare, said) / 1e6)


def fetched(bare, said):
    """The bytes that pip speaks of: those from PyPI by its own count, and those of our files."""
    others = re.findall(r"^ *Downloading \S+ \((\d+(?:\.\d+)?) ([kM]?)B\)$", said, re.M)
    ours = re.findall(rf"^Processing (?:\./)?(\S*{WHEELS}/\S+\.whl)", said, re.M)
    if not others or not ours:
        raise Failure(f"pip does not say what it fetches:\n{said[-3000:]}")
    return (sum(float(size) * {"": 1, "k": 1e3, "M": 1e6}[unit] for size, unit in others)
            + sum(bare.inside(path[path.index(WHEELS):]).stat().st_size for path in ours))


# Trials. They go on in the environment of the first tests.

def the_command_is_that_of_the_wheel(bare):
    carried = "$(env/bin/python -c 'import meshbed.search as s; print(s.CARRIED)')"
    line = f"cd /var/tmp/first; for it in env/bin/meshbed 'env/bin/python -m meshbed' {carried}; do $it --version; done | uniq -c"
    expect(bare.run(line), 0, " 3 ")
    expect(bare.run("command -v meshbed"), 1)


def its_exit_status_and_output_are_the_command_s_own(bare):
    status, said = bare.run("cd /var/tmp/first; env/lib/python3*/site-packages/meshbed/bin/meshbed no-such-command")
    expect(bare.run("cd /var/tmp/first; env/bin/python -m meshbed no-such-command"), status, said)
    expect(bare.run("cd /var/tmp/first; env/bin/python -m meshbed decode frame 0BF2440D0024F400000805"), 0, "869618 kHz")


def types_are_seen_from_outside(bare):
    checked = "from meshbed import Mesh\nreveal_type(Mesh.start('pair').state().now)\nMesh.start(3)\n"
    bare.inside("/var/tmp/first/typed.py").write_text(checked)
    line = f"cd /var/tmp/first && env/bin/{bare.pip} mypy && env/bin/mypy --strict typed.py"
    expect(bare.run(line), 1, 'Revealed type is "float"', "Found 1 error", "arg-type")


def an_environment_that_moved_runs_by_python_m(bare):
    expect(bare.run("mv /var/tmp/first /var/tmp/moved && cd /var/tmp/moved && env/bin/python -m pytest -q"), 0, "3 passed")
    expect(bare.run("cd /var/tmp/moved && env/bin/python -m meshbed --version"), 0, "-dev" if "dev" in bare.version else bare.version)
    # The script names the interpreter where it was.
    expect(bare.run("cd /var/tmp/moved && env/bin/meshbed --version"), 127)
    expect(bare.run("mv /var/tmp/moved /var/tmp/first"), 0)


def a_second_install_replaces_an_older_one(bare):
    old = older(bare)
    line = (f"cd /var/tmp/other && python3 -m venv env && env/bin/{bare.pip} {old} && env/bin/python -c 'import meshbed.gone'"
            f" && env/bin/{bare.pip} --upgrade {bare.wheel} && ls env/lib/python3*/site-packages/meshbed && env/bin/meshbed --version")
    bare.project("/var/tmp/other")
    said = expect(bare.run(line), 0, "search.py")
    if "gone.py" in said:
        raise Failure("a module of the older one is still there")


def older(bare):
    """A wheel of the version 0.1.0, with a module that is no more."""
    with tempfile.TemporaryDirectory() as folder:
        sources = pathlib.Path(folder, "Python")
        shutil.copytree(ROOT / "Sources/Python", sources)
        project = sources / "pyproject.toml"
        project.write_text(project.read_text().replace(f'version = "{bare.version}"', 'version = "0.1.0"'))
        (sources / "meshbed/gone.py").touch()
        subprocess.run(
            [ROOT / ".build/venv-wheel/bin/python", "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, sources],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wheel, = pathlib.Path(folder).glob("*.whl")
        shutil.copy(wheel, bare.inside("/var/tmp"))
        return f"/var/tmp/{wheel.name}"


def the_same_once_more_is_left_or_put_back(bare):
    broken = "truncate --size 0 env/lib/python3*/site-packages/meshbed/errors.py"
    line = f"cd /var/tmp/other && pip() {{ env/bin/pip install --no-deps --no-index \"$@\" {bare.wheel}; }} && pip && {broken} && "
    expect(bare.run(line + "pip && ! env/bin/meshbed --version"), 0, "--force-reinstall")
    expect(bare.run(line + "pip --force-reinstall --quiet && env/bin/meshbed --version"), 0)


def a_user_whose_home_is_read_only(bare):
    bare.project("/var/tmp/nobody")
    expect(bare.run("chown -R 65534:65534 /var/tmp/nobody && chmod 755 /root"), 0)
    line = (f"cd /var/tmp/nobody && touch {HOME}/x 2>&1; python3 -m venv env && env/bin/{bare.pip} pytest-meshbed=={bare.version} "
            "meshcore 2>&1 && env/bin/pytest -q")
    expect(bare.run(f"{NOBODY} bash -c {shlex.quote(line)}"), 0, "cannot touch", "3 passed")


def a_failure_in_a_read_only_folder_is_told(bare):
    failing = "def test_fails(mesh):\n    mesh.advance(1)\n    assert False, 'as it should'\n"
    bare.inside("/var/tmp/nobody/test_client.py").write_text(failing)
    line = "cd /var/tmp/nobody && env/bin/pytest -q -p no:cacheprovider"
    expect(bare.run(f"chown 0:0 /var/tmp/nobody && {NOBODY} bash -c {shlex.quote(line)}"), 1, "as it should", "1 failed", "seed 7",
           "the trace could not be kept")


def a_system_for_which_there_is_no_wheel(bare):
    """As where the C library is too old, or is musl: pip asks this module which of the platform's names it may take."""
    shutil.rmtree(bare.inside("/var/tmp/other"))
    bare.inside("/var/tmp/other").mkdir()
    expect(bare.run("cd /var/tmp/other && python3 -m venv env"), 0)
    packages, = bare.inside("/var/tmp/other/env/lib").glob("python3*/site-packages")
    (packages / "_manylinux.py").write_text("def manylinux_compatible(*system):\n    return system[:2] < (2, 35)\n")
    expect(bare.run(f"cd /var/tmp/other && env/bin/{bare.pip} {bare.wheel}"), 1, "is not a supported wheel on this platform")
    expect(bare.run(f"cd /var/tmp/other && env/bin/{bare.pip} --only-binary meshbed meshbed=={bare.version}"), 1,
           "No matching distribution found for meshbed")


def a_source_distribution_says_what_it_lacks(bare):
    """The same system: pip installs the source distribution, which is there as well."""
    expect(bare.run(f"cd /var/tmp/other && env/bin/{bare.pip} meshbed=={bare.version} pytest"), 0)
    sentence = "the command meshbed is not here: this package was installed from sources, which lack it"
    expect(bare.run("cd /var/tmp/other && env/bin/meshbed emulate pair"), 2, sentence)
    bare.inside("/var/tmp/other/test_mesh.py").write_text("def test_mesh(mesh):\n    pass\n")
    expect(bare.run("cd /var/tmp/other && env/bin/pytest"), 1, sentence, "tests with a mesh will fail")
    # Another's command is enough for it.
    line = "cd /var/tmp/other && MESHBED=$(echo /var/tmp/first/env/lib/python3*/site-packages/meshbed/bin/meshbed) env/bin/pytest"
    expect(bare.run(line), 0, "1 passed")


TRIALS = (
    the_command_is_that_of_the_wheel, its_exit_status_and_output_are_the_command_s_own, types_are_seen_from_outside,
    an_environment_that_moved_runs_by_python_m, a_second_install_replaces_an_older_one, the_same_once_more_is_left_or_put_back,
    a_user_whose_home_is_read_only, a_failure_in_a_read_only_folder_is_told, a_system_for_which_there_is_no_wheel,
    a_source_distribution_says_what_it_lacks,
)


def attempt(trial, bare):
    title = trial.__name__.replace("_", " ").replace(" s ", "'s ")
    try:
        result = trial(bare)
    except Failure as failure:
        print(f"FAILED  {title}: {failure}", flush=True)
        return None
    print(f"ok      {title}", flush=True)
    return result or True


def all_trials(bare):
    bare.forget()
    first = attempt(first_tests, bare)
    if first is None:
        return False
    for command in first.commands:
        print(f"        {command}")
    print(f"        {first.seconds:.1f} s, {first.megabytes:.1f} MB fetched")
    return all([attempt(trial, bare) for trial in TRIALS])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--root")
    options = parser.parse_args()
    if len(list(pathlib.Path(options.folder).glob(carrying(version())))) != 1:
        print(f"try_wheel.py: ci/wheel wrote no wheel of {version()} into {options.folder}", file=sys.stderr)
        return 2
    if options.root:
        return 0 if all_trials(Bare(options.root, options.folder)) else 1
    root = tempfile.mkdtemp(prefix="meshbed-wheel.", dir="/var/tmp")
    try:
        if subprocess.run([ROOT / "ci/bare_root", "make", root, "python3-venv"], stdin=subprocess.DEVNULL).returncode:
            return 2
        return 0 if all_trials(Bare(root, options.folder)) else 1
    finally:
        subprocess.run([ROOT / "ci/bare_root", "remove", root], check=True)


if __name__ == "__main__":
    sys.exit(main())
