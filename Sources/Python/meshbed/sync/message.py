# Written by write_sync.py from aio/message.py: change that file.
"""A message that somebody in the mesh has written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import requests
from ..answers import MessageState

if TYPE_CHECKING:
    from .mesh import Mesh


class Message:
    """A text, a post or an advert by its number in the run."""

    def __init__(self, mesh: Mesh, number: int) -> None:
        self.mesh, self.number = mesh, number

    def __repr__(self) -> str:
        return f"<message {self.number}>"

    def state(self) -> MessageState:
        """How far it has come."""
        return self.mesh.ask(requests.get_message(self.number))

    def delivered_to(self) -> list[str]:
        """The nodes that have it, in the order of arrival."""
        return self.state().delivered_to

    def is_acknowledged(self) -> bool:
        """Whether the sender's app has learned that it arrived."""
        return self.state().standing == "acknowledged"

    def fate(self) -> dict[str, Any]:
        """What became of it, transmission by transmission, as `meshbed mesh why --json` tells it."""
        return self.mesh.ask(requests.get_fate(self.number))
