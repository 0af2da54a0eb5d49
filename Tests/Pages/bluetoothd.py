"""bluetoothd with one radio in range, played on a bus of its own; frames go to a radio at a TCP port.

    with Bluetoothd(host, port, name="MeshCore-alice") as daemon:
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = daemon.address

It says what bluetoothd 5.66 says to a central that scans, connects, pairs with the PIN, subscribes and writes.
"""

import asyncio
import pathlib
import subprocess
import tempfile
import threading

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>"""

ROOT, BLUEZ = "/org/bluez", "org.bluez"
ADAPTER = f"{ROOT}/hci0"
DEVICE = f"{ADAPTER}/dev_C0_11_22_33_44_55"
SERVICE = f"{DEVICE}/service000c"
RECEIVE, TRANSMIT = f"{SERVICE}/char000d", f"{SERVICE}/char000f"
UUID = "6e40000{}-b5a3-f393-e0a9-e50e24dcca9e"
MANAGER, PROPERTIES = "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Properties"


class Bluetoothd:
    def __init__(self, host, port, name="MeshCore-alice", pin=123456):
        self.place, self.name, self.pin = (host, port), name, pin
        self.agent, self.is_paired, self.writer, self.called, self.tasks = None, False, None, [], set()

    # Beginning and ending

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="meshbed-bus-")
        settings = pathlib.Path(self.folder.name) / "bus.conf"
        settings.write_text(CONFIGURATION, encoding="utf-8")
        self.daemon = subprocess.Popen(
            ["dbus-daemon", f"--config-file={settings}", "--nofork", "--print-address=1"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.address = self.daemon.stdout.readline().strip()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self.loop).result(30)
        return self

    def __exit__(self, *_):
        asyncio.run_coroutine_threadsafe(self._close(), self.loop).result(30)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.daemon.kill()
        self.daemon.wait()
        self.daemon.stdout.close()
        self.folder.cleanup()

    async def _open(self):
        self.bus = await MessageBus(bus_address=self.address).connect()
        self.bus.add_message_handler(self._take)
        await self.bus.request_name(BLUEZ)

    async def _close(self):
        for task in list(self.tasks):
            task.cancel()
        self.bus.disconnect()

    # What it has

    def _device(self):
        return {"Address": Variant("s", "C0:11:22:33:44:55"), "Adapter": Variant("o", ADAPTER), "Name": Variant("s", self.name),
                "Paired": Variant("b", self.is_paired), "Connected": Variant("b", False),
                "ServicesResolved": Variant("b", False), "UUIDs": Variant("as", [UUID.format(1)]), "RSSI": Variant("n", -60)}

    @staticmethod
    def _services():
        def characteristic(uuid, flags):
            return {"org.bluez.GattCharacteristic1": {
                "Service": Variant("o", SERVICE), "UUID": Variant("s", uuid), "Flags": Variant("as", flags),
                "MTU": Variant("q", 247)}}
        return [(SERVICE, {"org.bluez.GattService1": {"Device": Variant("o", DEVICE), "UUID": Variant("s", UUID.format(1))}}),
                (RECEIVE, characteristic(UUID.format(2), ["write", "write-without-response"])),
                (TRANSMIT, characteristic(UUID.format(3), ["read", "notify"]))]

    # Being called

    def _take(self, message):
        if message.message_type is not MessageType.METHOD_CALL or message.interface == "org.freedesktop.DBus.Peer":
            return None
        task = self.loop.create_task(self._answer(message))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return True

    async def _answer(self, call):
        self.called.append(call.member)
        error, signature, body = None, "", []
        match call.member:
            case "GetManagedObjects":
                signature, body = "a{oa{sa{sv}}}", [{ADAPTER: {"org.bluez.Adapter1": {"Powered": Variant("b", True)}}}]
            case "RegisterAgent":
                self.agent = (call.sender, call.body[0])
            case "StartDiscovery":
                self._added(DEVICE, {"org.bluez.Device1": self._device()})
            case "Connect":
                self._changed(DEVICE, "org.bluez.Device1", Connected=Variant("b", True))
                for path, interfaces in self._services():
                    self._added(path, interfaces)
                self._changed(DEVICE, "org.bluez.Device1", ServicesResolved=Variant("b", True))
            case "Pair":
                error = await self._pair()
            case "StartNotify":
                await self._dial()
            case "WriteValue":
                frame = bytes(call.body[0])
                self.writer.write(b"<" + len(frame).to_bytes(2, "little") + frame)
            case "Disconnect":
                if self.writer is not None:
                    self.writer.close()
                self._changed(DEVICE, "org.bluez.Device1", Connected=Variant("b", False))
        await self.bus.send(Message.new_error(call, error, "") if error else Message.new_method_return(call, signature, body))

    async def _pair(self):
        """Asks the agent for the PIN, as bluetoothd does; the error of a wrong one."""
        destination, path = self.agent
        answer = await self.bus.call(Message(
            destination=destination, path=path, interface="org.bluez.Agent1", member="RequestPasskey", signature="o",
            body=[DEVICE]))
        if answer.message_type is MessageType.ERROR or answer.body != [self.pin]:
            return "org.bluez.Error.AuthenticationFailed"
        self.is_paired = True
        self._changed(DEVICE, "org.bluez.Device1", Paired=Variant("b", True))
        return None

    # The radio

    async def _dial(self):
        reader, self.writer = await asyncio.open_connection(*self.place)
        task = self.loop.create_task(self._read(reader))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _read(self, reader):
        try:
            while True:
                head = await reader.readexactly(3)
                frame = await reader.readexactly(int.from_bytes(head[1:], "little"))
                self._changed(TRANSMIT, "org.bluez.GattCharacteristic1", Value=Variant("ay", frame))
        except (asyncio.IncompleteReadError, ConnectionError):
            self._changed(DEVICE, "org.bluez.Device1", Connected=Variant("b", False))

    # Signals

    def _added(self, path, interfaces):
        self.bus.send(Message.new_signal("/", MANAGER, "InterfacesAdded", "oa{sa{sv}}", [path, interfaces]))

    def _changed(self, path, interface, **values):
        self.bus.send(Message.new_signal(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", [interface, values, []]))
