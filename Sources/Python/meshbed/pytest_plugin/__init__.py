"""The pytest plugin: a mesh for each test, in stepped time, and a report of it with each failure.

Fixtures: `mesh`, `amesh` (the same with await), `radio` and `radios` (addresses for clients), `mesh_calendar`. The
marker describes the mesh:

    @pytest.mark.mesh(world="pair", seed=7, endpoints=["alice"], time="stepped", fresh=False, prepare=function)

Tests of one world, seed and options share a process. Each starts from a snapshot, taken after `prepare`. A world that
cannot go back, as one with a node in another program, has a process for each test. A test that passes although a fault
of it never took effect is invalid, and ends with an error, unless the fault was told `may_not_fire`. The files of --trace, --record and
--state stay as they were written when a process goes back: a line in them marks where the next test starts.

With --meshbed-radio LABEL the same tests run on a real radio of the bench file. `radio` and `radios` are its addresses,
`board` switches its power. A test says what it needs, and is skipped with the reason where that is not there:

    @pytest.mark.mesh_needs("power", "second radio")
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Generator, Iterator, Union

import pytest

from ..aio import AsyncMesh, WorldLoop
from ..command import Radio
from ..errors import InvalidRun, MeshError
from ..search import find_command
from ..sync import Mesh
from . import coroutines, needs, report
from .board import Board, EmulatedBoard, RealBoard
from .hardware import NO_MESH, Hardware, HeldRun
from .pool import Pool, Running
from .settings import SEED, Settings, settings_of

POOL = pytest.StashKey[Pool]()
HARDWARE = pytest.StashKey[Hardware]()
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
    group.addoption(
        "--meshbed-radio", action="append", default=[], metavar="LABEL",
        help="run on this real radio of the bench file, or labgrid:PLACE; twice for tests with a second one")
    group.addoption(
        "--meshbed-bench", metavar="FILE", help="the bench file; else MESHBED_BENCH, else bench.json in the working folder")
    group.addoption(
        "--meshbed-allow-missing", action="store_true", help="skip the tests when a real radio is not there")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "mesh(world, seed, endpoints, time, options, fresh, prepare): the mesh of a test (meshbed)")
    config.addinivalue_line(
        "markers", f"mesh_needs(*words): what a test needs, or it is skipped: {', '.join(needs.NEEDS)} (meshbed)")
    if labels := config.getoption("meshbed_radio"):
        config.stash[HARDWARE] = Hardware(
            labels, config.getoption("meshbed_bench"), config.getoption("meshbed_allow_missing"),
            config.getoption("mesh_binary"))
    without = [name for name in config.getoption("mesh_without").split(",") if name]
    config.stash[POOL] = Pool(config.getoption("mesh_binary"), without)


def pytest_unconfigure(config: pytest.Config) -> None:
    if POOL in config.stash:
        config.stash[POOL].stop()
    if hardware := config.stash.get(HARDWARE, None):
        try:
            hardware.stop()
        except MeshError as error:
            # The tests are over: this is the last word of the session.
            config.get_terminal_writer().line(f"meshbed: {error.message}", red=True)


def pytest_report_header(config: pytest.Config) -> str:
    try:
        command = find_command(config.getoption("mesh_binary"))
        hardware = config.stash.get(HARDWARE, None)
        return f"meshbed: {command}{', on ' + hardware.place if hardware else ''}"
    except MeshError:
        return "meshbed: the command is not here; tests with a mesh will fail"


# Fixtures

@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips a test that says that it needs what is not here."""
    if hardware := item.config.stash.get(HARDWARE, None):
        hardware.check(item)
    elif reason := needs.lack(item, needs.OF_EMULATOR, "an emulated one"):
        pytest.skip(reason)


@pytest.fixture
def mesh_run(request: pytest.FixtureRequest) -> Iterator[Union[Running, HeldRun]]:
    """The mesh of the test, at its start, or its real radios; the other fixtures are views of it."""
    item: pytest.Item = request.node
    if hardware := item.config.stash.get(HARDWARE, None):
        yield from _held(item, hardware)
        return
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


def _held(item: pytest.Item, hardware: Hardware) -> Iterator[HeldRun]:
    """The real radios of a test, which are put back after it."""
    held = hardware.run(settings_of(item))
    if coroutines.is_ours(item):
        item.stash[LOOP] = coroutines.new_loop("real")
    try:
        yield held
    finally:
        _close_loop(item)
        held.boards.restore()


def _emulated(mesh_run: Union[Running, HeldRun]) -> Running:
    if isinstance(mesh_run, HeldRun):
        pytest.skip(NO_MESH)
    return mesh_run


@pytest.fixture
def mesh(mesh_run: Union[Running, HeldRun]) -> Mesh:
    """The mesh, for tests without await."""
    return _emulated(mesh_run).mesh


@pytest.fixture
def amesh(request: pytest.FixtureRequest, mesh_run: Union[Running, HeldRun]) -> AsyncMesh:
    """The mesh, for coroutines."""
    running = _emulated(mesh_run)
    # A loop of somebody else may be closed before a connection that is kept could be.
    return request.node.stash.get(MESH, None) or running.amesh(keeps_connections=False)


@pytest.fixture
def radios(mesh_run: Union[Running, HeldRun]) -> dict[str, Radio]:
    """The addresses for clients, by the names of nodes."""
    return mesh_run.radios if isinstance(mesh_run, HeldRun) else mesh_run.mesh.radios


@pytest.fixture
def radio(mesh_run: Union[Running, HeldRun], radios: dict[str, Radio]) -> Radio:
    """The address for the client of the first endpoint: `MeshCore.create_tcp(radio.host, radio.port)`."""
    return radios[mesh_run.settings.endpoints[0].partition("=")[0]]


@pytest.fixture
def board(mesh_run: Union[Running, HeldRun], radio: Radio) -> Board:
    """The board of `radio`: its power and its reset, emulated or real."""
    if isinstance(mesh_run, HeldRun):
        return RealBoard(mesh_run.boards, mesh_run.labels[radio.name])
    return EmulatedBoard(mesh_run.mesh[radio.name])


@pytest.fixture
def mesh_calendar(request: pytest.FixtureRequest, mesh_run: Union[Running, HeldRun]) -> Iterator[int]:
    """Has `time.time` return the world's time, so that a client's timestamps are the same in each run; yields its begin."""
    _emulated(mesh_run)
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
        if MESH in item.stash:
            coroutines.perform(loop, item.stash[MESH].close())
            del item.stash[MESH]
    finally:
        coroutines.finish(loop)
        del item.stash[LOOP]


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
