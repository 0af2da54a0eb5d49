"""Hostile clients at the control API, with plain sockets: refused or served in order, bounded memory, never a stopped world.

    python Tests/Control/hostile.py [--meshbed PATH | --address URL] [--only TEXT]

Ends with a line "N passed, N failed", and with 0 only when nothing failed and something passed.
"""

import argparse
import asyncio
import json
import resource
import socket
import struct
import sys
import traceback

from product import Product, add_options

# What a crowd may make the program keep, beside what the world itself needs.
MEMORY = 200 << 20
CODES = {400: "bad-request", 403: "forbidden", 404: "not-found", 405: "not-allowed", 413: "too-large", 503: "busy"}


class Client:
    """One connection, on which requests follow each other."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, product):
        return cls(*await asyncio.open_connection(product.host, product.port))

    async def send(self, method, path, body=b"", fields=()):
        """A request; a body that is no bytes is written as JSON."""
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        head = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}", *fields, "", ""]
        self.writer.write("\r\n".join(head).encode() + body)
        await self.writer.drain()

    async def answer(self):
        """Status and JSON of the next answer."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        body = await self.reader.readexactly(int(fields["content-length"]))
        return int(head[0].split()[1]), json.loads(body)

    async def ask(self, method, path, body=b"", fields=()):
        await self.send(method, path, body, fields)
        return await self.answer()

    async def leave(self, abruptly=False):
        """Closes the connection, or resets it; it is gone then."""
        if abruptly:
            self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.writer.transport.abort()
        else:
            self.writer.close()
        try:
            await self.writer.wait_closed()
        except OSError:
            pass


def is_refusal(status, body):
    """Tells whether an answer is a refusal as the document describes it."""
    return (set(body) == {"error"} and set(body["error"]) == {"code", "message"} and body["error"]["message"]
            and body["error"]["code"] == CODES.get(status, body["error"]["code"]))


def elapsed(product, start):
    """Seconds of the world since a moment, to the millisecond: moments are no whole seconds, and a sum of them is rounded."""
    return round(product.now() - start, 3)


async def malformed_json(product):
    """JSON that is none, of the wrong shape or with members that nobody knows is refused, and changes nothing"""
    client, before = await Client.open(product), product.now()
    deep = b"[" * 30_000 + b"]" * 30_000
    for body in [b"", b"{", b"nonsense", b"[]", b"7", b'"seconds"', b"null", b'{"seconds":}', b'{"seconds":1', b'{"seconds":1}}',
                 b'{"seconds":"1"}', b'{"seconds":null}', b'{"seconds":[1]}', b'{"seconds":-1}', b'{"seconds":1e999}',
                 b'{"seconds":NaN}', b'{"seconds":86401}', b'{"seconds":1,"more":2}', b'{"Seconds":1}', b"{}",
                 b'{"seconds":\xff}', b'\xff\xfe{}', b'{"seconds":' + deep + b"}", deep, b'{"a":' * 8000, b"\x00" * 1000]:
        status, answer = await client.ask("POST", "/advance", body)
        assert status == 400 and is_refusal(status, answer), (body[:60], status, answer)
    assert product.now() == before
    await client.leave()


async def malformed_requests(product):
    """Bytes that are no request, wrong methods, hosts, origins and paths get a refusal in JSON"""
    for text, wanted in [(b"nonsense\r\n\r\n", 400), (b"GET / HTTP/9.9\r\n\r\n", 400), (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),
                         (b"GET /world HTTP/1.1\r\nHost: attacker.example\r\n\r\n", 403), (b"GET /world HTTP/1.1\r\n\r\n", 403),
                         (b"POST /pause HTTP/1.1\r\nHost: localhost\r\nOrigin: http://attacker.example\r\n\r\n", 403),
                         (b"PATCH /world HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
                         (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
                         (b"GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), (b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
                         (b"GET /nodes/..%2f..%2fetc HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
                         (b"GET /nodes/%1b%5b2J HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
                         (b"POST /advance HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65537\r\n\r\n", 413),
                         (b"GET /world HTTP/1.1\r\nX: " + b"x" * 100_000 + b"\r\n\r\n", 413)]:
        client = await Client.open(product)
        client.writer.write(text)
        status, answer = await client.answer()
        assert status == wanted and is_refusal(status, answer), (text[:60], status, answer)
        await client.leave()


async def thousand_connections(product):
    """A thousand connections at once: each is served or told that the control API is busy, or closed; then all goes on"""
    async def one():
        try:
            client = await Client.open(product)
        except OSError:
            return 0, None
        try:
            return (await client.ask("GET", "/world"))[0], client
        except (OSError, asyncio.IncompleteReadError):
            return 0, client

    before = product.memory()
    answers = await asyncio.gather(*(one() for _ in range(1000)))
    counts = {status: sum(1 for found, _ in answers if found == status) for status in {found for found, _ in answers}}
    assert set(counts) <= {0, 200, 503} and counts.get(200, 0) >= 64, counts
    bounded(product, before)
    for _, client in answers:
        if client is not None:
            await client.leave()
    await served_again(product)
    return f"{counts.get(200, 0)} served, {counts.get(503, 0)} told, {counts.get(0, 0)} closed"


async def half_requests(product):
    """Half requests on every place keep nobody out: a tester who is known stays, and one who comes late is served"""
    tester = await Client.open(product)
    assert (await tester.ask("GET", "/world"))[0] == 200
    halves = []
    for number in range(300):
        half = await Client.open(product)
        half.writer.write([b"", b"GET /world HTTP/1.1\r\nHost: loc",
                           b"POST /advance HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"][number % 3])
        halves.append(half)
    late = await Client.open(product)
    for client in [late, tester]:
        assert (await client.ask("GET", "/world"))[0] == 200
    for client in [tester, late, *halves]:
        await client.leave()
    await served_again(product)


async def slow_readers(product):
    """Clients that read nothing of events and traces hold up neither the world nor the memory"""
    before, start = product.memory(), product.now()
    clients = [await Client.open(product) for _ in range(40)]
    for number, client in enumerate(clients):
        client.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.writer.transport.pause_reading()
        await client.send("GET", "/trace" if number % 2 else "/events")
    for _ in range(20):
        assert product.ask("POST", "/advance", {"seconds": 600})[0] == 200
    assert elapsed(product, start) == 12_000
    bounded(product, before)
    for client in clients:
        await client.leave(abruptly=True)
    await served_again(product)


async def events(product):
    """A follower of events reads lines of what happens while time passes, and none of what was before"""
    client = await Client.open(product)
    await client.send("GET", "/events")
    head = (await client.reader.readuntil(b"\r\n\r\n")).decode().lower()
    assert "200 ok" in head and "text/event-stream" in head, head
    assert product.ask("POST", "/advance", {"seconds": 600})[0] == 200
    text = b""
    while text.count(b"\n\n") < 3:
        piece = await client.reader.read(65_536)
        assert piece, text
        text += piece
    assert b"data: {" in text, text[:200]
    await client.leave()


async def vanishing(product):
    """A client that goes in the middle of `advance` harms nothing: what it asked for is carried out, in its turn"""
    start = product.now()
    for abruptly in [False, True]:
        for _ in range(10):
            client = await Client.open(product)
            await client.send("POST", "/advance", {"seconds": 3600})
            await client.leave(abruptly)
    status, world = product.ask("GET", "/world")
    assert status == 200 and world["state"]["now"] >= start, world
    # Of a connection that is reset the system may throw away what was not read yet.
    hours = elapsed(product, start) / 3600
    assert 10 <= hours <= 20 and hours == int(hours), hours

    client, start = await Client.open(product), product.now()
    client.writer.write(b"POST /advance HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{\"seconds\":3600}")
    await client.leave()
    assert elapsed(product, start) == 0, "half a request was carried out"


async def two_testers(product):
    """Two testers at once are served one request after the other: no second is lost, none is given twice"""
    start = product.now()

    async def tester():
        client, seen = await Client.open(product), []
        for _ in range(100):
            status, state = await client.ask("POST", "/advance", {"seconds": 1})
            assert status == 200, state
            seen.append(round(state["now"] - start))
        await client.leave()
        return seen

    first, second = await asyncio.gather(tester(), tester())
    assert first == sorted(first) and second == sorted(second)
    assert sorted(first + second) == list(range(1, 201)), sorted(first + second)


async def many_waiting(product):
    """More requests at once than may wait: the rest is told so, and what was taken is carried out"""
    clients, start = [await Client.open(product) for _ in range(200)], product.now()
    for client in clients:
        await client.send("POST", "/advance", {"seconds": 60})
    answers = [await client.answer() for client in clients]
    done = sum(1 for status, _ in answers if status == 200)
    assert all(status == 200 or status == 503 and is_refusal(status, body) for status, body in answers)
    assert done >= 64 and elapsed(product, start) == 60 * done, (done, elapsed(product, start))
    for client in clients:
        await client.leave()
    return f"{done} carried out, {200 - done} told"


async def served_again(product):
    """Waits until a client is served: the control API learns of closed connections when it comes to them."""
    while True:
        try:
            client = await Client.open(product)
            status, _ = await client.ask("GET", "/world")
            await client.leave()
            if status == 200:
                return
        except (OSError, asyncio.IncompleteReadError):
            pass


def bounded(product, before):
    if before is not None:
        grown = product.memory() - before
        assert grown < MEMORY, f"{grown >> 20} MiB more than before"


CASES = [malformed_json, malformed_requests, thousand_connections, half_requests, slow_readers, events, vanishing, two_testers, many_waiting]


async def cases(product, words):
    """The numbers of cases that passed and failed, of those whose title contains the words."""
    passed = failed = 0
    for case in CASES:
        if words.lower() not in case.__doc__.lower():
            continue
        try:
            note = await case(product)
            passed += 1
            print(f"ok      {case.__doc__}" + (f": {note}" if note else ""), flush=True)
        except Exception:  # A verdict, whatever went wrong.
            failed += 1
            print(f"FAILED  {case.__doc__}\n{traceback.format_exc()}", flush=True)
    return passed, failed


async def run(arguments):
    product = Product(arguments.meshbed, arguments.address)
    try:
        passed, failed = await cases(product, arguments.only)
        product.end()
    finally:
        product.discard()
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


def allow_connections():
    """A thousand connections, and what Python itself needs."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, most), most))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument("--only", default="", help="run the cases whose title contains this text")
    allow_connections()
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
