"""The radios of the cases: `meshbed emulate`, or one of Bumble's, which shows that the cases can be passed."""

import asyncio
import os
import shutil
import subprocess
import tempfile

from bumble import att, gatt
from bumble.core import AdvertisingData
from bumble.device import Device
from bumble.hci import Address, OwnAddressType
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport

from central import RX, SERVICE, TX
from families import ESP32, NRF52
from server import Server


class EmulatedRadio:
    """One radio of `meshbed emulate`, with its state in a scratch folder that outlives a restart."""

    def __init__(self, binary, family):
        self.binary, self.family, self.server, self.starts = binary, family, None, 0
        self.folder = tempfile.mkdtemp(prefix="meshbed-bluetooth-")

    @property
    def state(self):
        return os.path.join(self.folder, "state")

    async def start(self, port, *more):
        await self.start_at(f"hci:tcp=127.0.0.1:{port}", *more)

    async def start_at(self, controller, *more, environment=None):
        """Starts it on a controller by its name, with more variables in its environment."""
        self.starts += 1
        words = ["env", *(f"{name}={value}" for name, value in environment.items())] if environment else []
        self.server = Server(
            [*words, self.binary, "emulate", "--world", "solo", "--seed", "7", "--profile", self.family.profile,
             "--state", self.state, "--endpoint", f"alice=ble:{controller}", *more],
            os.path.join(self.folder, "emulator.log"))
        # Beside the controllers, which answer the emulator meanwhile.
        await asyncio.to_thread(self.server.wait_for)

    async def stop(self):
        await self.server.stopped()

    async def ended(self, status):
        """Waits until it ends by itself, with this exit status; what it printed."""
        return await asyncio.to_thread(self.server.wait, status=status)

    def refused(self, endpoint):
        """Returns the error for an endpoint with which it must not start."""
        done = subprocess.run([self.binary, "emulate", "--world", "solo", "--endpoint", endpoint],
                              capture_output=True, text=True)
        assert done.returncode in (2, 64), f"exit {done.returncode}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def keep(self, folder):
        log = os.path.join(self.folder, "emulator.log")
        if os.path.exists(log):
            os.makedirs(folder, exist_ok=True)
            shutil.copy(log, folder)

    def discard(self):
        if self.server is not None:
            self.server.discard()
        shutil.rmtree(self.folder, ignore_errors=True)


class Display(PairingDelegate):
    """Shows a fixed PIN."""

    def __init__(self, pin):
        super().__init__(PairingDelegate.DISPLAY_OUTPUT_ONLY)
        self.pin = pin

    async def generate_passkey(self):
        return self.pin


class ReferenceRadio:
    """A node of Bumble's host: the service, its permissions, and canned answers to a few commands."""

    def __init__(self, _, family):
        self.family, self.device, self._transport, self.contacts = family, None, None, 0

    async def start(self, port, display=None):
        display = display or Display(123456)
        self._transport = await open_transport(f"tcp-client:127.0.0.1:{port}")
        address = Address("F0:F1:F2:F3:F4:F5", Address.RANDOM_DEVICE_ADDRESS)
        self.device = Device.with_hci("MeshCore-REFERENCE", address, self._transport.source, self._transport.sink)
        self.device.pairing_config_factory = lambda _: PairingConfig(
            sc=self.family is ESP32, mitm=True, bonding=True, delegate=display,
            identity_address_type=PairingConfig.AddressType.RANDOM)
        secret = att.Attribute.READ_REQUIRES_AUTHENTICATION | att.Attribute.WRITE_REQUIRES_AUTHENTICATION
        allowed = att.Attribute.READABLE | att.Attribute.WRITEABLE | secret
        self.tx = gatt.Characteristic(TX, gatt.Characteristic.Properties(self.family.tx), allowed)
        rx = gatt.Characteristic(RX, gatt.Characteristic.Properties(self.family.rx), allowed,
                                 gatt.CharacteristicValue(write=self._take))
        self.device.add_service(gatt.Service(SERVICE, [self.tx, rx] if self.family.tx_first else [rx, self.tx]))
        self.device.gatt_server.max_mtu = self.family.mtu
        self.device.on("connection", self._connected)
        await self.device.power_on()
        await self.advertise()

    async def advertise(self):
        await self.device.start_advertising(
            own_address_type=OwnAddressType.RANDOM, auto_restart=True,
            advertising_data=bytes(AdvertisingData([
                (AdvertisingData.FLAGS, bytes([6])),
                (self.family.service_list, bytes(SERVICE))])),
            scan_response_data=bytes(AdvertisingData([
                (AdvertisingData.COMPLETE_LOCAL_NAME, b"MeshCore-REFERENCE")])))

    def _connected(self, connection):
        connection.on("pairing_failure", lambda _: connection.cancel_on_disconnection(connection.disconnect()))

    async def _take(self, connection, frame):
        for answer in self._answers(frame):
            size = connection.att_mtu - 3 if self.family is NRF52 else len(answer)
            for start in range(0, len(answer), size):
                await self.device.notify_subscriber(connection, self.tx, answer[start:start + size])

    def _answers(self, frame):
        match frame[0]:
            case 1:
                return [bytes([5, 1, 22, 22]) + bytes(range(32)) + bytes(22) + b"REFERENCE"]
            case 5:
                return [bytes([9]) + bytes(4)]
            case 9:
                self.contacts += 1
                return [bytes([0])]
            case 4:
                contacts = [bytes([3]) + bytes(147) for _ in range(self.contacts)]
                return [bytes([2]) + self.contacts.to_bytes(4, "little"), *contacts, bytes([4]) + bytes(4)]
            case _:
                return [bytes([1, 1])]

    async def stop(self):
        await self._transport.close()

    def keep(self, folder):
        pass

    def discard(self):
        pass
