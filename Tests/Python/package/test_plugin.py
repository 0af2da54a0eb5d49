"""The pytest plugin, in test runs of their own on a stand-in for the mesh."""

import pathlib
import re

import pytest

FAKE = str(pathlib.Path(__file__).with_name("fake_mesh.py"))


@pytest.fixture
def run(pytester):
    """Runs the tests of a text; the plugin is there as for everybody who has installed the package."""
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function\n")

    def perform(text, *options):
        pytester.makepyfile(text)
        return pytester.runpytest_subprocess(f"--mesh-binary={FAKE}", "-p", "no:cacheprovider", "-rA", *options)

    return perform


def test_tests_start_from_the_same_snapshot_in_one_process(run):
    result = run("""
        import pytest
        processes = set()

        def prepare(mesh):
            mesh.advance(5)

        @pytest.mark.parametrize("number", range(5))
        def test_alone(mesh, number):
            processes.add(mesh.command._process.pid)
            assert mesh.state().now == 0
            mesh.advance(number + 1)

        @pytest.mark.mesh(prepare=prepare)
        @pytest.mark.parametrize("number", range(5))
        def test_prepared(mesh, number):
            processes.add(mesh.command._process.pid)
            assert mesh.state().now == 5
            mesh.advance(number + 1)

        def test_one_process():
            assert len(processes) == 1
    """)
    result.assert_outcomes(passed=11)


def test_another_world_seed_or_wish_has_a_process_of_its_own(run):
    result = run("""
        import pytest
        processes = []

        @pytest.mark.mesh(world="grid:2x2")
        def test_world(mesh):
            assert mesh.world().name == "grid:2x2"
            processes.append(mesh.command._process.pid)

        @pytest.mark.mesh(seed=9)
        def test_seed(mesh):
            assert mesh.state().seed == "9"
            processes.append(mesh.command._process.pid)

        @pytest.mark.mesh(endpoints=["alice", "bob"])
        def test_endpoints(mesh, radio, radios):
            assert set(radios) == {"alice", "bob"} and radio == radios["alice"]
            processes.append(mesh.command._process.pid)

        @pytest.mark.mesh(fresh=True)
        @pytest.mark.parametrize("number", range(2))
        def test_fresh(mesh, number):
            processes.append(mesh.command._process.pid)

        def test_all_differ():
            assert len(set(processes)) == 5
    """)
    result.assert_outcomes(passed=6)


def test_markers_of_a_module_and_a_test_add_up(run):
    result = run("""
        import pytest
        pytestmark = pytest.mark.mesh(world="grid:2x2", seed=3)

        @pytest.mark.mesh(seed=4)
        def test_both(mesh):
            assert (mesh.world().name, mesh.state().seed) == ("grid:2x2", "4")
    """)
    result.assert_outcomes(passed=1)


def test_the_seed_of_the_command_line_comes_first(run):
    result = run("""
        import pytest

        @pytest.mark.mesh(seed=4)
        def test_seed(mesh):
            assert mesh.state().seed == "11"
    """, "--mesh-seed", "11")
    result.assert_outcomes(passed=1)


def test_coroutines_run_in_the_world_s_time_without_another_plugin(run):
    result = run("""
        import asyncio
        import pytest

        @pytest.fixture
        async def client(radio):
            reader, writer = await asyncio.open_connection(*radio)
            yield reader, writer
            writer.close()

        @pytest.fixture
        async def before(amesh):
            await amesh.advance(1)
            return "before"

        async def test_waits(amesh, client, before):
            reader, writer = client
            writer.write(b"after 30 late\\n")
            await asyncio.sleep(10)
            assert await asyncio.wait_for(reader.readline(), 60) == b"late\\n"
            assert (await amesh.state()).now == 31
            assert before == "before"

        class TestClass:
            @pytest.fixture
            async def mine(self):
                yield 5

            async def test_method(self, mine, mesh):
                assert mine == 5

        @pytest.mark.mesh
        async def test_only_marked():
            await asyncio.sleep(3600)
    """, "-p", "no:asyncio", "-p", "no:anyio")
    result.assert_outcomes(passed=3)


def test_where_pytest_asyncio_takes_all_coroutines_those_with_a_mesh_run_in_the_world_s_time(run):
    result = run("""
        import asyncio
        import pytest
        import pytest_asyncio
        from meshbed.aio import WorldLoop

        def loop():
            return isinstance(asyncio.get_running_loop(), WorldLoop)

        @pytest.fixture
        async def client(radio):
            assert loop()
            reader, writer = await asyncio.open_connection(*radio)
            yield reader, writer
            writer.close()

        @pytest_asyncio.fixture
        async def told(client):
            assert loop()
            return client[0]

        @pytest.mark.parametrize("number", [1, 2])
        async def test_by_fixture(amesh, client, told, number):
            client[1].write(b"after 30 late\\n")
            assert await asyncio.wait_for(told.readline(), 60) == b"late\\n"
            assert loop() and (await amesh.state()).now == 30

        class TestClass:
            @pytest.mark.mesh
            async def test_by_mark(self):
                await asyncio.sleep(3600)
                assert loop()

        async def test_of_others():
            assert not loop()

        @pytest.mark.asyncio
        async def test_marked_by_the_author(amesh):
            assert not loop()
    """, "--asyncio-mode=auto", "-W", "error")
    result.assert_outcomes(passed=5)


@pytest.mark.parametrize("mark, options", [
    ("@pytest.mark.asyncio", []), ("@pytest.mark.anyio", []), ("@pytest.mark.asyncio", ["--asyncio-mode=auto"]),
], ids=["asyncio", "anyio", "asyncio auto"])
def test_coroutines_of_other_plugins_are_left_to_them(run, mark, options):
    result = run(f"""
        import asyncio
        import pytest
        from meshbed.aio import WorldLoop

        @pytest.fixture
        def anyio_backend():
            return "asyncio"

        {mark}
        async def test_theirs(amesh, radio):
            assert not isinstance(asyncio.get_running_loop(), WorldLoop)
            reader, writer = await asyncio.open_connection(*radio)
            writer.write(b"after 30 late\\n")
            writer.write(b"echo now\\n")
            assert await reader.readline() == b"now\\n"
            assert (await amesh.advance(40)).now == 40
            assert await reader.readline() == b"late\\n"
            writer.close()
    """, "-W", "error", *options)
    result.assert_outcomes(passed=1)


def test_coroutines_without_a_mesh_are_nobody_s_business(run):
    result = run("""
        async def test_nobody_runs_this():
            pass
    """, "-p", "no:asyncio", "-p", "no:anyio")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*async def functions are not natively supported*"])


def test_waiting_for_what_cannot_come_fails_where_it_waits(run):
    result = run("""
        import asyncio

        async def test_hangs(amesh, radio):
            reader, writer = await asyncio.open_connection(*radio)
            await reader.readline()  # here
    """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*await reader.readline()  # here*", "*Stuck: stuck: a coroutine waits*"])


FAILING = """
    import asyncio
    import pytest
    from meshbed import delivered

    pytestmark = pytest.mark.mesh(seed=5)

    async def test_late(amesh):
        message = await amesh["bob"].sends("hi", to="alice")
        await amesh.run_until(delivered(message), within=3)
"""


def test_a_failure_tells_of_its_run(run, pytester):
    result = run(FAILING)

    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    lines = text[text.index("- meshbed -"):].splitlines()[1:]
    assert lines[0] == "meshbed 0.0.0-fake: world pair, seed 5"
    assert lines[1] == "time stepped; air chip; all quirks"
    assert lines[2] == "reproducible if clients only answer"
    assert re.fullmatch(r"now 3 s, digest [0-9a-f]{16}: 1 transmissions, 0 receptions, 0 drops, 1 messages", lines[3])
    assert lines[4] == "again: pytest test_a_failure_tells_of_its_run.py::test_late --mesh-seed 5"
    trace = ".meshbed/test_a_failure_tells_of_its_run.py-test_late/trace.ndjson"
    assert lines[5] == f"trace: {trace}"
    assert lines[6] == f"  message 1, bob to alice, on its way, delivered to nobody: meshbed mesh why {trace} 1"
    assert lines[7].startswith("smaller: ") and lines[7].endswith("--mesh-without rep1")
    assert '"meshbed trace 1"' in (pytester.path / trace).read_text()
    assert '"seed": 5' in (pytester.path / trace).with_name("run.json").read_text()


def test_a_failure_names_both_frames_of_what_was_lost_and_the_lost_acknowledgement_by_itself(run):
    text = run(FAILING.replace('"hi"', '"lost 23"')).stdout.str()

    lines = text[text.index("- meshbed -"):].splitlines()
    place = next(place for place, line in enumerate(lines) if line.startswith("  message 1, bob to alice"))
    told = "0 s: alice's ack #1 of message 1 lost at bob: collision with rep1's advert #2"
    assert lines[place + 1] == f"    {told}"
    place = lines.index("lost on the air, the latest 20 of 23; mesh.drops() has all:")
    assert lines[place + 1] == "  0 s: alice's ack #7 of message 1 lost at bob: collision with rep1's advert #8"
    assert lines[place + 20] == "  0 s: alice's ack #45 of message 1 lost at bob: collision with rep1's advert #46"
    assert lines[place + 21].startswith("smaller: ")
    # The line of the test tells it too.
    assert "  0 s: alice's ack #45 of message 1" in text[:text.index("- meshbed -")]


def test_a_failure_is_told_where_its_files_have_no_place(run, pytester):
    # A folder that nobody can make, not even root.
    pytester.makefile(".txt", taken="a file")
    text = run(FAILING.replace('"hi"', '"lost 3"'), "--mesh-artifacts", "taken.txt/here").stdout.str()

    assert "INTERNALERROR" not in text and "1 failed" in text
    lines = text[text.index("- meshbed -"):].splitlines()
    place = next(place for place, line in enumerate(lines) if line.startswith("the trace could not be kept: "))
    assert "Not a directory: taken.txt/here/" in lines[place]
    assert lines[place + 1] == "  message 1, bob to alice, on its way, delivered to nobody"
    assert any(line.startswith("  0 s: alice's ack #1 of message 1 lost") for line in lines)


def test_a_mesh_whose_files_have_no_place_is_told(run, pytester):
    pytester.makefile(".txt", taken="a file")
    result = run("""
        import pytest

        @pytest.mark.mesh(options=["--trace", "run.ndjson"])
        def test_writes(mesh):
            pass
    """, "--mesh-artifacts", "taken.txt/here")

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["there is no mesh: its files have no place: *Not a directory*"])


def test_a_failure_without_losses_does_not_talk_of_any(run):
    assert "lost on the air" not in run(FAILING).stdout.str()


def test_the_command_of_a_failure_repeats_it(run, pytester):
    first = run(FAILING).stdout.str()
    again = pytester.runpytest_subprocess(
        f"--mesh-binary={FAKE}", "test_the_command_of_a_failure_repeats_it.py::test_late", "--mesh-seed", "5").stdout.str()

    def digest(text):
        return re.search(r"digest ([0-9a-f]{16}):", text)[1]

    assert digest(first) == digest(again)


def test_nodes_can_be_left_out(run):
    result = run(FAILING, "--mesh-without", "rep1,nobody,alice", "--mesh-artifacts", "kept")
    text = result.stdout.str()

    assert "\nwithout rep1\n" in text
    assert "--mesh-without rep1,nobody,alice" in text
    assert "trace: kept/test_nodes_can_be_left_out.py-test_late/trace.ndjson" in text


def test_traces_of_an_earlier_failure_do_not_stay(run, pytester):
    run(FAILING)
    run(FAILING.replace("within=3", "within=30"))

    assert list(pytester.path.glob(".meshbed/*")) == []


def test_the_end_of_the_process_is_told_in_the_report(run):
    result = run("""
        import pytest

        @pytest.mark.parametrize("number", range(2))
        def test_dies(mesh, number):
            if number == 0:
                mesh.command._process.kill()
                mesh.command._process.wait()
            mesh.state()
    """)
    result.assert_outcomes(passed=1, failed=1)
    text = result.stdout.str()
    assert "the mesh tells no more: no-answer" in text and "its process has ended; it said:\nlistening" in text


def test_a_mesh_that_does_not_start_fails_the_test_with_what_was_said(run):
    result = run("""
        import pytest

        @pytest.mark.mesh(world="nowhere")
        def test_none(mesh):
            pass
    """)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*there is no world 'nowhere'*"])


def test_a_marker_that_is_not_understood(run):
    result = run("""
        import pytest

        @pytest.mark.mesh(worlds="pair")
        def test_none(mesh):
            pass
    """)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*the marker mesh has no worlds; it has endpoints, fresh*"])


def test_a_world_file_beside_the_test_is_found(run, pytester):
    (pytester.path / "valley.json").write_text("{}")
    result = run("""
        import pathlib
        import pytest

        @pytest.mark.mesh(world="valley.json")
        def test_file(mesh):
            assert mesh.world().name == str(pathlib.Path(__file__).with_name("valley.json"))
    """)
    result.assert_outcomes(passed=1)


def test_the_calendar_follows_the_world(run):
    result = run("""
        import asyncio
        import time

        async def test_calendar(amesh, mesh_calendar):
            assert time.time() == mesh_calendar
            await asyncio.sleep(86400)
            assert time.time() == mesh_calendar + 86400
    """)
    result.assert_outcomes(passed=1)


def test_seed_and_digest_are_in_the_junit_file(run, pytester):
    run("""
        def test_one(mesh):
            mesh["bob"].sends("hi", to="alice")
    """, "--junitxml", "junit.xml")

    assert re.search(r'<property name="mesh.seed" value="7" ?/>\s*<property name="mesh.digest" value="[0-9a-f]{16}" ?/>',
                     (pytester.path / "junit.xml").read_text())


@pytest.mark.parametrize("option", ["--link=ble", "--trace=run.ndjson", "--record=run.mcr", "--state=radios"])
def test_a_world_with_a_link_or_files_goes_back(run, option):
    result = run(f"""
        import pytest
        processes = set()

        def prepare(mesh):
            mesh.advance(5)

        pytestmark = pytest.mark.mesh(options=["{option}"], prepare=prepare)

        @pytest.mark.parametrize("number", range(3))
        def test_prepared(mesh, number):
            processes.add(mesh.command._process.pid)
            assert mesh.state().now == 5
            mesh.advance(number + 1)

        def test_all_had_the_same():
            assert len(processes) == 1
    """)
    result.assert_outcomes(passed=4)
    assert not [line for line in result.outlines if "does not go back" in line]


def test_a_world_that_cannot_go_back_is_started_for_each_test(run, pytester):
    result = run("""
        import pathlib
        import pytest
        processes, folders = set(), set()

        def prepare(mesh):
            mesh.advance(5)

        pytestmark = pytest.mark.mesh(world="foreign", options=["--trace", "run.ndjson"], prepare=prepare)

        @pytest.mark.parametrize("number", range(3))
        def test_prepared(mesh, number):
            processes.add(mesh.command._process.pid)
            words = mesh.command.words
            folders.add(pathlib.Path(words[words.index("--trace") + 1]).parent.name)
            assert mesh.state().now == 5
            mesh.advance(number + 1)

        def test_each_had_its_own():
            assert len(processes) == 3
            assert len(folders) == 3 and all("test_prepared-" in folder for folder in folders)
    """)
    result.assert_outcomes(passed=4)
    told = [line for line in result.outlines if "does not go back" in line]
    assert told == ['meshbed: a process for each test, because node "rep1" lives in another program, which does not go back']
    assert not list((pytester.path / ".meshbed").glob("mesh-*"))


def test_a_world_that_goes_back_is_not_talked_of(run):
    assert "a process for each test" not in run("def test_one(mesh): pass").stdout.str()


def test_files_of_a_fresh_process_are_in_the_folder_of_the_test(run, pytester):
    (pytester.path / "radios" / "alice").mkdir(parents=True)
    (pytester.path / "radios" / "alice" / "name").write_text("kept")
    result = run("""
        import pathlib
        import pytest

        @pytest.mark.mesh(fresh=True, options=["--trace", "a/run.ndjson", "--record=/nowhere/run.mcr", "--state", "radios", "--quiet", "1ms"])
        @pytest.mark.parametrize("number", range(2))
        def test_files(mesh, number):
            own = pathlib.Path(f".meshbed/test_files_of_a_fresh_process_are_in_the_folder_of_the_test.py-test_files-{number}").resolve()
            words = mesh.command.words
            assert words[words.index("--trace") + 1] == str(own / "run.ndjson")
            assert words[words.index("--record") + 1] == "/nowhere/run.mcr"
            assert words[words.index("--quiet") + 1] == "1ms"
            state = pathlib.Path(words[words.index("--state") + 1])
            assert state == own / "radios"
            assert (state / "alice" / "name").read_text() == "kept"
            (state / "alice" / "name").write_text("changed")
    """)
    result.assert_outcomes(passed=2)
    assert (pytester.path / "radios" / "alice" / "name").read_text() == "kept"


def test_files_of_a_shared_process_are_in_a_folder_of_its_own(run, pytester):
    (pytester.path / "radios").mkdir()
    (pytester.path / "radios" / "name").write_text("kept")
    (pytester.path / ".meshbed" / "mesh-1-pair-7").mkdir(parents=True)
    (pytester.path / ".meshbed" / "mesh-1-pair-7" / "old").write_text("of an earlier session")
    result = run("""
        import pathlib
        import pytest

        own = pathlib.Path(".meshbed").resolve()

        def file(mesh, option):
            words = mesh.command.words
            return pathlib.Path(words[words.index(option) + 1])

        @pytest.mark.mesh(options=["--trace", "run.ndjson", "--state", "radios"])
        @pytest.mark.parametrize("number", range(2))
        def test_shared(mesh, number):
            assert file(mesh, "--trace") == own / "mesh-1-pair-7" / "run.ndjson"
            state = file(mesh, "--state")
            assert state == own / "mesh-1-pair-7" / "radios"
            # A fresh copy for the process, not for each test.
            assert (state / "name").read_text() == ("kept" if number == 0 else "changed")
            (state / "name").write_text("changed")

        @pytest.mark.mesh(seed=8, options=["--trace", "run.ndjson"])
        def test_another(mesh):
            assert file(mesh, "--trace") == own / "mesh-2-pair-8" / "run.ndjson"
    """)
    result.assert_outcomes(passed=3)
    assert (pytester.path / "radios" / "name").read_text() == "kept"
    assert not (pytester.path / ".meshbed" / "mesh-1-pair-7" / "old").exists()


def test_a_coroutine_may_prepare_the_mesh(run):
    result = run("""
        import asyncio
        import pytest

        async def prepare(amesh):
            await asyncio.sleep(4)
            await amesh["bob"].sends("hi", to="alice")

        @pytest.mark.mesh(prepare=prepare)
        @pytest.mark.parametrize("number", range(2))
        def test_prepared(mesh, number):
            assert (mesh.state().now, len(mesh.messages())) == (4, 1)
    """)
    result.assert_outcomes(passed=2)


def test_a_test_whose_fault_never_took_effect_is_invalid(run, pytester):
    result = run("""
        import pytest
        from meshbed import InvalidRun

        def test_fires(mesh):
            fault = mesh.loses()
            mesh["alice"].sends("hi", to="bob")
            assert fault.effect().times == 1 and str(fault.effect()) == "loss: 1 times, 1 frames, 10 bytes at alice"

        def test_never_fires(mesh):
            mesh.partition("bob")

        async def test_never_fires_either(amesh):
            await amesh.fault({"kind": "crash", "node": "bob"})

        def test_may_not_fire(mesh):
            mesh.loses(may_not_fire=True)
            mesh.check_faults()

        def test_names_it(mesh):
            mesh.loses()
            with pytest.raises(InvalidRun, match="loss: it never took effect"):
                mesh.check_faults()
            mesh["alice"].sends("hi", to="bob")

        def test_failed_already(mesh):
            mesh.loses()
            assert False
    """, "--junitxml=junit.xml")

    result.assert_outcomes(passed=5, failed=1, errors=2)
    result.stdout.fnmatch_lines_random(["*invalid: partition: it never took effect*", "*invalid: crash: it never took effect*"])
    assert (pytester.path / "junit.xml").read_text().count("mesh.invalid") == 2
