"""A message that an app of the mesh has sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import requests
from ..answers import MessageState

if TYPE_CHECKING:
    from .mesh import AsyncMesh


class AsyncMessage:
    """A text, a post or an advert by its number in the run."""

    def __init__(self, mesh: AsyncMesh, number: int) -> None:
        self.mesh, self.number = mesh, number

    def __repr__(self) -> str:
        return f"<message {self.number}>"

    async def state(self) -> MessageState:
        """The progress of the message."""
        return await self.mesh.ask(requests.get_message(self.number))

    async def delivered_to(self) -> list[str]:
        """The nodes that have it, in the order of arrival."""
        return (await self.state()).delivered_to

    async def is_acknowledged(self) -> bool:
        """Tells whether the sender's app has an acknowledgement."""
        return (await self.state()).standing == "acknowledged"

    async def fate(self) -> dict[str, Any]:
        """The fate of the message, transmission by transmission, as `meshbed mesh why --json` prints it."""
        return await self.mesh.ask(requests.get_fate(self.number))
