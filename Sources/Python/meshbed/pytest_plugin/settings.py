"""The mesh that a test asks for: the marker `mesh`, and the options of the run."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Callable, Optional

import pytest

SEED = 7
# Options of the command that name a file of one run, and the one that names where radios keep what they store.
FILES = ("--trace", "--record")
STATE = "--state"


@dataclass(frozen=True)
class Settings:
    """`prepare` makes the mesh that a test starts from: a function of a `Mesh`, or a coroutine function of an `AsyncMesh`."""

    world: str = "pair"
    seed: int = SEED
    endpoints: tuple[str, ...] = ("alice",)
    time: str = "stepped"
    options: tuple[str, ...] = ()
    fresh: bool = False
    prepare: Optional[Callable[[Any], Any]] = None

    @property
    def without_quiet_time(self) -> Settings:
        """For clients on the loop of the world's time, which knows itself when they have finished."""
        if self.time != "stepped" or "--quiet" in self.options:
            return self
        return replace(self, options=(*self.options, "--quiet", "0ms"))

    @property
    def of_process(self) -> Settings:
        """The part of which one process serves many tests."""
        return replace(self, fresh=False, prepare=None)


def settings_of(item: pytest.Item) -> Settings:
    """Reads the settings of a test: nearer markers come first, and a seed of the command line before all."""
    chosen: dict[str, Any] = {}
    for marker in item.iter_markers("mesh"):
        if marker.args:
            raise pytest.UsageError(f"{item.nodeid}: the marker mesh takes names: mesh(world='pair')")
        chosen = {**marker.kwargs, **chosen}
    known = {field.name for field in fields(Settings)}
    if unknown := sorted(set(chosen) - known):
        raise pytest.UsageError(f"{item.nodeid}: the marker mesh has no {unknown[0]}; it has {', '.join(sorted(known))}")
    seed = item.config.getoption("mesh_seed")
    if seed is not None:
        chosen["seed"] = seed
    for name in ("endpoints", "options"):
        if name in chosen:
            chosen[name] = (chosen[name],) if isinstance(chosen[name], str) else tuple(chosen[name])
    settings = Settings(**chosen)
    return replace(settings, world=_place(settings.world, item))


def _place(world: str, item: pytest.Item) -> str:
    """The path of a world, looked for beside the test first."""
    for folder in (item.path.parent, item.config.rootpath):
        if Path(folder, world).is_file():
            return str(Path(folder, world))
    return world


def with_files_in(folder: Path, options: tuple[str, ...]) -> tuple[str, ...]:
    """The options with files of the process's own: names without a root lie in the folder, and radios work on a copy there."""
    words: list[str] = []
    for option in options:
        name, equals, value = option.partition("=")
        if equals and name in (*FILES, STATE):
            words += [name, _own(name, value, folder)]
        elif words and words[-1] in (*FILES, STATE):
            words.append(_own(words[-1], option, folder))
        else:
            words.append(option)
    return tuple(words)


def _own(option: str, value: str, folder: Path) -> str:
    path = Path(value)
    if path.is_absolute() and option != STATE:
        return value
    own = folder / path.name
    folder.mkdir(parents=True, exist_ok=True)
    if option == STATE and path.is_dir():
        shutil.copytree(path, own, dirs_exist_ok=True)
    return str(own)
