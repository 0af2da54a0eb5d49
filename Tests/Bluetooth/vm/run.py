"""A real kernel, bluetoothd and the official client against emulated radios, in a virtual machine without hardware.

    python Tests/Bluetooth/vm/run.py [--meshbed PATH] [--only TEXT] [--junit FILE] [--record FOLDER]

The machine is QEMU's, without KVM, with Debian's kernel and two linked virtual controllers; its file system is the one of
this machine, which it cannot change. Packages come from apt, once. Where they cannot be had the program says "skipped: …"
and ends with 0. A case that fails is repeated, and a machine that ends is started again once. Ends with a line
"N passed, N failed", and with 0 only when nothing failed and something passed.
"""

import argparse
import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "..", "Clients"), os.path.join(HERE, "..")]

import captures  # noqa: E402
import cases  # noqa: E402
import decoding  # noqa: E402
import stories  # noqa: E402
from junit import JUnit  # noqa: E402
from lane import Report  # noqa: E402
from machine import Ended, Machine  # noqa: E402
from parts import Missing, install  # noqa: E402

FOLDER = os.path.join(".build", "bluetooth-vm")
CASE_LIMIT = 240
BOOTS = 2


class Runner:
    """Sends cases to a machine, and judges what they leave behind."""

    def __init__(self, arguments, kernel, first):
        self.kernel, self.first, self.binary = kernel, first, os.path.abspath(arguments.meshbed)
        self.report = Report(arguments.only, junit=JUnit("bluetooth-vm"))
        self.machine, self.boots = None, 0

    @property
    def folder(self):
        return os.path.abspath(os.path.join(FOLDER, f"boot-{self.boots}"))

    async def boot(self):
        """A machine that runs: this one, or another one if that is left."""
        if self.machine is not None and self.machine.is_running:
            return
        while True:
            if self.machine is not None:
                await self.machine.stop()
            if self.boots == BOOTS:
                raise Ended(f"the machine has ended, after {BOOTS} boots")
            self.boots += 1
            self.machine = Machine(self.kernel, self.first, self.folder, self.binary)
            start = time.monotonic()
            try:
                facts = await self.machine.start()
            except Ended as error:
                if self.boots == BOOTS:
                    raise
                print(f"again   boot: {error}", flush=True)
                continue
            print(f"booted  Linux {facts['kernel']} in {time.monotonic() - start:.1f} s, {len(facts['adapters'])} adapters"
                  f" at attempt {facts['attempts']}", flush=True)
            return

    async def run(self):
        for case in cases.ALL:
            title = case.__doc__.strip().splitlines()[0]
            if self.report.wants(title):
                await self.judge(title, lambda: self.in_machine(case.__name__))
        if self.report.wants(cases.recording.__doc__):
            for case in decoding.ALL:
                await self.judge(case.__doc__.strip().splitlines()[0], lambda: case(self.folder, self.binary))

    async def in_machine(self, name):
        await self.boot()
        await self.machine.run(name, CASE_LIMIT)

    async def judge(self, title, attempt):
        await self.report.run(title, attempt, keep=self.keep)

    def keep(self, folder):
        """Copies what the machine and its programs have written."""
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["cp", "-a", f"{self.folder}/.", folder], check=False)

    def store(self, folder):
        """Puts the stories that were told into the recordings of this repository."""
        for name, _ in stories.OVER_BLUETOOTH:
            shutil.copy(os.path.join(self.folder, f"{name}.capture"),
                        os.path.join(folder, captures.FIRMWARE, captures.BOARD))

    async def stop(self):
        if self.machine is not None:
            await self.machine.stop()


async def run(arguments):
    try:
        runner = Runner(arguments, *install(os.path.abspath(FOLDER)))
    except Missing as missing:
        print(f"skipped: {missing}", flush=True)
        return 0
    try:
        await runner.run()
    finally:
        await runner.stop()
    if arguments.junit:
        runner.report.junit.write(arguments.junit)
    if arguments.record:
        runner.store(arguments.record)
    return runner.report.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"),
                        help="the command under test; MESHBED of the environment, or the release build, unless told")
    parser.add_argument("--only", default="", help="run the cases whose title contains this text")
    parser.add_argument("--record", metavar="FOLDER", help="keep the stories that are told as recordings of this folder")
    parser.add_argument("--junit", help="write verdicts to this file as well")
    # A time limit from outside ends this program the ordinary way, so that its machine ends too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
