"""Runs the vectors of `meshbed vectors` through libraries of others: meshcore, meshcoredecoder and openhop-core.

    python Tests/Vectors/run.py [--meshbed PATH] [--folder FOLDER] [--renew]

Checks the files against their schema and manifest, then compares verdict and fields of each vector that is true in 1.17.1. What
differs has to be in disagreements.json, with an explanation that the article Test vectors shows. Something that differs anew,
or no longer, fails; --renew writes both files anew. Ends with a line "N passed, N failed", and with 0 only when nothing failed.
"""

import argparse
import asyncio
import collections
import hashlib
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import client
import companion
import decoder
import disagreements
from jsonschema import Draft202012Validator
from reading import differences

VERSION = "1.17.1"
LEAST = 800


def load(folder):
    """All vectors, and the keys; the files have to be what manifest and schema say."""
    manifest = json.loads((folder / "manifest.json").read_text())
    validator = Draft202012Validator(json.loads((folder / "vectors.schema.json").read_text()))
    vectors, whole = [], hashlib.sha256()
    for entry in manifest["files"]:
        content = (folder / entry["name"]).read_bytes()
        whole.update(content)
        assert hashlib.sha256(content).hexdigest() == entry["sha256"], f"{entry['name']} is not the manifest's"
        file = json.loads(content)
        error = next(iter(validator.iter_errors(file)), None)
        assert error is None, f"{entry['name']}: {error.json_path}: {error.message}"
        assert file["count"] == entry["count"] == len(file["vectors"]), f"{entry['name']} has another count"
        vectors += file["vectors"]
    assert whole.hexdigest() == manifest["digest"], "the digest is another one"
    assert len(vectors) == manifest["count"] >= LEAST, f"{len(vectors)} vectors"
    names = collections.Counter(vector["id"] for vector in vectors)
    assert max(names.values()) == 1, f"{names.most_common(1)[0][0]} is there twice"
    return vectors, json.loads((folder / "keys.json").read_text())


async def differing(library, vectors, keys):
    """What differs in the reading of each vector, and how many were read."""
    reader, found, count = library.Reader(keys), {}, 0
    for vector in vectors:
        # Frames of an older radio are read by the same client; packets and commands by the rules of one version.
        if vector["kind"] not in library.KINDS or (vector["kind"] != "frame" and VERSION not in vector["versions"]):
            continue
        count += 1
        differs = differences(vector, await reader.read(vector))
        if differs:
            found[vector["id"]] = " ".join(differs)
    return found, count


class Checks:
    """Counts what passed and prints what failed."""

    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, title, problems):
        for problem in problems:
            print(f"FAILED  {title}: {problem}", flush=True)
        self.failed += bool(problems)
        self.passed += not problems
        if not problems:
            print(f"ok      {title}", flush=True)


async def run(folder, renew):
    checks = Checks()
    try:
        vectors, keys = load(folder)
    except AssertionError as error:
        checks.check("the files are what schema and manifest say", [str(error)])
        return checks
    checks.check(f"{len(vectors)} vectors are what schema and manifest say", [])
    entries = disagreements.stored() if os.path.exists(disagreements.FILE) else []
    for library in (client, decoder, companion):
        found, count = await differing(library, vectors, keys)
        if renew:
            entries = disagreements.renewed(entries, library.LIBRARY, found)
        version = importlib.metadata.version(library.LIBRARY)
        checks.check(f"{library.LIBRARY} {version}: {count} vectors, {len(found)} of them read otherwise",
                     disagreements.problems(entries, library.LIBRARY, found))
    if renew:
        disagreements.write(entries)
        disagreements.write_article(entries)
    article = disagreements.read_article()
    checks.check("the article shows each disagreement with its explanation",
                 [] if disagreements.shown(article, entries) == article else ["run.py --renew writes it anew"])
    return checks


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meshbed", default=os.environ.get("MESHBED", ".build/release/meshbed"),
                        help="the command that makes the vectors; MESHBED of the environment, or the release build")
    parser.add_argument("--folder", help="vectors that were made before, in place of new ones")
    parser.add_argument("--renew", action="store_true", help="write the list and the article anew")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or os.path.join(temporary, "vectors")
        if not arguments.folder:
            subprocess.run([arguments.meshbed, "vectors", "-o", folder], check=True)
        checks = asyncio.run(run(pathlib.Path(folder), arguments.renew))
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 0 if checks.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
