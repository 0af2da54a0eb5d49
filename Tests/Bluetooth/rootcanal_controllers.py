"""The controllers of RootCanal, which the Android emulator has inside, within reach of one another.

    python Tests/Bluetooth/rootcanal_controllers.py [PORT…]

As controllers.py, whose place they take where run.py is called with `--controllers rootcanal`.
"""

import asyncio
import ctypes
import functools
import os
import sys

from controllers import main
from rootcanal.binaries import get_package_binary_resource_path

COMMAND, DATA, EVENT = 1, 2, 4
ADVERTISING_ENABLE = 0x200A
META, CONNECTED, ENHANCED_CONNECTED = 0x3E, 0x01, 0x0A
DISCONNECT, CONNECT_COMPLETE = 0x05, 0x0D
CONNECTION_TIMEOUT = 0x08
LOW_ENERGY, RSSI = 0, -40
TICK = 0.005

HOST_SINK = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.POINTER(ctypes.c_ubyte), ctypes.c_size_t)
AIR_SINK = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_ubyte), ctypes.c_size_t, ctypes.c_int, ctypes.c_int)


@functools.cache
def load_library():
    """Loads the library once. It prints a line for each packet, which would hide what this program says."""
    sys.stdout.flush()
    sys.stdout = os.fdopen(os.dup(1), "w", buffering=1)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 1)
    library = ctypes.CDLL(get_package_binary_resource_path("librootcanal_ffi.so"))
    library.ffi_controller_new.restype = ctypes.c_void_p
    library.ffi_controller_new.argtypes = [ctypes.c_char_p, HOST_SINK, AIR_SINK]
    library.ffi_controller_delete.argtypes = [ctypes.c_void_p]
    library.ffi_controller_tick.argtypes = [ctypes.c_void_p]
    library.ffi_controller_receive_hci.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t]
    library.ffi_controller_receive_ll.argtypes = [
        ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int]
    return library


class Controller:
    """One controller. What it sends is handed on in turns of their own: the library does not expect to be called back."""

    def __init__(self, library, address, on_air):
        self.library, self.writer, self.is_advertising = library, None, False
        self._loop = asyncio.get_running_loop()
        # Kept: the library has only their addresses.
        self._sinks = (
            HOST_SINK(lambda kind, data, size: self._loop.call_soon(self._to_host, kind, bytes(data[:size]))),
            AIR_SINK(lambda data, size, _, power: self._loop.call_soon(on_air, self, bytes(data[:size]))))
        self._instance = library.ffi_controller_new(address, *self._sinks)

    def _to_host(self, kind, packet):
        if kind == EVENT and packet[0] == META and packet[2] in (CONNECTED, ENHANCED_CONNECTED) and packet[3] == 0:
            self.is_advertising = False
        if self.writer is not None:
            self.writer.write(bytes([kind]) + packet)

    def from_host(self, kind, packet):
        if kind == COMMAND and int.from_bytes(packet[:2], "little") == ADVERTISING_ENABLE:
            self.is_advertising = packet[3] == 1
        self.library.ffi_controller_receive_hci(self._instance, kind, packet, len(packet))

    def from_air(self, packet):
        self.library.ffi_controller_receive_ll(self._instance, packet, len(packet), LOW_ENERGY, RSSI)

    def tick(self):
        self.library.ffi_controller_tick(self._instance)

    async def serve(self, reader, writer):
        """The host at the port of this controller, until it goes."""
        self.writer = writer
        try:
            while True:
                kind = (await reader.readexactly(1))[0]
                header = await reader.readexactly(3 if kind == COMMAND else 4)
                size = header[2] if kind == COMMAND else int.from_bytes(header[2:4], "little")
                self.from_host(kind, header + await reader.readexactly(size))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            # The next host may be there already.
            if self.writer is writer:
                self.writer = None
            writer.close()


class Air:
    """Controllers within reach of one another. Each takes one host at a time."""

    # What they say of a peripheral that has no key for the central: an authentication failure, not the missing key that
    # Bluetooth demands (Core, Vol 6 Part B, 5.1.3.1).
    lost_key = 0x05

    def __init__(self):
        self.controllers, self.ports, self._servers, self._links = [], [], [], set()
        self._library, self._clock = load_library(), None

    @classmethod
    async def open(cls, ports):
        """Opens a controller on each of the ports; 0 is one that the system chooses."""
        air = cls()
        for number, port in enumerate(ports):
            controller = Controller(air._library, bytes([number + 1, 0, 0, 0x7D, 0x1A, 0]), air._send)
            server = await asyncio.start_server(controller.serve, "127.0.0.1", port)
            air.controllers.append(controller)
            air._servers.append(server)
            air.ports.append(server.sockets[0].getsockname()[1])
        air._clock = asyncio.create_task(air._run())
        return air

    async def _run(self):
        while True:
            await asyncio.sleep(TICK)
            for controller in self.controllers:
                controller.tick()

    def _send(self, sender, packet):
        """Each packet begins with its type, who sends it, and for whom it is."""
        ends = (packet[1:7], packet[7:13])
        if packet[0] == CONNECT_COMPLETE:
            self._links.add(ends)
        if packet[0] == DISCONNECT:
            self._links -= {ends, ends[::-1]}
        for controller in self.controllers:
            if controller is not sender:
                controller.from_air(packet)

    def is_advertising(self, number):
        return self.controllers[number].is_advertising

    def cut(self):
        """Ends all connections as when the two sides have lost one another: each learns it from its controller alone."""
        for one, other in self._links:
            for source, target in ((one, other), (other, one)):
                packet = bytes([DISCONNECT]) + source + target + bytes([CONNECTION_TIMEOUT])
                for controller in self.controllers:
                    controller.from_air(packet)
        self._links = set()

    def break_controller(self, number):
        """Shuts the port of a controller and its connection to its host."""
        self._servers[number].close()
        if self.controllers[number].writer is not None:
            self.controllers[number].writer.close()

    async def close(self):
        for number in range(len(self.controllers)):
            self.break_controller(number)
        self._clock.cancel()


if __name__ == "__main__":
    main(Air)
