"""A lab of boards on one machine: lines of other machines, locks, power, suites that are cut off, and labgrid.

    python Tests/Lab/run.py [--meshbed PATH] [--only TEXT] [--junit FILE]

The boards are emulated ones on pseudo-terminals, whose power is that of their process. The lane needs ser2net. A case that
fails is repeated, as those of Tests/Clients are. Ends with a line "N passed, N failed", and with 0 only when nothing failed
and something passed.
"""

import argparse
import asyncio
import os
import signal
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Clients"))

import board_cases  # noqa: E402
import lane  # noqa: E402
import line_cases  # noqa: E402
import place_cases  # noqa: E402
from junit import JUnit  # noqa: E402

# One case has several suites on a real clock.
LIMIT = 900


async def run(arguments):
    report = lane.Report(arguments.only, junit=JUnit("lab"))
    lane.CASE_LIMIT = LIMIT
    for module in (line_cases, board_cases, place_cases):
        for session in module.SESSIONS:
            title = f"{module.__name__.partition('_')[0]}: {session.__doc__}"
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
    # A time limit from outside ends this program the ordinary way, so that its boards end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
