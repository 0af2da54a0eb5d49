import MeshBluetoothHost
import MeshBus
import MeshTestSupport
import MeshTime
import Testing

@testable import MeshTransports

/// An app's side of a link through bluetoothd, from the first call to the end, with the time as an argument.
@Suite struct DesktopCentralTests {
    private typealias Bench = DesktopBench

    // MARK: The way to frames

    @Test func `a radio is found, connected to, paired with and subscribed to, in this order`() {
        var bench = Bench()
        bench.begin()
        #expect(bench.central.phase == .scanning)
        bench.connect()
        #expect(bench.waiting == ["Pair"])
        bench.pair()
        #expect(bench.answers == [[.uint32(123_456)]])
        bench.answer("StartNotify")

        #expect(
            bench.called == [
                "GetManagedObjects", "GetNameOwner", "RegisterAgent", "SetDiscoveryFilter", "StartDiscovery",
                "StopDiscovery", "Connect", "Pair", "StartNotify", "Set",
            ])
        #expect(bench.outputs.last == .ready(mtu: 247))
        #expect(bench.central.phase == .connected)
        #expect(bench.central.deadline == nil)
    }

    @Test(.proves("SVC-049"))
    func `discovery looks for the radios' service, and frames go to one value of it and come from the other`() throws {
        var bench = Bench()
        bench.begin()
        let filter = bench.request("SetDiscoveryFilter")?.arguments.first
        #expect(filter?["UUIDs"] == .strings(["6e400001-b5a3-f393-e0a9-e50e24dcca9e"]))
        #expect(filter?["Transport"] == .string("le"))
        bench.connect()
        bench.pair()
        bench.answer("StartNotify")
        bench.take(try bench.central.send([1], at: bench.now))
        for path in [Bench.receive, Bench.transmit] {
            bench.change(path, DesktopNames.characteristic, ["Value": .bytes([7])])
        }

        #expect(Bench.uuid(bench.request("WriteValue")?.path) == "6e400002-b5a3-f393-e0a9-e50e24dcca9e")
        #expect(Bench.uuid(Bench.transmit) == "6e400003-b5a3-f393-e0a9-e50e24dcca9e")
        #expect(bench.frames == [[7]])
    }

    @Test(.proves("SVC-R-091"))
    func `services that are not there right behind a reconnection are asked for again, three times in 15 seconds`() {
        func reconnected() -> DesktopBench {
            var bench = Bench()
            bench.begin([
                Bench.adapterObject(), Bench.object(Bench.device, DesktopNames.device, Bench.radio(isPaired: true)),
            ])
            bench.resolve(services: false)
            return bench
        }
        var bench = reconnected()
        #expect(bench.ended == nil && bench.central.phase == .discoveringServices)
        bench.pass(.milliseconds(500))
        bench.addServices()
        bench.pass(.milliseconds(500))
        bench.answer("StartNotify")
        #expect(bench.outputs.contains(.ready(mtu: 247)) && bench.now < .start + .seconds(15))

        bench = reconnected()
        for _ in 0..<3 { bench.pass(.milliseconds(500)) }
        #expect(bench.central.phase == .disconnecting)
        bench.pass(.seconds(4))
        #expect(bench.ended == .noService)
    }

    @Test(arguments: [BluetoothCentral.Peer.name("MeshCore-alice"), .address(DesktopBench.address)])
    func `a radio that is paired is connected to without a scan and without its PIN`(peer: BluetoothCentral.Peer) {
        var bench = Bench(peer)
        bench.begin([
            Bench.adapterObject(),
            Bench.object(Bench.device, DesktopNames.device, Bench.radio(isPaired: true, signal: nil)),
        ])
        #expect(bench.waiting == ["Connect"])
        bench.resolve()
        bench.answer("StartNotify")

        #expect(bench.outputs.contains(.ready(mtu: 247)))
        #expect(!bench.called.contains("StartDiscovery") && !bench.called.contains("Pair"))
    }

    @Test func `only a device with the wanted name, and heard in this scan, is connected to`() {
        var bench = Bench()
        bench.begin()
        bench.add(Bench.device, DesktopNames.device, Bench.radio(name: "MeshCore-bob"))
        #expect(bench.central.phase == .scanning)
        bench.change(Bench.device, DesktopNames.device, ["Name": .string("MeshCore-alice")])
        #expect(bench.central.phase == .connecting)

        bench = Bench()
        bench.begin()
        bench.add(Bench.device, DesktopNames.device, Bench.radio(signal: nil))
        #expect(bench.central.phase == .scanning)
        bench.change(Bench.device, DesktopNames.device, ["RSSI": .int16(-70)])
        #expect(bench.central.phase == .connecting)
    }

    @Test func `another app's connection is used, and left alone at the end`() {
        var bench = Bench()
        bench.begin()
        bench.addServices()
        bench.add(Bench.device, DesktopNames.device, Bench.radio(signal: nil))
        bench.change(
            Bench.device, DesktopNames.device,
            [
                "Connected": .boolean(true), "ServicesResolved": .boolean(true), "Paired": .boolean(true),
                "RSSI": .int16(-50),
            ])
        bench.answer("StartNotify")
        #expect(bench.outputs.contains(.ready(mtu: 247)))
        bench.take(bench.central.hangUp(at: bench.now))

        #expect(!bench.called.contains("Connect") && !bench.called.contains("Disconnect"))
        #expect(bench.called.suffix(2) == ["StopNotify", "UnregisterAgent"])
    }

    // MARK: Frames

    @Test func `frames pass both ways, one write at a time`() throws {
        var bench = Bench.ready()
        bench.take(try bench.central.send([1, 2], at: bench.now))
        bench.take(try bench.central.send([3], at: bench.now))
        #expect(bench.waiting == ["WriteValue"] && bench.central.unwritten == 2)
        #expect(bench.request("WriteValue")?.path == Bench.receive)
        #expect(bench.request("WriteValue")?.arguments == [.bytes([1, 2]), .variants(["type": .string("request")])])
        bench.answer("WriteValue")
        #expect(bench.request("WriteValue")?.arguments.first == .bytes([3]))
        bench.answer("WriteValue")
        #expect(bench.central.unwritten == 0)

        bench.change(Bench.transmit, DesktopNames.characteristic, ["Value": .bytes([7, 8])])
        bench.change(Bench.receive, DesktopNames.characteristic, ["Value": .bytes([9])])
        #expect(bench.frames == [[7, 8]])
    }

    @Test func `frames of a radio that is quicker than its answer come after the link is ready`() {
        var bench = Bench()
        bench.begin()
        bench.connect()
        bench.pair()
        bench.change(Bench.transmit, DesktopNames.characteristic, ["Value": .bytes([5])])
        #expect(bench.frames.isEmpty)
        bench.answer("StartNotify")

        #expect(bench.outputs.suffix(2) == [.ready(mtu: 247), .frame([5])])
    }

    @Test func `a queue that is full says so, and when there is room again`() throws {
        var limits = BluetoothCentral.Limits()
        limits.queue = 1
        var bench = Bench.ready(limits: limits)
        for frame in [[1], [2]] as [[UInt8]] { bench.take(try bench.central.send(frame, at: bench.now)) }
        let refusal = { (bench: inout DesktopBench, frame: [UInt8]) -> BluetoothCentral.Refusal? in
            do throws(BluetoothCentral.Refusal) {
                bench.take(try bench.central.send(frame, at: bench.now))
                return nil
            } catch { return error }
        }
        #expect(refusal(&bench, [3]) == .full)
        bench.answer("WriteValue")
        #expect(bench.outputs.contains(.hasRoom))
        #expect(refusal(&bench, [UInt8](repeating: 0, count: 513)) == .tooLong(limit: 512))
        bench.take(bench.central.hangUp(at: bench.now))
        #expect(refusal(&bench, [3]) == .notReady)
    }

    @Test func `a write that is not answered is given up, and the next one waits for its answer`() throws {
        var bench = Bench.ready()
        bench.take(try bench.central.send([1], at: bench.now))
        bench.take(try bench.central.send([2], at: bench.now))
        bench.pass(.seconds(5))
        #expect(bench.outputs.last == .notWritten(nil))
        #expect(bench.waiting == ["WriteValue"])
        bench.refuse("WriteValue", "Failed", "Operation failed with ATT error: 0x0d")
        #expect(bench.outputs.contains(.notWritten(.invalidValueLength)))
        #expect(bench.request("WriteValue")?.arguments.first == .bytes([2]))
    }

    // MARK: The agent

    @Test(.proves("SVC-052")) func `the PIN is told to bluetoothd alone, and for the radio that is being paired with`()
    {
        var bench = Bench()
        bench.begin()
        bench.call("RequestPasskey", .objectPath(Bench.device))
        bench.connect()
        bench.call("RequestPasskey", .objectPath(Bench.device), sender: ":1.66")
        bench.call("RequestPasskey", .objectPath(Bench.adapter + "/dev_00_00_00_00_00_01"))
        for method in ["RequestPinCode", "RequestConfirmation", "RequestAuthorization", "AuthorizeService"] {
            bench.call(method, .objectPath(Bench.device))
        }
        bench.call("RequestPasskey", .objectPath(Bench.device), path: "/")

        #expect(bench.answers.isEmpty)
        #expect(bench.refusals == 8)
        bench.call("RequestPasskey", .objectPath(Bench.device))
        #expect(bench.answers == [[.uint32(123_456)]])
        for output in bench.outputs { #expect(!"\(output)".contains("123456")) }
        var dumped = ""
        dump(bench.central, to: &dumped)
        dump(bench.outputs, to: &dumped)
        #expect(!dumped.contains("123456"))
    }

    // MARK: Ends

    @Test func `to hang up takes everything back, and waits for that no longer than its limit`() {
        var bench = Bench.ready()
        bench.take(bench.central.hangUp(at: bench.now))
        #expect(bench.waiting == ["Disconnect", "UnregisterAgent"])
        bench.answer("UnregisterAgent")
        #expect(bench.ended == nil)
        bench.answer("Disconnect")
        #expect(bench.ended == .hungUp)

        bench = Bench()
        bench.begin()
        bench.take(bench.central.hangUp(at: bench.now))
        #expect(bench.waiting.suffix(2) == ["StopDiscovery", "UnregisterAgent"])
        bench.pass(.seconds(4))
        #expect(bench.ended == .hungUp && bench.central.phase == .idle)
    }

    @Test(.proves("SVC-052")) func `a wrong PIN is told, and the next attempt begins anew`() {
        var bench = Bench()
        bench.begin()
        bench.connect()
        bench.call("RequestPasskey", .objectPath(Bench.device))
        bench.change(Bench.device, DesktopNames.device, ["Connected": .boolean(false)])
        bench.refuse("Pair", "AuthenticationFailed", "Authentication Failed")
        bench.pass(.seconds(4))
        #expect(bench.ended == .wrongPIN)
        #expect(LinkError(BluetoothCentral.Failure.wrongPIN, at: .bluetooth(.init(.address(1)))).isFinal)

        bench.outputs = []
        bench.begin()
        #expect(bench.central.phase == .scanning && bench.ended == nil)
    }

    @Test(.proves("SVC-R-095"))
    func `a radio that has lost its keys is connected to once more, then paired with again, once`() {
        var bench = Bench()
        bench.begin([
            Bench.adapterObject(), Bench.object(Bench.device, DesktopNames.device, Bench.radio(isPaired: true)),
        ])
        for _ in 0..<2 {
            bench.change(Bench.device, DesktopNames.device, ["Connected": .boolean(true)])
            bench.answer("Connect")
            bench.change(Bench.device, DesktopNames.device, ["Connected": .boolean(false)])
        }
        #expect(bench.waiting.suffix(1) == ["RemoveDevice"])
        // Until it is removed, what is heard of it counts for nothing.
        bench.change(Bench.device, DesktopNames.device, ["RSSI": .int16(-61)])
        #expect(bench.central.phase == .scanning)
        bench.remove(Bench.device, DesktopNames.device)
        bench.answer("RemoveDevice")
        bench.connect()
        bench.pair()
        bench.answer("StartNotify")

        #expect(bench.outputs.contains(.ready(mtu: 247)))
        #expect(bench.called.count { $0 == "RemoveDevice" } == 1)
    }

    @Test func `a paired radio that does not answer keeps its keys`() {
        var bench = Bench()
        bench.begin([
            Bench.adapterObject(), Bench.object(Bench.device, DesktopNames.device, Bench.radio(isPaired: true)),
        ])
        for _ in 0..<4 { bench.refuse("Connect", "Failed", "le-connection-abort-by-local") }
        bench.pass(.seconds(4))

        #expect(bench.called.count { $0 == "Connect" } == 4)
        #expect(!bench.called.contains("RemoveDevice"))
        #expect(bench.ended == .desktop(.notConnected("le-connection-abort-by-local")))
    }

    @Test func `a device without the service is no radio, and is not paired with`() {
        var bench = Bench(.address(DesktopBench.address))
        bench.begin()
        bench.connect(services: false)
        bench.pass(.seconds(4))

        #expect(bench.ended == .noService)
        #expect(!bench.called.contains("Pair"))
        #expect(bench.called.contains("Disconnect"))
    }

    @Test func `what is heard in place of the wanted radio is named`() {
        var bench = Bench()
        bench.begin()
        bench.add(Bench.device, DesktopNames.device, Bench.radio(name: "MeshCore-bob\u{1B}[2J"))
        bench.pass(.seconds(10))
        bench.pass(.seconds(4))

        #expect(bench.ended == .noDevice(.name("MeshCore-alice"), heard: ["MeshCore-bob\u{FFFD}[2J"]))
    }

    @Test(.proves("SVC-050")) func `each phase ends at its limit`() {
        var bench = Bench()
        bench.begin()
        bench.add(Bench.device, DesktopNames.device, Bench.radio())
        bench.pass(.seconds(10))
        bench.pass(.seconds(4))
        #expect(bench.ended == .timedOut(.connecting))

        bench = Bench()
        bench.begin()
        bench.add(Bench.device, DesktopNames.device, Bench.radio())
        bench.answer("Connect")
        bench.pass(.seconds(40))
        bench.pass(.seconds(4))
        #expect(bench.ended == .timedOut(.discoveringServices))

        bench = Bench()
        bench.begin()
        bench.connect()
        bench.pass(.seconds(40))
        bench.pass(.seconds(4))
        #expect(bench.ended == .timedOut(.subscribingToNotifications))
    }

    @Test(.proves("SVC-050"))
    func `a radio whose keys are known has less time for its services, unless it has to be paired with again`() {
        let known = [
            Bench.adapterObject(), Bench.object(Bench.device, DesktopNames.device, Bench.radio(isPaired: true)),
        ]
        var bench = Bench()
        bench.begin(known)
        bench.answer("Connect")
        #expect(bench.central.deadline == .start + .seconds(15))
        bench.pass(.seconds(15))
        bench.pass(.seconds(4))
        #expect(bench.ended == .timedOut(.discoveringServices))

        bench = Bench()
        bench.begin(known)
        bench.resolve(services: false)
        bench.addServices()
        bench.change(Bench.device, DesktopNames.device, ["Paired": .boolean(false)])
        bench.pass(.milliseconds(500))
        #expect(bench.waiting == ["Pair"])
        #expect(bench.central.deadline == .start + .seconds(40))
    }

    @Test(.proves("SVC-050", "SVC-051"))
    func `a subscription that is refused for security is asked for again, as long as pairing may take`() {
        var bench = Bench()
        bench.begin()
        bench.connect()
        bench.pair()
        bench.refuse("StartNotify", "NotPermitted", "Not paired")
        bench.pass(.milliseconds(500))
        #expect(bench.waiting == ["StartNotify"])
        bench.now = bench.now + .seconds(35)
        bench.refuse("StartNotify", "NotPermitted", "Not paired")
        bench.pass(.seconds(4))
        #expect(bench.ended == .refused(.insufficientAuthentication))
    }

    @Test(.proves("SVC-061"))
    func
        `an adapter that is off ends the attempt before anything is looked for, and one that is on is used by the next`()
    {
        var bench = Bench()
        bench.start()
        #expect(bench.central.phase == .waitingForBluetooth)
        bench.answer("GetManagedObjects", Bench.tree([Bench.adapterObject(isOn: false)]))
        bench.answer("GetNameOwner", .string(Bench.daemon))
        let error = LinkError(bench.ended ?? .hungUp, at: .bluetooth(.init(.name("MeshCore-alice"))))
        #expect(bench.called == ["GetManagedObjects", "GetNameOwner"] && bench.now == .start)
        #expect(error.reason.hasPrefix("the adapter hci0 is off; ") && !error.isFinal)

        bench.outputs = []
        bench.begin()
        bench.connect()
        bench.pair()
        bench.answer("StartNotify")
        #expect(bench.outputs.contains(.ready(mtu: 247)))
    }

    @Test func `an adapter that is missing or off is named, with what mends it`() {
        var bench = Bench(adapter: 7)
        bench.begin()
        #expect(bench.ended == .desktop(.noAdapter("hci7")))

        bench = Bench()
        bench.begin([Bench.adapterObject(isOn: false)])
        #expect(bench.ended == .desktop(.poweredOff("hci0")))
        #expect("\(BluetoothCentral.Failure.desktop(.poweredOff("hci0")))".contains("bluetoothctl power on"))

        // Without a number it is the first that is on.
        bench = Bench()
        bench.begin([Bench.adapterObject(isOn: false), Bench.adapterObject("/org/bluez/hci10")])
        #expect(bench.request("StartDiscovery")?.path == "/org/bluez/hci10")
    }

    @Test(arguments: [false, true])
    func `bluetoothd, its adapter or the radio that goes away ends the link for that reason`(isReady: Bool) {
        func bench() -> DesktopBench {
            if isReady { return Bench.ready() }
            var bench = Bench()
            bench.begin()
            bench.connect()
            return bench
        }
        var gone = bench()
        gone.signal(
            "/org/freedesktop/DBus", DesktopNames.bus, "NameOwnerChanged",
            [.string("org.bluez"), .string(Bench.daemon), .string("")])
        #expect(gone.ended == .desktop(.noDaemon))

        gone = bench()
        gone.remove(Bench.adapter, DesktopNames.adapter)
        #expect(gone.ended == .desktop(.adapterGone("hci0")))

        gone = bench()
        gone.change(Bench.adapter, DesktopNames.adapter, ["Powered": .boolean(false)])
        gone.pass(.seconds(4))
        #expect(gone.ended == .desktop(.poweredOff("hci0")))

        gone = bench()
        gone.take(gone.central.close())
        #expect(gone.ended == .desktop(.noDaemon))

        guard isReady else { return }
        gone = bench()
        gone.change(Bench.device, DesktopNames.device, ["Connected": .boolean(false)])
        gone.pass(.seconds(4))
        #expect(gone.ended == .desktop(.linkLost))
    }

    @Test func `without bluetoothd, or without the right to use it, the sentence says what mends that`() {
        for (name, failure) in [
            ("org.freedesktop.DBus.Error.ServiceUnknown", BluetoothCentral.Failure.desktop(.noDaemon)),
            ("org.freedesktop.DBus.Error.AccessDenied", .desktop(.notAllowed)),
        ] {
            var bench = Bench()
            bench.start()
            bench.refuse("GetManagedObjects", name)
            #expect(bench.ended == failure)
        }
    }

    @Test(arguments: [
        ("NotReady", "", BluetoothCentral.Failure.desktop(.poweredOff("hci0"))),
        ("AuthenticationFailed", "", .wrongPIN),
        ("AuthenticationTimeout", "", .timedOut(.subscribingToNotifications)),
        ("AuthenticationCanceled", "", .desktop(.notPaired("AuthenticationCanceled"))),
        ("ConnectionAttemptFailed", "Page Timeout", .desktop(.notConnected("Page Timeout"))),
        ("InProgress", "", .busy),
        ("DoesNotExist", "", .desktop(.linkLost)),
        ("Failed", "Not connected", .desktop(.linkLost)),
        ("Failed", "Operation failed with ATT error: 0x0e", .refused(.unlikelyError)),
        (
            "Failed", "Operation failed with ATT error: 0xzz",
            .desktop(.notConnected("Operation failed with ATT error: 0xzz"))
        ),
        ("Other\u{7}", "x\u{1B}", .desktop(.refused(name: "Other\u{FFFD}", text: "x\u{FFFD}"))),
    ])
    func `an error of bluetoothd's is a stated failure`(name: String, text: String, failure: BluetoothCentral.Failure) {
        let error = BusError.refused(name: "org.bluez.Error.\(name)", text: text)

        #expect(BluetoothCentral.Failure(error, adapter: "hci0", hasTyped: true) == failure)
    }

    // MARK: Scanning alone

    @Test func `a central that looks for nobody tells who is in range, once and when that changes`() {
        var bench = Bench(.nobody)
        bench.begin()
        bench.add(Bench.device, DesktopNames.device, Bench.radio())
        bench.change(Bench.device, DesktopNames.device, ["RSSI": .int16(-60)])
        bench.change(Bench.device, DesktopNames.device, ["RSSI": .int16(-70)])
        bench.pass(.seconds(10))
        bench.answer("StopDiscovery")

        let signals = bench.outputs.compactMap { if case .found(let neighbor) = $0 { neighbor.signal } else { nil } }
        #expect(signals == [-60, -70])
        #expect(bench.ended == .hungUp)
        #expect(!bench.called.contains("RegisterAgent") && !bench.called.contains("Connect"))
    }
}
