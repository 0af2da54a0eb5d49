"""The face without await."""

from .mesh import Fault, Mesh
from .message import Message
from .node import Node

__all__ = ["Fault", "Mesh", "Message", "Node"]
