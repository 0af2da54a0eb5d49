"""Runs inside the virtual machine: two linked controllers, D-Bus and bluetoothd, and the cases that the host asks for.

Talks on the second serial line: a JSON object a line. `{"case": NAME, "limit": SECONDS}` is answered with
`{"problem": null or TEXT}`, and `{"case": null}` ends the program, and with it the machine.
"""

import argparse
import asyncio
import glob
import json
import os
import re
import subprocess
import sys
import time
import tty

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "..", "Clients"), os.path.join(HERE, "..")]

LINE = "/dev/ttyS1"
SETTINGS = "/run/bluetoothd.conf"
ATTEMPTS = 4
NO_ADDRESS = "00:00:00:00:00:00"


class Programs:
    """The programs in the background, each with a log in the share."""

    def __init__(self, folder):
        self.folder, self.running = folder, {}

    def start(self, name, *words):
        with open(os.path.join(self.folder, f"{name}.log"), "ab") as log:
            self.running[name] = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self.running[name]

    def start_at_once(self, name, *words):
        """The same for one that has to see what happens before the next thing does: it has the processor before all others,
        and another program writes its log, which takes as long as the share does."""
        with open(os.path.join(self.folder, f"{name}.log"), "ab") as log:
            writer = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=log, stderr=log)
        self.running[f"{name}'s log"] = writer
        self.running[name] = subprocess.Popen(
            ["chrt", "--fifo", "1", *words], stdin=subprocess.DEVNULL, stdout=writer.stdin, stderr=writer.stdin)
        # It ends with who writes into it.
        writer.stdin.close()
        return self.running[name]

    def stop(self, name):
        process = self.running.pop(name)
        # Who is written to ends when nobody writes any more.
        if process.stdin is None:
            process.terminate()
        process.wait()

    def stop_all(self):
        """The last first, so that its log is whole."""
        for name in reversed(list(self.running)):
            self.stop(name)


def until(found, what, limit=20):
    """Waits for something that is there soon."""
    end = time.monotonic() + limit
    while not (value := found()):
        if time.monotonic() > end:
            raise AssertionError(f"no {what} in {limit} s")
        time.sleep(0.05)
    return value


def adapters():
    """Those that the kernel has set up, with their addresses."""
    text = subprocess.run(["hciconfig"], capture_output=True, text=True, check=False).stdout
    found = re.findall(r"^(hci\d+):.*?BD Address: (\S+)", text, re.M | re.S)
    return {name: address for name, address in found if address != NO_ADDRESS}


def link(programs):
    """Two controllers that hear each other. The kernel sometimes misses the answer to the first reset of one: again."""
    for attempt in range(1, ATTEMPTS + 1):
        programs.start("btvirt", "btvirt", "-L", "-l2")
        try:
            until(lambda: len(glob.glob("/sys/class/bluetooth/hci*")) == 2, "two adapters", 10)
            until(lambda: len(adapters()) == 2, "addresses of both adapters", 10)
            return attempt
        except AssertionError:
            programs.stop("btvirt")
            until(lambda: not glob.glob("/sys/class/bluetooth/hci*"), "end of the adapters")
    raise AssertionError(f"the two controllers did not start, in {ATTEMPTS} attempts")


def prepare(programs):
    os.makedirs("/run/dbus", exist_ok=True)
    programs.start("dbus", "dbus-daemon", "--system", "--nofork", "--nopidfile")
    until(lambda: os.path.exists("/run/dbus/system_bus_socket"), "system bus")
    attempts = link(programs)
    programs.start("btmon", "btmon", "-w", os.path.join(programs.folder, "btmon.btsnoop"))
    # It would switch the adapter that is to be ours on again, as soon as a radio leaves it.
    with open(SETTINGS, "w", encoding="utf-8") as settings:
        settings.write("[Policy]\nAutoEnable=false\n")
    # A link without latency: where it comes late, it hears of the channel of attributes before it hears of the connection.
    programs.start_at_once("bluetoothd", "/usr/libexec/bluetooth/bluetoothd", "-n", "-d", "-f", SETTINGS)
    return {"kernel": os.uname().release, "adapters": adapters(), "attempts": attempts, "problem": None}


async def judge(name, limit, stage):
    from lane import problem_of
    import cases
    case = next(case for case in cases.ALL if case.__name__ == name)

    async def attempt():
        try:
            await case(stage)
        finally:
            await stage.clear()

    print(f"--- {name}", flush=True)
    return await problem_of(attempt, limit)


async def serve(arguments, line):
    def say(answer):
        line.write(json.dumps(answer).encode() + b"\n")

    programs = Programs(arguments.folder)
    try:
        facts = prepare(programs)
    except (AssertionError, OSError) as error:
        say({"problem": f"{error}"})
        return
    from stage import Stage
    say(facts)
    stage = Stage(arguments.meshbed, arguments.folder)
    while (text := await asyncio.to_thread(line.readline)) and (order := json.loads(text))["case"] is not None:
        say({"problem": await judge(order["case"], order["limit"], stage)})
    programs.stop_all()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", required=True, help="the share: logs are written there")
    parser.add_argument("--meshbed", required=True, help="the command under test")
    arguments = parser.parse_args()
    with open(LINE, "r+b", buffering=0) as line:
        tty.setraw(line.fileno())
        asyncio.run(serve(arguments, line))


if __name__ == "__main__":
    main()
