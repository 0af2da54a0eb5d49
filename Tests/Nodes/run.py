"""Nodes of other people's on our air, through one of our modems: openhop-core, another implementation of MeshCore, and the
adapter for builds of the firmware. A radio as antenna of a world.

    python Tests/Nodes/run.py [--meshbed PATH] [--only TEXT] [--junit FILE]

A case that fails is repeated, as those of Tests/Clients are. Ends with a line "N passed, N failed", and with 0 only when
nothing failed and something passed.
"""

import argparse
import asyncio
import logging
import os
import signal
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Clients"))

import adapter_case  # noqa: E402
import antenna_case  # noqa: E402
import cases  # noqa: E402
import lane  # noqa: E402
import lockstep_case  # noqa: E402
from junit import JUnit  # noqa: E402
from node import Node  # noqa: E402

NODES = {"alice": "modem", "bob": "tcp", "room1": "console"}


async def run(arguments):
    lane.CLIENTS["modem"] = Node
    report = lane.Report(arguments.only, junit=JUnit("nodes"))
    await lane.Lane(0, "openhop-core", NODES, cases.ALL, cases.prepare, "town").run(report, arguments.meshbed)
    for name, session in (("adapter", adapter_case.session), ("lockstep", lockstep_case.session),
                          ("antenna", antenna_case.session)):
        title = f"{name}: {session.__doc__}"
        if report.wants(title):
            await report.run(title, lambda session=session: session(arguments.meshbed))
    if arguments.junit:
        report.junit.write(arguments.junit)
    return report.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"),
                        help="the command under test; MESHBED of the environment, or the release build, unless told")
    parser.add_argument("--only", default="", help="run the cases whose title contains this text")
    parser.add_argument("--junit", help="write verdicts to this file as well")
    # A time limit from outside ends this program the ordinary way, so that its emulators end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    logging.basicConfig(level=logging.CRITICAL)
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
