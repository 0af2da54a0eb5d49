"""The report of a failed test about its mesh, and its files in the folder for artefacts."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from ..answers import Drop, MessageState, NodeState, World
from ..errors import MeshError
from .pool import Running

TITLE = "meshbed"
SHOWN_MESSAGES = 5
SHOWN_NODES = 8
SHOWN_DROPS = 20


def folder_of(item: pytest.Item) -> Path:
    """The folder for the artefacts of a test."""
    place = Path(item.config.rootpath, item.config.getoption("mesh_artifacts"))
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", item.nodeid).strip("-.")
    return place / name[-120:]


def discard_artefacts(item: pytest.Item) -> None:
    """Removes the artefacts of an earlier run of the test."""
    shutil.rmtree(folder_of(item), ignore_errors=True)


def section(item: pytest.Item, running: Running) -> str:
    """The text for the report of a failure. An error in it must not hide the failure."""
    lines = _origin(running.command.provenance)
    try:
        world = running.mesh.world()
        lines += _standing(world, running)
        lines.append(f"again: {_again(item, running)}")
        lines += _trace(item, running, world)
    except MeshError as error:
        lines.append(f"again: {_again(item, running)}")
        lines.append(f"the mesh tells no more: {error}")
        if not running.command.is_running:
            lines += ["its process has ended; it said:", running.command.errors().rstrip()]
    return "\n".join(lines)


def _origin(provenance: dict[str, Any]) -> list[str]:
    """The build and the run."""
    commit = f" ({provenance['commit']})" if "commit" in provenance else ""
    without = provenance.get("withoutQuirks")
    quirks = f"without {', '.join(without)}" if without else "all quirks"
    return [
        f"meshbed {provenance.get('version', '?')}{commit}: world {provenance.get('world', '?')}, "
        f"seed {provenance.get('seed', '?')}",
        f"time {provenance.get('time', '?')}; air {provenance.get('air', '?')}; {quirks}",
    ]


def _standing(world: World, running: Running) -> list[str]:
    state = world.state
    if state.unprompted_inputs:
        repeatable = f"not reproducible: clients spoke {state.unprompted_inputs} times while time was passing"
    elif world.provenance.get("reproducible"):
        note = world.provenance.get("note")
        repeatable = f"reproducible {note}" if note else "reproducible: the same seed and requests give the same run"
    else:
        repeatable = f"not reproducible: {world.provenance.get('note', 'it does not say why')}"
    lines = [
        repeatable,
        f"now {state.now:g} s, digest {state.digest}: {state.transmissions} transmissions, {state.receptions} receptions, "
        f"{state.drops} drops, {state.messages} messages",
    ]
    if running.without:
        lines.append(f"without {', '.join(running.without)}")
    return lines


def _again(item: pytest.Item, running: Running) -> str:
    words = ["pytest", item.nodeid, "--mesh-seed", str(running.settings.seed)]
    if without := item.config.getoption("mesh_without"):
        words += ["--mesh-without", without]
    return shlex.join(words)


def _trace(item: pytest.Item, running: Running, world: World) -> list[str]:
    folder = folder_of(item)
    messages = running.mesh.messages()
    trace = folder / "trace.ndjson"
    facts = {
        "test": item.nodeid, "seed": running.settings.seed, "now": world.state.now, "digest": world.state.digest,
        "provenance": world.provenance, "messages": [vars(message) for message in messages],
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        trace.write_text(running.mesh.trace(), encoding="utf-8")
        (folder / "run.json").write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        shown = _shown(trace)
        lines = [f"trace: {shown}"]
    except OSError as error:
        shown = None
        lines = [f"the trace could not be kept: {error.strerror}: {_shown(Path(error.filename or folder))}"]
    lost = running.mesh.latest_drops()
    for message in _suspects(messages):
        having = ", ".join(message.delivered_to) or "nobody"
        why = f": meshbed mesh why {shlex.quote(shown)} {message.number}" if shown else ""
        lines.append(
            f"  message {message.number}, {message.sender} to {message.to}, {message.words}, delivered to {having}{why}")
        lines += [f"    {drop}" for drop in lost if drop.is_of_acknowledgement and drop.frame.message == message.number]
    return lines + _lost(lost, world.state.drops) + _smaller(item, running)


def _lost(latest: list[Drop], total: int) -> list[str]:
    """The frames lost on the air, with both frames of each collision."""
    shown = latest[-SHOWN_DROPS:]
    if not shown:
        return []
    which = "" if len(shown) == total else f", the latest {len(shown)} of {total}; mesh.drops() has all"
    return [f"lost on the air{which}:", *(f"  {drop}" for drop in shown)]


def _suspects(messages: list[MessageState]) -> list[MessageState]:
    """The messages, those without a recipient first."""
    texts = [message for message in messages if message.to != "#advert"]
    return sorted(texts, key=lambda message: (bool(message.delivered_to), -message.number))[:SHOWN_MESSAGES]


def _smaller(item: pytest.Item, running: Running) -> list[str]:
    """Nodes that the run can hardly need. What a test does cannot be left out for it, as lines of a scenario can."""
    if running.without:
        return []
    silent = [node.name for node in running.mesh.nodes() if _is_silent(node)]
    if not silent:
        return []
    names = ",".join(silent[:SHOWN_NODES])
    words = f"these nodes never sent anything; whether it fails without them tells --mesh-without {names}"
    return [f"smaller: {words}" + (f" (and {len(silent) - SHOWN_NODES} more)" if len(silent) > SHOWN_NODES else "")]


def _is_silent(node: NodeState) -> bool:
    return node.endpoint is None and node.frames_sent == 0 and node.role != ""


def _shown(path: Path) -> str:
    """As it can be typed here."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
