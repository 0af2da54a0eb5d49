"""Serial lines of other machines: RFC 2217 and bare bytes, DTR and RTS, and servers that are none."""

import asyncio
import json
import socketserver
import threading

import serial
import serial.rfc2217

import programs


class FakePort(serial.Serial):
    """A serial port without a line, whose outputs are noted. What is written to it comes back."""

    def __init__(self):
        super().__init__()
        self.changes = []
        self.sent = bytearray()
        self.is_open = True

    def close(self):
        self.is_open = False

    def _reconfigure_port(self, force_update=False):
        pass

    def _update_dtr_state(self):
        self.changes.append(("dtr", self._dtr_state))

    def _update_rts_state(self):
        self.changes.append(("rts", self._rts_state))

    # Of a modem that is not there.
    cts = dsr = ri = cd = False


class Rfc2217Server(socketserver.ThreadingTCPServer):
    """pyserial's side of RFC 2217 in front of a fake port."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port):
        super().__init__(("127.0.0.1", 0), Rfc2217Connection)
        self.port = port
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def place(self):
        return f"127.0.0.1:{self.server_address[1]}"


class Rfc2217Connection(socketserver.BaseRequestHandler):
    def write(self, data):
        self.request.sendall(data)

    def handle(self):
        manager = serial.rfc2217.PortManager(self.server.port, self)
        while data := self.request.recv(1024):
            line = b"".join(manager.filter(data))
            self.server.port.sent += line
            self.request.sendall(b"".join(manager.escape(line)))


class Echo(socketserver.BaseRequestHandler):
    """A server that is no server of RFC 2217: it sends back what it gets."""

    def handle(self):
        while data := self.request.recv(1024):
            self.request.sendall(data)


async def ser2net(meshbed):
    """a radio behind ser2net answers over RFC 2217 and as bare bytes, to apps and to the suite"""
    with programs.opened(meshbed) as lab:
        line = await lab.board()
        for address in (f"rfc2217://127.0.0.1:{await lab.ser2net(line, programs.RFC2217)}",
                        f"socket://127.0.0.1:{await lab.ser2net(line)}"):
            info = json.loads(await lab.good("client", "--target", address, "info", "--json"))
            assert info["firmware"] == "v1.17.1", info
            said = await lab.good("comply", "--target", address, "--only", "1-12,50-60")
            assert "kept 19 statements, broken 0" in said, said
        # The bench file, its label, and the lines of a report name it alike.
        port = await lab.ser2net(line, programs.RFC2217)
        lab.bench({"label": "heltec", "address": f"rfc2217://127.0.0.1:{port}", "allow": ["transmit"]})
        await lab.good("comply", "--target", "heltec", "--only", "1-12")
        assert "heltec" in await lab.good("lab", "list")


async def outputs(meshbed):
    """DTR and RTS restart a board through pyserial's server of RFC 2217"""
    with programs.opened(meshbed) as lab:
        for line, other in (("rts", "dtr"), ("dtr", "rts")):
            port = FakePort()
            server = Rfc2217Server(port)
            lab.bench({"label": "heltec", "address": f"rfc2217://{server.place}", "allow": ["restart"], "reset": line},
                      {"label": "kept", "address": "rfc2217://127.0.0.1:1", "reset": line})
            try:
                await lab.good("lab", "reset", "heltec")
            finally:
                server.shutdown()
                server.server_close()
            pulse = [change for change in port.changes if change in ((line, True), (line, False), (other, True))]
            assert pulse[-2:] == [(line, True), (line, False)], port.changes
            assert (other, True) not in port.changes, port.changes
            assert port.baudrate == 115_200, port.baudrate
            await lab.bad('"allow" has no "restart"', "lab", "reset", "kept")


async def strangers(meshbed):
    """a server that is none of RFC 2217, or is not there, is one sentence"""
    with programs.opened(meshbed) as lab:
        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Echo)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"rfc2217://127.0.0.1:{server.server_address[1]}"
        try:
            said = await asyncio.wait_for(lab.bad("serial line at 127.0.0.1", "comply", "--target", address), 60)
            assert len(said.strip().splitlines()) == 1, said
        finally:
            server.shutdown()
            server.server_close()
        await lab.bad("Connection refused", "comply", "--target", "rfc2217://127.0.0.1:1")
        said = await lab.good("comply", "--target", "rfc2217://127.0.0.1:1", "--allow-missing", "--only", "1-3")
        assert "Skipped: " in said, said


SESSIONS = [ser2net, outputs, strangers]
