"""What a test needs besides a radio: the marker `mesh_needs`, and the reasons for which tests are skipped."""

from __future__ import annotations

from typing import Collection, Optional

import pytest

# The words of the marker, and what each of them means.
NEEDS = {
    "mesh": "nodes of its own",
    "air": "control over the air",
    "time": "control over time",
    "second radio": "a second radio",
    "power": "control over the power",
    "restart": "permission to restart the radio",
    "reset": "a line that restarts the radio",
    "erase": "permission to erase the radio",
    "clock": "permission to set the clock far ahead",
    "transmit": "permission to transmit",
    "board": "a real radio",
}
# All but a real radio.
OF_EMULATOR = frozenset(NEEDS) - {"board"}


def needs_of(item: pytest.Item) -> list[str]:
    """The words of a test, its class and its module."""
    words: list[str] = []
    for marker in item.iter_markers("mesh_needs"):
        if marker.kwargs:
            raise pytest.UsageError(f"{item.nodeid}: the marker mesh_needs takes words: mesh_needs('power')")
        for word in marker.args:
            if word not in NEEDS:
                raise pytest.UsageError(f"{item.nodeid}: no test can need {word!r}; there are {', '.join(NEEDS)}")
            words.append(word)
    return words


def lack(item: pytest.Item, met: Collection[str], place: str) -> Optional[str]:
    """The reason why a test is skipped: the first need that is not met."""
    for word in needs_of(item):
        if word not in met:
            return f"needs {NEEDS[word]}, which {place} has not"
    return None
