"""The conditions of `run_until`, in the API's words."""

from __future__ import annotations

from typing import Any, Protocol, Union

Condition = dict[str, Any]


class _Numbered(Protocol):
    @property
    def number(self) -> int: ...


class _Named(Protocol):
    @property
    def name(self) -> str: ...


AMessage = Union[int, _Numbered]
ANode = Union[str, _Named]


def number_of(message: AMessage) -> int:
    return message if isinstance(message, int) else message.number


def name_of(node: ANode) -> str:
    return node if isinstance(node, str) else node.name


def given(**members: Any) -> dict[str, Any]:
    """The members that have a value."""
    return {name: value for name, value in members.items() if value is not None}


def delivered(message: AMessage, to: ANode | None = None) -> Condition:
    """The message has reached a recipient, or the named one."""
    return {"delivered": given(message=number_of(message), to=None if to is None else name_of(to))}


def acknowledged(message: AMessage) -> Condition:
    """The sender's app has learned that the message arrived."""
    return {"acknowledged": {"message": number_of(message)}}


def has(node: ANode, text: str, times: int | None = None) -> Condition:
    """The app of a node without an endpoint has received the text, so often."""
    return {"has": given(node=name_of(node), text=text, times=times)}


def has_met(node: ANode, contact: ANode) -> Condition:
    """The companion radio has the other node among its contacts."""
    return {"hasMet": {"node": name_of(node), "contact": name_of(contact)}}


def knows_way(node: ANode, contact: ANode, hops: int | None = None) -> Condition:
    """The companion radio knows a way to the contact, over so many repeaters."""
    return {"knowsWay": given(node=name_of(node), contact=name_of(contact), hops=hops)}


def is_in(node: ANode, room: ANode) -> Condition:
    """The room has accepted the login of the app of a node without an endpoint."""
    return {"isIn": {"node": name_of(node), "room": name_of(room)}}


def has_transmitted(node: ANode, frames: int) -> Condition:
    """The node has begun to send at least so many frames since the run began."""
    return {"hasTransmitted": {"node": name_of(node), "frames": frames}}


def packet(type: str | None = None, *, sender: ANode | None = None, heard_by: ANode | None = None) -> Condition:
    """From now on a packet of the type was sent, or heard by the named node; `type` is the firmware's name: txtMsg, ack, …"""
    members = given(type=type, heardBy=None if heard_by is None else name_of(heard_by))
    if sender is not None:
        members["from"] = name_of(sender)
    return {"packet": members}


def is_quiet(node: ANode | None = None) -> Condition:
    """No frame is on the air and none waits to be sent; of the node alone where one is named."""
    return {"isQuiet": given(node=None if node is None else name_of(node))}


def is_up(node: ANode) -> Condition:
    """The board runs."""
    return {"isUp": {"node": name_of(node)}}


def is_down(node: ANode) -> Condition:
    """The board does not run: it restarts, or has no power."""
    return {"isDown": {"node": name_of(node)}}


def all_of(*conditions: Condition) -> Condition:
    """All of these hold at the same moment."""
    return {"all": list(conditions)}


def said(condition: Condition) -> str:
    """The condition in a line for people."""
    (word, members), = condition.items()
    if isinstance(members, list):
        return " and ".join(said(one) for one in members)
    return f"{word}({', '.join(f'{name}={value!r}' for name, value in members.items())})"


def messages_in(condition: Condition) -> list[int]:
    """The numbers of messages that a condition waits for."""
    (word, members), = condition.items()
    if isinstance(members, list):
        return sorted({number for one in members for number in messages_in(one)})
    return [members["message"]] if "message" in members else []
