#!/usr/bin/env python3
"""Runs the tutorial's suite again and again under load, and counts what does not pass each time.

usage: flakes.py [--runs N] [--times N] [--jobs N] [--load N] [--seeds A..B] [--tests FILE[::TEST]] [-- OPTION…]

Further options are for pytest. --tests names what is run in place of the whole suite, below the tutorial's folder; with
--times each test of a run is run so often, from its start each time. So 1,000 runs of the tests of order are

    flakes.py --tests test_order.py --runs 20 --times 50

Beside the suites, as many processes as --load says (as many as there are processors) do nothing but calculate. With --seeds
each run has another seed. A test is a flake when some of its runs with one seed pass and some do not, or when they end with
different digests: a digest is over everything that happened in the mesh.

Exit status: 0 when all runs passed with equal digests, 1 when one did not, 2 when a suite could not be run.
"""

import argparse
import collections
import concurrent.futures
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

TUTORIAL = pathlib.Path(__file__).with_name("tutorial")


def calculate():
    while True:
        sum(range(100_000))


def run(number, seed, tests, options):
    """The verdict and the digest of each test, each time, and what pytest has printed."""
    with tempfile.TemporaryDirectory(prefix="meshbed-flakes-") as folder:
        junit = pathlib.Path(folder, "junit.xml")
        command = [sys.executable, "-m", "pytest", "-q", "--tb=short", str(TUTORIAL / tests), f"--junitxml={junit}",
                   f"--mesh-artifacts={folder}", *options]
        if seed is not None:
            command.append(f"--mesh-seed={seed}")
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        seconds = time.monotonic() - start
        if not junit.exists():
            raise RuntimeError(f"run {number} has no results:\n{done.stdout}{done.stderr}")
        return results(junit), done.stdout, seconds


def results(junit):
    found = []
    for case in xml.etree.ElementTree.parse(junit).getroot().iter("testcase"):
        bad = case.find("failure") is not None or case.find("error") is not None
        digest = next((one.get("value") for one in case.iter("property") if one.get("name") == "mesh.digest"), "")
        # The runs of --times are runs of one test.
        name = re.sub(r"times\d+-|-?times\d+", "", case.get("name")).replace("[]", "")
        found.append((f"{case.get('classname')}::{name}", "failed" if bad else "passed", digest))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--tests", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--load", type=int, default=os.cpu_count())
    parser.add_argument("--seeds")
    parser.add_argument("options", nargs="*")
    chosen = parser.parse_args()
    options = [f"--times={chosen.times}", *chosen.options]
    seeds = [None]
    if chosen.seeds:
        first, _, last = chosen.seeds.partition("..")
        seeds = list(range(int(first), int(last) + 1))

    verdicts = collections.defaultdict(collections.Counter)
    digests = collections.defaultdict(collections.Counter)
    longest = total = 0
    load = [multiprocessing.Process(target=calculate, daemon=True) for _ in range(chosen.load)]
    for process in load:
        process.start()
    try:
        with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
            planned = {pool.submit(run, number, seed, chosen.tests, options): seed
                       for number in range(chosen.runs) for seed in [seeds[number % len(seeds)]]}
            for count, one in enumerate(concurrent.futures.as_completed(planned), 1):
                found, text, seconds = one.result()
                total, longest = total + seconds, max(longest, seconds)
                failed = [name for name, verdict, _ in found if verdict == "failed"]
                if failed:
                    print(text, flush=True)
                for name, verdict, digest in found:
                    verdicts[planned[one], name][verdict] += 1
                    digests[planned[one], name][digest] += 1
                if count % 10 == 0 or failed:
                    print(f"{count} of {chosen.runs} runs, {len(failed)} failed tests in this one", flush=True)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2
    finally:
        for process in load:
            process.kill()

    bad = [key for key, counts in verdicts.items() if counts["failed"]]
    other = [key for key, counts in digests.items() if len(counts) > 1]
    for seed, name in bad:
        where = "" if seed is None else f" with seed {seed}"
        print(f"  failed {verdicts[seed, name]['failed']} of {verdicts[seed, name].total()} times{where}: {name}")
    for seed, name in other:
        print(f"  {len(digests[seed, name])} digests in {digests[seed, name].total()} runs: {name}")
    tests = len({name for _, name in verdicts})
    print(f"{chosen.runs * chosen.times} runs of {tests} tests, {total / chosen.runs / chosen.times:.1f} s each ({longest:.1f} s the longest{' process' * (chosen.times > 1)}), "
          f"{chosen.load} processes of load: {len(bad)} flaky tests, {len(other)} tests with several digests")
    return 1 if bad or other else 0


if __name__ == "__main__":
    sys.exit(main())
