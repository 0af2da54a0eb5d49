"""Builds each package below Resources as a user would, and compares its file links.txt with the modules that the linker got.

usage: links.py

A list has a line for each module of Meshbed. A unit test holds the same lists against the manifest, without a build.
"""

import pathlib
import subprocess
import sys
import tempfile

PACKAGES = pathlib.Path(__file__).resolve().parent / "Resources"
SOURCES = PACKAGES.parent.parent.parent / "Sources"


def linked(scratch):
    """The modules below Sources whose objects went into the program."""
    names = set()
    for objects in scratch.glob("*/debug/*.product/Objects.LinkFileList"):
        for line in objects.read_text().splitlines():
            names |= {part.removesuffix(".build") for part in line.strip("'").split("/") if part.endswith(".build")}
    return sorted(name for name in names if name and (SOURCES / name).is_dir())


def main():
    failed = False
    packages = sorted(path.parent for path in PACKAGES.glob("*/Package.swift"))
    for package in packages:
        expected = (package / "links.txt").read_text().split()
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run(
                ["swift", "build", "--package-path", package, "--scratch-path", scratch], check=True)
            found = linked(pathlib.Path(scratch))
        if found == expected:
            print(f"{package.name}: {len(found)} modules, as listed")
        else:
            failed = True
            print(f"{package.name}: linked, not listed: {sorted(set(found) - set(expected))}; "
                  f"listed, not linked: {sorted(set(expected) - set(found))}")
    if not packages:
        sys.exit("links.py: no package was found")
    sys.exit(1 if failed else 0)


main()
