#!/usr/bin/env python3
"""Says in words whether a wheel runs on every system of its platform, from what `auditwheel show --json` found in it.

usage: wheel_audit.py PLATFORM FILE      such as manylinux_2_35_x86_64. Exit 1: it does not.
"""

import json
import re
import sys


def numbers(text):
    """The version in a tag, such as manylinux_2_35_x86_64, or in the name of a symbol's version, such as GLIBC_2.35."""
    found = re.search(r"_(\d+)[._](\d+)", text)
    return tuple(map(int, found.groups())) if found else None


def problems(platform, found):
    """What a system of the platform need not have."""
    if found["pure"]:
        yield "there is no program in it"
        return
    libraries = sorted(found["external_libs"])
    if libraries:
        yield f"needs {', '.join(libraries)}, which are not part of {platform}: link them statically, or load them when asked for"
    newest = numbers(platform)
    late = sorted({symbol for symbols in found["versioned_symbols"].values() for symbol in symbols
                   if symbol.startswith("GLIBC_") and (numbers(symbol) or newest) > newest})
    if late:
        yield f"needs symbols of {', '.join(late)}, which are newer than {platform}"
    elif not libraries and not agrees(platform, found["overall_tag"]):
        yield f"auditwheel takes it for {found['overall_tag']}, not for {platform}"
    if found["unsupported_isa"]:
        yield "needs a newer processor than the platform's"


def agrees(platform, tag):
    """A tag of older systems of the same kind agrees as well: what runs there runs on newer ones."""
    if not tag.startswith("manylinux_") or tag.split("_")[3:] != platform.split("_")[3:]:
        return False
    return numbers(tag) <= numbers(platform)


def main(platform, path):
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    wrong = list(problems(platform, found))
    for problem in wrong:
        print(f"{found['wheel']}: {problem}", file=sys.stderr)
    if not wrong and found["overall_tag"] != platform:
        print(f"{found['wheel']} would do for {found['overall_tag']} as well")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
