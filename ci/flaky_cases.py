"""Counts cases that failed once and passed when they were repeated alone, in .build/ci/flaky.json.

usage: python3 ci/flaky_cases.py TITLE PROBLEM TRACE [FOLDER]    counts one, prints how often that has happened
"""

import fcntl
import json
import os
import sys
import time

FOLDER = os.path.join(".build", "ci")
LONGEST_PROBLEM = 2000


def note(title, problem, trace, folder=FOLDER):
    """Counts a case; how often it was flaky so far. `trace` is where the first failure can be read."""
    path = os.path.join(folder, "flaky.json")
    os.makedirs(folder, exist_ok=True)
    # Two lanes may count at the same time, and the runner reads at any.
    with open(path + ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return count(path, title, problem, trace)


def count(path, title, problem, trace):
    """Counts a case in a file that nobody else writes."""
    try:
        with open(path, encoding="utf-8") as file:
            known = json.load(file)
    except (OSError, ValueError):
        known = {}
    times = known.get(title, {}).get("count", 0) + 1
    known[title] = {"count": times, "problem": problem[:LONGEST_PROBLEM], "trace": trace,
                    "last": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(known, file, indent=1, sort_keys=True)
    os.replace(path + ".new", path)
    return times


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__.strip())
    print(note(*sys.argv[1:]))
