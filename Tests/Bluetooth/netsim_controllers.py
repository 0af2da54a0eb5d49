"""A stand-in for netsim, the daemon of the Android emulator: its file, and its port for HCI packets as on a UART (H4).

    python Tests/Bluetooth/netsim_controllers.py FOLDER

Writes FOLDER/netsim.ini with a port of gRPC at which nobody answers, prints "HCI at 127.0.0.1:PORT", and runs until it
is interrupted. Each connection to the port is a controller of its own, and all of them hear one another, as netsim's
do. It is no netsim: what Android's own does beyond this was not tried.
"""

import asyncio
import os
import sys

from bumble.link import LocalLink
from bumble.transport.common import StreamPacketSink, StreamPacketSource

from controllers import Neighbour


class Host(asyncio.Protocol):
    """One connection: a controller that appears with it and goes with it."""

    def __init__(self, netsim):
        self.netsim, self.controller, self.source = netsim, None, None

    def connection_made(self, transport):
        self.source = StreamPacketSource()
        number = len(self.netsim.controllers) + 1
        self.controller = Neighbour(
            f"controller {number}", host_source=self.source, host_sink=StreamPacketSink(transport),
            link=self.netsim.link, public_address=f"00:1A:7D:00:01:{number:02X}")
        self.netsim.controllers.append(self.controller)

    def data_received(self, data):
        self.source.data_received(data)

    def connection_lost(self, _):
        self.controller.host = None
        self.netsim.link.remove_controller(self.controller)


class Netsim:
    """The stand-in, with the variables of the environment that lead to it."""

    def __init__(self, folder):
        self.folder, self.link, self.controllers, self.server, self.port = folder, LocalLink(), [], None, 0

    async def open(self):
        self.server = await asyncio.get_running_loop().create_server(lambda: Host(self), "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        with open(os.path.join(self.folder, "netsim.ini"), "w", encoding="utf-8") as file:
            file.write("web.port=7681\ngrpc.port=1\n")
        return self

    @property
    def environment(self):
        return {"TMPDIR": self.folder, "NETSIM_HCI_PORT": str(self.port)}

    async def close(self):
        self.server.close()


async def main(folder):
    netsim = await Netsim(folder).open()
    print(f"HCI at 127.0.0.1:{netsim.port}", flush=True)
    await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    try:
        asyncio.run(main(sys.argv[1]))
    except KeyboardInterrupt:
        pass
