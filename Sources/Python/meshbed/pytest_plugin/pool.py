"""The meshes of a session: one process for each world, seed and options, and snapshots that tests start from.

A world that cannot go back, because a node of it lives in another program, has a process for each test.
"""

from __future__ import annotations

import inspect
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Optional, Sequence

from ..aio import AsyncMesh, WorldLoop
from ..command import Command
from ..errors import MeshError
from ..sync import Mesh
from .settings import Settings, with_files_in

START = "start"


class Running:
    """A process with its mesh."""

    def __init__(self, settings: Settings, binary: Optional[str], without: Sequence[str]) -> None:
        self.settings = settings
        self.command = Command(
            settings.world, seed=settings.seed, endpoints=settings.endpoints, time=settings.time,
            options=settings.options, binary=binary)
        self.mesh = Mesh(self.command.control, self.command.token, self.command)
        self._snapshots: dict[Optional[Callable[[Any], Any]], str] = {}
        self.without = self._leave_out(without)
        # Why there is no way back to the start; empty where there is one.
        self.one_way = ""
        self._keep(None, START)

    def begin(self, prepare: Optional[Callable[[Any], Any]]) -> None:
        """Goes to the start of a test; its preparation runs once."""
        if self.one_way:
            if prepare is not None:
                self._prepare(prepare)
            return
        if name := self._snapshots.get(prepare):
            self.mesh.restore(name)
            return
        self.mesh.restore(self._snapshots[None])
        assert prepare is not None
        self._prepare(prepare)
        self._keep(prepare, f"prepared-{len(self._snapshots)}")

    def amesh(self, keeps_connections: bool) -> AsyncMesh:
        """The other face of the same mesh."""
        mesh = AsyncMesh(self.command.control, self.command.token, keeps_connections=keeps_connections)
        mesh.radios = self.mesh.radios
        return mesh

    def stop(self) -> None:
        self.mesh.close()

    def _keep(self, prepare: Optional[Callable[[Any], Any]], name: str) -> None:
        try:
            self.mesh.snapshot(name)
        except MeshError as error:
            if error.code != "conflict":
                raise
            # Beyond the start there may be too many of them: then each test is prepared anew.
            if prepare is None:
                self.one_way = error.message
        else:
            self._snapshots[prepare] = name

    def _prepare(self, prepare: Callable[[Any], Any]) -> None:
        if not inspect.iscoroutinefunction(prepare):
            prepare(self.mesh)
            return
        loop, mesh = WorldLoop(), self.amesh(True)
        try:
            loop.attach(mesh, self.mesh.state())
            loop.perform(prepare(mesh))
            loop.perform(mesh.close())
        finally:
            loop.finish()

    def _leave_out(self, names: Sequence[str]) -> list[str]:
        """Removes nodes and links (one/other) that this world has; those with an endpoint stay."""
        left_out = []
        for name in names:
            one, slash, other = name.partition("/")
            try:
                if slash:
                    self.mesh.cut(one, other)
                elif name not in self.mesh.radios:
                    self.mesh[name].goes()
                else:
                    continue
            except MeshError as error:
                if error.code != "not-found":
                    raise
            else:
                left_out.append(name)
        return left_out


class Pool:
    def __init__(self, binary: Optional[str], without: Sequence[str]) -> None:
        self._binary, self._without = binary, without
        self._running: dict[Settings, Running] = {}
        # Worlds that cannot go back, with the reason.
        self.one_way: dict[Settings, str] = {}
        # Folders for the files of processes that serve many tests, so far.
        self._folders = 0

    def take(self, settings: Settings, folder: Path) -> Running:
        """A mesh at the start of a test. Files of a process that serves this test alone go into the folder."""
        wanted = settings.of_process
        known = None if settings.fresh else self._running.get(wanted)
        if known is None or not known.command.is_running:
            known = self._start(wanted, folder) if settings.fresh or wanted in self.one_way else self._shared(wanted, folder)
        known.begin(settings.prepare)
        return known

    def _shared(self, wanted: Settings, folder: Path) -> Running:
        """A process for many tests; for this one alone where its world turns out not to go back."""
        files = self._folder_of(wanted, folder.parent)
        known = self._start(wanted, files)
        if not known.one_way:
            self._running[wanted] = known
            return known
        self.one_way[wanted] = known.one_way
        if not files.exists():
            return known
        known.stop()
        shutil.rmtree(files, ignore_errors=True)
        return self._start(wanted, folder)

    def _folder_of(self, settings: Settings, place: Path) -> Path:
        """A folder of this session; what an earlier one left there goes."""
        self._folders += 1
        worker = os.environ.get("PYTEST_XDIST_WORKER", "")
        world = re.sub(r"[^A-Za-z0-9_.-]+", "-", Path(settings.world).name)
        folder = place / f"mesh{worker and '-' + worker}-{self._folders}-{world}-{settings.seed}"
        shutil.rmtree(folder, ignore_errors=True)
        return folder

    def give_back(self, running: Running) -> None:
        if running not in self._running.values():
            running.stop()

    def stop(self) -> None:
        for running in self._running.values():
            running.stop()
        self._running = {}

    def _start(self, wanted: Settings, files: Path) -> Running:
        return Running(replace(wanted, options=with_files_in(files, wanted.options)), self._binary, self._without)
