import MeshBluetoothHost
import MeshBus
import MeshTime

@testable import MeshTransports

/// A central above a bluetoothd that a test plays, with the time as an argument.
///
/// The messages of bluetoothd are those of version 5.66: `busctl monitor org.bluez` while radios were dialed.
struct DesktopBench {
    static let daemon = ":1.5"
    static let adapter = "/org/bluez/hci0"
    static let device = adapter + "/dev_C0_11_22_33_44_55"
    static let address: UInt64 = 0xC011_2233_4455
    static let service = device + "/service000c"
    static let receive = service + "/char000d"
    static let transmit = service + "/char000f"

    var central: DesktopCentral
    var now = Instant.start
    var outputs: [DesktopCentral.Output] = []
    /// Calls that were made, and not answered.
    private(set) var asked: [(number: Int, request: BusRequest)] = []

    init(
        _ peer: BluetoothCentral.Peer = .name("MeshCore-alice"), adapter: Int? = nil, passkey: UInt32 = 123_456,
        limits: BluetoothCentral.Limits = .init()
    ) {
        central = DesktopCentral(peer, adapter: adapter, passkey: passkey, limits: limits)
    }

    // MARK: What happens

    mutating func take(_ new: [DesktopCentral.Output]) {
        for output in new {
            if case .ask(let number, let request, _) = output { asked.append((number, request)) }
        }
        outputs += new
    }

    mutating func start() { take(central.start(at: now)) }

    /// The methods that wait for an answer, in the order of their calls.
    var waiting: [String] { asked.map(\.request.method) }

    func request(_ method: String) -> BusRequest? { asked.first { $0.request.method == method }?.request }

    /// Answers the oldest call of a method.
    mutating func answer(_ method: String, _ values: BusValue...) { settle(method, .success(values)) }

    mutating func refuse(_ method: String, _ name: String, _ text: String = "") {
        settle(method, .failure(.refused(name: name.contains(".") ? name : "org.bluez.Error.\(name)", text: text)))
    }

    private mutating func settle(_ method: String, _ result: Result<[BusValue], BusError>) {
        guard let index = asked.firstIndex(where: { $0.request.method == method }) else { return }
        let number = asked.remove(at: index).number
        take(central.answered(number, result, at: now))
    }

    mutating func pass(_ span: TimeSpan) {
        now = now + span
        take(central.expire(at: now))
    }

    mutating func change(_ path: String, _ interface: String, _ values: [String: BusValue]) {
        signal(
            path, DesktopNames.properties, "PropertiesChanged",
            [.string(interface), Self.variants(values), .strings([])])
    }

    mutating func add(_ path: String, _ interface: String, _ values: [String: BusValue]) {
        signal("/", DesktopNames.manager, "InterfacesAdded", [.objectPath(path), Self.interfaces(interface, values)])
    }

    mutating func remove(_ path: String, _ interface: String) {
        signal("/", DesktopNames.manager, "InterfacesRemoved", [.objectPath(path), .strings([interface])])
    }

    mutating func signal(_ path: String, _ interface: String, _ name: String, _ arguments: [BusValue]) {
        take(
            central.told(
                BusSignal(sender: Self.daemon, path: path, interface: interface, name: name, arguments: arguments),
                at: now))
    }

    mutating func call(
        _ method: String, _ arguments: BusValue..., sender: String = DesktopBench.daemon,
        path: String = DesktopCentral.agentPath
    ) {
        take(
            central.called(
                BusCall(sender: sender, path: path, interface: DesktopNames.agent, method: method, arguments: arguments)
            ))
    }

    // MARK: What bluetoothd has

    static func variants(_ values: [String: BusValue]) -> BusValue {
        .array(
            of: "{sv}",
            values.sorted { $0.key < $1.key }.map { .entry(key: .string($0.key), value: .variant($0.value)) })
    }

    static func interfaces(_ interface: String, _ values: [String: BusValue]) -> BusValue {
        .array(of: "{sa{sv}}", [.entry(key: .string(interface), value: variants(values))])
    }

    static func object(_ path: String, _ interface: String, _ values: [String: BusValue]) -> BusValue {
        .entry(key: .objectPath(path), value: interfaces(interface, values))
    }

    static func tree(_ objects: [BusValue]) -> BusValue { .array(of: "{oa{sa{sv}}}", objects) }

    static func adapterObject(_ path: String = adapter, isOn: Bool = true) -> BusValue {
        object(path, DesktopNames.adapter, ["Powered": .boolean(isOn), "Alias": .string("desk")])
    }

    /// A device in range, or one that is only known.
    static func radio(
        name: String = "MeshCore-alice", isPaired: Bool = false, signal: Int16? = -60
    ) -> [String: BusValue] {
        var values: [String: BusValue] = [
            "Address": .string("C0:11:22:33:44:55"), "Adapter": .objectPath(adapter), "Name": .string(name),
            "Paired": .boolean(isPaired), "Connected": .boolean(false), "ServicesResolved": .boolean(false),
            "UUIDs": .strings([BluetoothUUID.nordicUART.description]),
        ]
        values["RSSI"] = signal.map(BusValue.int16)
        return values
    }

    /// bluetoothd with these objects, as far as an agent that is registered.
    mutating func begin(_ objects: [BusValue] = [adapterObject()]) {
        start()
        answer("GetManagedObjects", Self.tree(objects))
        answer("GetNameOwner", .string(Self.daemon))
        answer("RegisterAgent")
    }

    /// The services of the radio.
    static func services() -> [BusValue] {
        func characteristic(_ path: String, _ uuid: BluetoothUUID, _ flags: [String]) -> BusValue {
            object(
                path, DesktopNames.characteristic,
                [
                    "Service": .objectPath(service), "UUID": .string(uuid.description), "Flags": .strings(flags),
                    "MTU": .uint16(247),
                ])
        }
        return [
            object(
                service, DesktopNames.gattService,
                ["Device": .objectPath(device), "UUID": .string(BluetoothUUID.nordicUART.description)]),
            characteristic(receive, .nordicRX, ["write", "write-without-response"]),
            characteristic(transmit, .nordicTX, ["read", "notify"]),
        ]
    }

    /// The name of a value of the radio's service.
    static func uuid(_ path: String?) -> String? {
        for case .entry(let key, let interfaces) in services() where key.text == path {
            return interfaces[DesktopNames.characteristic]?["UUID"]?.text
        }
        return nil
    }

    mutating func addServices() {
        for case .entry(let path, let interfaces) in Self.services() {
            signal("/", DesktopNames.manager, "InterfacesAdded", [path, interfaces])
        }
    }

    /// Plays the steps from a radio that is heard to its services.
    mutating func connect(services: Bool = true) {
        answer("SetDiscoveryFilter")
        answer("StartDiscovery")
        add(Self.device, DesktopNames.device, Self.radio())
        resolve(services: services)
    }

    /// Plays the steps from `Connect` to its services.
    mutating func resolve(services: Bool = true) {
        answer("StopDiscovery")
        change(Self.device, DesktopNames.device, ["Connected": .boolean(true)])
        answer("Connect")
        if services { addServices() }
        change(Self.device, DesktopNames.device, ["ServicesResolved": .boolean(true)])
    }

    mutating func pair() {
        call("RequestPasskey", .objectPath(Self.device))
        change(Self.device, DesktopNames.device, ["Paired": .boolean(true)])
        answer("Pair")
    }

    /// A link that passes frames; what was said on the way is forgotten.
    static func ready(limits: BluetoothCentral.Limits = .init()) -> DesktopBench {
        var bench = DesktopBench(limits: limits)
        bench.begin()
        bench.connect()
        bench.pair()
        bench.answer("StartNotify")
        bench.answer("Set")
        return bench
    }

    // MARK: What it came to

    var ended: BluetoothCentral.Failure? {
        outputs.compactMap { if case .ended(let failure) = $0 { failure } else { nil } }.first
    }

    var frames: [[UInt8]] { outputs.compactMap { if case .frame(let frame) = $0 { frame } else { nil } } }

    var answers: [[BusValue]] { outputs.compactMap { if case .answer(_, let values) = $0 { values } else { nil } } }

    var refusals: Int { outputs.count { if case .refuse = $0 { true } else { false } } }

    /// All methods that were called, in order.
    var called: [String] {
        outputs.compactMap { if case .ask(_, let request, _) = $0 { request.method } else { nil } }
    }
}
