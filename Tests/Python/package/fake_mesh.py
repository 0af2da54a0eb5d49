#!/usr/bin/env python3
"""A stand-in for the command: a few routes of the API, and radios that are told what their client asks them to be told.

A client writes lines: "echo WORDS" is answered at this moment, "apart WORDS" too, but each word for itself and some time of
the clock apart, "after SECONDS WORDS" when so much of the world's time has passed, "every SECONDS WORDS" again and again. Started as a program it takes the options that the package gives the command.
"""

import argparse
import hashlib
import heapq
import http.server
import json
import os
import re
import selectors
import socket
import sys
import threading
import time

VERSION = "0.0.0-fake"
# Options that name files, a folder or a link.
FILES = ("--link", "--trace", "--record", "--state")
# A world that does not go back: a node of it lives in another program.
ONE_WAY = "foreign"
# Between the words of "apart", in seconds of the clock: long enough to betray a loop that hands on each by itself. One that
# waits for the mesh passes however long it is.
APART = 0.02


class World:
    """Time, the clients of its radios, and what they will be told."""

    def __init__(self, name, seed, endpoints):
        self.name, self.seed = name, seed
        self.now, self.count, self.queue, self.log = 0, 0, [], []
        # Each fault with the number of messages that were there when it began.
        self.messages, self.snapshots, self.faults = [], {}, []
        self.drops = []
        self.lock = threading.RLock()
        self.listeners, self.clients = {}, {}
        for endpoint in endpoints:
            node = endpoint.partition("=")[0]
            self.listeners[node] = socket.create_server(("127.0.0.1", 0))
            self.listeners[node].setblocking(False)
        self.nodes = [{"name": name, "role": role, "sent": 0} for name, role in
                      (("alice", "companion"), ("bob", "companion"), ("rep1", "repeater"))]

    def digest(self):
        return hashlib.sha256(repr((self.seed, self.log)).encode()).hexdigest()[:16]

    def state(self):
        return {"now": self.now / 1e6, "time": "stepped", "isPaused": False, "seed": str(self.seed), "digest": self.digest(),
                "transmissions": len(self.log), "receptions": 0, "drops": len(self.drops), "messages": len(self.messages),
                "unpromptedInputs": 0}

    # Clients

    def take_inputs(self):
        """Whatever clients have written is in the world when this returns."""
        for node, listener in self.listeners.items():
            try:
                client, _ = listener.accept()
            except BlockingIOError:
                pass
            else:
                if node in self.clients:
                    self.clients[node][0].close()
                # Two short lines in a row would wait for each other otherwise.
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                client.setblocking(False)
                self.clients[node] = (client, bytearray())
            if node in self.clients:
                self.take_from(node)

    def take_from(self, node):
        client, rest = self.clients[node]
        try:
            while piece := client.recv(65536):
                rest += piece
            self.hang_up(node)
        except BlockingIOError:
            pass
        except OSError:
            self.hang_up(node)
        while b"\n" in rest:
            line, _, left = bytes(rest).partition(b"\n")
            rest[:] = left
            self.hear(node, line.decode())

    def hear(self, node, line):
        self.log.append((self.now, node, line))
        word, _, words = line.partition(" ")
        if word == "echo":
            self.tell(node, words)
        elif word == "apart":
            for one in words.split():
                self.tell(node, one)
                time.sleep(APART)
        else:
            seconds, _, words = words.partition(" ")
            micros = round(float(seconds) * 1e6)
            self.plan(micros, node, words, micros if word == "every" else 0)

    def plan(self, micros, node, words, again):
        self.count += 1
        heapq.heappush(self.queue, (self.now + micros, self.count, node, words, again))

    def tell(self, node, words):
        if node in self.clients:
            self.clients[node][0].sendall(words.encode() + b"\n")

    def hang_up(self, node):
        if node in self.clients:
            self.clients.pop(node)[0].close()

    # Time

    def run(self, micros, condition=None, stops=False):
        """Lets time pass; whether the condition holds."""
        end = self.now + micros
        self.take_inputs()
        while not self.holds(condition):
            if not self.queue or self.queue[0][0] > end:
                self.now = end
                return self.holds(condition)
            self.now, _, node, words, again = heapq.heappop(self.queue)
            self.log.append((self.now, node, words))
            if again:
                self.plan(again, node, words, again)
            if node in self.clients:
                self.tell(node, words)
                if stops:
                    return self.holds(condition)
        return True

    def holds(self, condition):
        if condition is None:
            return False
        (word, members), = condition.items()
        if word == "all":
            return all(self.holds(one) for one in members)
        if word == "delivered":
            return self.message(members["message"])["deliveredTo"] != []
        return word == "isUp"

    def lose(self, name, to, times):
        """The acknowledgement of the latest message is lost so often."""
        message = len(self.messages)
        for _ in range(times):
            number = 2 * len(self.drops) + 1
            frame = {"number": number, "sender": to, "origin": to, "kind": "ack", "message": message,
                     "words": f"{to}'s ack #{number} of message {message}"}
            by = {"number": number + 1, "sender": "rep1", "origin": "rep1", "kind": "advert", "words": f"rep1's advert #{number + 1}"}
            self.drops.append({"at": self.now / 1e6, "node": name, "reason": "collision", "frame": frame, "by": by,
                               "words": f"{frame['words']} lost at {name}: collision with {by['words']}"})

    def message(self, number):
        """A message arrives ten seconds after it was written."""
        written = self.messages[number - 1]
        return {**written, "deliveredTo": [written["to"]] if self.now >= written["at"] * 1e6 + 10e6 else []}


class Refusal(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.body = status, {"error": {"code": code, "message": message}}


ROUTES = []


def route(method, pattern):
    def keep(function):
        ROUTES.append((method, re.compile(pattern + r"(?:\?.*)?"), function))
        return function
    return keep


@route("GET", "/world")
def get_world(world, body):
    provenance = {"version": VERSION, "world": world.name, "seed": str(world.seed), "time": "stepped", "air": "chip",
                  "withoutQuirks": [], "reproducible": True, "note": "if clients only answer"}
    return {"name": world.name, "provenance": provenance, "state": world.state(), "nodes": len(world.nodes), "links": 0,
            "snapshots": sorted(world.snapshots)}


@route("POST", "/advance")
def advance(world, body):
    world.run(round(body["seconds"] * 1e6), None, body.get("stopsWhenTold", False))
    return world.state()


@route("POST", "/run-until")
def run_until(world, body):
    is_met = world.run(round(body["seconds"] * 1e6), body["condition"], body.get("stopsWhenTold", False))
    return {"isMet": is_met, "state": world.state()}


@route("GET", "/nodes")
def list_nodes(world, body):
    return {"nodes": [node_state(world, node["name"]) for node in world.nodes], "total": len(world.nodes)}


@route("GET", "/nodes/([^/?]+)")
def node_state(world, name, body=None):
    node = next((node for node in world.nodes if node["name"] == name), None)
    if node is None:
        raise Refusal(404, "not-found", f"there is no node {name}")
    state = {"name": name, "role": node["role"], "publicKey": "ab" * 32, "isUp": True, "hasClient": name in world.clients,
             "framesSent": node["sent"], "airtimeSeconds": 0}
    if name in world.listeners:
        state["endpoint"] = "tcp://127.0.0.1:%d" % world.listeners[name].getsockname()[1]
    return state


@route("DELETE", "/nodes/([^/?]+)")
def remove_node(world, name, body):
    node_state(world, name)
    world.nodes = [node for node in world.nodes if node["name"] != name]
    return world.state()


@route("POST", "/nodes/([^/?]+)/sends")
def send(world, name, body):
    node_state(world, name)
    next(node for node in world.nodes if node["name"] == name)["sent"] += 1
    world.messages.append({"number": len(world.messages) + 1, "from": name, "to": body["to"], "text": body["text"],
                           "at": world.now / 1e6, "standing": "sent", "mayStillArrive": True})
    world.log.append((world.now, name, body["text"]))
    if body["text"].startswith("lost"):
        world.lose(name, body["to"], int(body["text"].partition(" ")[2] or 1))
    return {"message": len(world.messages)}


@route("POST", "/nodes/([^/?]+)/hangs-up")
def hang_up(world, name, body):
    world.hang_up(name)
    return node_state(world, name)


@route("POST", "/faults")
def begin_fault(world, body):
    world.faults.append((body, len(world.messages)))
    return {"fault": len(world.faults) - 1}


@route("GET", "/faults")
def list_faults(world, body):
    """A fault takes effect on each message that is sent after it."""
    def effect(number):
        fault, before = world.faults[number]
        times, may_not_fire = len(world.messages) - before, fault.get("may_not_fire", False)
        return {"fault": number, "words": fault["kind"], "mayNotFire": may_not_fire, "isIdle": times == 0 and not may_not_fire,
                "times": times, "frames": times, "bytes": 10 * times, "nodes": ["alice"] if times else []}
    faults = [effect(number) for number in range(len(world.faults))]
    return {"faults": faults, "idle": sum(fault["isIdle"] for fault in faults), "total": len(faults)}


@route("GET", "/drops")
def list_drops(world, body):
    return {"drops": world.drops[-1000:], "total": len(world.drops)}


@route("GET", "/messages")
def list_messages(world, body):
    return {"messages": [world.message(number + 1) for number in range(len(world.messages))], "total": len(world.messages)}


@route("GET", r"/messages/(\d+)")
def get_message(world, number, body):
    return world.message(int(number))


@route("GET", "/trace")
def get_trace(world, body):
    return "".join(json.dumps(line) + "\n" for line in [{"format": "meshbed trace 1"}, *world.log])


@route("POST", "/snapshots")
def take_snapshot(world, body):
    if world.name == ONE_WAY:
        raise Refusal(409, "conflict", "node \"rep1\" lives in another program, which does not go back")
    kept = (world.now, world.count, list(world.queue), list(world.log), [dict(one) for one in world.messages],
            [dict(one) for one in world.nodes], list(world.faults))
    world.snapshots[body["name"]] = kept
    return world.state()


@route("POST", "/snapshots/([^/?]+)/restore")
def restore_snapshot(world, name, body):
    if name not in world.snapshots:
        raise Refusal(404, "not-found", f"there is no snapshot {name}")
    world.now, world.count, queue, log, messages, nodes, faults = world.snapshots[name]
    world.queue, world.log, world.faults = list(queue), list(log), list(faults)
    world.messages, world.nodes = [dict(one) for one in messages], [dict(one) for one in nodes]
    world.take_inputs()
    for node in list(world.clients):
        world.hang_up(node)
    return world.state()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body of an answer are two writes.
    disable_nagle_algorithm = True

    def respond(self):
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length)) if length else None
        try:
            status, answer = 200, self.answer(body)
        except Refusal as refusal:
            status, answer = refusal.status, refusal.body
        text = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_DELETE = respond

    def answer(self, body):
        world = self.server.world
        if self.server.token and self.headers.get("Authorization") != f"Bearer {self.server.token}":
            raise Refusal(401, "unauthorized", "the bearer token is missing or wrong")
        for method, pattern, function in ROUTES:
            if self.command == method and (match := pattern.fullmatch(self.path)):
                with world.lock:
                    # What clients have written before is in the world first.
                    world.take_inputs()
                    return function(world, *match.groups(), body)
        raise Refusal(404, "not-found", f"there is nothing at {self.path}")

    def log_message(self, *_):
        pass


def served(world, token=None):
    """A server of the world, on a thread of its own."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.world, server.token = world, token
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    threading.Thread(target=_answer_clients, args=(world,), daemon=True).start()
    return server


def _answer_clients(world):
    """A radio answers its client without being asked for time."""
    while True:
        with selectors.DefaultSelector() as selector:
            with world.lock:
                world.take_inputs()
                sockets = [*world.listeners.values(), *(client for client, _ in world.clients.values())]
                for one in sockets:
                    if one.fileno() >= 0:
                        selector.register(one, selectors.EVENT_READ)
            # A client that has been hung up on meanwhile is looked at again soon.
            selector.select(0.05)


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("world")
    parser.add_argument("--time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--endpoint", action="append", default=[])
    parser.add_argument("--control")
    parser.add_argument("--quiet")
    for option in FILES:
        parser.add_argument(option)
    parser.add_argument("--ready-json", action="store_true")
    parser.add_argument("--until-stdin-closes", action="store_true")
    options = parser.parse_args(arguments)
    if options.world == "nowhere":
        print("Error: there is no world 'nowhere'", file=sys.stderr)
        return 2
    world = World(options.world, options.seed, options.endpoint)
    server = served(world, os.environ.get("FAKE_TOKEN"))
    nodes = [node_state(world, node["name"]) for node in world.nodes]
    ready = {"control": "http://127.0.0.1:%d" % server.server_address[1], "provenance": get_world(world, None)["provenance"],
             "nodes": [{key: node[key] for key in ("name", "role", "publicKey", "endpoint") if key in node} for node in nodes]}
    if server.token:
        ready["token"] = server.token
    print("listening", file=sys.stderr, flush=True)
    print(json.dumps(ready), flush=True)
    if options.world != "mortal":
        sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
