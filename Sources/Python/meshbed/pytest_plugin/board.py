"""The board of a radio under test: the fixture `board`."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..boards import HeldBoards
from ..sync import Node


class Board(ABC):
    """The power and the reset of a board. Its client's link does not outlive them."""

    @abstractmethod
    def off(self) -> None:
        """Cuts the power."""

    @abstractmethod
    def on(self) -> None:
        """Restores the power."""

    @abstractmethod
    def cycle(self) -> None:
        """Cuts the power, restores it, and waits until the radio answers."""

    @abstractmethod
    def reset(self) -> None:
        """Restarts the board as its button does."""


class EmulatedBoard(Board):
    """The board of a node."""

    def __init__(self, node: Node) -> None:
        self._node = node

    def off(self) -> None:
        self._node.power(False)

    def on(self) -> None:
        self._node.power(True)

    def cycle(self) -> None:
        self.off()
        self.on()

    def reset(self) -> None:
        self._node.restarts()


class RealBoard(Board):
    """A board of the bench file, by the commands and lines that it names."""

    def __init__(self, boards: HeldBoards, label: str) -> None:
        self._boards, self._label = boards, label

    def off(self) -> None:
        self._boards.power(self._label, "off")

    def on(self) -> None:
        self._boards.power(self._label, "on")

    def cycle(self) -> None:
        self._boards.power(self._label, "cycle")

    def reset(self) -> None:
        self._boards.reset(self._label)
