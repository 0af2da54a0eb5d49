"""The places where the command `meshbed` is looked for, and the reasons why it may not run on a machine."""

from __future__ import annotations

import errno
import os
import platform
import shutil
import sys
from pathlib import Path

from .errors import MeshError

# A wheel for one platform has the command here; an installation from sources has not.
CARRIED = Path(__file__).resolve().parent / "bin" / "meshbed"
# The platforms of such wheels: ci/wheel reads them here.
GLIBC = (2, 35)
PROCESSORS = ("x86_64",)

NEEDS = f"Linux on {' or '.join(PROCESSORS)} with glibc {GLIBC[0]}.{GLIBC[1]} or newer (Debian 12, Ubuntu 22.04)"
BUILD = "build it here with ci/build release and name it with MESHBED"
CONTAINER = "run the tests in a container of such a system"


def find_command(binary: str | os.PathLike[str] | None = None) -> str:
    """The first command that is there: by argument, by MESHBED, in this package, on the path, in the build of a checkout."""
    wanted = os.fspath(binary) if binary is not None else os.environ.get("MESHBED")
    if wanted:
        if found := shutil.which(wanted):
            return os.path.abspath(found)
        raise MeshError("not-started", f"there is no command {wanted}")
    if CARRIED.is_file():
        if problem := _old_library():
            raise MeshError("not-started", f"the command that this package carries cannot run here: {problem}")
        return str(CARRIED)
    if found := _on_path():
        return found
    for folder in (Path.cwd(), *Path.cwd().parents, *Path(__file__).resolve().parents):
        built = folder / ".build" / "release" / "meshbed"
        if os.access(built, os.X_OK):
            return str(built)
    raise MeshError("not-started", _missing())


def reason(command: str, error: OSError) -> str:
    """The reason why the system refused to start a command that is there, with a way out where one is known."""
    if error.errno == errno.ENOEXEC:
        return f"{command} is for another processor than {platform.machine()}: {BUILD}"
    if error.errno == errno.ENOENT and os.path.exists(command):
        return f"{command} needs {NEEDS}, and this system has no glibc in its usual place: {CONTAINER}"
    return f"{command}: {error.strerror}"


def _on_path() -> str | None:
    for folder in filter(None, os.get_exec_path()):
        found = shutil.which("meshbed", path=folder)
        if found and not _is_entry_point(found):
            return found
    return None


def _is_entry_point(path: str) -> bool:
    """Recognizes the script `meshbed` of an installation of this package, which would only search again, maybe for ever."""
    try:
        with open(path, "rb") as file:
            head = file.read(1024)
    except OSError:
        return False
    return head.startswith(b"#!") and b"meshbed.__main__" in head


def _missing() -> str:
    if problem := _machine_problem():
        return f"the command meshbed is not here: {problem}"
    return ("the command meshbed is not here: this package was installed from sources, which lack it, and it is not on the path; "
            "install the wheel of a release, put the command on the path, name it with MESHBED, or build it with ci/build")


def _machine_problem() -> str | None:
    """The first need of the command that this machine does not meet, and the way that works here."""
    if sys.platform != "linux":
        return f"it needs {NEEDS}, and this is {platform.system()}: {CONTAINER}, or connect to a mesh there with Mesh.at"
    if platform.machine() not in PROCESSORS:
        return f"no wheel carries it for {platform.machine()}: {BUILD}"
    if platform.libc_ver()[0] != "glibc":
        return f"it needs {NEEDS}, and this Python has another C library, such as musl: {CONTAINER}"
    return _old_library()


def _old_library() -> str | None:
    library, version = platform.libc_ver()
    numbers = version.split(".")[:2]
    if library != "glibc" or not all(number.isdigit() for number in numbers):
        return None
    if tuple(map(int, numbers)) >= GLIBC:
        return None
    return f"it needs {NEEDS}, and this machine has glibc {version}: {CONTAINER}, or {BUILD}"
