"""Counts of the functions that a test runs, in a build with coverage."""

import json
import os
import re
import shutil
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def build(scratch, is_built):
    """The tests' program with coverage in a folder, built there unless it is."""
    if not is_built:
        subprocess.run(["ci/build", "tests", "--scratch-path", scratch, "--enable-code-coverage"], check=True, cwd=ROOT)
    return os.path.join(scratch, "debug", "meshbedPackageTests.xctest")


def tool(name):
    """A tool of the toolchain that made the build: others do not read its profiles."""
    return os.path.join(os.path.dirname(os.path.realpath(shutil.which("swift"))), name)


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def profile(binary, pattern, folder):
    """Runs the test whose name fits; returns the file of its counts."""
    raw, merged = os.path.join(folder, "raw"), os.path.join(folder, "merged")
    run(binary, "--testing-library", "swift-testing", "--filter", pattern, cwd=ROOT,
        env=dict(os.environ, LLVM_PROFILE_FILE=raw, MESHBED_COUNTS_APART="1"))
    run(tool("llvm-profdata"), "merge", "-sparse", "-o", merged, raw)
    return merged


def counts(binary, pattern, endings=("",)):
    """The times that each function ran, by file and mangled name, in one run of a test; only names with these endings.

    Functions that did not run are there, with none.
    """
    with tempfile.TemporaryDirectory() as folder:
        exported = run(tool("llvm-cov"), "export", "-format=text", "-skip-expansions", "-instr-profile",
                       profile(binary, pattern, folder), binary, "-sources", os.path.join(ROOT, "Sources"))
    result = {}
    for function in json.loads(exported)["data"][0]["functions"]:
        path = os.path.relpath(function["filenames"][0], os.path.join(ROOT, "Sources"))
        # Names of private functions have their file in front.
        name = function["name"].split(":")[-1]
        if not path.startswith("..") and name.endswith(endings):
            result[path, name] = result.get((path, name), 0) + function["count"]
    return result


def spelled(names):
    """The names as the compiler spells them, without the words that tell private ones apart."""
    lines = run(tool("swift-demangle"), "--compact", input="\n".join(names)).splitlines()
    return [re.sub(r"\((\w+) in _[0-9A-F]{32}\)", r"\1", line) for line in lines]
