"""The command: where it is looked for, what is said where it is not or cannot run, and what becomes of `python -m meshbed`."""

import os
import pathlib
import platform
import signal
import subprocess
import sys
import sysconfig

import pytest

from meshbed import Command, MeshError, find_command, search

FAKE = str(pathlib.Path(__file__).with_name("fake_mesh.py"))
# As pip, uv and others write it for an entry point.
ENTRY_POINT = "#!{python}\nimport sys\nfrom meshbed.__main__ import main\nsys.exit(main())\n"


def program(path, text="#!/bin/sh\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A machine as wheels need it, without the command."""
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("MESHBED", raising=False)
    monkeypatch.setattr(search, "CARRIED", tmp_path / "package/bin/meshbed")
    # The sources that are tested may lie in a checkout with a build.
    monkeypatch.setattr(search, "__file__", str(tmp_path / "package/search.py"))
    on_machine(monkeypatch)
    return tmp_path


def on_machine(monkeypatch, system="linux", processor="x86_64", library=("glibc", "2.36")):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "system", lambda: system.capitalize())
    monkeypatch.setattr(platform, "machine", lambda: processor)
    monkeypatch.setattr(platform, "libc_ver", lambda: library)


def test_where_the_command_is_looked_for(monkeypatch, nowhere):
    built = program(nowhere / "project/.build/release/meshbed")
    on_path = program(nowhere / "bin/meshbed")
    named = program(nowhere / "named")
    (nowhere / "project/Tests").mkdir()
    monkeypatch.chdir(nowhere / "project/Tests")

    assert find_command() == str(built)
    monkeypatch.setenv("PATH", f"{nowhere}/no-such-folder::{on_path.parent}")
    assert find_command() == str(on_path)
    program(search.CARRIED)
    assert find_command() == str(search.CARRIED)
    monkeypatch.setenv("MESHBED", str(named))
    assert find_command() == str(named)
    assert find_command(on_path) == str(on_path)
    with pytest.raises(MeshError, match="there is no command /nowhere"):
        find_command("/nowhere")


def test_the_script_of_an_installation_is_not_the_command(monkeypatch, nowhere):
    program(nowhere / "environment/meshbed", ENTRY_POINT.format(python=sys.executable))
    program(nowhere / "long/meshbed", f"#!/bin/sh\n'''exec' /{'very/' * 90}python \"$0\" \"$@\"\n' '''\n" + ENTRY_POINT)
    monkeypatch.setenv("PATH", f"{nowhere}/environment:{nowhere}/long")

    with pytest.raises(MeshError, match="the command meshbed is not here"):
        find_command()
    behind = program(nowhere / "usr/meshbed")
    monkeypatch.setenv("PATH", f"{nowhere}/environment:{nowhere}/long:{nowhere}/usr")
    assert find_command() == str(behind)


@pytest.mark.parametrize("machine, need, way", [
    ({}, "was installed from sources, which lack it", "install the wheel of a release"),
    ({"processor": "aarch64"}, "no wheel carries it for aarch64", "build it here with ci/build"),
    ({"library": ("musl", "1.2.5")}, "glibc 2.35 or newer (Debian 12, Ubuntu 22.04), and this Python has another", "container"),
    ({"library": ("", "")}, "another C library, such as musl", "container"),
    ({"library": ("glibc", "2.34")}, "this machine has glibc 2.34", "container of such a system, or build it here"),
    ({"system": "darwin"}, "needs Linux on x86_64", "Mesh.at"),
])
def test_one_sentence_says_what_is_missing_and_what_works_there(monkeypatch, nowhere, machine, need, way):
    on_machine(monkeypatch, **machine)

    with pytest.raises(MeshError) as caught:
        find_command()

    assert caught.value.code == "not-started"
    assert need in str(caught.value) and way in str(caught.value) and "\n" not in str(caught.value)


def test_a_carried_command_is_not_started_on_an_older_library(monkeypatch, nowhere):
    program(search.CARRIED)
    for version, runs in ("2.35", True), ("2.41", True), ("2.34", False), ("2.4", False), ("", True):
        on_machine(monkeypatch, library=("glibc", version))
        if runs:
            assert find_command() == str(search.CARRIED)
        else:
            with pytest.raises(MeshError, match=f"carries cannot run here: it needs Linux .* glibc {version}: run the tests"):
                find_command()


@pytest.mark.parametrize("content, said", [
    (b"\x7fELF for something else", "is for another processor than"),
    (b"#!/no/such/loader\n", "this system has no glibc in its usual place: run the tests in a container"),
], ids=["processor", "loader"])
def test_the_reason_why_the_system_refuses_a_command(tmp_path, content, said):
    refused = program(tmp_path / "meshbed")
    refused.write_bytes(content)

    with pytest.raises(MeshError, match=said):
        Command(binary=refused)
    done = module("emulate", command=refused)
    assert (done.returncode, said in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def module(*words, command):
    return subprocess.run(
        [sys.executable, "-m", "meshbed", *words], capture_output=True, text=True, env=dict(os.environ, MESHBED=str(command)))


def test_python_m_meshbed_becomes_the_command(tmp_path):
    speaks = program(tmp_path / "speaks", '#!/bin/sh\necho "$#: $1, $2"\ncat\necho "$$" >&2\nexit 7\n')

    with subprocess.Popen([sys.executable, "-m", "meshbed", "emulate", "a b"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env=dict(os.environ, MESHBED=str(speaks))) as process:
        said, errors = process.communicate("what is typed\n")

    assert (said, process.returncode) == ("2: emulate, a b\nwhat is typed\n", 7)
    assert errors == f"{process.pid}\n"


def test_signals_end_the_command_as_if_there_were_no_python(tmp_path):
    waits = program(tmp_path / "waits", "#!/bin/sh\nexec sleep 600\n")
    writes = program(tmp_path / "writes", "#!/bin/sh\nexec cat /dev/zero\n")
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGPIPE:
        command = waits if number != signal.SIGPIPE else writes
        with subprocess.Popen([sys.executable, "-m", "meshbed"], stdout=subprocess.PIPE,
                              env=dict(os.environ, MESHBED=str(command))) as process:
            if number == signal.SIGPIPE:
                # The reader goes, as head does.
                process.stdout.close()
            else:
                wait_for_program(process.pid, b"sleep")
                process.send_signal(number)
            assert process.wait(30) == -number


def wait_for_program(pid, name):
    """Waits until the process has become the program."""
    while not pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().startswith(name):
        os.sched_yield()


def test_python_m_meshbed_without_a_command_says_one_sentence(tmp_path):
    # The package alone, as a source distribution installs it.
    sources = pathlib.Path(search.__file__).parent
    (tmp_path / "meshbed").symlink_to(sources)
    done = subprocess.run(
        [sys.executable, "-c", "import pathlib, runpy, meshbed.search as s; s.CARRIED = pathlib.Path('/none'); "
         "s.__file__ = '/none/search.py'; runpy.run_module('meshbed', run_name='__main__')"],
        capture_output=True, text=True, cwd=tmp_path, env={"PATH": ""})

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("meshbed: the command meshbed is not here: ") and done.stderr.count("\n") == 1


def test_the_script_of_the_package_is_the_same(monkeypatch, tmp_path):
    # As it was installed with the package that is tested here.
    script = pathlib.Path(sysconfig.get_path("scripts"), "meshbed")
    speaks = program(tmp_path / "speaks", '#!/bin/sh\necho "$@"\nexit 3\n')

    done = subprocess.run([script, "--version"], capture_output=True, text=True, env=dict(os.environ, MESHBED=str(speaks)))

    assert (done.stdout, done.returncode) == ("--version\n", 3)
    monkeypatch.delenv("MESHBED", raising=False)
    monkeypatch.setenv("PATH", f"{script.parent}:{program(tmp_path / 'bin/meshbed').parent}")
    monkeypatch.setattr(search, "CARRIED", tmp_path / "none")
    assert find_command() == str(tmp_path / "bin/meshbed")
