"""Planned faults of a link over Bluetooth, below its frames: kinds and operations, in the API's words.

```python
mesh["alice"].link_faults(plan=[att_error(14).at(operation("write", 3)), design("open-service")])
```

A fault without an operation happens at the first usual one of its kind, and knows no direction.
"""

from __future__ import annotations

from typing import Any, Literal

from .conditions import given
from .link_faults import LinkFault, Occasion

Operation = Literal[
    "advertising", "connection", "mtu", "discovery", "pairing", "encryption", "subscription", "read", "write",
    "notification"]
Design = Literal[
    "no-passkey", "stays-after-failure", "open-service", "executes-unproven", "other-rx", "other-rx-properties",
    "other-tx-properties", "serial-header", "cuts-long-values", "longest-mtu", "ignores-mtu", "advertises-late",
    "advertises-at-once", "keeps-frames", "bare-name"]


def operation(name: Operation, number: int | None = None) -> Occasion:
    """The nth operation of this name from now on; number 0 is a difference of the radio's build from the start."""
    return given(operation=name, number=number)


def _fault(kind: str, **members: Any) -> LinkFault:
    return LinkFault(kind, given(**members))


# Answers

def mtu(size: int) -> LinkFault:
    """The radio states this longest packet, and holds to it."""
    return _fault("mtu", size=size)


def mtu_lie(told: int, used: int) -> LinkFault:
    """The radio states one longest packet, and uses a shorter one."""
    return _fault("mtu-lie", told=told, used=used)


def att_error(code: int) -> LinkFault:
    """The request is refused with this error of the attribute protocol."""
    return _fault("att-error", code=code)


def no_answer() -> LinkFault:
    """The request has no answer and no effect."""
    return _fault("no-answer")


def late_answer(seconds: float) -> LinkFault:
    """The answer comes later than its effect."""
    return _fault("late-answer", seconds=seconds)


def cut_answer(count: int) -> LinkFault:
    """The answer lacks so many bytes at its end."""
    return _fault("cut-answer", bytes=count)


# Values

def early_notification(value: bytes | None = None, count: int | None = None) -> LinkFault:
    """TX notifies this value although nobody has subscribed, once or so often."""
    return _fault("early-notification", hex=None if value is None else value.hex(), count=count)


def indication() -> LinkFault:
    """The value comes as an indication."""
    return _fault("indication")


def bunched_notifications(count: int, seconds: float) -> LinkFault:
    """Values wait until there are so many, or until the first has waited that long, and come at once."""
    return _fault("bunched-notifications", count=count, seconds=seconds)


def slow_notifications(seconds: float) -> LinkFault:
    """Values come with at least this time between them."""
    return _fault("slow-notifications", seconds=seconds)


# Services

def service_changed() -> LinkFault:
    """The radio indicates that all its services have changed."""
    return _fault("service-changed")


def services_moved(to: int) -> LinkFault:
    """The services have another order, and handles from this one on."""
    return _fault("services-moved", to=to)


# Keys

def bond_lost() -> LinkFault:
    """The radio has lost the keys of the phone."""
    return _fault("bond-lost")


def key_refused() -> LinkFault:
    """The radio has the keys, and answers as if it had none."""
    return _fault("key-refused")


def wrong_key() -> LinkFault:
    """The radio encrypts with another key, and the link breaks."""
    return _fault("wrong-key")


def pin_changed(pin: str) -> LinkFault:
    """The radio expects another PIN, of six digits."""
    return _fault("pin-changed", pin=pin)


def pairing_refused(reason: int) -> LinkFault:
    """The pairing is refused, for this reason of the security manager."""
    return _fault("pairing-refused", reason=reason)


def security_request() -> LinkFault:
    """The radio asks the phone to pair or to encrypt."""
    return _fault("security-request")


# Links

def link_lost(seconds: float) -> LinkFault:
    """The radio falls silent without ending the link, and is not found for so long."""
    return _fault("link-lost", seconds=seconds)


def disconnect(reason: int) -> LinkFault:
    """The radio ends the link, for this reason of the controller."""
    return _fault("disconnect", reason=reason)


def connection_parameters(interval_seconds: float, latency: int, timeout_seconds: float) -> LinkFault:
    """The radio asks for this interval, latency and supervision time-out."""
    return _fault(
        "connection-parameters", intervalSeconds=interval_seconds, latency=latency, timeoutSeconds=timeout_seconds)


# Advertising

def second_central(seconds: float) -> LinkFault:
    """The radio is not found for so long, as if another phone had the link."""
    return _fault("second-central", seconds=seconds)


def address_rotates() -> LinkFault:
    """The radio is found under another random address each time."""
    return _fault("address-rotates")


def service_not_advertised(seconds: float | None = None) -> LinkFault:
    """The advertisement lacks the service, for so long or until the next one."""
    return _fault("service-not-advertised", seconds=seconds)


def name_cut(count: int, seconds: float | None = None) -> LinkFault:
    """The advertised name has so many bytes at most, for so long or until the next one."""
    return _fault("name-cut", bytes=count, seconds=seconds)


# The radio's build

def design(what: Design) -> LinkFault:
    """The radio was built otherwise, from a connection on."""
    return LinkFault(what, {})
