"""Both transports against whatever a server may answer."""

import asyncio
import json
import random

import pytest

from meshbed import MeshError
from meshbed import requests, wire
from meshbed.aio.transport import AsyncTransport
from meshbed.sync.transport import Transport
from meshbed.wire import EventReader
from raw_server import RawServer

STATE = {"now": 1.5, "time": "stepped", "isPaused": False, "seed": "7", "digest": "0123456789abcdef", "transmissions": 1,
         "receptions": 2, "drops": 3, "messages": 4, "aLaterMember": {"of": "another version"}}
BODY = json.dumps(STATE).encode()


def answer(body=BODY, status="200 OK", **headers):
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", *(f"{k}: {v}" for k, v in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def sized(body=BODY, status="200 OK"):
    return answer(body, status, **{"Content-Length": len(body)})


def chunked(*chunks, end=b"0\r\n\r\n"):
    body = b"".join(b"%x;name=value\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return answer(body + end, **{"Transfer-Encoding": "chunked"})


def bytewise(text):
    return [text[index:index + 1] for index in range(len(text))]


class Sync:
    def __init__(self, url, token=None):
        self.transport = Transport(url, token, patience=20)

    def ask(self, request):
        return self.transport.ask(request)

    def events(self, count):
        events = self.transport.events()
        return [next(events) for _ in range(count)]

    def close(self):
        self.transport.close()


class Async:
    def __init__(self, url, token=None):
        self.loop = asyncio.new_event_loop()
        self.transport = AsyncTransport(url, token)

    def ask(self, request):
        return self.loop.run_until_complete(asyncio.wait_for(self.transport.ask(request), 20))

    def events(self, count):
        async def take():
            events = await self.transport.events()
            return [await events.__anext__() for _ in range(count)]

        return self.loop.run_until_complete(asyncio.wait_for(take(), 20))

    def close(self):
        self.loop.run_until_complete(self.transport.close())
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()


@pytest.fixture(params=[Sync, Async], ids=["sync", "async"])
def client(request):
    made = []

    def make(server, token=None):
        made.append(request.param(server.url, token))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.mark.parametrize("pieces", [
    [sized()], bytewise(sized()), [answer()], [chunked(BODY)], bytewise(chunked(BODY[:7], BODY[7:])),
    [chunked(BODY, end=b"0\r\nA-Trailer: 1\r\n\r\n")], [sized()[:60], sized()[60:]],
], ids=["sized", "sized bytewise", "to the end", "chunked", "chunked bytewise", "trailer", "split"])
def test_an_answer_is_read_in_whatever_form_it_comes(client, pieces):
    with RawServer(pieces) as server:
        state = client(server).ask(requests.advance(2))

        assert (state.now, state.digest, state.unprompted_inputs) == (1.5, "0123456789abcdef", None)
        head, _, body = server.requests[0].partition(b"\r\n\r\n")
        assert head.startswith(b"POST /advance HTTP/1.1\r\n")
        assert json.loads(body) == {"seconds": 2}


def test_a_big_answer_is_read(client):
    text = b"x" * (8 << 20)
    # The server says that it closes: a client that has read all may otherwise ask before it has done so.
    whole = answer(text, **{"Content-Length": len(text), "Connection": "close"})
    pieces = answer(b"", **{"Transfer-Encoding": "chunked", "Connection": "close"})
    for part in text[:3 << 20], text[3 << 20:], b"":
        pieces += b"%x\r\n%s\r\n" % (len(part), part)
    with RawServer([whole], [pieces]) as server:
        one = client(server)

        assert [len(one.ask(requests.get_trace())) for _ in range(2)] == [8 << 20, 8 << 20]


def test_bytes_are_read_as_they_are(client):
    # No text: neither UTF-8, nor lines that may be ended in another way.
    packed = bytes(range(256)) + b"\r\n\r\n\0\xff"
    with RawServer([sized(packed)]) as server:
        assert client(server).ask(requests.get_packed_trace(3, 5, has_world=False)) == packed

        assert server.requests[0].startswith(b"GET /trace/packed?after=3&limit=5&world=0 HTTP/1.1\r\n")


def test_bytes_that_are_refused(client):
    refusal = json.dumps({"error": {"code": "bad-request", "message": "limit is too large"}}).encode()
    with RawServer([sized(refusal, "400 Bad Request")]) as server:
        with pytest.raises(MeshError, match="limit is too large"):
            client(server).ask(requests.get_packed_trace(limit=65_537))


def test_a_connection_serves_many_requests(client):
    with RawServer(*[[sized()]] * 3, stays=True) as server:
        one = client(server)
        for _ in range(3):
            one.ask(requests.advance(1))

        assert server.connections == 1


def test_a_connection_is_not_used_again_when_the_server_may_hang_up(client, monkeypatch):
    with RawServer(*[[sized()]] * 2, stays=True) as server:
        one = client(server)
        one.ask(requests.advance(1))
        monkeypatch.setattr(wire, "LONGEST_IDLE", 0)
        one.ask(requests.advance(1))

        assert server.connections == 2


def test_a_connection_that_the_server_has_closed_is_not_used_again(client):
    with RawServer([sized()], [sized()]) as server:
        one = client(server)
        one.ask(requests.advance(1))
        server.closed.acquire()
        one.ask(requests.advance(1))

        assert server.connections == 2


def test_a_token_is_shown(client):
    with RawServer([sized()]) as server:
        client(server, token="secret").ask(requests.advance(1))

        assert b"Authorization: Bearer secret\r\n" in server.requests[0]


def test_names_are_quoted(client):
    node = {"name": "a/b", "role": "companion", "publicKey": "", "isUp": True, "hasClient": False, "framesSent": 0,
            "airtimeSeconds": 0}
    with RawServer([sized(json.dumps(node).encode())]) as server:
        assert client(server).ask(requests.get_node("a/b ü")).name == "a/b"

        assert server.requests[0].startswith(b"GET /nodes/a%2Fb%20%C3%BC HTTP/1.1\r\n")


def test_a_refusal_has_code_and_message(client):
    refusal = json.dumps({"error": {"code": "conflict", "message": "alice has no power"}}).encode()
    with RawServer([sized(refusal, "409 Conflict")]) as server:
        with pytest.raises(MeshError) as caught:
            client(server).ask(requests.restart_node("alice"))

    assert (caught.value.code, caught.value.status, caught.value.message) == ("conflict", 409, "alice has no power")
    assert str(caught.value) == "conflict: alice has no power (POST /nodes/alice/restarts)"


@pytest.mark.parametrize("pieces, code", [
    ([], "no-answer"), ([b"HTTP/1.1 200 OK\r\nContent-Le"], None), ([sized()[:-4]], "no-answer"),
    ([chunked(BODY)[:-9]], "no-answer"), ([b"SSH-2.0-OpenSSH_9\r\n\r\n"], None), ([bytes(range(256))], None),
    ([answer(b"{}", **{"Content-Length": "many"})], None), ([answer(b"xyz\r\n", **{"Transfer-Encoding": "chunked"})], None),
    ([sized(b"{}")], "bad-answer"), ([sized(b"[1]")], "bad-answer"), ([sized(b"\xff{")], "bad-answer"),
    ([sized(BODY.replace(b"1.5", b'"soon"'))], "bad-answer"), ([sized(b"<html>", "502 Bad Gateway")], "bad-answer"),
    ([sized(b'{"error": "a text"}', "500 Oh")], "bad-answer"), ([b"HTTP/1.1 200 OK\r\nA: " + b"x" * 200_000], None),
], ids=range(15))
def test_nonsense_is_an_error_of_the_package(client, pieces, code):
    with RawServer(pieces) as server:
        with pytest.raises(MeshError) as caught:
            client(server).ask(requests.advance(1))

    # How http.client sorts what is not HTTP is its own business.
    assert caught.value.code in ([code] if code else ["no-answer", "bad-answer"])


DEEP = b"[" * 100_000 + b"]" * 100_000
HUGE = BODY.replace(b"1.5", b"9" * 400)


@pytest.mark.parametrize("pieces", [
    ["HTTP/1.1 \u00b2\u00b2\u00b2 OK\r\n\r\n".encode("latin-1")],
    [b"HTTP/1.1 200 OK\r\nContent-Length: \xb9\r\n\r\n{"], [b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n{"],
    [sized(DEEP)], [sized(b'{"now": ' + DEEP + b"}")], [sized(HUGE)], [sized(BODY.replace(b"1.5", b"9" * 5000))],
    [sized(DEEP, "500 Oh")], [sized(BODY.replace(b"1.5", b"1e999999").replace(b'"7"', b"7"))],
], ids=range(9))
def test_numbers_and_depths_that_nobody_means_are_errors_of_the_package(client, pieces):
    with RawServer(pieces) as server:
        with pytest.raises(MeshError) as caught:
            client(server).ask(requests.advance(1))

    assert caught.value.code in ["no-answer", "bad-answer"] and len(str(caught.value)) < 500


@pytest.mark.parametrize("seed", range(60))
def test_a_hostile_server_makes_answers_or_errors_of_the_package(client, seed):
    stream = random.Random(seed)
    server = RawServer([damaged(stream, stream.choice([sized(), answer(), chunked(BODY[:9], BODY[9:])]))],
                       [damaged(stream, sized())])
    with server:
        one = client(server)
        for _ in range(2):
            try:
                assert isinstance(one.ask(requests.advance(1)).digest, str)
            except MeshError as error:
                assert error.code in ["no-answer", "bad-answer"] or error.status is not None


@pytest.mark.parametrize("seed", range(25))
def test_hostile_events_are_events_or_errors_of_the_package(client, seed):
    stream = random.Random(seed)
    lines = [b'data: {"t": 1}\n\n', b"data: [1]\n\n", b"data: " + DEEP + b"\n\n", b"data: nonsense\n\n", b": \xff\n", b"\n\n"]
    text = b"".join(b"%x\r\n%s\r\n" % (len(line), line) for line in (stream.choice(lines) for _ in range(8)))
    with RawServer([answer(b"", **{"Transfer-Encoding": "chunked"}), damaged(stream, text)]) as server:
        try:
            assert all(isinstance(event, dict) for event in client(server).events(20))
        except (MeshError, StopIteration, StopAsyncIteration):
            pass
        except RuntimeError as error:
            # A generator ends in a coroutine as this.
            assert "StopAsyncIteration" in str(error) or "StopIteration" in str(error)


def damaged(stream, text):
    """A text with a few bytes changed, left out, doubled or put in."""
    text = bytearray(text)
    for _ in range(stream.randrange(4)):
        place = stream.randrange(len(text)) if text else 0
        how = stream.randrange(6)
        if how == 0:
            text[place:place + 1] = bytes([stream.randrange(256)])
        elif how == 1:
            del text[place:place + stream.randrange(20)]
        elif how == 2:
            text[place:place] = text[place:place + stream.randrange(60)]
        elif how == 3:
            text[place:place] = stream.choice([b"\r\n", b"\n\n", b"9" * 5000, b"\x00", b"\xb2", b"-1", b"1e999", b"{" * 3000])
        elif how == 4:
            del text[place:]
    return bytes(text)


def test_an_event_without_an_end_is_given_up(client):
    head = answer(b"", **{"Transfer-Encoding": "chunked"})
    chunk = b"100000\r\n" + b"x" * (1 << 20) + b"\r\n"
    with RawServer([head, *[chunk] * 20]) as server:
        with pytest.raises(MeshError, match="an event of more than"):
            client(server).events(1)


def test_nobody_listens(client):
    server = RawServer()
    server.close()

    with pytest.raises(MeshError) as caught:
        client(server).ask(requests.advance(1))

    assert caught.value.code == "no-answer"


def test_events_come_as_they_happen(client):
    stream = b": a comment\n\nid: 1\ndata: {\"t\": 1}\n\ndata:{\"t\":\ndata: 2}\r\n\r\n"
    head = answer(b"", **{"Transfer-Encoding": "chunked"})
    chunks = [b"%x\r\n%s\r\n" % (len(piece), piece) for piece in bytewise(stream)]
    with RawServer([head, *chunks]) as server:
        assert client(server).events(2) == [{"t": 1}, {"t": 2}]


def test_events_that_are_refused(client):
    refusal = json.dumps({"error": {"code": "busy", "message": "too many listeners"}}).encode()
    with RawServer([sized(refusal, "503 Busy")]) as server:
        with pytest.raises(MeshError, match="busy"):
            client(server).events(1)


def test_a_cancelled_request_does_not_answer_the_next_one():
    async def run(url):
        transport = AsyncTransport(url)
        request = asyncio.create_task(transport.ask(requests.get_trace()))
        while not server.requests:
            await asyncio.sleep(0.001)
        request.cancel()
        await asyncio.gather(request, return_exceptions=True)
        state = await transport.ask(requests.advance(1))
        await transport.close()
        return state

    with RawServer([], [sized()]) as server:
        assert asyncio.run(run(server.url)).now == 1.5


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_an_event_may_come_in_any_pieces(size):
    text = "data: ünï\n\n:\n\nevent: x\ndata: two\ndata: lines\n\ndata: cut".encode()
    reader = EventReader()

    events = [event for start in range(0, len(text), size) for event in reader.feed(text[start:start + size])]

    assert events == ["ünï", "two\nlines"]
