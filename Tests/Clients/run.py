"""Unmodified clients from PyPI against emulated radios, over TCP and over a pseudo-terminal.

    python Tests/Clients/run.py [--meshbed PATH] [--tier gate] [--only TEXT]

A case that fails is repeated alone: in a fresh world in which those before it have run. When it then passes it is flaky,
printed with what was recorded and counted in .build/ci/flaky.json, and does not count as failed.
Ends with a line "N passed, N failed", and with 0 only when nothing failed and something passed.
"""

import argparse
import asyncio
import logging
import os
import signal
import sys

import cli_cases
import companion_cases
import external_cases
import kill_cases
import lockstep_cases
import pair_cases
import record_cases
import stack_cases
import tool_cases
import town_cases
from lane import Lane, Report, connect_all

# All that clients do with a radio, through a recorder, and what the recording holds.
RECORDED = companion_cases.ALL + record_cases.ALL

LIBRARY = companion_cases.ALL

# The gate has every client and every kind of link; the long tier has every case. Each run of meshcore-cli is a second of
# processor time, which is why few of its cases are in the gate.
LANES = [
    Lane(99, "library, TCP", {"alice": "tcp"}, LIBRARY + [companion_cases.eviction], connect_all, "solo"),
    Lane(99, "library, pty", {"alice": "pty"}, LIBRARY, connect_all, "solo"),
    Lane(0, "recorded, TCP", {"alice": "tcp"}, RECORDED, connect_all, "solo", record_cases.Recorded),
    Lane(0, "recorded, pty", {"alice": "pty"}, RECORDED, connect_all, "solo", record_cases.Recorded),
    Lane(99, "mesh, TCP", {"alice": "tcp", "bob": "tcp"}, pair_cases.ALL, pair_cases.prepare),
    Lane(0, "mesh, pty and TCP", {"alice": "pty", "bob": "tcp"}, pair_cases.ALL, pair_cases.prepare),
    Lane(99, "town", town_cases.NODES, town_cases.ALL, town_cases.prepare, "town"),
    Lane(0, "killed", kill_cases.NODES, kill_cases.ALL, None, "town"),
    Lane(0, "lockstep", lockstep_cases.NODES, lockstep_cases.ALL, None, "solo"),
    Lane(99, "external", external_cases.NODES, external_cases.ALL, None, "solo"),
    Lane(4, "meshbed client", stack_cases.NODES, stack_cases.ALL),
    Lane(0, "tools", {"alice": "tcp", "bob": "pty"}, tool_cases.ALL),
    Lane(2, "meshcore-cli", {"alice": "tcp", "bob": "pty"}, cli_cases.ALL),
]


async def run(arguments):
    report = Report(arguments.only)
    for lane in LANES:
        await lane.run(report, arguments.meshbed, arguments.tier == "gate")
    return report.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"),
                        help="the command under test; MESHBED of the environment, or the release build, unless told")
    parser.add_argument("--tier", choices=["gate", "long"], default="long", help="the lanes of the gate, or all (long)")
    parser.add_argument("--only", default="", help="run the cases whose title contains this text")
    # A time limit from outside ends this program the ordinary way, so that its emulators end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    logging.getLogger("meshcore").setLevel(logging.ERROR)
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
