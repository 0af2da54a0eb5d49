#!/usr/bin/env python3
"""Writes meshbed/sync from meshbed/aio: the same without async and await. The transports differ, and are written by hand.

usage: write_sync.py [--check]    with --check: exit 1 when a file is not what it would write
"""

import pathlib
import re
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent / "meshbed"
MODULES = ("message", "mesh", "node")
HEAD = "# Written by write_sync.py from aio/{name}.py: change that file.\n"
WORDS = (
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    # What was written in parentheses only to be awaited.
    (r"\((self\.[\w.]+\((?:[^()]|\([^()]*\))*\))\)\.", r"\1."),
)


def translated(name):
    text = (PACKAGE / "aio" / f"{name}.py").read_text()
    for pattern, word in WORDS:
        text = re.sub(pattern, word, text)
    return HEAD.format(name=name) + text


def main(arguments):
    stale = []
    for name in MODULES:
        path, text = PACKAGE / "sync" / f"{name}.py", translated(name)
        if not path.exists() or path.read_text() != text:
            stale.append(name)
            if "--check" not in arguments:
                path.write_text(text)
    if "--check" in arguments and stale:
        print(f"meshbed/sync is not what write_sync.py writes: {', '.join(stale)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
