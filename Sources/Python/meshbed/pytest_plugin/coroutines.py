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


def is_ours(item: pytest.Item) -> bool:
    """Whether this plugin runs the test: a coroutine with a mesh that nobody else has claimed.

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
    """pytest looks behind wrappers, and would find the coroutine function."""
    del function.__wrapped__  # type: ignore[attr-defined]
    return function
