"""Unmodified clients from PyPI against emulated radios, over TCP and over a pseudo-terminal.

    python Tests/Clients/run.py --meshbed PATH [--only TEXT]

Ends with a line "N passed, N failed", and with 0 only when nothing failed and something passed.
"""

import argparse
import asyncio
import logging
import signal
import sys

import cli_cases
import companion_cases
import kill_cases
import pair_cases
import record_cases
import stack_cases
import town_cases
from lane import Report, connect_all, run_cases

# All that clients do with a radio, through a recorder, and what the recording holds.
RECORDED = companion_cases.ALL + record_cases.ALL

LANES = [
    ("library, TCP", {"alice": "tcp"}, companion_cases.ALL + [companion_cases.eviction], connect_all),
    ("library, pty", {"alice": "pty"}, companion_cases.ALL, connect_all),
    ("recorded, TCP", {"alice": "tcp"}, RECORDED, connect_all, "pair", record_cases.Recorded),
    ("recorded, pty", {"alice": "pty"}, RECORDED, connect_all, "pair", record_cases.Recorded),
    ("mesh, TCP", {"alice": "tcp", "bob": "tcp"}, pair_cases.ALL, pair_cases.prepare),
    ("mesh, pty and TCP", {"alice": "pty", "bob": "tcp"}, pair_cases.ALL, pair_cases.prepare),
    ("town", town_cases.NODES, town_cases.ALL, town_cases.prepare, "town"),
    ("killed", kill_cases.NODES, kill_cases.ALL, None, "town"),
    ("meshbed client", stack_cases.NODES, stack_cases.ALL, None),
    ("meshcore-cli", {"alice": "tcp", "bob": "pty"}, cli_cases.ALL, None),
]


async def run(arguments):
    report = Report(arguments.only)
    for title, kinds, cases, prepare, *world in LANES:
        await run_cases(report, title, arguments.meshbed, kinds, cases, prepare, *world)
    print(f"{report.passed} passed, {report.failed} failed")
    return 0 if report.failed == 0 and report.passed > 0 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", required=True, help="the command under test")
    parser.add_argument("--only", default="", help="run the cases whose title contains this text")
    # A time limit from outside ends this program the ordinary way, so that its emulators end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    logging.getLogger("meshcore").setLevel(logging.ERROR)
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
