"""The asyncio face: the same as `meshbed`, with `await`."""

from .loop import WorldLoop
from .mesh import AsyncFault, AsyncMesh
from .message import AsyncMessage
from .node import AsyncNode

__all__ = ["AsyncFault", "AsyncMesh", "AsyncMessage", "AsyncNode", "WorldLoop"]
