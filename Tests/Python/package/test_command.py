"""The command as a child: started, told to end, and ended with its parent."""

import os
import pathlib
import signal
import subprocess
import sys

import pytest

from meshbed import Command, Mesh, MeshError, delivered

FAKE = str(pathlib.Path(__file__).with_name("fake_mesh.py"))


def test_a_mesh_starts_runs_and_ends():
    with Mesh.start("pair", seed=9, endpoints=["alice"], binary=FAKE) as mesh:
        message = mesh["bob"].sends("hi", to=mesh["alice"])
        state = mesh.run_until(delivered(message), within=60)

        assert (state.seed, mesh.command.provenance["seed"]) == ("9", "9")
        assert message.delivered_to() == ["alice"]
        assert mesh.radios["alice"].port == mesh["alice"].radio.port > 0
        assert not mesh.command.errors() or "listening" in mesh.command.errors()
    assert not mesh.command.is_running


def test_a_running_mesh_is_taken_over_and_left_running():
    with Mesh.start("pair", binary=FAKE) as started:
        with Mesh.at(started.command.control) as taken:
            assert tuple(taken["alice"].radio) == tuple(started["alice"].radio)
            with pytest.raises(MeshError, match="rep1 has no TCP endpoint"):
                taken["rep1"].radio
        assert started.command.is_running


def test_a_token_of_the_ready_line_is_used(monkeypatch):
    monkeypatch.setenv("FAKE_TOKEN", "secret")
    with Mesh.start("pair", binary=FAKE) as mesh:
        assert mesh.state().now == 0
        with pytest.raises(MeshError, match="unauthorized"):
            Mesh.at(mesh.command.control)


def test_what_the_command_says_is_in_the_error():
    with pytest.raises(MeshError) as caught:
        Command("nowhere", binary=FAKE)

    assert caught.value.code == "not-started"
    assert "exit 2" in str(caught.value) and "there is no world 'nowhere'" in str(caught.value)


def test_a_command_that_says_nothing_of_use():
    with pytest.raises(MeshError, match="not-started"):
        Command("pair", binary="/bin/echo")


def test_the_end_of_the_process_is_told():
    mesh = Mesh.start("mortal", binary=FAKE)
    mesh.command._process.wait()

    assert not mesh.command.is_running
    with pytest.raises(MeshError, match="no-answer"):
        mesh.state()
    mesh.close()


def test_a_mesh_is_interrupted_as_by_a_user_or_killed():
    interrupted, killed = Command("pair", binary=FAKE), Command("pair", binary=FAKE)

    status = interrupted.interrupt()
    killed.kill()

    # The mesh of these tests has no answer to an interrupt, which is seen in its status.
    assert status not in (0, -signal.SIGKILL)
    assert not interrupted.is_running and not killed.is_running


def test_the_mesh_ends_when_its_parent_is_killed(tmp_path):
    program = (f"from meshbed import Command\nimport time\nc = Command(binary={FAKE!r})\n"
               "print(c._process.pid, flush=True)\ntime.sleep(600)\n")
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    child = int(parent.stdout.readline())
    watch = os.pidfd_open(child)
    parent.send_signal(signal.SIGKILL)
    parent.wait()

    import select
    assert select.select([watch], [], [], 30)[0], "it still runs"
    os.close(watch)
    parent.stdout.close()


def test_time_is_not_asked_for_without_await_in_a_coroutine():
    import asyncio

    async def wrong(mesh):
        mesh.advance(1)

    with Mesh.start("pair", binary=FAKE) as mesh:
        with pytest.raises(MeshError, match="wrong-face"):
            asyncio.run(wrong(mesh))
