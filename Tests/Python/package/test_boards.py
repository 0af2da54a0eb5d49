"""The pytest plugin on real radios, in test runs of their own on a stand-in for the command that holds boards."""

import pathlib

import pytest

LAB = str(pathlib.Path(__file__).with_name("fake_lab.py"))
MESH = str(pathlib.Path(__file__).with_name("fake_mesh.py"))

# A client that says a line to a radio and returns its answer, and tests that run on both.
TEXT = """
    import socket
    import pytest

    def said(radio, line):
        with socket.create_connection(tuple(radio)) as link, link.makefile("rw") as file:
            file.write(line + "\\n")
            file.flush()
            return file.readline().strip()
"""


@pytest.fixture
def run(pytester, monkeypatch):
    log = pytester.path / "requests.log"
    monkeypatch.setenv("FAKE_LAB_LOG", str(log))
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")

    def perform(text, *options, binary=LAB):
        import textwrap

        pytester.makepyfile(textwrap.dedent(TEXT) + textwrap.dedent(text))
        result = pytester.runpytest_subprocess(f"--mesh-binary={binary}", "-p", "no:cacheprovider", "-rA", *options)
        result.requests = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return result

    return perform


def test_a_radio_is_put_back_after_each_test(run):
    result = run("""
        @pytest.mark.parametrize("number", range(3))
        def test_name(radio, number):
            assert said(radio, "") == "heltec"
            assert said(radio, f"name {number}") == f"name {number}"
    """, "--meshbed-radio", "heltec", "--meshbed-bench", "lab.json")
    result.assert_outcomes(passed=3)
    assert result.requests == ["hold heltec lab.json", "restore", "restore", "restore", "end"]


def test_coroutines_run_on_a_real_loop(run):
    result = run("""
        import asyncio

        async def test_name(radio):
            reader, writer = await asyncio.open_connection(*radio)
            writer.write(b"\\n")
            assert await reader.readline() == b"heltec\\n"
            writer.close()
    """, "--meshbed-radio", "heltec")
    result.assert_outcomes(passed=1)


NEEDS = """
    @pytest.mark.mesh_needs("power")
    def test_power(radio, board):
        board.cycle()

    @pytest.mark.mesh_needs("board", "reset")
    def test_reset(board):
        board.reset()

    @pytest.mark.mesh_needs("second radio")
    @pytest.mark.mesh(endpoints=["alice", "bob"])
    def test_two(radios):
        assert sorted(radios) == ["alice", "bob"]

    @pytest.mark.mesh_needs("time")
    def test_time(mesh):
        mesh.advance(1)

    def test_mesh(mesh):
        mesh.advance(1)

    @pytest.mark.mesh(endpoints=["alice", "bob"])
    def test_two_names(radios):
        assert len(radios) == 2
"""


def test_a_test_is_skipped_with_the_reason_when_the_radio_has_not_what_it_needs(run):
    result = run(NEEDS, "--meshbed-radio", "bare")
    result.assert_outcomes(skipped=6)
    result.stdout.fnmatch_lines_random([
        "*needs control over the power, which bare has not",
        "*needs a line that restarts the radio, which bare has not",
        "*needs a second radio, which bare has not",
        "*needs control over time, which bare has not",
        "*needs the mesh itself (nodes, air, time), which a real radio has not",
        "*needs 2 radios, and --meshbed-radio names 1",
    ])


def test_two_radios_have_what_both_have(run):
    result = run(NEEDS, "--meshbed-radio", "heltec", "--meshbed-radio", "shelf")
    result.assert_outcomes(passed=4, skipped=2)
    assert "power heltec cycle" in result.requests
    assert "reset heltec" in result.requests


def test_the_emulator_has_all_but_a_real_board(run):
    result = run("""
        @pytest.mark.mesh_needs("board")
        def test_board(radio):
            pass

        @pytest.mark.mesh_needs("power", "second radio", "time", "air", "mesh", "erase", "clock", "transmit", "reset")
        def test_all(radio):
            pass
    """, binary=MESH)
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["*needs a real radio, which an emulated one has not"])


def test_a_need_that_does_not_exist_is_an_error(run):
    result = run("""
        @pytest.mark.mesh_needs("sunshine")
        def test_x(radio):
            pass
    """, "--meshbed-radio", "heltec")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*no test can need 'sunshine'; there are mesh, air, time, *"])


def test_a_board_that_is_not_there_skips_where_that_is_allowed(run):
    tests = "def test_x(radio): pass\ndef test_y(): pass\n"
    allowed = run(tests, "--meshbed-radio", "away", "--meshbed-allow-missing")
    allowed.assert_outcomes(passed=1, skipped=1)
    allowed.stdout.fnmatch_lines(['*no board: meshbed lab hold: radio "away" is not there: no such line'])
    assert allowed.ret == 0

    refused = run(tests, "--meshbed-radio", "away")
    assert refused.ret == 2
    refused.stdout.fnmatch_lines(['*the boards cannot be used: meshbed lab hold: radio "away" is not there: no such line*'])


def test_a_board_in_use_ends_the_session_with_its_user(run):
    result = run("def test_x(radio): pass\n", "--meshbed-radio", "busy", "--meshbed-allow-missing")
    assert result.ret == 2
    result.stdout.fnmatch_lines(["*is in use by ann: meshbed comply, process 7*"])


def test_a_board_that_is_not_put_back_is_told(run):
    result = run("def test_x(radio): pass\n", "--meshbed-radio", "stubborn")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*the name is not put back*"])


def test_a_power_command_that_fails_fails_the_test(run):
    result = run("""
        def test_x(radio, board):
            board._boards.power("heltec", "up")
    """, "--meshbed-radio", "heltec")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*refused: up is no verb*"])
