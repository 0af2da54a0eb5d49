"""The switch of an emulated board: cutting its power kills its process, and its flash stays in a folder.

    python Tests/Lab/power.py MESHBED FOLDER LABEL on|off|cycle
"""

import os
import pathlib
import signal
import subprocess
import sys
import time

LIMIT = 40.0


def off(pid):
    try:
        number = int(pid.read_text())
    except FileNotFoundError:
        return
    pid.unlink()
    try:
        os.kill(number, signal.SIGKILL)
    except ProcessLookupError:
        return
    end = time.monotonic() + LIMIT
    while is_running(number) and time.monotonic() < end:
        time.sleep(0.02)
    # As long as a hub's switch is off: uptimes in whole seconds do not tell a shorter cut from none.
    time.sleep(3)


def is_running(number):
    """Tells whether a process runs; a dead one that nobody has waited for does not."""
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def on(meshbed, folder, label, pid):
    line = folder / f"{label}.tty"
    log = open(folder / f"{label}.log", "ab")
    process = subprocess.Popen(
        [meshbed, "emulate", "--world", "pair", "--seed", "7", "--state", str(folder / f"{label}.flash"), "--endpoint",
         f"alice=pty:{line}", "--ready-json"],
        stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
    pid.write_text(str(process.pid))
    end = time.monotonic() + LIMIT
    # A link that is left from before leads to a terminal that is no more.
    while not line.exists():
        if process.poll() is not None or time.monotonic() > end:
            sys.exit(f"the board {label} does not start")
        time.sleep(0.02)


def main(meshbed, folder, label, verb):
    folder = pathlib.Path(folder)
    pid = folder / f"{label}.pid"
    if verb in ("off", "cycle"):
        off(pid)
    if verb in ("on", "cycle"):
        on(meshbed, folder, label, pid)


if __name__ == "__main__":
    main(*sys.argv[1:])
