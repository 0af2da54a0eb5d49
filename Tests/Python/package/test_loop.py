"""The loop of the world's time: timers of clients, and what passes between them and a stand-in for a mesh."""

import asyncio
import threading
import time

import pytest

from meshbed import ConditionNotMet, MeshError, Stuck, delivered
from meshbed.aio import AsyncMesh, WorldLoop, loop as loops
from fake_mesh import World, served

HOUR = 3600


@pytest.fixture
def world():
    return World("pair", 7, ["alice", "bob"])


@pytest.fixture
def run(world):
    """Runs a coroutine function of a mesh in the world's time."""
    server = served(world)

    def perform(function):
        loop = WorldLoop()
        try:
            mesh = AsyncMesh(f"http://127.0.0.1:{server.server_address[1]}")
            loop.attach(mesh)

            async def whole():
                try:
                    return await function(mesh)
                finally:
                    await mesh.close()

            return loop.perform(whole())
        finally:
            loop.finish()

    yield perform
    server.shutdown()
    server.server_close()


async def client(world, node="alice"):
    return await asyncio.open_connection("127.0.0.1", world.listeners[node].getsockname()[1])


async def line(reader):
    return (await reader.readline()).decode().rstrip("\n")


def now():
    return asyncio.get_running_loop().time()


def test_sleep_takes_time_of_the_world_and_none_of_the_clock(run):
    async def hours(mesh):
        await asyncio.sleep(5 * HOUR)
        return now(), (await mesh.state()).now

    start = time.monotonic()
    assert run(hours) == (5 * HOUR, 5 * HOUR)
    assert time.monotonic() - start < HOUR


def test_timers_fire_in_their_order_and_at_their_moment(run):
    async def timers(mesh):
        fired = []

        async def one(seconds):
            await asyncio.sleep(seconds)
            fired.append((seconds, now()))

        await asyncio.gather(one(3), one(0.25), one(60), one(1e-6))
        return fired

    assert run(timers) == [(1e-6, 1e-6), (0.25, 0.25), (3, 3), (60, 60)]


def test_an_answer_takes_no_time_although_a_timer_runs(run, world):
    async def asks(mesh):
        reader, writer = await client(world)
        for number in range(50):
            writer.write(b"echo %d\n" % number)
            assert await asyncio.wait_for(line(reader), 5) == str(number)
        writer.close()
        return now()

    assert run(asks) == 0


def test_a_client_is_told_at_the_moment_of_the_world(run, world):
    async def waits(mesh):
        reader, writer = await client(world)
        writer.write(b"after 12.5 late\n")
        heard = await asyncio.wait_for(line(reader), 100), now()
        writer.close()
        return heard

    assert run(waits) == ("late", 12.5)


def test_a_time_limit_passes_in_time_of_the_world(run, world):
    async def gives_up(mesh):
        reader, writer = await client(world)
        writer.write(b"after 12.5 late\n")
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(line(reader), 10)
        ended = now()
        writer.close()
        return ended

    assert run(gives_up) == 10


def test_what_a_client_does_when_it_is_told_happens_before_time_goes_on(run, world):
    async def chain(mesh):
        reader, writer = await client(world)
        moments = []

        async def reacts():
            for _ in range(3):
                writer.write(b"after 7 next\n")
                await line(reader)
                moments.append(now())

        reacting = asyncio.create_task(reacts())
        state = await mesh.advance(100)
        await reacting
        writer.close()
        return moments, state.now, now()

    assert run(chain) == ([7, 14, 21], 100, 100)


def test_an_advance_stops_for_timers_of_clients(run):
    async def ticks(mesh):
        moments = []

        async def tick():
            while True:
                await asyncio.sleep(2)
                moments.append(now())

        ticking = asyncio.create_task(tick())
        await mesh.advance(7)
        ticking.cancel()
        return moments, now()

    assert run(ticks) == ([2, 4, 6], 7)


def test_clients_have_done_all_when_an_advance_returns(run, world):
    async def counts(mesh):
        reader, writer = await client(world)
        heard = []

        async def listens():
            while word := await line(reader):
                heard.append(word)
                writer.write(b"echo again\n" if word == "tick" else b"")

        listening = asyncio.create_task(listens())
        writer.write(b"every 10 tick\n")
        await mesh.advance(30)
        listening.cancel()
        writer.close()
        return heard

    assert run(counts) == ["tick", "again"] * 3


def test_a_condition_stops_time_between_what_clients_are_told(run, world):
    async def until(mesh):
        reader, writer = await client(world)
        writer.write(b"every 3 tick\n")
        message = await mesh["bob"].sends("hi", to="alice")
        await mesh.advance(1)
        # The stand-in looks at conditions only when something happens.
        state = await mesh.run_until(delivered(message), within=60)
        writer.close()
        return state.now

    assert run(until) == 12


def test_a_condition_that_does_not_come_true_says_how_things_stand(run):
    async def never(mesh):
        message = await mesh["bob"].sends("hi", to="alice")
        with pytest.raises(ConditionNotMet) as caught:
            await mesh.run_until(delivered(message), within=5)
        return str(caught.value), caught.value.state.now, isinstance(caught.value, AssertionError)

    text, at, is_assertion = run(never)
    assert (at, is_assertion) == (5, True)
    assert "delivered(message=1) did not come true in 5 s of the world" in text
    assert "message 1 of bob to alice: on its way, delivered to nobody" in text
    assert "meshbed mesh why TRACE 1" in text


def test_waiting_for_nothing_ends(run, world):
    async def waits(mesh):
        reader, writer = await client(world)
        await line(reader)

    with pytest.raises(Stuck, match="no client was told anything in 3600 s"):
        run(waits)


def test_time_goes_on_after_a_snapshot_was_restored(run):
    async def back(mesh):
        await mesh.advance(10)
        await mesh.snapshot("ten")
        await mesh.advance(50)
        assert (await mesh.restore("ten")).now == 10
        state = await mesh.advance(5)
        return state.now, now()

    assert run(back) == (15, 65)


def test_a_client_that_is_hung_up_on_learns_it_at_once(run, world):
    async def ends(mesh):
        reader, writer = await client(world)
        writer.write(b"echo here\n")
        assert await line(reader) == "here"
        await mesh["alice"].hangs_up()
        assert await asyncio.wait_for(reader.read(), 5) == b""
        writer.close()
        return now()

    assert run(ends) == 0


def test_a_thread_is_waited_for_by_the_clock(run):
    async def threads(mesh):
        done = threading.Event()

        def work():
            time.sleep(0.05)
            done.set()

        await asyncio.wait_for(asyncio.to_thread(work), 1)
        return now(), done.is_set()

    assert run(threads) == (0, True)


def test_the_calendar_tells_the_time_of_the_world(run):
    async def dates(mesh):
        with asyncio.get_running_loop().calendar(1000):
            await asyncio.sleep(30)
            return time.time()

    clock = time.time
    assert run(dates) == 1030
    assert time.time is clock


def test_a_request_waits_for_what_the_loop_has_asked(run, monkeypatch):
    order = []

    async def asks(mesh):
        loop, woken, ask = asyncio.get_running_loop(), asyncio.Event(), mesh._transport._ask

        async def noted(request):
            order.append(str(request))
            if "advance" in str(request):
                woken.set()
            answer = await ask(request)
            order.append("answered")
            return answer

        monkeypatch.setattr(mesh._transport, "_ask", noted)
        await woken.wait()
        await mesh.state()
        assert loop.time() == 0

    run(asks)
    assert order[:4] == ["POST /advance", "answered", "GET /world", "answered"]


def test_what_a_task_writes_at_this_moment_is_in_the_world_before_a_request(run, world):
    async def writes(mesh):
        heard = []
        for _ in range(20):
            reader, writer = await client(world)

            async def asks():
                writer.write(b"echo here\n")
                return await reader.read(1000)

            asking = asyncio.create_task(asks())
            await mesh["alice"].hangs_up()
            heard.append(await asking)
            writer.close()
        return heard

    assert run(writes) == [b"here\n"] * 20


def test_requests_of_several_tasks_come_in_the_order_in_which_they_are_made(run):
    async def sends(mesh):
        texts = [str(number) for number in range(40)]
        await asyncio.gather(*(mesh["bob"].sends(text, to="alice") for text in texts))
        return [message.text for message in await mesh.messages()][-40:] == texts

    assert all(run(sends) for _ in range(5))


def test_a_request_does_not_wait_for_ever_for_a_task_that_never_waits(run):
    async def spins(mesh):
        asking = asyncio.create_task(mesh.state())
        while not asking.done():
            await asyncio.sleep(0)
        return asking.result().now

    assert run(spins) == 0


def test_a_request_that_is_given_up_makes_room_for_the_next(run):
    async def gives_up(mesh):
        asking = [asyncio.create_task(mesh.state()) for _ in range(4)]
        await asyncio.sleep(0)
        for one in asking[:3]:
            one.cancel()
        return (await asking[3]).now, (await mesh.state()).now

    assert run(gives_up) == (0, 0)


def test_what_comes_at_one_moment_comes_together(run, world):
    async def hears(mesh):
        reader, writer = await client(world)
        writer.write(b"apart one two three\n")
        heard = await reader.read(1000)
        writer.close()
        return heard, now()

    assert run(hears) == (b"one\ntwo\nthree\n", 0)


def test_a_look_that_comes_too_early_is_repeated(run, world, monkeypatch):
    looks, look = [], loops._Watched._await_others

    def early(watched, timeout):
        looks.append(timeout)
        if len(looks) % 4 == 0:
            look(watched, timeout)

    async def is_told(mesh):
        reader, writer = await client(world)
        writer.write(b"after 2.5 told\n")
        assert await line(reader) == "told"
        writer.close()
        return now()

    monkeypatch.setattr(loops._Watched, "_await_others", early)
    assert run(is_told) == 2.5
    assert len(looks) > 1


def test_the_number_of_a_forgotten_connection_is_no_longer_the_meshs(run):
    async def forgets(mesh):
        loop = asyncio.get_running_loop()
        await mesh.state()
        own = mesh._transport._free.pop()
        number = own.writer.get_extra_info("socket").fileno()
        assert loop._is_own(number)
        # As when the loop hears that the mesh has hung up: nobody closes it.
        own.writer.transport.abort()
        assert not loop._is_own(number)

    run(forgets)


def test_the_end_of_the_mesh_ends_what_waits(run, world):
    async def waits(mesh):
        url = mesh._transport.url
        other = AsyncMesh(url.replace(url.rsplit(":", 1)[1], "1"))
        asyncio.get_running_loop().attach(other)
        await asyncio.sleep(10)

    with pytest.raises(MeshError, match="no-answer"):
        run(waits)


def test_the_same_requests_and_the_same_client_give_the_same_run(world):
    async def session(mesh, world):
        reader, writer = await client(world)
        writer.write(b"every 3 tick\n")
        for _ in range(5):
            await line(reader)
            writer.write(b"after 0.5 half\n")
            await mesh.advance(1.25)
            await line(reader)
        writer.close()
        return (await mesh.state()).digest

    digests = set()
    for _ in range(10):
        world = World("pair", 7, ["alice"])
        server = served(world)
        loop = WorldLoop()
        mesh = AsyncMesh(f"http://127.0.0.1:{server.server_address[1]}")
        loop.attach(mesh)
        digests.add(loop.perform(session(mesh, world)))
        loop.perform(mesh.close())
        loop.finish()
        server.shutdown()
        server.server_close()
    assert len(digests) == 1
