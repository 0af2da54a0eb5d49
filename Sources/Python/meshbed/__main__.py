"""The command `meshbed` by way of Python: the script of this package, and `python -m meshbed`."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

from .errors import MeshError
from .search import find_command, reason


def main() -> NoReturn:
    """Becomes the command: signals and the exit status are then its own. Exit 2: there is none that runs here."""
    try:
        command = find_command()
    except MeshError as error:
        sys.exit(_refusal(error.message))
    # Python ignores these, and what it ignores, the command would ignore as well.
    for name in ("SIGPIPE", "SIGXFSZ"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execv(command, [command, *sys.argv[1:]])
    except OSError as error:
        sys.exit(_refusal(reason(command, error)))


def _refusal(problem: str) -> int:
    print(f"meshbed: {problem}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
