"""Values of a node's body and their courses, in the words of world files. Times are texts: "30s", "2h"; they count from now."""

from __future__ import annotations

from typing import Any, Sequence, Union

from .conditions import given

# A number, or its course as one of the functions below makes it.
Value = Union[float, dict[str, Any]]


def ramp(first: float, last: float, lasting: str, at: str | None = None, noise: float | None = None) -> Value:
    """From one value straight to another; constant before and after."""
    return given(**{"from": first}, to=last, **{"for": lasting}, at=at, noise=noise)


def points(*values: tuple[str, float], noise: float | None = None) -> Value:
    """Straight from point to point, each a time and a value."""
    return given(points=_points(values), noise=noise)


def steps(*values: tuple[str, float], noise: float | None = None) -> Value:
    """Each value from its time on; the first holds before as well."""
    return given(steps=_points(values), noise=noise)


def day(least: float, most: float, at_hour: float | None = None, noise: float | None = None) -> Value:
    """Every 24 hours once up and down; a run begins at midnight, and the highest value is at 15 o'clock unless given."""
    return given(min=least, max=most, max_at_hour=at_hour, noise=noise)


def by_hour(values: Sequence[float], noise: float | None = None) -> Value:
    """24 values from midnight on, the same every day."""
    return given(by_hour=list(values), noise=noise)


def noisy(value: float, noise: float, every: str | None = None) -> Value:
    """A value with an error of up to `noise` on either side, drawn anew every so often."""
    return given(value=value, noise=noise, noise_every=every)


def cell(
    capacity_mah: float | None = None, charge: float | None = None, load_ma: float | None = None,
    sleep_ma: float | None = None, transmit_ma: float | None = None, solar_ma: float | None = None,
    sun_by_hour: Sequence[float] | None = None, charger_ma: float | None = None,
) -> dict[str, Any]:
    """A cell that the node drains and the sun charges; what is left out stays as it is, `charge` is in percent."""
    sun = None if sun_by_hour is None else list(sun_by_hour)
    return given(
        capacity_mah=capacity_mah, charge=charge, load_ma=load_ma, sleep_ma=sleep_ma, transmit_ma=transmit_ma,
        solar_ma=solar_ma, sun_by_hour=sun, charger_ma=charger_ma)


def _points(values: tuple[tuple[str, float], ...]) -> list[dict[str, Any]]:
    return [{"at": at, "value": value} for at, value in values]
