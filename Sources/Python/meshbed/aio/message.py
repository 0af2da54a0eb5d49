"""A message that somebody in the mesh has written."""

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
        """How far it has come."""
        return await self.mesh.ask(requests.get_message(self.number))

    async def delivered_to(self) -> list[str]:
        """The nodes that have it, in the order of arrival."""
        return (await self.state()).delivered_to

    async def is_acknowledged(self) -> bool:
        """Whether the sender's app has learned that it arrived."""
        return (await self.state()).standing == "acknowledged"

    async def fate(self) -> dict[str, Any]:
        """What became of it, transmission by transmission, as `meshbed mesh why --json` tells it."""
        return await self.mesh.ask(requests.get_fate(self.number))
