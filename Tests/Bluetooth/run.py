"""A phone of Bumble's, our own client and our own app against emulated radios, through virtual Bluetooth controllers on TCP ports.

    python Tests/Bluetooth/run.py [--meshbed PATH] [--against reference] [--controllers rootcanal] [--only TEXT]
                                  [--tier gate] [--junit FILE]

Each case has controllers, a radio and phones of its own; a case that fails is repeated before it counts.
With `--against reference` the radio is one of Bumble's own host, which shows that the cases can be passed.
The controllers are Bumble's, or those of RootCanal, which the Android emulator has inside.
Ends with a line "N passed, N failed", and with 0 only when nothing failed and something passed.
"""

import argparse
import asyncio
import logging
import os
import signal
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Clients"))

import app_cases  # noqa: E402
import cases  # noqa: E402
import central_cases  # noqa: E402
import controllers  # noqa: E402
import families  # noqa: E402
import netsim_cases  # noqa: E402
from apps import AppProgram  # noqa: E402
from central import Central  # noqa: E402
from clients import Client  # noqa: E402
from junit import JUnit  # noqa: E402
from lane import Report  # noqa: E402
from peripherals import EmulatedRadio, ReferenceRadio  # noqa: E402
import rootcanal_controllers  # noqa: E402

PHONES = 2
CONTROLLERS = {"bumble": controllers.Air, "rootcanal": rootcanal_controllers.Air}


class Stage:
    """Controllers, a radio on the first of them, and phones on the others."""

    def __init__(self, make, binary, family, air):
        self.make_air = air
        self.family, self.radio, self.air, self.phones = family, make(binary, family), None, []
        self.binary, self.clients, self.apps = binary, [], []
        self.is_emulated = make is EmulatedRadio

    async def open(self):
        self.air = await self.make_air.open([0] * (1 + PHONES))
        await self.radio.start(self.air.ports[0])

    async def phone(self):
        number = len(self.phones)
        # Bumble's host offers Secure Connections; a radio that has none makes it pair in the old way.
        self.phones.append(Central(self.air.ports[1 + number], number))
        return await self.phones[-1].open()

    def client(self):
        """Our own client, on the last controller."""
        self.clients.append(Client(self.binary, self.air.ports[PHONES]))
        return self.clients[-1]

    async def app(self, client):
        """The app in a browser, without one, on the controller of a client."""
        self.apps.append(AppProgram(client))
        return await self.apps[-1].open()

    def is_advertising(self):
        return self.air.is_advertising(0)

    async def restart(self, *more):
        await self.radio.stop()
        await self.radio.start(self.air.ports[0], *more)

    def now(self):
        return time.monotonic()

    async def close(self):
        if isinstance(self.radio, ReferenceRadio):
            await self.radio.stop()
        for phone in self.phones:
            await phone.close()
        for app in self.apps:
            app.discard()
        for client in self.clients:
            client.discard()
        if self.air is not None:
            await self.air.close()


class Runner:
    def __init__(self, arguments):
        self.make = ReferenceRadio if arguments.against == "reference" else EmulatedRadio
        self.air, self.binary = CONTROLLERS[arguments.controllers], arguments.meshbed
        self.report = Report(arguments.only, junit=JUnit(f"bluetooth-{arguments.controllers}"))
        self.cases = cases.ALL
        if arguments.tier == "gate":
            self.cases = cases.GATE + central_cases.GATE
        elif self.make is EmulatedRadio:
            self.cases = (cases.ALL + cases.EMULATED + central_cases.EMULATED + app_cases.EMULATED
                          + netsim_cases.EMULATED)

    async def run(self):
        for family in families.ALL:
            for case in self.cases:
                title = f"{family.name}: {case.__doc__.strip().splitlines()[0]}"
                if self.report.wants(title):
                    await self.judge(title, family, case)

    async def judge(self, title, family, case):
        stages = []

        async def attempt():
            if stages:
                stages[-1].radio.discard()
            stages.append(Stage(self.make, self.binary, family, self.air))
            try:
                await stages[-1].open()
                await case(stages[-1])
            finally:
                await stages[-1].close()

        try:
            await self.report.run(title, attempt, keep=lambda folder: stages[-1].radio.keep(folder))
        finally:
            stages[-1].radio.discard()


async def run(arguments):
    runner = Runner(arguments)
    await runner.run()
    if arguments.junit:
        runner.report.junit.write(arguments.junit)
    return runner.report.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"),
                        help="the command under test; MESHBED of the environment, or the release build, unless told")
    parser.add_argument("--against", choices=["meshbed", "reference"], default="meshbed", help="whose radio")
    parser.add_argument("--controllers", choices=list(CONTROLLERS), default="bumble", help="whose controllers")
    parser.add_argument("--tier", choices=["gate", "long"], default="long", help="gate: a few that no clock decides")
    parser.add_argument("--only", default="", help="run the cases whose title contains this text")
    parser.add_argument("--junit", help="write verdicts to this file as well")
    # A time limit from outside ends this program the ordinary way, so that its emulators end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    # What a host says when its controller is gone at the end of a case is no news.
    for name in ("bumble", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
