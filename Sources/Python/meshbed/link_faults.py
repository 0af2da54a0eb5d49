"""Planned faults of the link between a radio and its client: kinds, occasions and plans, in the API's words.

```python
mesh["alice"].link_faults(plan=[cut_bytes(3).at(frame("CONTACT", 3)), error_answer("TABLE_FULL").at(answer_to("SET_CHANNEL"))])
```

Frames have the firmware's names, with or without their prefix. A fault without an occasion happens at the next frame.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Sequence, Union

from .conditions import given

Way = Literal["to-app", "to-radio"]
Phase = Literal["greeting", "clock", "contacts", "channels", "messages", "sending", "requests", "settings"]
Occasion = Union[Literal["next", "connect"], dict[str, Any]]


@dataclass(frozen=True)
class LinkFault:
    """A fault of a link, by the name of its kind and its members; made by the functions of this module."""

    kind: str
    members: dict[str, Any]

    def at(self, occasion: Occasion) -> LinkFault:
        """The same at this occasion, in place of the next frame."""
        return self._with(at=occasion)

    def way(self, way: Way) -> LinkFault:
        """The same with the frames of this direction; without it, of the occasion's direction or to the app."""
        return self._with(way=way)

    def times(self, times: int) -> LinkFault:
        """The same at so many of its occasions."""
        return self._with(times=times)

    def may_not_fire(self) -> LinkFault:
        """The same in a run that is valid although the fault does nothing."""
        return self._with(mayNotFire=True)

    def _with(self, **members: Any) -> LinkFault:
        return replace(self, members={**self.members, **members})


def plan_of(faults: Sequence[LinkFault]) -> dict[str, Any]:
    """The plan of these faults as requests and files have it."""
    return {"faults": [{"fault": fault.kind, **fault.members} for fault in faults]}


# Occasions

def next_frame() -> Occasion:
    return "next"


def frame(name: str, number: int | None = None) -> Occasion:
    """The nth frame of this name from now on."""
    return given(frame=name, number=number)


def answer_to(command: str, number: int | None = None) -> Occasion:
    """The answer to the nth command of this name from now on."""
    return given(answerTo=command, number=number)


def after(frames: int) -> Occasion:
    """Behind so many frames of the direction."""
    return {"after": frames}


def connection(number: int = 1) -> Occasion:
    """The first frame of the nth connection from now on."""
    return {"connect": number}


def phase(name: Phase, number: int | None = None) -> Occasion:
    """The nth time that the app enters this part of the conversation."""
    return given(phase=name, number=number)


# Bytes

def _fault(kind: str, **members: Any) -> LinkFault:
    return LinkFault(kind, given(**members))


def late(seconds: float) -> LinkFault:
    """The frame comes later, and all of its direction behind it."""
    return _fault("late", seconds=seconds)


def split(after: int, pause_seconds: float | None = None) -> LinkFault:
    """The frame comes in two writes."""
    return _fault("split", after=after, pauseSeconds=pause_seconds)


def merge() -> LinkFault:
    """The frame and the next one come in one write."""
    return _fault("merge")


def double_bytes(count: int, start: int | None = None) -> LinkFault:
    """Bytes of the frame come twice."""
    return LinkFault("double-bytes", given(bytes=count, **{"from": start}))


def cut_bytes(count: int) -> LinkFault:
    """The frame is shorter at its end."""
    return _fault("cut-bytes", bytes=count)


def cut_front(count: int) -> LinkFault:
    """The frame is shorter at its beginning."""
    return _fault("cut-front", bytes=count)


def lose_bytes(count: int, start: int | None = None) -> LinkFault:
    """Bytes of the frame are missing, of which its header does not know."""
    return LinkFault("lose-bytes", given(bytes=count, **{"from": start}))


def garble(byte: int | None = None, to: int | None = None) -> LinkFault:
    """A byte of the frame is another; place and value are drawn where they are not given."""
    return _fault("garble", byte=byte, to=to)


def insert_bytes(data: bytes) -> LinkFault:
    """These bytes come in front of the frame."""
    return _fault("insert-bytes", hex=data.hex())


def rubbish(count: int) -> LinkFault:
    """So many drawn bytes come in front of the frame."""
    return _fault("rubbish", bytes=count)


def older_session(copy: str | None = None) -> LinkFault:
    """A frame of an earlier connection comes again: the last one, or the last of this name."""
    return _fault("older-session", copy=copy)


# Frames

def lose() -> LinkFault:
    """The frame is lost."""
    return _fault("lose")


def swap() -> LinkFault:
    """The frame comes behind the next one."""
    return _fault("swap")


def double() -> LinkFault:
    """The frame comes twice."""
    return _fault("double")


def push(what: str | bytes) -> LinkFault:
    """A push comes in front of the frame: one by name, whose fields are zeros, or these bytes."""
    return _fault("push", **({"push": what} if isinstance(what, str) else {"hex": what.hex()}))


def other_answer(what: str | bytes) -> LinkFault:
    """Another answer comes in place of the right one: one by name, whose fields are zeros, or these bytes."""
    return _fault("other-answer", **({"answer": what} if isinstance(what, str) else {"hex": what.hex()}))


def wrong_length(by: int) -> LinkFault:
    """The header states a length that differs by so much."""
    return _fault("wrong-length", by=by)


def error_answer(error: str) -> LinkFault:
    """An error comes in place of the answer, such as `TABLE_FULL`."""
    return _fault("error-answer", error=error)


def more_contacts(contacts: int | None = None) -> LinkFault:
    """More contacts come than the listing announces."""
    return _fault("more-contacts", contacts=contacts)


def fewer_contacts(contacts: int | None = None) -> LinkFault:
    """Fewer contacts come than the listing announces."""
    return _fault("fewer-contacts", contacts=contacts)


def endless_listing() -> LinkFault:
    """The end of the listing is lost."""
    return _fault("endless-listing")


def same_message() -> LinkFault:
    """The latest message comes again in place of what follows it, for ever unless `times` says how often."""
    return _fault("same-message")


def unknown_code(code: int) -> LinkFault:
    """A frame of this unknown code comes in front of the frame."""
    return _fault("unknown-code", code=code)


def longest_frame() -> LinkFault:
    """The frame has the greatest length, with zeros behind its fields."""
    return _fault("longest-frame")


def overlong_frame(count: int) -> LinkFault:
    """The frame has a length beyond the greatest one."""
    return _fault("overlong-frame", bytes=count)


def empty_frame() -> LinkFault:
    """An empty frame comes in front of the frame."""
    return _fault("empty-frame")


def stall(seconds: float) -> LinkFault:
    """Nothing passes in either direction, the frame included."""
    return _fault("stall", seconds=seconds)


# Links

def end_before() -> LinkFault:
    """The link ends, and the frame does not come."""
    return _fault("end-before")


def end_within(after: int) -> LinkFault:
    """The link ends after so many bytes of the frame."""
    return _fault("end-within", after=after)


def end_after() -> LinkFault:
    """The link ends behind the frame."""
    return _fault("end-after")


def refuse_connection() -> LinkFault:
    """The next attempts to connect fail, as many as `times` says."""
    return _fault("refuse-connection")


# Power

def reboot() -> LinkFault:
    """The board restarts, and the frame is lost with it."""
    return _fault("reboot")


def board_off(seconds: float) -> LinkFault:
    """The board is without power for so long, and the frame is lost with it."""
    return _fault("board-off", seconds=seconds)


def brown_out(seconds: float, kept_bytes: int | None = None) -> LinkFault:
    """The power fails in the board's next write of a file; so many bytes of it are left, or none of the file."""
    return _fault("brown-out", seconds=seconds, bytes=kept_bytes)
