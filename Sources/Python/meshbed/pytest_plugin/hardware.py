"""Tests on real radios: `--meshbed-radio LABEL` in place of an emulated mesh."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Optional

import pytest

from ..boards import HeldBoards, HeldRadio, MissingBoard
from ..command import Radio
from ..errors import MeshError
from . import needs
from .settings import Settings

NO_MESH = "needs the mesh itself (nodes, air, time), which a real radio has not"


@dataclass
class HeldRun:
    """The radios of one test, in the place of a mesh."""

    settings: Settings
    radios: dict[str, Radio]
    labels: dict[str, str]
    boards: HeldBoards


class Hardware:
    """The boards of a session, held from the first test that needs them on."""

    def __init__(self, labels: list[str], bench: Optional[str], allows_missing: bool, binary: Optional[str]) -> None:
        if os.environ.get("PYTEST_XDIST_WORKER"):
            raise pytest.UsageError("--meshbed-radio is for one process: there is one of each board, so run without -n")
        self._labels, self._bench, self._allows_missing, self._binary = labels, bench, allows_missing, binary
        self._held: Optional[HeldBoards] = None
        self._absence: Optional[str] = None

    @property
    def place(self) -> str:
        """The radios in words."""
        return " with ".join(self._labels)

    def held(self) -> HeldBoards:
        """The boards. Skips the test where they may be missing, and ends the session where they may not."""
        if self._held is None and self._absence is None:
            try:
                self._held = HeldBoards(
                    self._labels, bench=self._bench, allow_missing=self._allows_missing, binary=self._binary)
            except MissingBoard as error:
                self._absence = error.message
            except MeshError as error:
                pytest.exit(f"the boards cannot be used: {error.message}", returncode=2)
        if self._held is None:
            pytest.skip(f"no board: {self._absence}")
        return self._held

    def check(self, item: pytest.Item) -> None:
        """Skips a test that needs what the radios have not."""
        wanted = needs.needs_of(item)
        if not wanted:
            return
        if reason := needs.lack(item, self._met(), self.place):
            pytest.skip(reason)

    def _met(self) -> set[str]:
        radios = self.held().radios
        met = set(frozenset.intersection(*(radio.can for radio in radios)))
        return met | {"second radio"} if len(radios) > 1 else met

    def run(self, settings: Settings) -> HeldRun:
        """The radios under the names that the test has for its endpoints."""
        radios = self.held().radios
        names = [endpoint.partition("=")[0] for endpoint in settings.endpoints]
        if settings.prepare is not None:
            pytest.skip("prepares its mesh, which a real radio has not")
        if len(names) > len(radios):
            pytest.skip(f"needs {len(names)} radios, and --meshbed-radio names {len(radios)}")
        pairs: list[tuple[str, HeldRadio]] = list(zip(names, radios))
        return HeldRun(
            settings, {name: radio.named(name) for name, radio in pairs},
            {name: radio.label for name, radio in pairs}, self.held())

    def stop(self) -> None:
        if self._held is not None:
            held, self._held = self._held, None
            held.stop()
