#!/usr/bin/env python3
"""A stand-in for `meshbed lab hold`: boards whose name a client changes, and which are put back when they are told to be.

The requests are written to the file that FAKE_LAB_LOG names. A client writes a line, which becomes the name of the radio,
or an empty one, and gets the name.
"""

import argparse
import json
import os
import socketserver
import sys
import threading

ALL = ["board", "power", "restart", "reset", "erase", "clock", "transmit"]
BOARDS = {"heltec": ALL, "shelf": ALL, "bare": ["board"], "stubborn": ALL}


class Radio(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, label):
        super().__init__(("127.0.0.1", 0), Client)
        self.label, self.name = label, label
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Client(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            self.server.name = line.decode().strip() or self.server.name
            self.wfile.write(f"{self.server.name}\n".encode())


def answered(words, radios):
    if words == ["restore"]:
        for radio in radios:
            if radio.label == "stubborn":
                return {"error": "the name is not put back"}
            radio.name = radio.label
        return {}
    if words[0] == "power" and words[2] not in ("on", "off", "cycle"):
        return {"error": f"{words[2]} is no verb"}
    return {}


def main(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("command", nargs=2)
    parser.add_argument("labels", nargs="+")
    parser.add_argument("--bench")
    parser.add_argument("--allow-missing", action="store_true")
    options = parser.parse_args(arguments)
    assert options.command == ["lab", "hold"], options.command
    log = open(os.environ["FAKE_LAB_LOG"], "a", encoding="utf-8")

    def note(line):
        log.write(line + "\n")
        log.flush()

    note(f"hold {' '.join(options.labels)} {options.bench or '-'}")
    if "away" in options.labels:
        print('meshbed lab hold: radio "away" is not there: no such line', file=sys.stderr)
        return 3 if options.allow_missing else 2
    if "busy" in options.labels:
        print('meshbed lab hold: radio "busy" is in use by ann: meshbed comply, process 7', file=sys.stderr)
        return 2
    radios = [Radio(label) for label in options.labels]
    rows = [{"label": radio.label, "host": "127.0.0.1", "port": radio.server_address[1], "can": BOARDS[radio.label]}
            for radio in radios]
    print(json.dumps({"app": "0.0.0-fake", "radios": rows}), flush=True)
    for line in sys.stdin:
        note(line.strip())
        print(json.dumps(answered(line.split(), radios)), flush=True)
    note("end")
    if "stubborn" in options.labels:
        print("meshbed lab hold: stubborn: the name is not put back", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
