# Written by write_sync.py from aio/mesh.py: change that file.
"""A mesh that runs: its time, its links and faults, its snapshots."""

from __future__ import annotations

import os
from typing import Any, Iterator, Sequence, TypeVar

from .. import requests
from ..answers import Drop, FaultEffect, Link, MessageState, NodeState, RunUntilAnswer, Snapshot, State, World
from ..command import Command, Radio
from ..conditions import AMessage, ANode, Condition, given, messages_in, name_of, number_of, said
from ..errors import ConditionNotMet, InvalidRun
from ..requests import Request
from .message import Message
from .node import Node
from .transport import Transport

T = TypeVar("T")
PAGE = 1000
# Losses that are told with a condition that did not come true, for each message.
SHOWN_LOSSES = 8


class Mesh:
    """A running mesh, reached through its control API.

    `start` starts one, `at` connects to one that runs already. A node is `mesh["alice"]`.
    """

    def __init__(
        self, url: str, token: str | None = None, command: Command | None = None, *, keeps_connections: bool = True
    ) -> None:
        self.command = command
        self.radios: dict[str, Radio] = {} if command is None else command.radios
        self._transport = Transport(url, token, keeps_connections=keeps_connections)

    @classmethod
    def start(
        cls, world: str = "pair", *, seed: int | None = None, endpoints: Sequence[str] = ("alice",),
        time: str = "stepped", options: Sequence[str] = (), binary: str | os.PathLike[str] | None = None,
    ) -> Mesh:
        """Starts the command with a world: a shape such as grid:4x4, or a world file.

        Endpoints are names of nodes, or endpoints of the command: bob=pty:./bob.tty. `options` are further words for it.
        """
        command = Command(world, seed=seed, endpoints=endpoints, time=time, options=options, binary=binary)
        return cls(command.control, command.token, command)

    @classmethod
    def at(cls, url: str, token: str | None = None) -> Mesh:
        """Connects to a mesh that was started with `--control`."""
        mesh = cls(url, token)
        try:
            for node in mesh.nodes():
                if node.endpoint and node.endpoint.startswith("tcp://"):
                    host, _, port = node.endpoint.removeprefix("tcp://").rpartition(":")
                    mesh.radios[node.name] = Radio(node.name, host, int(port))
        except BaseException:
            mesh.close()
            raise
        return mesh

    def close(self) -> None:
        """Disconnects from the mesh; one that was started here ends."""
        self._transport.close()
        if self.command is not None:
            self.command.stop()

    def __enter__(self) -> Mesh:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getitem__(self, name: str) -> Node:
        return Node(self, name)

    def ask(self, request: Request[T]) -> T:
        """Sends a request of the module `requests`."""
        return self._transport.ask(request)

    # How it stands

    def world(self) -> World:
        return self.ask(requests.get_world())

    def state(self) -> State:
        """Time, digest and counts."""
        return self.world().state

    def nodes(self) -> list[NodeState]:
        listed: list[NodeState] = []
        while len(page := self.ask(requests.list_nodes(len(listed), PAGE))) == PAGE:
            listed += page
        return listed + page

    def links(self) -> list[Link]:
        listed: list[Link] = []
        while len(page := self.ask(requests.list_links(len(listed), PAGE))) == PAGE:
            listed += page
        return listed + page

    def messages(self) -> list[MessageState]:
        """All messages, in the order of writing."""
        listed: list[MessageState] = []
        while len(page := self.ask(requests.list_messages(len(listed), PAGE))) == PAGE:
            listed += page
        return listed + page

    def drops(self) -> list[Drop]:
        """Frames lost on the air, oldest first: `drop.words` names both frames of a collision."""
        listed: list[Drop] = []
        while len(page := self.ask(requests.list_drops(len(listed), PAGE))) == PAGE:
            listed += page
        return listed + page

    def latest_drops(self) -> list[Drop]:
        """The last thousand of them at most, oldest first: all of a run are many pages."""
        lost = self.state().drops
        return self.ask(requests.list_drops(max(0, lost - PAGE), PAGE))

    def message(self, number: int) -> Message:
        return Message(self, number)

    def trace(self) -> str:
        """The events so far, as a trace file for meshbed mesh why, diff and draw."""
        return self.ask(requests.get_trace())

    def packed_trace(
        self, after: int = 0, limit: int = requests.MOST_PACKED, has_world: bool = True
    ) -> bytes:
        """The events so far, as a document of the studio's player; the article PlayerDocuments of MeshControl describes its bytes.

        It leaves out the first `after` events, and has at most `limit` of the others, 0 to 65,536. Nodes and links as they
        are now are in it unless told. Raises `MeshError` with the code `bad-request` where a number is out of range.
        """
        return self.ask(requests.get_packed_trace(after, limit, has_world))

    def events(self) -> Iterator[dict[str, Any]]:
        """The events from now on: lines of a trace, as they come."""
        return self._transport.events()

    # Time

    def advance(self, seconds: float) -> State:
        """Lets time of a stepped world pass. Clients have had all bytes up to then."""
        return self._transport.step(seconds, None).state

    def run_until(self, condition: Condition, within: float = 60) -> State:
        """Lets time pass until the condition holds; raises `ConditionNotMet` when it does not within so many seconds."""
        # A report shows the line of the test, not this one.
        __tracebackhide__ = True
        answer = self.runs_until(condition, within)
        if not answer.is_met:
            raise ConditionNotMet(self._unmet(condition, within, answer), condition=condition, state=answer.state)
        return answer.state

    def runs_until(self, condition: Condition, within: float = 60) -> RunUntilAnswer:
        """The same; returns whether it holds."""
        return self._transport.step(within, condition)

    def _unmet(self, condition: Condition, within: float, answer: RunUntilAnswer) -> str:
        state = answer.state
        lines = [
            f"{said(condition)} did not come true in {within:g} s of the world",
            f"now {state.now:g} s, {state.transmissions} transmissions, {state.receptions} receptions, "
            f"{state.drops} drops, digest {state.digest}",
        ]
        numbers = messages_in(condition)
        lost = self.latest_drops() if numbers else []
        for number in numbers:
            message = self.message(number).state()
            having = ", ".join(message.delivered_to) or "nobody"
            lines.append(
                f"message {number} of {message.sender} to {message.to}: {message.words}, delivered to {having}; "
                f"its way: message({number}).fate(), or meshbed mesh why TRACE {number}")
            lines += [f"  {drop}" for drop in lost if drop.frame.message == number][-SHOWN_LOSSES:]
        return "\n".join(lines)

    def pause(self) -> State:
        """Stops time until `resume`; not in stepped worlds."""
        return self.ask(requests.pause())

    def resume(self) -> State:
        return self.ask(requests.resume())

    def speed(self, speed: float) -> State:
        """Changes the speed of a world that follows the clock."""
        return self.ask(requests.set_speed(speed))

    # Nodes and links

    def add(self, name: str, role: str, links: Sequence[str | dict[str, Any]] = ()) -> Node:
        """Switches a new node on; links are names of nodes, or objects as in the API."""
        objects = [{"to": link} if isinstance(link, str) else link for link in links]
        self.ask(requests.add_node(name, role, objects))
        return self[name]

    def connect(
        self, one: ANode, other: ANode, *, snr: float | None = None, rssi: float | None = None,
        loss: float | None = None, one_way: bool | None = None,
    ) -> State:
        """Makes or changes the link between two nodes."""
        return self.ask(requests.set_link(name_of(one), name_of(other), snr, rssi, loss, one_way))

    def cut(self, one: ANode, other: ANode, *, one_way: bool = False) -> State:
        """Removes the link between two nodes, or only the direction from the first to the second."""
        return self.ask(requests.cut_link(name_of(one), name_of(other), one_way))

    # Faults

    def fault(self, fault: dict[str, Any], *, may_not_fire: bool = False) -> Fault:
        """Begins a fault, in the words of a world file; `at` counts from now.

        A run in which it never takes effect is invalid, unless it is told that it may not fire.
        """
        words = {**fault, "may_not_fire": True} if may_not_fire else fault
        return Fault(self, self.ask(requests.begin_fault(words)))

    def partition(self, *nodes: ANode, lasts: str | None = None, may_not_fire: bool = False) -> Fault:
        """Separates these nodes from the others, neither hears the other: for a time such as 30s, or until the fault ends."""
        names = [name_of(node) for node in nodes]
        return self.fault(
            {"kind": "partition", "nodes": names, **given(**{"for": lasts})}, may_not_fire=may_not_fire)

    def loses(
        self, *, share: float = 1, sender: ANode | None = None, to: ANode | None = None, lasts: str | None = None,
        may_not_fire: bool = False,
    ) -> Fault:
        """Loses a share of the frames: those of one node, at one node, or all."""
        ends = {"from": None if sender is None else name_of(sender), "to": None if to is None else name_of(to)}
        return self.fault(
            {"kind": "loss", "share": share, **given(**ends, **{"for": lasts})}, may_not_fire=may_not_fire)

    def faults(self) -> list[FaultEffect]:
        """All faults of the run, those of links too, with the effects of each so far."""
        listed: list[FaultEffect] = []
        while len(page := self.ask(requests.list_faults(len(listed), PAGE))) == PAGE:
            listed += page
        return listed + page

    def check_faults(self) -> None:
        """Raises `InvalidRun` when a fault has never taken effect that was not told that it may not fire."""
        if idle := [fault for fault in self.faults() if fault.is_idle]:
            raise InvalidRun(idle)

    # Snapshots

    def snapshot(self, name: str) -> State:
        """Keeps the world as it is now; an earlier snapshot of that name is replaced."""
        return self.ask(requests.take_snapshot(name))

    def restore(self, name: str) -> State:
        """Goes back to a snapshot. Clients are disconnected; what traces and recordings have stays, with a mark."""
        return self.ask(requests.restore_snapshot(name))

    def snapshots(self) -> list[Snapshot]:
        return self.ask(requests.list_snapshots())

    def forget(self, name: str) -> State:
        """Deletes a snapshot."""
        return self.ask(requests.delete_snapshot(name))


class Fault:
    """A fault that lasts until its time is over, or until `ends`."""

    def __init__(self, mesh: Mesh, number: int) -> None:
        self.mesh, self.number = mesh, number

    def ends(self) -> State:
        return self.mesh.ask(requests.end_fault(self.number))

    def effect(self) -> FaultEffect:
        """The effects of the fault so far."""
        return (self.mesh.ask(requests.list_faults(self.number, 1)))[0]

    def __enter__(self) -> Fault:
        return self

    def __exit__(self, *_: object) -> None:
        self.ends()
