"""A phone: a central that scans, pairs with the PIN that somebody types, and speaks companion frames."""

import asyncio

from bumble.core import UUID, AdvertisingData
from bumble.device import Device, Peer
from bumble.hci import Address, OwnAddressType
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport

SERVICE = UUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
RX = UUID("6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
TX = UUID("6E400003-B5A3-F393-E0A9-E50E24DCCA9E")

# Of waiting for something that comes at once: long enough for a machine that is busy, since it decides nothing but a hang.
LIMIT = 120


async def within(awaitable, what, limit=LIMIT):
    """Returns the result; an assertion names a missing one."""
    try:
        return await asyncio.wait_for(awaitable, limit)
    except asyncio.TimeoutError:
        raise AssertionError(f"no {what} in {limit} s") from None
    except asyncio.CancelledError as error:
        # Bumble ends so what waits on a connection that has ended.
        if asyncio.current_task().cancelling():
            raise
        raise AssertionError(f"no {what}: {error}") from None


class Typist(PairingDelegate):
    """Types a PIN when asked, or nothing at all."""

    def __init__(self, pin):
        super().__init__(PairingDelegate.KEYBOARD_INPUT_ONLY)
        self.pin, self.asked = pin, 0

    async def get_number(self):
        self.asked += 1
        return self.pin


class Heard:
    """The data of an advertiser so far."""

    def __init__(self, address):
        self.address, self.is_connectable, self.data = address, False, AdvertisingData()

    def add(self, advertisement):
        self.is_connectable |= advertisement.is_connectable
        self.data.ad_structures += [entry for entry in advertisement.data.ad_structures
                                    if entry not in self.data.ad_structures]

    @property
    def name(self):
        return self.data.get(AdvertisingData.COMPLETE_LOCAL_NAME)

    @property
    def services(self):
        kinds = (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
                 AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS)
        return [uuid for kind in kinds for uuid in self.data.get(kind) or []]

    def raw(self, kind):
        return [value for entry, value in self.data.ad_structures if entry == kind]


class Central:
    """A host on one of the controllers. `secure` off pairs as Bluetooth 4.0 did."""

    def __init__(self, port, number=0, pin=123456, secure=True):
        self.port, self.typist = port, Typist(pin)
        self.address = Address(f"C0:FF:EE:00:00:{number + 1:02X}", Address.RANDOM_DEVICE_ADDRESS)
        self.secure, self.keys = secure, MemoryKeyStore()
        self.device = self.connection = self.peer = self._transport = None
        self.heard, self.frames, self.ended = {}, asyncio.Queue(), asyncio.Event()
        self.reason = None

    async def open(self):
        self._transport = await open_transport(f"tcp-client:127.0.0.1:{self.port}")
        self.device = Device.with_hci("phone", self.address, self._transport.source, self._transport.sink)
        self.device.keystore = self.keys
        self.device.pairing_config_factory = lambda _: PairingConfig(
            sc=self.secure, mitm=True, bonding=True, delegate=self.typist,
            identity_address_type=PairingConfig.AddressType.RANDOM)
        await within(self.device.power_on(), "answer of the controller")
        return self

    async def close(self):
        if self._transport is not None:
            await self._transport.close()

    # Finding

    async def scan(self, until, limit=LIMIT):
        """Listens until somebody has told enough; all that is known of them."""
        found = asyncio.get_running_loop().create_future()

        def hear(advertisement):
            heard = self.heard.setdefault(advertisement.address, Heard(advertisement.address))
            heard.add(advertisement)
            if not found.done() and until(heard):
                found.set_result(heard)

        self.heard = {}
        self.device.on("advertisement", hear)
        await self.device.start_scanning(active=True, filter_duplicates=False)
        try:
            return await within(found, "advertisement", limit)
        finally:
            self.device.remove_listener("advertisement", hear)
            await self.device.stop_scanning()

    async def find(self):
        """The radio: who has the service of companion radios, and has told its name."""
        return await self.scan(lambda heard: SERVICE in heard.services and heard.name is not None)

    # Connecting

    async def connect(self, address, mtu=None):
        self.connection = await within(
            self.device.connect(address, own_address_type=OwnAddressType.RANDOM), "connection")
        self.ended.clear()
        self.frames = asyncio.Queue()
        self.connection.on("disconnection", self._end)
        self.peer = Peer(self.connection)
        if mtu is not None:
            return await within(self.peer.request_mtu(mtu), "MTU")
        return None

    def _end(self, reason):
        self.reason = reason
        self.ended.set()

    async def wait_for_end(self):
        """Waits until the connection has ended; why."""
        await within(self.ended.wait(), "end of the connection")
        return self.reason

    async def disconnect(self):
        await within(self.connection.disconnect(), "disconnection")

    async def discover(self):
        """Learns the services; the radio's two characteristics."""
        await within(self.peer.discover_services([SERVICE]), "services")
        service = self.peer.get_services_by_uuid(SERVICE)
        assert len(service) == 1, f"{len(service)} UART services"
        await within(service[0].discover_characteristics(), "characteristics")
        rx, tx = service[0].get_characteristics_by_uuid(RX), service[0].get_characteristics_by_uuid(TX)
        assert len(rx) == 1 and len(tx) == 1, (rx, tx)
        self.rx, self.tx = rx[0], tx[0]
        await within(self.tx.discover_descriptors(), "descriptors")

    async def pair(self):
        await within(self.connection.pair(), "end of the pairing")

    async def encrypt(self):
        """Encrypts with the bond of an earlier pairing."""
        await within(self.connection.encrypt(), "encryption")

    async def subscribe(self):
        await within(self.tx.subscribe(self.frames.put_nowait), "answer to the subscription")

    async def begin(self, mtu=247):
        """All that an app does before its first command."""
        found = await self.find()
        await self.connect(found.address, mtu)
        await self.discover()
        if await self.keys.get(str(found.address)) is None:
            await self.pair()
        else:
            await self.encrypt()
        await self.subscribe()
        return found

    # Frames

    async def write(self, frame, with_response=True):
        await within(self.rx.write_value(bytes(frame), with_response), "answer to the write")

    async def next(self, limit=LIMIT):
        return bytes(await within(self.frames.get(), "frame", limit))

    async def ask(self, frame, code=None):
        """Writes a command; the next frame with this code, or the next one."""
        await self.write(frame)
        while True:
            answer = await self.next()
            if code is None or answer[0] == code:
                return answer
