import MeshBluetoothHost
import MeshBus

/// The objects of bluetoothd as it has reported them, kept up to date by its signals.
struct DesktopObjects: Hashable, Sendable {
    /// A change that a signal has reported.
    enum Change: Hashable, Sendable {
        /// Properties of an object, or the object as a whole.
        case changed(path: String)
        case removed(path: String)
        /// A characteristic has a value.
        case notified(path: String, [UInt8])
    }

    /// A device in range, or one that bluetoothd knows.
    struct Device: Hashable, Sendable {
        let path: String
        let address: UInt64
        let name: String?
        /// The signal in the present scan, in dBm.
        let signal: Int?
        let isPaired: Bool
        let isConnected: Bool
        let isResolved: Bool
        let hasNordicUART: Bool

        var neighbor: BluetoothNeighbor {
            BluetoothNeighbor(
                address: address, name: name, signal: signal == Self.unknownSignal ? nil : signal, isPaired: isPaired,
                hasNordicUART: hasNordicUART)
        }

        /// The signal strength of a controller that does not measure it.
        private static let unknownSignal = 127

        /// The length from which on an advertised name may have been cut; bluetoothd does not say.
        private static let cutLength = 26

        func isWanted(by peer: BluetoothCentral.Peer) -> Bool {
            peer.isHeard(
                address: address, name: name, isNameComplete: (name?.utf8.count ?? 0) < Self.cutLength,
                hasNordicUART: hasNordicUART)
        }
    }

    /// A value of a device's service.
    struct Characteristic: Hashable, Sendable {
        let path: String
        let flags: Set<String>
        let mtu: Int?
    }

    /// The greatest number of objects that are kept: bluetoothd forgets devices that are not heard any more.
    private static let limit = 4096
    /// The properties that are kept; others change all the time.
    private static let kept: [String: Set<String>] = [
        DesktopNames.adapter: ["Powered"],
        DesktopNames.device: [
            "Address", "Adapter", "Name", "RSSI", "Paired", "Connected", "ServicesResolved", "UUIDs",
        ],
        DesktopNames.gattService: ["Device", "UUID"],
        DesktopNames.characteristic: ["Service", "UUID", "Flags", "MTU"],
    ]

    /// Properties by path and interface.
    private var objects: [String: [String: [String: BusValue]]] = [:]

    init() {}

    /// The answer to `GetManagedObjects`.
    init(_ managed: BusValue?) {
        for case .entry(let path, let interfaces) in managed?.parts ?? [] {
            if let path = path.text { add(path, interfaces) }
        }
    }

    // MARK: Signals

    mutating func take(_ signal: BusSignal) -> Change? {
        switch (signal.interface, signal.name) {
        case (DesktopNames.manager, "InterfacesAdded"):
            guard signal.arguments.count == 2, let path = signal.arguments[0].text else { return nil }
            add(path, signal.arguments[1])
            return .changed(path: path)
        case (DesktopNames.manager, "InterfacesRemoved"):
            guard signal.arguments.count == 2, let path = signal.arguments[0].text else { return nil }
            for interface in signal.arguments[1].parts.compactMap(\.text) { objects[path]?[interface] = nil }
            guard objects[path]?.isEmpty ?? true else { return .changed(path: path) }
            objects[path] = nil
            return .removed(path: path)
        case (DesktopNames.properties, "PropertiesChanged"):
            guard signal.arguments.count == 3, let interface = signal.arguments[0].text else { return nil }
            return change(signal.path, interface, signal.arguments[1], signal.arguments[2])
        default: return nil
        }
    }

    private mutating func add(_ path: String, _ interfaces: BusValue) {
        for case .entry(let interface, let properties) in interfaces.parts {
            guard let interface = interface.text, let kept = Self.kept[interface],
                objects[path] != nil || objects.count < Self.limit
            else { continue }
            var values: [String: BusValue] = [:]
            for name in kept { values[name] = properties[name] }
            objects[path, default: [:]][interface] = values
        }
    }

    private mutating func change(
        _ path: String, _ interface: String, _ changed: BusValue, _ invalidated: BusValue
    ) -> Change? {
        if interface == DesktopNames.characteristic, let value = changed["Value"] {
            return .notified(path: path, value.octets)
        }
        guard let kept = Self.kept[interface], objects[path]?[interface] != nil else { return nil }
        for name in kept {
            if let value = changed[name] { objects[path]?[interface]?[name] = value }
        }
        for name in invalidated.parts.compactMap(\.text) { objects[path]?[interface]?[name] = nil }
        return .changed(path: path)
    }

    // MARK: Looking in

    private func property(_ path: String, _ interface: String, _ name: String) -> BusValue? {
        objects[path]?[interface]?[name]
    }

    /// Paths of the objects with an interface: short ones first, so that `hci2` is before `hci10`.
    private func paths(with interface: String) -> [String] {
        objects.filter { $0.value[interface] != nil }.keys.sorted {
            ($0.utf8.count, $0) < ($1.utf8.count, $1)
        }
    }

    /// The adapter of this number; without one the first that is on, else the first.
    func adapter(_ number: Int?) -> String? {
        let paths = paths(with: DesktopNames.adapter)
        guard let number else { return paths.first(where: isPowered) ?? paths.first }
        return paths.first { $0 == DesktopNames.adapterPath(number) }
    }

    func isPowered(_ adapter: String) -> Bool { property(adapter, DesktopNames.adapter, "Powered")?.flag ?? false }

    /// The devices that an adapter knows.
    func devices(of adapter: String) -> [Device] {
        paths(with: DesktopNames.device).compactMap(device).filter {
            property($0.path, DesktopNames.device, "Adapter")?.text == adapter
        }
    }

    func device(_ path: String) -> Device? {
        func property(_ name: String) -> BusValue? { self.property(path, DesktopNames.device, name) }
        guard let text = property("Address")?.text, let address = BluetoothAddress(text: text) else { return nil }
        return Device(
            path: path, address: address.number, name: property("Name")?.text.flatMap(Self.plain),
            signal: property("RSSI")?.signed.map(Int.init), isPaired: property("Paired")?.flag ?? false,
            isConnected: property("Connected")?.flag ?? false,
            isResolved: property("ServicesResolved")?.flag ?? false,
            hasNordicUART: property("UUIDs")?.parts.contains { Self.isSame($0, .nordicUART) } ?? false)
    }

    /// Returns whether a device has the Nordic UART service, by its own table.
    func hasNordicUART(_ device: String) -> Bool { !nordicServices(of: device).isEmpty }

    /// A characteristic of a device's Nordic UART service.
    func characteristic(_ uuid: BluetoothUUID, of device: String) -> Characteristic? {
        let services = nordicServices(of: device)
        let name = DesktopNames.characteristic
        let path = paths(with: name).first { path in
            guard let value = property(path, name, "UUID"), let service = property(path, name, "Service")?.text else {
                return false
            }
            return Self.isSame(value, uuid) && services.contains(service)
        }
        guard let path else { return nil }
        return Characteristic(
            path: path, flags: Set(property(path, name, "Flags")?.parts.compactMap(\.text) ?? []),
            mtu: property(path, name, "MTU")?.number.map(Int.init))
    }

    private func nordicServices(of device: String) -> [String] {
        paths(with: DesktopNames.gattService).filter { path in
            property(path, DesktopNames.gattService, "Device")?.text == device
                && property(path, DesktopNames.gattService, "UUID").map { Self.isSame($0, .nordicUART) } == true
        }
    }

    // MARK: Words

    private static func isSame(_ value: BusValue, _ uuid: BluetoothUUID) -> Bool {
        value.text?.lowercased() == uuid.description
    }

    /// Returns the text without characters that a terminal obeys.
    static func plain(_ text: String) -> String? { AdvertisedFacts.text(Array(text.utf8.prefix(248)).span) }

    /// Returns the beginning of a text of bluetoothd's, without characters that a terminal obeys.
    static func shown(_ text: String) -> String { plain(String(text.prefix(200))) ?? "" }
}
