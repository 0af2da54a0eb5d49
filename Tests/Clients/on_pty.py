"""Runs a Python program, unmodified, whose serial port is a pseudo-terminal.

    python Tests/Clients/on_pty.py meshcore_cli -s ./bob.tty infos

A pseudo-terminal has no modem lines: setting DTR or RTS fails with ENOTTY. pyserial overlooks that while it opens a
port, but not when a program sets the lines afterwards, as meshcore does since 2.3.10. This makes it overlook both.
"""

import errno
import runpy
import sys

import serial


def overlook_missing_modem_lines():
    """Lets DTR and RTS of a pseudo-terminal be set without effect."""
    for name in ("_update_dtr_state", "_update_rts_state"):
        setattr(serial.Serial, name, _overlooking(getattr(serial.Serial, name)))


def _overlooking(update):
    def wrapped(self):
        try:
            update(self)
        except OSError as error:
            if error.errno not in (errno.ENOTTY, errno.EINVAL):
                raise
    return wrapped


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    overlook_missing_modem_lines()
    sys.argv = sys.argv[1:]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
