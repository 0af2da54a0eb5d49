# Written by write_sync.py from aio/message.py: change that file.
"""A message that an app of the mesh has sent."""

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
        """The progress of the message."""
        return self.mesh.ask(requests.get_message(self.number))

    def delivered_to(self) -> list[str]:
        """The nodes that have it, in the order of arrival."""
        return self.state().delivered_to

    def is_acknowledged(self) -> bool:
        """Tells whether the sender's app has an acknowledgement."""
        return self.state().standing == "acknowledged"

    def fate(self) -> dict[str, Any]:
        """The fate of the message, transmission by transmission, as `meshbed mesh why --json` prints it."""
        return self.mesh.ask(requests.get_fate(self.number))
