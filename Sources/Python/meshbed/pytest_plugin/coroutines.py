"""Runs coroutine tests and async fixtures of tests with a mesh, where no other plugin does."""

from __future__ import annotations

import asyncio
import functools
import inspect
from typing import Any, Callable

import pytest

from ..aio import WorldLoop

# Whose tests are left to the plugins that know these marks.
OTHERS = ("asyncio", "anyio", "trio", "tornado", "twisted")
FIXTURE = "mesh_run"


def reclaimed(item: Any) -> Any:
    """The test as pytest has collected it, where pytest-asyncio has claimed it only because it claims all coroutines.

    With `asyncio_mode=auto` it does. On its loop, timers would follow the clock; the author has not asked for that.
    """
    if not isinstance(item, pytest.Function) or type(item) is pytest.Function or not _has_mesh(item):
        return item
    if item.get_closest_marker("asyncio") is None or _is_marked(item, "asyncio"):
        return item
    assert item.parent is not None
    named = {"callspec": item.callspec} if hasattr(item, "callspec") else {}
    plain = pytest.Function.from_parent(
        item.parent, name=item.name, callobj=item.obj, fixtureinfo=item._fixtureinfo, originalname=item.originalname,
        **named)
    plain.own_markers = [marker for marker in item.own_markers if marker.name != "asyncio"]
    return plain


def _has_mesh(item: pytest.Function) -> bool:
    return FIXTURE in item.fixturenames or item.get_closest_marker("mesh") is not None


def _is_marked(item: pytest.Function, name: str) -> bool:
    """Tells whether the author has marked the test, its class or its module."""
    assert item.parent is not None
    markers = [*getattr(item.obj, "pytestmark", []), *getattr(getattr(item, "callspec", None), "marks", [])]
    return item.parent.get_closest_marker(name) is not None or any(marker.name == name for marker in markers)


def is_ours(item: pytest.Item) -> bool:
    """Tells whether this plugin runs the test: a coroutine with a mesh that no other plugin has claimed.

    Plugins that run coroutines in general make items of a class of their own, or ask for a mark.
    """
    return (
        type(item) is pytest.Function
        and inspect.iscoroutinefunction(inspect.unwrap(item.obj))
        and FIXTURE in item.fixturenames
        and "anyio_backend" not in item.fixturenames
        and not any(item.get_closest_marker(name) for name in OTHERS))


def new_loop(time: str) -> asyncio.AbstractEventLoop:
    """A loop of the world's time where a tester holds it."""
    return WorldLoop() if time == "stepped" else asyncio.SelectorEventLoop()


def perform(loop: asyncio.AbstractEventLoop, coroutine: Any) -> Any:
    return loop.perform(coroutine) if isinstance(loop, WorldLoop) else loop.run_until_complete(coroutine)


def finish(loop: asyncio.AbstractEventLoop) -> None:
    if isinstance(loop, WorldLoop):
        loop.finish()
        return
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    loop.close()


def is_async(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def made_sync(function: Callable[..., Any], loop: asyncio.AbstractEventLoop) -> Callable[..., Any]:
    """An async fixture's function as pytest can call it."""

    def called(arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        # pytest may bind the fixture of a class once more.
        return function(**named) if hasattr(function, "__self__") else function(*arguments, **named)

    if not inspect.isasyncgenfunction(function):
        @functools.wraps(function)
        def returns(*arguments: Any, **named: Any) -> Any:
            return perform(loop, called(arguments, named))

        return _plain(returns)

    @functools.wraps(function)
    def yields(*arguments: Any, **named: Any) -> Any:
        generator = called(arguments, named)

        async def next_value() -> Any:
            return await generator.__anext__()

        yield perform(loop, next_value())
        try:
            perform(loop, next_value())
        except StopAsyncIteration:
            return
        raise RuntimeError(f"the fixture {function.__name__} yields twice")

    return _plain(yields)


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """pytest looks behind wrappers, and would find the coroutine function; other plugins look for marks of their own."""
    vars(function).clear()
    return function
