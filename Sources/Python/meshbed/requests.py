"""The requests of the API, described once for both faces: each request, and the reading of its answer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Callable, Generic, TypeVar
from urllib.parse import quote, urlencode

from . import answers
from .answers import (
    Contact, Drop, FaultEffect, Link, MessageState, NodeBody, NodeDisplay, NodeState, Received, RunUntilAnswer, Snapshot,
    State, World, read)
from .bodies import Value
from .conditions import Condition, given
from .errors import MeshError
from .wire import document

T = TypeVar("T")

# Events in one packed piece at most.
MOST_PACKED = 65_536


@dataclass(frozen=True)
class Request(Generic[T]):
    method: str
    path: str
    read: Callable[[Any], T]
    body: dict[str, Any] | None = None
    is_text: bool = False
    is_bytes: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def encoded(self) -> bytes | None:
        return None if self.body is None else json.dumps(self.body, ensure_ascii=False).encode()

    def answer(self, status: int, body: bytes) -> T:
        """The value of an answer, or the refusal."""
        is_good = 200 <= status < 300
        if is_good and self.is_bytes:
            return self.read(body)
        if is_good and self.is_text:
            return self.read(body.decode(errors="replace"))
        value = document(body, status=status, request=str(self))
        if not is_good:
            raise MeshError.refused(status, value, str(self))
        return self.read(value)


# Answers

def _as(of: type[T]) -> Callable[[Any], T]:
    return lambda answer: read(of, answer)


def _list(of: type[T], name: str) -> Callable[[Any], list[T]]:
    def reads(answer: Any) -> list[T]:
        if not isinstance(answer, dict) or not isinstance(answer.get(name), list):
            raise MeshError("bad-answer", f"no list {name}")
        return [read(of, one) for one in answer[name]]

    return reads


def _member(name: str, kind: type[T]) -> Callable[[Any], T]:
    def reads(answer: Any) -> T:
        if not isinstance(answer, dict) or not isinstance(answer.get(name), kind):
            raise MeshError("bad-answer", f"no {name}")
        value: T = answer[name]
        return value

    return reads


def _raw(answer: Any) -> Any:
    return answer


# The run

def get_world() -> Request[World]:
    return Request("GET", "/world", _as(World))


def advance(seconds: float, stops_when_told: bool | None = None) -> Request[State]:
    return Request("POST", "/advance", _as(State), given(seconds=seconds, stopsWhenTold=stops_when_told))


def run_until(condition: Condition, seconds: float, stops_when_told: bool | None = None) -> Request[RunUntilAnswer]:
    body = given(condition=condition, seconds=seconds, stopsWhenTold=stops_when_told)
    return Request("POST", "/run-until", _as(RunUntilAnswer), body)


def pause() -> Request[State]:
    return Request("POST", "/pause", _as(State), {})


def resume() -> Request[State]:
    return Request("POST", "/resume", _as(State), {})


def set_speed(speed: float) -> Request[State]:
    return Request("POST", "/speed", _as(State), {"speed": speed})


def get_trace() -> Request[str]:
    return Request("GET", "/trace", str, is_text=True)


def get_packed_trace(after: int = 0, limit: int = MOST_PACKED, has_world: bool = True) -> Request[bytes]:
    query = urlencode({"after": after, "limit": limit, "world": int(has_world)})
    return Request("GET", f"/trace/packed?{query}", bytes, is_bytes=True)


def get_document() -> Request[dict[str, Any]]:
    return Request("GET", "/openapi.json", _raw)


# Nodes

def _node(name: str, rest: str = "") -> str:
    return f"/nodes/{quote(name, safe='')}{rest}"


def _page(path: str, offset: int, limit: int) -> str:
    return f"{path}?{urlencode({'offset': offset, 'limit': limit})}"


def list_nodes(offset: int = 0, limit: int = 1000) -> Request[list[NodeState]]:
    return Request("GET", _page("/nodes", offset, limit), _list(NodeState, "nodes"))


def add_node(name: str, role: str, links: list[dict[str, Any]] | None = None) -> Request[NodeState]:
    return Request("POST", "/nodes", _as(NodeState), given(name=name, role=role, links=links))


def get_node(name: str) -> Request[NodeState]:
    return Request("GET", _node(name), _as(NodeState))


def remove_node(name: str) -> Request[State]:
    return Request("DELETE", _node(name), _as(State))


def walk(name: str, links: list[dict[str, Any]]) -> Request[NodeState]:
    return Request("POST", _node(name, "/walks"), _as(NodeState), {"links": links})


def get_body(name: str) -> Request[NodeBody]:
    return Request("GET", _node(name, "/body"), _as(NodeBody))


def set_body(
    name: str, battery: Value | None = None, cutoff_v: float | None = None, recovery_v: float | None = None,
    auto_shutdown_v: float | None = None, external_power: bool | list[dict[str, Any]] | None = None,
    gps: bool | dict[str, Any] | None = None, sensors: dict[str, Any] | None = None,
    board_temperature: Value | None = None, noise_floor_dbm: Value | None = None,
) -> Request[NodeBody]:
    body = given(
        battery=battery, cutoff_v=cutoff_v, recovery_v=recovery_v, auto_shutdown_v=auto_shutdown_v,
        external_power=external_power, gps=gps, sensors=sensors, board_temperature=board_temperature,
        noise_floor_dbm=noise_floor_dbm)
    return Request("POST", _node(name, "/body"), _as(NodeBody), body)


def get_display(name: str) -> Request[NodeDisplay]:
    return Request("GET", _node(name, "/display"), _as(NodeDisplay))


def press_button(name: str, press: str) -> Request[NodeDisplay]:
    return Request("POST", _node(name, "/button"), _as(NodeDisplay), {"press": press})


def list_contacts(name: str) -> Request[list[Contact]]:
    return Request("GET", _node(name, "/contacts"), _list(Contact, "contacts"))


def get_inbox(name: str) -> Request[list[Received]]:
    return Request("GET", _node(name, "/inbox"), _list(Received, "messages"))


def _message(path: str, body: dict[str, Any]) -> Request[int]:
    return Request("POST", path, _member("message", int), body)


def send(name: str, text: str, to: str) -> Request[int]:
    return _message(_node(name, "/sends"), {"text": text, "to": to})


def say(name: str, text: str, channel: int | None = None) -> Request[int]:
    return _message(_node(name, "/says"), given(text=text, channel=channel))


def advert(name: str, is_flood: bool | None = None) -> Request[int]:
    return _message(_node(name, "/adverts"), given(isFlood=is_flood))


def enter_room(name: str, room: str, password: str | None = None) -> Request[State]:
    return Request("POST", _node(name, "/enters"), _as(State), given(room=room, password=password))


def post_in_room(name: str, text: str, room: str) -> Request[int]:
    return _message(_node(name, "/posts"), {"text": text, "room": room})


def transmit_frame(name: str, frame: bytes) -> Request[State]:
    return Request("POST", _node(name, "/transmits"), _as(State), {"hex": frame.hex()})


def hear_frame(name: str, frame: bytes, snr: float | None = None, rssi: float | None = None) -> Request[State]:
    return Request("POST", _node(name, "/hears"), _as(State), given(hex=frame.hex(), snr=snr, rssi=rssi))


def run_console_line(name: str, line: str) -> Request[str]:
    return Request("POST", _node(name, "/console"), _member("answer", str), {"line": line})


def set_power(name: str, is_on: bool, erases_flash: bool | None = None) -> Request[NodeState]:
    return Request("POST", _node(name, "/power"), _as(NodeState), given(isOn=is_on, erasesFlash=erases_flash))


def restart_node(name: str, erases_flash: bool | None = None) -> Request[NodeState]:
    return Request("POST", _node(name, "/restarts"), _as(NodeState), given(erasesFlash=erases_flash))


def set_clock(name: str, unix_seconds: int) -> Request[NodeState]:
    return Request("POST", _node(name, "/clock"), _as(NodeState), {"unixSeconds": unix_seconds})


def set_link_faults(
    name: str, way: str | None = None, plan: dict[str, Any] | None = None, **members: float | bool | None,
) -> Request[NodeState]:
    body = given(way=way, plan=plan, **{answers.member(key): value for key, value in members.items()})
    return Request("POST", _node(name, "/link-faults"), _as(NodeState), body)


def clear_link_faults(name: str) -> Request[NodeState]:
    return Request("DELETE", _node(name, "/link-faults"), _as(NodeState))


def hang_up(name: str) -> Request[NodeState]:
    return Request("POST", _node(name, "/hangs-up"), _as(NodeState), {})


def push_frame(name: str, frame: bytes | None = None, nightmare: str | None = None) -> Request[NodeState]:
    body = given(hex=None if frame is None else frame.hex(), nightmare=nightmare)
    return Request("POST", _node(name, "/pushes"), _as(NodeState), body)


def start_recording(name: str) -> Request[NodeState]:
    return Request("POST", _node(name, "/recording"), _as(NodeState), {})


def end_recording(name: str) -> Request[str]:
    return Request("DELETE", _node(name, "/recording"), str, is_text=True)


# Links and faults

def _link(sender: str, to: str) -> str:
    return f"/links/{quote(sender, safe='')}/{quote(to, safe='')}"


def list_links(offset: int = 0, limit: int = 1000) -> Request[list[Link]]:
    return Request("GET", _page("/links", offset, limit), _list(Link, "links"))


def set_link(
    sender: str, to: str, snr: float | None = None, rssi: float | None = None, loss: float | None = None,
    one_way: bool | None = None,
) -> Request[State]:
    return Request("PUT", _link(sender, to), _as(State), given(snr=snr, rssi=rssi, loss=loss, oneWay=one_way))


def cut_link(sender: str, to: str, one_way: bool = False) -> Request[State]:
    return Request("DELETE", _link(sender, to) + ("?oneWay=true" if one_way else ""), _as(State))


def begin_fault(fault: dict[str, Any]) -> Request[int]:
    return Request("POST", "/faults", _member("fault", int), fault)


def list_faults(offset: int = 0, limit: int = 1000) -> Request[list[FaultEffect]]:
    return Request("GET", _page("/faults", offset, limit), _list(FaultEffect, "faults"))


def end_fault(fault: int) -> Request[State]:
    return Request("DELETE", f"/faults/{fault}", _as(State))


def list_drops(offset: int = 0, limit: int = 1000) -> Request[list[Drop]]:
    return Request("GET", _page("/drops", offset, limit), _list(Drop, "drops"))


# Messages

def list_messages(offset: int = 0, limit: int = 1000) -> Request[list[MessageState]]:
    return Request("GET", _page("/messages", offset, limit), _list(MessageState, "messages"))


def get_message(number: int) -> Request[MessageState]:
    return Request("GET", f"/messages/{number}", _as(MessageState))


def get_fate(number: int) -> Request[dict[str, Any]]:
    return Request("GET", f"/messages/{number}/fate", _raw)


# Snapshots

def list_snapshots() -> Request[list[Snapshot]]:
    return Request("GET", "/snapshots", _list(Snapshot, "snapshots"))


def take_snapshot(name: str) -> Request[State]:
    return Request("POST", "/snapshots", _as(State), {"name": name})


def restore_snapshot(name: str) -> Request[State]:
    return Request("POST", f"/snapshots/{quote(name, safe='')}/restore", _as(State), {})


def delete_snapshot(name: str) -> Request[State]:
    return Request("DELETE", f"/snapshots/{quote(name, safe='')}", _as(State))
