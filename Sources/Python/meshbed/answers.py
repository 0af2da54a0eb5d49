"""The objects of the API's answers, in Python's spelling. Members that a later server adds are left out."""

from __future__ import annotations

import dataclasses
import functools
import re
import types
import typing
from dataclasses import dataclass
from typing import Any, TypeVar

from .errors import MeshError

T = TypeVar("T")


@dataclass(frozen=True)
class State:
    """The state of the run. Equal runs have equal digests."""

    now: float
    time: str
    is_paused: bool
    seed: str
    digest: str
    transmissions: int
    receptions: int
    drops: int
    messages: int
    speed: float | None = None
    unprompted_inputs: int | None = None


@dataclass(frozen=True)
class World:
    name: str
    provenance: dict[str, Any]
    state: State
    nodes: int
    links: int
    snapshots: list[str]


@dataclass(frozen=True)
class NodeState:
    name: str
    role: str
    public_key: str
    is_up: bool
    has_client: bool
    frames_sent: int
    airtime_seconds: float
    advert_name: str | None = None
    endpoint: str | None = None
    endpoints: list[str] | None = None
    x: float | None = None
    y: float | None = None
    waiting: int | None = None
    unix_seconds: int | None = None


@dataclass(frozen=True)
class BodyReading:
    """A record of telemetry; channel 1 is the node itself. A place has several values."""

    channel: int
    type: str
    unit: str
    values: list[float]


@dataclass(frozen=True)
class NodeBody:
    """The body of a node: what it was told, in the words of world files, and what the node measures now."""

    node: str
    is_up: bool
    battery_volts: float
    has_external_power: bool
    noise_floor: int
    latitude: float
    longitude: float
    altitude: float
    telemetry: list[BodyReading]
    body: dict[str, Any]
    # Why it has no power, unless somebody has taken it.
    outage: str | None = None
    charge_percent: float | None = None
    board_degrees: float | None = None
    # off, no fix or fix.
    gps: str | None = None
    satellites: int | None = None

    def reading(self, type: str, channel: int | None = None) -> float | None:
        """The first value of a type, such as temperature; of one channel where it is given."""
        for record in self.telemetry:
            if record.type == type and channel in (None, record.channel) and record.values:
                return record.values[0]
        return None


@dataclass(frozen=True)
class NodeDisplay:
    """The text on the display of a node: its lines from the top, and a pop-up last; none while it is off."""

    node: str
    is_on: bool
    lines: list[str]


@dataclass(frozen=True)
class Link:
    """A directed link, by the names of its nodes."""

    sender: str = dataclasses.field(metadata={"member": "from"})
    to: str
    snr: float
    rssi: float
    loss: float


@dataclass(frozen=True)
class Contact:
    """A contact; `hops` and `path` are `None` where the radio knows no way, and floods."""

    name: str
    public_key: str
    type: str
    last_advert_unix_seconds: int
    node: str | None = None
    hops: int | None = None
    path: str | None = None


@dataclass(frozen=True)
class Received:
    """A text that the app of a node without an endpoint has fetched; on channels with the sender's name before it."""

    at: float
    kind: str
    text: str
    sender: str | None = dataclasses.field(default=None, metadata={"member": "from"})
    author: str | None = None
    channel: int | None = None
    room: str | None = None


@dataclass(frozen=True)
class MessageState:
    """A message of a node's app, or a text that a client has given to its radio; on channels without the sender's name."""

    number: int
    sender: str = dataclasses.field(metadata={"member": "from"})
    to: str
    text: str
    at: float
    # waiting, sent, delivered, acknowledged, refused or givenUp.
    standing: str
    # Whether it waits, or something of it or of its acknowledgement is on the air or in a queue.
    may_still_arrive: bool
    delivered_to: list[str]
    acknowledged_at: float | None = None
    # How it ended without an acknowledgement, in a word of the API, and for people.
    end: str | None = None
    reason: str | None = None

    @property
    def words(self) -> str:
        """The progress of the message, with the reason where it ended."""
        standing = {"sent": "on its way", "givenUp": "given up"}.get(self.standing, self.standing)
        return standing if self.reason is None else f"{standing}: {self.reason}"


@dataclass(frozen=True)
class Frame:
    """A frame on the air. `sender` and `origin` differ where a relay sends its copy of another node's packet."""

    number: int
    kind: str
    words: str
    sender: str | None = None
    origin: str | None = None
    message: int | None = None


@dataclass(frozen=True)
class Drop:
    """A frame that reached a node and was not received; `by` is the frame that interfered."""

    at: float
    node: str
    reason: str
    frame: Frame
    words: str
    by: Frame | None = None

    def __str__(self) -> str:
        return f"{self.at:g} s: {self.words}"

    @property
    def is_of_acknowledgement(self) -> bool:
        """Tells whether the lost frame acknowledged a message."""
        return self.frame.kind in ("ack", "path with ack")


@dataclass(frozen=True)
class FaultEffect:
    """A fault of the world, or one kind of fault on the link of a client, and the effects of it so far."""

    words: str
    may_not_fire: bool
    # Whether it has done nothing and has to: a run that ends so is invalid.
    is_idle: bool
    times: int
    frames: int
    bytes: int
    nodes: list[str]
    # The number of a fault of the world; node and way of one on a link.
    fault: int | None = None
    node: str | None = None
    way: str | None = None
    begin: float | None = None
    first_at: float | None = None
    last_at: float | None = None

    @property
    def has_fired(self) -> bool:
        """Tells whether it took effect."""
        return self.times > 0

    def __str__(self) -> str:
        if not self.has_fired:
            return f"{self.words}: it never took effect"
        where = f" at {', '.join(self.nodes)}" if self.nodes else ""
        return f"{self.words}: {self.times} times, {self.frames} frames, {self.bytes} bytes{where}"


@dataclass(frozen=True)
class Snapshot:
    name: str
    now: float
    digest: str


@dataclass(frozen=True)
class RunUntilAnswer:
    is_met: bool
    state: State


def member(name: str) -> str:
    """The API's spelling of a name."""
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


@functools.cache
def _members(of: Any) -> list[tuple[str, str, Any, bool]]:
    hints = typing.get_type_hints(of)
    return [
        (field.name, field.metadata.get("member", member(field.name)), hints[field.name],
         field.default is dataclasses.MISSING)
        for field in dataclasses.fields(of)
    ]


def read(of: type[T], answer: Any) -> T:
    """Reads an answer as a value of the type; one that does not fit is a bad answer, with the member's name."""
    if not isinstance(answer, dict):
        raise MeshError("bad-answer", f"no object where {of.__name__} was expected")
    values = {}
    for name, key, kind, is_needed in _members(typing.cast(typing.Hashable, of)):
        if key in answer and answer[key] is not None:
            values[name] = _value(kind, answer[key], f"{of.__name__}.{key}")
        elif is_needed:
            raise MeshError("bad-answer", f"{of.__name__} without {key}")
    return of(**values)


def _value(kind: Any, given: Any, place: str) -> Any:
    if isinstance(kind, types.UnionType):
        kind = next(one for one in typing.get_args(kind) if one is not type(None))
    if dataclasses.is_dataclass(kind):
        return read(typing.cast(type, kind), given)
    base = typing.get_origin(kind) or kind
    if base is float and isinstance(given, int) and not isinstance(given, bool):
        try:
            return float(given)
        except OverflowError:
            raise MeshError("bad-answer", f"{place} is a number of {len(hex(given)) - 2} hex digits") from None
    if not isinstance(given, base) or base is int and isinstance(given, bool):
        raise MeshError("bad-answer", f"{place} is {given!r:.80}")
    if base is list:
        return [_value(typing.get_args(kind)[0], one, place) for one in given]
    return given
