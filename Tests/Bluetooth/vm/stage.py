"""The stage of a case in the machine: an emulated radio on the second adapter, and an app behind bluetoothd on the first."""

import asyncio
import os
import shutil
import subprocess
import tempfile
import time

from bleak import BleakScanner
from bleak.backends.bluezdbus.manager import get_global_bluez_manager
from bleak.exc import BleakError
from meshcore import EventType, MeshCore

import desktop
from lane import expect
from server import Server
from stories import PatientRadio

RADIO = "hci1"
ENDPOINT = f"ble:{RADIO}?mode=exact"
SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
SCAN_LIMIT, SCANS, CONNECTS = 6, 10, 10
ANSWER_LIMIT = 20
# What a radio beside the desktop prints when somebody pairs.
SHOWN = r"^alice: PIN (\d{6}) for ([0-9A-F:]{17})$"


class Stage:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.desktop, self.servers, self.clients, self.state = None, [], [], None

    async def clear(self):
        """Ends what a case has started, and forgets whom it met."""
        await self.clear_apps()
        for server in self.servers:
            server.discard()
        self.servers = []
        if self.desktop is not None:
            self.desktop.agent.pin, self.desktop.agent.asked, self.desktop.agent.read = None, 0, None
            await self.desktop.forget()
        if self.state is not None:
            shutil.rmtree(self.state, ignore_errors=True)
            self.state = None

    async def clear_apps(self):
        for client in self.clients:
            try:
                await asyncio.wait_for(client.disconnect(), ANSWER_LIMIT)
            except Exception as error:  # the next case must not suffer from how this one ended
                print(f"disconnecting: {error!r}", flush=True)
        self.clients = []

    async def open_desktop(self):
        if self.desktop is None:
            self.desktop = await desktop.Desktop().open()
        # A case may have switched it off.
        await self.desktop.power()
        return self.desktop

    # Ours

    async def meshbed(self, *words, status=0, limit=120, user=None):
        """Runs the command under test; what it printed."""
        code, text = await self.outcome(*words, limit=limit, user=user)
        assert code == status, f"exit {code} instead of {status} of {' '.join(words)}:\n{text}"
        return text

    async def outcome(self, *words, limit=120, user=None):
        """Runs the command under test; its exit status, and what it printed."""
        command = self.command(words, user)

        def run():
            return subprocess.run(command, capture_output=True, text=True, timeout=limit, stdin=subprocess.DEVNULL)

        done = await asyncio.to_thread(run)
        text = done.stdout + done.stderr
        print(f"$ meshbed {' '.join(words)}\n{text}", flush=True)
        return done.returncode, text

    def command(self, words, user):
        command = [self.binary, *words]
        return command if user is None else [
            "setpriv", f"--reuid={user}", "--regid=nogroup", "--clear-groups", "env", "HOME=/tmp", *command]

    async def start(self, *words, pattern=None, user=None):
        """Runs the command under test in the background, until it says that it runs."""
        server = Server(self.command(words, user), os.path.join(self.folder, f"meshbed-{words[0]}.log"))
        self.servers.append(server)
        await asyncio.to_thread(server.wait_for, *([pattern] if pattern else []))
        return server

    async def radio(self, profile="heltec-v3", world="solo", more=()):
        """An emulated radio, alice, alone with the second adapter."""
        desktop.down(RADIO)
        if self.state is None:
            self.state = tempfile.mkdtemp(prefix="radio-")
        return await self.start(
            "emulate", "--world", world, "--seed", "7", "--profile", profile, "--state", os.path.join(self.state, "state"),
            "--endpoint", f"alice={ENDPOINT}", *more)

    async def radio_beside(self, profile="heltec-v3"):
        """The same on an adapter that bluetoothd keeps; its user has no rights, and reads the PIN that it shows."""
        # The desktop's agent comes first: the last one that asks for it is told of pairings from outside.
        await self.open_desktop()
        await self.desktop.power(RADIO)
        server = await self.start(
            "emulate", "--world", "solo", "--seed", "7", "--profile", profile, "--endpoint", f"alice=ble:{RADIO}",
            user="nobody")

        async def read():
            return int((await asyncio.to_thread(server.wait_for, SHOWN, ANSWER_LIMIT))[1])

        self.desktop.agent.read = read
        return server

    # The app

    async def find(self):
        """The radio, with what it advertises.

        The virtual controllers report an advertiser once, perhaps before the kernel listens: then it is scanned again.
        """
        await self.open_desktop()
        for _ in range(SCANS):
            found = asyncio.get_running_loop().create_future()

            def hear(device, advertisement):
                name = advertisement.local_name or ""
                if name.startswith("MeshCore-") and SERVICE in advertisement.service_uuids and not found.done():
                    found.set_result((device, advertisement))

            async with BleakScanner(hear, bluez={"adapter": desktop.ADAPTER}):
                try:
                    return await asyncio.wait_for(found, SCAN_LIMIT)
                except asyncio.TimeoutError:
                    continue
        raise AssertionError(f"no radio was found in {SCANS} scans of {SCAN_LIMIT} s")

    async def app(self, pin=123456):
        """The official client, connected; its user types this PIN when asked."""
        device, _ = await self.find()
        self.desktop.agent.pin = pin
        asked = self.desktop.agent.asked
        for attempt in range(CONNECTS):
            try:
                client = await MeshCore.create_ble(
                    address=device.address, device=device, pin=str(pin), default_timeout=ANSWER_LIMIT)
            except BleakError as error:
                # A link without latency: bluetoothd may hear of the services' channel before it hears of the connection,
                # and never calls the device connected. Nothing has been asked for then, and a user would try again.
                if "discover services" not in str(error) or self.desktop.agent.asked > asked or attempt + 1 == CONNECTS:
                    raise
                print(f"connecting again: {error}", flush=True)
                device, _ = await self.find()
                continue
            assert client is not None, "the radio does not answer the client"
            self.clients.append(client)
            return client


    async def connect(self, device):
        """A connection of the desktop's.

        With both adapters bluetoothd hears of the channel of attributes before the connection, which it then never tells.
        """
        connected = await self.desktop.connect(device.address)
        manager = await get_global_bluez_manager()
        manager._properties[device.details["path"]]["org.bluez.Device1"]["Connected"] = connected

    async def app_of_desktop(self):
        """The official client on a connection of the desktop's, which has paired before."""
        device, _ = await self.find()
        await self.connect(device)
        client = await MeshCore.create_ble(address=device.address, device=device, default_timeout=ANSWER_LIMIT)
        assert client is not None, "the radio does not answer the client"
        self.clients.append(client)
        return client


class App:
    """Tells a story of Tests/Clients over Bluetooth."""

    def __init__(self, stage):
        self.stage, self.radio = stage, None

    async def connect(self):
        self.radio = BluetoothRadio(self.stage)
        return await self.radio.connect()


class BluetoothRadio(PatientRadio):
    """The radio, reached as the official client reaches it."""

    def __init__(self, stage):
        super().__init__("alice", None)
        self.stage = stage

    async def connect(self):
        self.client = await self.stage.app()
        self.client.subscribe(None, self._hear)
        expect(await self.commands.send_device_query(), EventType.DEVICE_INFO)
        return self


async def until(found, what, limit=ANSWER_LIMIT):
    """Waits for something that is there soon."""
    end = time.monotonic() + limit
    while not (value := await found()):
        assert time.monotonic() < end, f"no {what} in {limit} s"
        await asyncio.sleep(0.1)
    return value
