"""Errors between a test and its mesh."""

from __future__ import annotations

from typing import Any


class MeshError(Exception):
    """A refusal of the mesh, or no answer from it.

    `code` is the API's: bad-request, not-found, not-allowed, conflict, unauthorized, forbidden, too-large, busy or ended.
    This package adds no-answer (the connection failed), bad-answer (an answer that the API does not have), not-started (the
    command did not start), not-met (a condition did not come true), invalid (a fault never took effect), stuck (a test waits
    for an event that cannot come) and wrong-face (time was asked for without `await` in a coroutine). Of real radios there are
    not-there (the board is away), refused (it was not switched or put back, with the reason) and not-restored (something was
    left changed at the end).
    """

    def __init__(self, code: str, message: str, *, status: int | None = None, request: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.request = request

    def __str__(self) -> str:
        where = f" ({self.request})" if self.request else ""
        return f"{self.code}: {self.message}{where}"

    @classmethod
    def refused(cls, status: int, answer: Any, request: str) -> MeshError:
        """The refusal in an answer; an answer of another kind is one as well."""
        error = answer.get("error") if isinstance(answer, dict) else None
        if not isinstance(error, dict):
            return cls("bad-answer", f"status {status} without an error of the API", status=status, request=request)
        return cls(str(error.get("code")), str(error.get("message")), status=status, request=request)


class ConditionNotMet(MeshError, AssertionError):
    """All the time has passed, and the condition does not hold. A failed expectation, so an AssertionError as well."""

    def __init__(self, message: str, *, condition: Any, state: Any) -> None:
        super().__init__("not-met", message)
        self.condition = condition
        self.state = state


class InvalidRun(MeshError, AssertionError):
    """A fault that was asked for never took effect: the run proves nothing. A failed expectation, so an AssertionError."""

    def __init__(self, faults: list[Any]) -> None:
        super().__init__("invalid", "; ".join(str(fault) for fault in faults))
        self.faults = faults


class Stuck(MeshError):
    """A coroutine waits, no timer runs, and no event of the mesh is due: this would never end."""

    def __init__(self, message: str) -> None:
        super().__init__("stuck", message)
