"""The pytest plugin: a mesh for each test, in stepped time, and a report of it with each failure.

Fixtures: `mesh`, `amesh` (the same with await), `radio` and `radios` (addresses for clients), `mesh_calendar`. The
marker describes the mesh:

    @pytest.mark.mesh(world="pair", seed=7, endpoints=["alice"], time="stepped", fresh=False, prepare=function)

Tests of one world, seed and options share a process. Each starts from a snapshot, taken after `prepare`. A world that
cannot go back, as one with a node in another program, has a process for each test. A test that passes although a fault
of it never took effect is invalid, and ends with an error, unless the fault was told `may_not_fire`. The files of --trace, --record and
--state stay as they were written when a process goes back: a line in them marks where the next test starts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Generator, Iterator

import pytest

from ..aio import AsyncMesh, WorldLoop
from ..command import Radio
from ..errors import InvalidRun, MeshError
from ..search import find_command
from ..sync import Mesh
from . import coroutines, report
from .pool import Pool, Running
from .settings import SEED, Settings, settings_of

POOL = pytest.StashKey[Pool]()
RUNNING = pytest.StashKey[Running]()
LOOP = pytest.StashKey[Any]()
MESH = pytest.StashKey[AsyncMesh]()
HAS_FAILED = pytest.StashKey[bool]()

# Where the calendar of `mesh_calendar` begins: 15 June 2025, as that of the people in the mesh. It is later than the clocks
# of fresh radios.
CALENDAR = 1_750_000_000


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("meshbed", "emulated meshes")
    group.addoption(
        "--mesh-seed", type=int, metavar="N", help=f"seed of all meshes, in place of the marker's; {SEED} unless told")
    group.addoption(
        "--mesh-artifacts", default=".meshbed", metavar="DIR", help="where failed tests leave their traces (.meshbed)")
    group.addoption(
        "--mesh-without", default="", metavar="NAMES",
        help="leave out nodes (rep7) and links (rep1/rep2) of the worlds, to see whether a failure needs them")
    group.addoption(
        "--mesh-binary", metavar="FILE", help="the command meshbed; else MESHBED, that of the package, the path, .build/release")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "mesh(world, seed, endpoints, time, options, fresh, prepare): the mesh of a test (meshbed)")
    without = [name for name in config.getoption("mesh_without").split(",") if name]
    config.stash[POOL] = Pool(config.getoption("mesh_binary"), without)


def pytest_unconfigure(config: pytest.Config) -> None:
    if POOL in config.stash:
        config.stash[POOL].stop()


def pytest_report_header(config: pytest.Config) -> str:
    try:
        return f"meshbed: {find_command(config.getoption('mesh_binary'))}"
    except MeshError:
        return "meshbed: the command is not here; tests with a mesh will fail"


# Fixtures

@pytest.fixture
def mesh_run(request: pytest.FixtureRequest) -> Iterator[Running]:
    """The mesh of the test, at its start; the other fixtures are views of it."""
    item: pytest.Item = request.node
    pool = item.config.stash[POOL]
    report.discard_artefacts(item)
    settings = settings_of(item)
    if coroutines.is_ours(item):
        settings = settings.without_quiet_time
    running = item.stash[RUNNING] = _taken(pool, settings, report.folder_of(item))
    try:
        if coroutines.is_ours(item):
            _open_loop(item, running)
        yield running
        _note(item, running)
        _check_faults(item, running)
    finally:
        try:
            _close_loop(item)
        finally:
            pool.give_back(running)


@pytest.fixture
def mesh(mesh_run: Running) -> Mesh:
    """The mesh, for tests without await."""
    return mesh_run.mesh


@pytest.fixture
def amesh(request: pytest.FixtureRequest, mesh_run: Running) -> AsyncMesh:
    """The mesh, for coroutines."""
    # A loop of somebody else may be closed before a connection that is kept could be.
    return request.node.stash.get(MESH, None) or mesh_run.amesh(keeps_connections=False)


@pytest.fixture
def radios(mesh_run: Running) -> dict[str, Radio]:
    """The addresses for clients, by the names of nodes."""
    return mesh_run.mesh.radios


@pytest.fixture
def radio(mesh_run: Running) -> Radio:
    """The address for the client of the first endpoint: `MeshCore.create_tcp(radio.host, radio.port)`."""
    first = mesh_run.settings.endpoints[0].partition("=")[0]
    return mesh_run.mesh.radios[first]


@pytest.fixture
def mesh_calendar(request: pytest.FixtureRequest, mesh_run: Running) -> Iterator[int]:
    """Has `time.time` return the world's time, so that a client's timestamps are the same in each run; yields its begin."""
    loop = request.node.stash.get(LOOP, None)
    if not isinstance(loop, WorldLoop):
        raise pytest.UsageError("mesh_calendar is for coroutine tests of a stepped world")
    with loop.calendar(CALENDAR):
        yield CALENDAR


def _taken(pool: Pool, settings: Settings, folder: Path) -> Running:
    try:
        return pool.take(settings, folder)
    except MeshError as error:
        if error.code != "not-started":
            raise
        problem = str(error)
    except OSError as error:
        problem = f"its files have no place: {error}"
    # Where in the package it was noticed says nothing to the author of a test.
    pytest.fail(f"there is no mesh: {problem}", pytrace=False)


def _open_loop(item: pytest.Item, running: Running) -> None:
    loop = item.stash[LOOP] = coroutines.new_loop(running.settings.time)
    item.stash[MESH] = mesh = running.amesh(keeps_connections=True)
    if isinstance(loop, WorldLoop):
        loop.attach(mesh, running.mesh.state())


def _close_loop(item: pytest.Item) -> None:
    loop = item.stash.get(LOOP, None)
    if loop is None:
        return
    try:
        coroutines.perform(loop, item.stash[MESH].close())
    finally:
        coroutines.finish(loop)
        del item.stash[LOOP], item.stash[MESH]


def _note(item: pytest.Item, running: Running) -> None:
    """Seed and digest go to JUnit files, so that runs can be compared."""
    try:
        state = running.mesh.state()
    except MeshError:
        return
    item.user_properties += [("mesh.seed", state.seed), ("mesh.digest", state.digest)]


def _check_faults(item: pytest.Item, running: Running) -> None:
    """A test that passed although a fault of it never took effect proves nothing: it is invalid, and ends with an error."""
    if item.stash.get(HAS_FAILED, False):
        return
    try:
        running.mesh.check_faults()
    except InvalidRun as error:
        item.user_properties.append(("mesh.invalid", error.message))
        pytest.fail(f"invalid: {error.message}", pytrace=False)
    except MeshError:
        return


# Coroutines

@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test with the marker has a mesh, whether or not it asks for it by name."""
    for item in items:
        names = getattr(item, "fixturenames", None)
        if names is not None and item.get_closest_marker("mesh") and "mesh_run" not in names:
            names.append("mesh_run")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pycollect_makeitem() -> Generator[None, Any, Any]:
    made = yield
    return [coroutines.reclaimed(one) for one in made] if isinstance(made, list) else coroutines.reclaimed(made)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Any:
    loop = pyfuncitem.stash.get(LOOP, None)
    if loop is None:
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    coroutines.perform(loop, pyfuncitem.obj(**arguments))
    return True


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_fixture_setup(fixturedef: Any, request: Any) -> Generator[None, Any, Any]:
    function = fixturedef.func
    if not coroutines.is_async(function) or fixturedef.scope != "function" or not coroutines.is_ours(request.node):
        return (yield)
    # The loop is there before the fixture, also where the fixture does not ask for the mesh.
    request.getfixturevalue("mesh_run")
    fixturedef.func = coroutines.made_sync(function, request.node.stash[LOOP])
    try:
        return (yield)
    finally:
        fixturedef.func = function


# Reports

def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if reasons := sorted(set(config.stash[POOL].one_way.values())):
        terminalreporter.write_line(f"meshbed: a process for each test, because {'; '.join(reasons)}")

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: Any) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    made = yield
    running = item.stash.get(RUNNING, None)
    if made.when == "call":
        item.stash[HAS_FAILED] = made.failed or made.skipped
    if running is not None and made.failed:
        made.sections.append((report.TITLE, report.section(item, running)))
    if running is not None and made.when == "teardown":
        del item.stash[RUNNING]
    return made
