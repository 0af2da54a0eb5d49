"""Schemathesis against the control API: no answer that its document does not allow, and no server error.

    python Tests/Control/schema.py [--meshbed PATH | --address URL] [--examples N] [--seed N] [-- more words for schemathesis]

The document is the one that the control API serves. For the sake of time two things are told to schemathesis that it does not say:
the names of the nodes, so that requests meet some, and how far time is let pass at once. The stream of events is left out,
since it has no end; hostile.py reads it. Ends with 0 only when schemathesis found nothing and the world went on to its end.
"""

import argparse
import json
import os
import subprocess
import sys

from product import Product, add_options

CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
          "response_headers_conformance", "unsupported_method", "allow_header_conformance"]
ENDLESS = ["/events"]


def narrowed(document, names, longest):
    """The document with known names of nodes beside any others, and with less time to pass."""
    known = {"enum": names}

    def walk(value):
        if isinstance(value, list):
            return [walk(item) for item in value]
        if not isinstance(value, dict):
            return value
        value = {key: walk(item) for key, item in value.items()}
        if value.get("description") == "The name of a node in this world.":
            return {"anyOf": [known, value]}
        if value.get("maximum") == 86400:
            value["maximum"] = longest
        return value

    return walk(document)


def run(arguments, product):
    status, document = product.ask("GET", "/openapi.json")
    assert status == 200, status
    status, listed = product.ask("GET", "/nodes")
    assert status == 200, status
    names = [node["name"] for node in listed["nodes"]]
    folder = os.path.abspath(os.environ.get("LANE", os.path.join(".build", "ci", "lanes", "schemathesis")))
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "openapi.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(narrowed(document, names, arguments.longest), file, indent=1)
    command = [os.path.join(os.path.abspath(os.path.dirname(sys.executable)), "schemathesis"), "run", path, "--url", product.control,
               "--seed", str(arguments.seed), "--max-examples", str(arguments.examples),
               "--phases", "examples,coverage,fuzzing", "--checks", ",".join(CHECKS), "--workers", "1",
               # Nothing is remembered from run to run: the seed alone decides.
               "--generation-database", "none", "--suppress-health-check", "all", "--request-timeout", "300",
               "--continue-on-failure", "--no-color", "--warnings", "off",
               "--report", "junit", "--report-junit-path", os.path.join(folder, "schemathesis.junit.xml")]
    for path in ENDLESS:
        command += ["--exclude-path", path]
    # There it keeps what it remembers, too.
    code = subprocess.run(command + arguments.more, check=False, cwd=folder).returncode
    try:
        status, _ = product.ask("GET", "/world")
    except OSError as error:
        status = error
    if status != 200:
        print(f"FAILED  the world does not answer any more: {status}")
        return 1
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument("--examples", type=int, default=25, help="requests of each phase for an operation, at most")
    parser.add_argument("--seed", type=int, default=7, help="what all requests come from")
    parser.add_argument("--longest", type=float, default=3600, help="seconds of the world that one request lets pass, at most")
    parser.add_argument("more", nargs="*", help="more words for schemathesis")
    arguments = parser.parse_args()
    product = Product(arguments.meshbed, arguments.address)
    try:
        code = run(arguments, product)
        if code == 0:
            product.end()
    finally:
        product.discard()
    return code


if __name__ == "__main__":
    sys.exit(main())
