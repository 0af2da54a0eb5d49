"""Unmodified clients from PyPI against emulated radios, over TCP and over a pseudo-terminal.

    python Tests/Clients/run.py [--meshbed PATH] [--tier gate] [--only TEXT]

No case waits for the clock, and none has a second try: worlds.py says whose time passes when. A case that fails leaves its
trace, its recordings and what the emulator said in .build/ci/clients.
Ends with a line "N passed, N failed", and with 0 only when nothing failed and something passed.
"""

import argparse
import asyncio
import logging
import os
import signal
import sys
import time

import cli_cases
import companion_cases
import external_cases
import first_world
import kill_cases
import leave_cases
import lockstep_cases
import pair_cases
import record_cases
import repeated_cases
import stack_cases
import tool_cases
import town_cases
import version_cases
from lane import Lane, Report, connect_all
from worlds import ProgramWorld, SteppedWorld, TerminalWorld
from meshbed import MeshError, WorldLoop

# All that clients do with a radio, through a recorder, and what the recording holds.
RECORDED = companion_cases.ALL + record_cases.ALL

LIBRARY = companion_cases.ALL

# The gate has every client and every kind of link; the long tier has every case. Each run of meshcore-cli is a second of
# processor time, which is why few of its cases are in the gate.
LANES = [
    Lane(99, "library, TCP", {"alice": "tcp"}, LIBRARY + [companion_cases.eviction], connect_all, "solo", SteppedWorld),
    Lane(99, "library, pty", {"alice": "pty"}, LIBRARY, connect_all, "solo", TerminalWorld),
    Lane(99, "recorded, TCP", {"alice": "tcp"}, RECORDED, connect_all, "solo", record_cases.Recorded),
    Lane(99, "recorded, pty", {"alice": "pty"}, RECORDED, connect_all, "solo", record_cases.Recorded),
    Lane(99, "mesh, TCP", {"alice": "tcp", "bob": "tcp"}, pair_cases.ALL, pair_cases.prepare, make=SteppedWorld),
    Lane(0, "mesh, pty and TCP", {"alice": "pty", "bob": "tcp"}, pair_cases.ALL, pair_cases.prepare, make=TerminalWorld),
    Lane(99, "town", town_cases.NODES, town_cases.ALL, town_cases.prepare, "town", SteppedWorld),
    Lane(99, "killed", kill_cases.NODES, kill_cases.ALL, None, "town", ProgramWorld),
    Lane(99, "leave and return", {"alice": "tcp", "bob": "tcp"}, leave_cases.ALL, pair_cases.prepare, make=SteppedWorld),
    Lane(99, "first world", {"alice": "tcp"}, first_world.ALL, None, "solo", SteppedWorld),
    Lane(1, "the same seed", repeated_cases.NODES, [repeated_cases.ten], None, "solo", SteppedWorld),
    Lane(0, "the same seed", repeated_cases.NODES, [repeated_cases.hundred], None, "solo", SteppedWorld),
    Lane(0, "lockstep", lockstep_cases.NODES, lockstep_cases.ALL, None, "solo", ProgramWorld),
    Lane(99, "external", external_cases.NODES, external_cases.ALL, None, "solo", ProgramWorld),
    Lane(5, "meshbed client", stack_cases.NODES, stack_cases.ALL, make=ProgramWorld),
    Lane(0, "tools", {"alice": "tcp", "bob": "pty"}, tool_cases.ALL, make=ProgramWorld),
    Lane(2, "meshcore-cli", {"alice": "tcp", "bob": "pty"}, cli_cases.ALL, make=ProgramWorld),
    *(Lane(4, f"firmware {version}", version_cases.NODES, version_cases.cases(version), pair_cases.prepare,
           make=version_cases.world(version, SteppedWorld)) for version in version_cases.VERSIONS),
    *(Lane(0, f"meshcore-cli, firmware {version}", version_cases.CLI_NODES, version_cases.CLI,
           make=version_cases.world(version, ProgramWorld)) for version in version_cases.VERSIONS),
]


def run(arguments):
    report = Report(arguments.only)
    for lane in LANES:
        start = time.monotonic()
        if perform(lane, report, arguments):
            print(f"        {lane.title} took {time.monotonic() - start:.1f} s", flush=True)
    return report.end()


def perform(lane, report, arguments):
    """Runs a lane on the loop of its world; whether it had anything to do."""
    session = lane.run(report, arguments.meshbed, arguments.tier == "gate")
    if lane.make.loop is not WorldLoop:
        return asyncio.run(session)
    loop = WorldLoop()
    try:
        return loop.perform(session)
    except MeshError as error:
        # The mesh has ended, or somebody waits for what cannot come.
        report.fail(lane.title, str(error))
        return True
    finally:
        loop.finish()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"),
                        help="the command under test; MESHBED of the environment, or the release build, unless told")
    parser.add_argument("--tier", choices=["gate", "long"], default="long", help="the lanes of the gate, or all (long)")
    parser.add_argument("--only", default="", help="run the cases whose title contains this text")
    # A time limit from outside ends this program the ordinary way, so that its emulators end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    logging.getLogger("meshcore").setLevel(logging.ERROR)
    return run(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
