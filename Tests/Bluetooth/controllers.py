"""Virtual Bluetooth controllers that hear one another, each on a TCP port of its own (HCI packets as on a UART, H4).

    python Tests/Bluetooth/controllers.py [PORT…]

Prints a line "controller N at 127.0.0.1:PORT" for each, and runs until it is interrupted. Port 0 is any free one; without
ports there are two such controllers.
"""

import asyncio
import socket
import sys

from bumble.controller import Controller
from bumble.hci import (HCI_CONNECTION_TIMEOUT_ERROR, HCI_LE_Advertising_Report_Event,
                        HCI_LE_Extended_Advertising_Report_Event, HCI_PIN_OR_KEY_MISSING_ERROR)
from bumble.link import LocalLink
from bumble.transport.tcp_server import open_tcp_server_transport_with_socket


class Neighbour(Controller):
    """A controller that hears scan responses too: those of Bumble's repeat the advertisement in their place."""

    def send_hci_packet(self, packet):
        if isinstance(packet, (HCI_LE_Advertising_Report_Event, HCI_LE_Extended_Advertising_Report_Event)):
            answers = [report for report in packet.reports if self._is_response(type(packet), report)]
            for report in answers:
                report.data = self._response(report.address)
            if answers:
                packet = type(packet)(packet.reports)
        super().send_hci_packet(packet)

    def on_hci_reset_command(self, command):
        """As a real one: it forgets its connections and advertises no more. Its peers miss it at once, where a real one
        would be missed after the supervision time-out: nothing here waits for that."""
        for connection in list(self.le_connections.values()):
            for other in self.link.controllers:
                twin = other.le_connections.get(connection.self_address)
                if other is not self and twin is not None:
                    other.on_le_disconnected(twin, HCI_CONNECTION_TIMEOUT_ERROR)
        self.le_connections.clear()
        self.le_legacy_advertiser.stop()
        return super().on_hci_reset_command(command)

    @staticmethod
    def _is_response(event, report):
        if event is HCI_LE_Advertising_Report_Event:
            return report.event_type == event.EventType.SCAN_RSP
        return bool(report.event_type & event.EventType.SCAN_RESPONSE)

    def _response(self, address):
        for other in self.link.controllers:
            for advertiser in [other.le_legacy_advertiser, *other.advertising_sets.values()]:
                if advertiser.enabled and advertiser.address == address:
                    return bytes(advertiser.scan_response_data)
        return b""


class Air:
    """Controllers within reach of one another. Each takes one host at a time."""

    # What they say of a peripheral that has no key for the central.
    lost_key = HCI_PIN_OR_KEY_MISSING_ERROR

    def __init__(self):
        self.link, self.controllers, self.ports, self._transports = LocalLink(), [], [], []

    @classmethod
    async def open(cls, ports):
        """Opens a controller on each of the ports; 0 is one that the system chooses."""
        air = cls()
        for number, port in enumerate(ports):
            place = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            place.bind(("127.0.0.1", port))
            air.ports.append(place.getsockname()[1])
            transport = await open_tcp_server_transport_with_socket(place)
            air._transports.append(transport)
            air.controllers.append(Neighbour(
                f"controller {number}", host_source=transport.source, host_sink=transport.sink, link=air.link,
                public_address=f"00:1A:7D:00:00:{number + 1:02X}"))
        return air

    def is_advertising(self, number):
        controller = self.controllers[number]
        return controller.le_legacy_advertiser.enabled or any(
            advertiser.enabled for advertiser in controller.advertising_sets.values())

    def cut(self):
        """Ends all connections as when the two sides have lost one another: each learns it from its controller alone."""
        for controller in self.controllers:
            for connection in list(controller.le_connections.values()):
                controller.on_le_disconnected(connection, HCI_CONNECTION_TIMEOUT_ERROR)

    def break_controller(self, number):
        """Shuts the port of a controller and its connection to its host."""
        transport = self._transports[number]
        transport.server.close()
        if transport.sink.transport is not None:
            transport.sink.transport.close()

    async def close(self):
        for number in range(len(self.controllers)):
            self.break_controller(number)
            await self._transports[number].close()


async def serve(kind, ports):
    """Opens controllers of a kind, prints where they are, and runs until it is interrupted."""
    air = await kind.open(ports)
    for number, port in enumerate(air.ports):
        print(f"controller {number} at 127.0.0.1:{port}", flush=True)
    print("Running until interrupted (Ctrl-C).", flush=True)
    await asyncio.get_running_loop().create_future()


def main(kind):
    try:
        asyncio.run(serve(kind, [int(port) for port in sys.argv[1:]] or [0, 0]))
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main(Air)
