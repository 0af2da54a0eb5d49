import MeshBluetoothHost
import Testing

@testable import MeshBus
@testable import MeshEmulator

/// Messages to bluetoothd, and the effects of its answers.
@Suite struct DesktopAdapterTests {
    typealias Fault = BluetoothCentral.DesktopFault

    private static let path = "/org/bluez/hci1"
    private static let agent = "org.bluez.Agent1"
    private static let phone = BluetoothAddress(number: 0xAABB_CCDD_EEFF, isRandom: false)

    /// The objects of bluetoothd, with one adapter.
    private static func objects(
        powered: Bool = true, pairable: Bool = true, advertises: Bool = true
    ) -> BusValue {
        var interfaces: [BusValue] = [
            interface(
                "org.bluez.Adapter1",
                [
                    "Address": .string("00:AA:01:00:00:2A"), "AddressType": .string("public"),
                    "Powered": .boolean(powered), "Pairable": .boolean(pairable),
                ])
        ]
        if advertises { interfaces.append(interface("org.bluez.LEAdvertisingManager1", [:])) }
        let adapter = BusValue.array(of: "{sa{sv}}", interfaces)
        return .array(of: "{oa{sa{sv}}}", [.entry(key: .objectPath(path), value: adapter)])
    }

    private static func interface(_ name: String, _ values: KeyValuePairs<String, BusValue>) -> BusValue {
        .entry(key: .string(name), value: .variants(values))
    }

    private static func call(
        _ path: String, _ interface: String, _ method: String, _ arguments: [BusValue] = []
    ) -> BusCall {
        BusCall(
            sender: ":1.2", path: path, interface: interface, method: method, arguments: arguments, serial: 1,
            wantsAnswer: true)
    }

    private static func signal(_ path: String, _ interface: String, _ name: String, _ arguments: [BusValue]) -> BusEvent
    {
        .signal(BusSignal(sender: ":1.1", path: path, interface: interface, name: name, arguments: arguments))
    }

    /// The methods that are called, in their order.
    private static func methods(_ outputs: [DesktopAdapter.Output]) -> [String] {
        outputs.compactMap { if case .call(_, let request) = $0 { request.method } else { nil } }
    }

    private static func arguments(_ outputs: [DesktopAdapter.Output]) -> [BusValue] {
        for case .call(_, let request) in outputs { return request.arguments }
        return []
    }

    private static func ready(pairable: Bool = true) -> DesktopAdapter {
        var adapter = DesktopAdapter(1)
        _ = adapter.start()
        _ = adapter.answered(.look, .success([objects(pairable: pairable)]))
        _ = adapter.answered(.agent, .success([]))
        _ = adapter.answered(.defaultAgent, .success([]))
        if !pairable { _ = adapter.answered(.pairable, .success([])) }
        return adapter
    }

    /// Found as `MeshCore-alice`.
    private static func advertising() -> DesktopAdapter {
        var adapter = ready()
        _ = adapter.advertise(Array("MeshCore-alice".utf8))
        _ = adapter.answered(.advertise(1), .success([]))
        return adapter
    }

    // MARK: Begin and end

    @Test func `an adapter is looked at, gets an agent that shows, and is ready`() {
        var adapter = DesktopAdapter(1)
        #expect(Self.methods(adapter.start()) == ["GetManagedObjects"])

        let agent = adapter.answered(.look, .success([Self.objects()]))
        #expect(Self.methods(agent) == ["RegisterAgent"])
        #expect(Self.arguments(agent) == [.objectPath("/org/meshbed/agent"), .string("DisplayOnly")])
        #expect(Self.methods(adapter.answered(.agent, .success([]))) == ["RequestDefaultAgent"])

        let own = BluetoothAddress(number: 0x00AA_0100_002A, isRandom: false)
        #expect(adapter.answered(.defaultAgent, .success([])) == [.ready(own)])
    }

    @Test func `pairing that is off is switched on, and off again in the end`() {
        var adapter = DesktopAdapter(1)
        _ = adapter.start()
        _ = adapter.answered(.look, .success([Self.objects(pairable: false)]))
        _ = adapter.answered(.agent, .success([]))

        let on = adapter.answered(.defaultAgent, .success([]))
        #expect(
            Self.arguments(on) == [
                .string("org.bluez.Adapter1"), .string("Pairable"), .variant(.boolean(true)),
            ])
        #expect(adapter.answered(.pairable, .success([])).count == 1)
        _ = adapter.advertise(Array("MeshCore-alice".utf8))

        #expect(Self.methods(adapter.stop()) == ["UnregisterAdvertisement", "UnregisterAgent", "Set"])
        #expect(adapter.stop().isEmpty)
        var untouched = Self.ready()
        #expect(Self.methods(untouched.stop()) == ["UnregisterAgent"])
    }

    @Test(arguments: [
        (objects(powered: false), "\(Fault.poweredOff("hci1"))"),
        (
            objects(advertises: false),
            "it cannot advertise; 'bluetoothctl show' has no LEAdvertisingManager1 for it"
        ),
        (BusValue.array(of: "{oa{sa{sv}}}", []), "\(Fault.noAdapter("hci1"))"),
    ])
    func `an adapter that is of no use ends in a sentence`(objects: BusValue, sentence: String) {
        var adapter = DesktopAdapter(1)
        _ = adapter.start()

        #expect(adapter.answered(.look, .success([objects])) == [.ended(sentence)])
        #expect(adapter.answered(.agent, .success([])).isEmpty)
        #expect(adapter.stop().isEmpty)
    }

    @Test(arguments: [
        (BusError.unavailable("no"), Fault.noBus("no")),
        (.refused(name: "org.freedesktop.DBus.Error.ServiceUnknown", text: ""), .noDaemon),
        (.refused(name: "org.freedesktop.DBus.Error.NoReply", text: ""), .noAnswer),
        (.refused(name: "org.freedesktop.DBus.Error.AccessDenied", text: ""), .notAllowed),
        (.refused(name: "org.bluez.Error.Failed", text: "\u{1B}[2J"), .refused(name: "Failed", text: "\u{FFFD}[2J")),
    ])
    func `an error of the bus ends in a sentence that says what to do`(error: BusError, fault: Fault) {
        var adapter = DesktopAdapter(1)
        _ = adapter.start()

        #expect(adapter.answered(.look, .failure(error)) == [.ended("\(fault)")])
    }

    @Test(arguments: [
        (
            signal(
                "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
                [.string("org.bluez"), .string(":1.1"), .string("")]),
            Fault.noDaemon
        ),
        (
            signal(
                "/", "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved",
                [.objectPath(path), .strings(["org.bluez.Adapter1"])]),
            .adapterGone("hci1")
        ),
        (
            signal(
                path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                [.string("org.bluez.Adapter1"), .variants(["Powered": .boolean(false)]), .strings([])]),
            .poweredOff("hci1")
        ),
        (BusEvent.closed, .noDaemon),
    ])
    func `what takes the adapter away ends the radio, once`(event: BusEvent, fault: Fault) {
        var adapter = Self.advertising()

        #expect(adapter.happened(event) == [.ended("\(fault)")])
        #expect(adapter.happened(.closed).isEmpty)
        #expect(adapter.stop().isEmpty, "nobody is left to hear it")
    }

    @Test func `an adapter that was switched off is left as it was`() {
        var adapter = Self.ready(pairable: false)
        let off: [BusValue] = [
            .string("org.bluez.Adapter1"), .variants(["Powered": .boolean(false)]), .strings([]),
        ]
        _ = adapter.happened(Self.signal(Self.path, "", "PropertiesChanged", off))

        #expect(Self.methods(adapter.stop()) == ["UnregisterAgent", "Set"])
    }

    @Test func `what happens to other adapters and devices is not ours`() {
        var adapter = Self.advertising()
        let removed: [BusValue] = [.objectPath("/org/bluez/hci0"), .strings(["org.bluez.Adapter1"])]
        let device: [BusValue] = [.objectPath(Self.path), .strings(["org.bluez.NetworkServer1"])]
        let changed: [BusValue] = [
            .string("org.bluez.Adapter1"), .variants(["Discovering": .boolean(false)]), .strings([]),
        ]

        #expect(adapter.happened(Self.signal("/", "", "InterfacesRemoved", removed)).isEmpty)
        #expect(adapter.happened(Self.signal("/", "", "InterfacesRemoved", device)).isEmpty)
        #expect(adapter.happened(Self.signal(Self.path, "", "PropertiesChanged", changed)).isEmpty)
        #expect(adapter.happened(Self.signal(Self.path, "", "PropertiesChanged", [])).isEmpty)
        #expect(adapter.happened(Self.signal("/", "", "InterfacesRemoved", [])).isEmpty)
    }

    // MARK: Advertising

    @Test func `bluetoothd finds the service and the name at the object that it was given`() throws {
        var adapter = Self.ready()
        let registered = adapter.advertise(Array("MeshCore-alice".utf8))
        #expect(Self.methods(registered) == ["RegisterAdvertisement"])
        let object = try #require(Self.arguments(registered).first?.text)

        let asked = Self.call(
            object, "org.freedesktop.DBus.Properties", "GetAll", [.string("org.bluez.LEAdvertisement1")])
        guard case .answer(_, let values) = adapter.happened(.call(asked)).first else {
            Issue.record("no answer")
            return
        }
        #expect(values.first?["Type"]?.text == "peripheral")
        #expect(values.first?["ServiceUUIDs"]?.parts.map(\.text) == ["6e400001-b5a3-f393-e0a9-e50e24dcca9e"])
        #expect(values.first?["LocalName"]?.text == "MeshCore-alice")

        #expect(adapter.answered(.advertise(1), .success([])) == [.advertising])
    }

    @Test func `a long name is cut between characters`() throws {
        var adapter = Self.ready()
        let name = Array("MeshCore-Funkgerät auf der Zugspitze 🏔".utf8)
        let object = try #require(Self.arguments(adapter.advertise(name)).first?.text)
        let asked = Self.call(
            object, "org.freedesktop.DBus.Properties", "GetAll", [.string("org.bluez.LEAdvertisement1")])

        guard case .answer(_, let values) = adapter.happened(.call(asked)).first else {
            Issue.record("no answer")
            return
        }

        #expect(values.first?["LocalName"]?.text == "MeshCore-Funkgerät auf der Z")
    }

    @Test func `advertising that is refused, or that bluetoothd ends, may be tried again`() throws {
        var adapter = Self.ready()
        _ = adapter.advertise(Array("MeshCore-alice".utf8))
        let full = BusError.refused(name: "org.bluez.Error.NotPermitted", text: "Maximum advertisements reached")
        #expect(
            adapter.answered(.advertise(1), .failure(full)) == [
                .notAdvertising(
                    "bluetoothd takes no further advertisement; 'bluetoothctl show' lists how many there are")
            ])

        let object = try #require(Self.arguments(adapter.advertise(Array("MeshCore-alice".utf8))).first?.text)
        #expect(adapter.answered(.advertise(2), .success([])) == [.advertising])
        let released = adapter.happened(.call(Self.call(object, "org.bluez.LEAdvertisement1", "Release")))

        #expect(released.last == .notAdvertising("bluetoothd has ended the advertisement"))
        #expect(adapter.stopAdvertising().isEmpty, "nothing is there to withdraw")
    }

    @Test func `an answer to what was withdrawn is nobody's`() {
        var adapter = Self.ready()
        _ = adapter.advertise(Array("MeshCore-alice".utf8))

        #expect(Self.methods(adapter.stopAdvertising()) == ["UnregisterAdvertisement"])

        #expect(adapter.answered(.advertise(1), .success([])).isEmpty)
    }

    @Test func `a central is hung up on by its device`() {
        var adapter = Self.advertising()

        guard case .call(_, let request) = adapter.disconnect(Self.phone).first else {
            Issue.record("no call")
            return
        }

        #expect(request.path == "/org/bluez/hci1/dev_AA_BB_CC_DD_EE_FF")
        #expect(request.method == "Disconnect")
    }

    // MARK: The agent

    private static func shown(_ device: String, _ pin: UInt32, entered: UInt16 = 0) -> BusCall {
        call(
            "/org/meshbed/agent", agent, "DisplayPasskey",
            [.objectPath(device), .uint32(pin), .uint16(entered)])
    }

    @Test func `a PIN is shown once, with the device that is to type it`() {
        var adapter = Self.advertising()
        let call = Self.shown(Self.path + "/dev_AA_BB_CC_DD_EE_FF", 42)

        #expect(
            adapter.happened(.call(call)) == [.answer(call, []), .passkey(42, peer: "AA:BB:CC:DD:EE:FF")])
        let typing = Self.shown(Self.path + "/dev_AA_BB_CC_DD_EE_FF", 42, entered: 3)
        #expect(adapter.happened(.call(typing)) == [.answer(typing, [])])
    }

    @Test(arguments: ["/org/bluez/hci1/dev_\u{1B}[2J", "/", "", "/org/bluez/hci1/dev_AA_BB", "/dev_GG_BB_CC_DD_EE_FF"])
    func `a device that is none shows nothing`(device: String) {
        var adapter = Self.advertising()
        let call = Self.shown(device, 42)

        #expect(adapter.happened(.call(call)) == [.answer(call, [])])
    }

    @Test(arguments: [
        "RequestAuthorization", "RequestConfirmation", "RequestPasskey", "RequestPinCode", "DisplayPinCode",
        "AuthorizeService",
    ])
    func `whoever wants to pair or connect in another way is refused`(method: String) {
        var adapter = Self.advertising()
        let call = Self.call("/org/meshbed/agent", Self.agent, method, [.objectPath(Self.path + "/dev_AA")])

        #expect(adapter.happened(.call(call)) == [.refuse(call, name: "org.bluez.Error.Rejected")])
    }

    @Test func `other objects and methods are not there`() {
        var adapter = Self.advertising()
        let calls = [
            Self.call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"),
            Self.call("/org/meshbed/advertisement1", "org.freedesktop.DBus.Introspectable", "Introspect"),
            Self.call("/org/meshbed/advertisement2", "org.bluez.LEAdvertisement1", "Release"),
            Self.call("/org/meshbed/agent", "org.freedesktop.DBus.Properties", "GetAll"),
        ]

        for call in calls {
            #expect(
                adapter.happened(.call(call)) == [.refuse(call, name: "org.freedesktop.DBus.Error.UnknownMethod")])
        }
    }

    @Test func `no description shows the PIN`() {
        var adapter = Self.advertising()
        let outputs = adapter.happened(.call(Self.shown(Self.path + "/dev_AA_BB_CC_DD_EE_FF", 987_654)))

        var text = "\(outputs) \(String(reflecting: outputs)) "
        dump(outputs, to: &text)
        #expect(text.contains("AA:BB:CC:DD:EE:FF"))
        #expect(!text.contains("987654"))
    }
}
