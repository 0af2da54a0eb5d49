"""A control API under its fuzzer and its hostile clients for a day: nothing fails, and its memory stays as it is.

    python Tests/Control/day.py [--meshbed PATH] [--hours N] [--seed N] [--examples N]

One process is asked all the time. A pass goes back to the world's beginning, runs all cases of hostile.py, then schemathesis with a
seed of its own (schema.py), which switches nodes off and takes some away; the memory is read after each. The first half of the passes
may fill what the world keeps within bounds, such as its log of events. In the second half the most may be no more than a twentieth and
16 MiB above the most of the first. Memory is that of one process, so a run that was interrupted begins again. Ends with 0 when no pass
failed and memory stayed, with 2 for fewer than four passes.
"""

import argparse
import asyncio
import contextlib
import io
import os
import sys
import time

import hostile
import schema
from product import Product, add_options

ENOUGH = 4
SLACK = 16 << 20
BEGINNING = "the-beginning-of-the-day"
# A fuzzer uses names that it was told.
SPARED = ["--exclude-operation-id", "deleteSnapshot"]


def is_flat(memory):
    """Tells whether the second half of the readings, in bytes, has grown no further than the first."""
    half = len(memory) // 2
    return max(memory[half:]) <= max(memory[:half]) * 1.05 + SLACK


def problem(arguments, product, seed):
    """Runs one pass; tells in words what failed in it, or nothing."""
    status, answer = product.ask("POST", f"/snapshots/{BEGINNING}/restore")
    if status != 200:
        return f"the world does not go back to its beginning: {status} {answer}"
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        failed = asyncio.run(hostile.cases(product, ""))[1]
    if failed:
        return f"{failed} hostile clients were not handled:\n{told.getvalue()}"
    more = argparse.Namespace(seed=seed, examples=arguments.examples, longest=3600, more=SPARED)
    code = schema.run(more, product)
    if code:
        return f"schemathesis ended with {code}"
    for snapshot in product.ask("GET", "/snapshots")[1]["snapshots"]:
        if snapshot["name"] != BEGINNING:
            product.ask("DELETE", f"/snapshots/{snapshot['name']}")
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument("--hours", type=float, default=24, help="no further pass begins after so many")
    parser.add_argument("--seed", type=int, default=1, help="that of the first pass; each later one has the next")
    parser.add_argument("--examples", type=int, default=25, help="requests of each phase for an operation, at most")
    arguments = parser.parse_args()
    if arguments.address is not None:
        parser.error("it reads the memory of a process of its own: --address is not for it")
    hostile.allow_connections()
    product = Product(arguments.meshbed)
    begun, memory = time.monotonic(), []
    try:
        status, answer = product.ask("POST", "/snapshots", {"name": BEGINNING})
        assert status in (200, 201), answer
        while time.monotonic() - begun < arguments.hours * 3600:
            seed = arguments.seed + len(memory)
            failure = problem(arguments, product, seed)
            if failure:
                print(f"FAILED  pass {len(memory) + 1}, seed {seed}: {failure}")
                return 1
            memory.append(product.memory())
            print(f"pass {len(memory)}, {(time.monotonic() - begun) / 3600:.2f} h, {memory[-1] / 1e6:.1f} MB",
                  flush=True)
        product.end()
    finally:
        product.discard()
    if len(memory) < ENOUGH:
        print(f"{len(memory)} passes are too few to tell: at least {ENOUGH}, so more hours")
        return 2
    flat = is_flat(memory)
    half = len(memory) // 2
    print(f"{len(memory)} passes in {(time.monotonic() - begun) / 3600:.2f} h, none failed; most memory {max(memory[:half]) / 1e6:.1f} MB "
          f"in the first half, {max(memory[half:]) / 1e6:.1f} MB in the second: {'flat' if flat else 'it grows'}")
    return 0 if flat else 1


if __name__ == "__main__":
    os.environ.setdefault("LANE", os.path.abspath(os.path.join(".build", "ci", "lanes", "control-day")))
    sys.exit(main())
