"""Emulated MeshCore radios and meshes for tests: started, steered and looked into from Python.

```python
with Mesh.start("pair", seed=7) as mesh:
    mesh["bob"].adverts()
    mesh.run_until(has_met("alice", "bob"))
    message = mesh["bob"].sends("hi", to="alice")
    mesh.run_until(delivered(message), within=60)
```

Words are those of scenarios and of the control API. `meshbed.aio` is the same with `await`.
"""

from .aio import AsyncMesh, WorldLoop
from .aio.node import TO_APP, TO_RADIO
from .answers import (
    BodyReading, Contact, Drop, FaultEffect, Frame, Link, MessageState, NodeBody, NodeDisplay, NodeState, Received,
    Snapshot, State, World)
from .boards import HeldBoards, HeldRadio, MissingBoard
from .command import Command, Radio
from .conditions import (
    Condition, acknowledged, all_of, delivered, has, has_met, has_transmitted, is_down, is_in, is_quiet, is_up, knows_way,
    packet)
from .errors import ConditionNotMet, InvalidRun, MeshError, Stuck
from .link_faults import LinkFault
from .search import find_command
from .sync import Fault, Mesh, Message, Node

__all__ = [
    "AsyncMesh", "BodyReading", "Command", "Condition", "ConditionNotMet", "Contact", "Drop", "Fault", "FaultEffect",
    "Frame", "HeldBoards", "HeldRadio", "InvalidRun", "Link", "LinkFault", "Mesh", "MeshError", "Message",
    "MessageState", "MissingBoard", "Node", "NodeBody", "NodeDisplay", "NodeState", "Radio", "Received", "Snapshot",
    "State", "Stuck", "TO_APP", "TO_RADIO", "World", "WorldLoop", "acknowledged", "all_of", "delivered", "find_command",
    "has", "has_met", "has_transmitted", "is_down", "is_in", "is_quiet", "is_up", "knows_way", "packet",
]
