package import MeshBus

/// The names of bluetoothd's objects, interfaces and errors: the one table of them, for centrals and for radios.
package enum DesktopNames {
    package static let service = "org.bluez"
    package static let adapter = "org.bluez.Adapter1"
    package static let device = "org.bluez.Device1"
    static let gattService = "org.bluez.GattService1"
    static let characteristic = "org.bluez.GattCharacteristic1"
    package static let agent = "org.bluez.Agent1"
    package static let agents = "org.bluez.AgentManager1"
    package static let advertisement = "org.bluez.LEAdvertisement1"
    package static let advertisements = "org.bluez.LEAdvertisingManager1"
    static let errors = "org.bluez.Error."
    static let manager = "org.freedesktop.DBus.ObjectManager"
    package static let properties = "org.freedesktop.DBus.Properties"
    static let bus = "org.freedesktop.DBus"
    /// The path above all of its objects.
    package static let root = "/org/bluez"

    /// The error that refuses a call of the agent, as by a user who says no.
    package static let rejected = errors + "Rejected"
    /// The error that refuses a call of a method that an object of ours does not have.
    package static let unknownMethod = "\(bus).Error.UnknownMethod"

    /// The rule for signals about the start and end of bluetoothd.
    package static let ownerRule = "type='signal',sender='\(bus)',member='NameOwnerChanged',arg0='\(service)'"
    /// The signals that a central needs.
    static let rules = [rule(), ownerRule]

    /// The rule for signals of bluetoothd; only those of this name, and of this object, where they are given.
    package static func rule(_ member: String? = nil, path: String? = nil) -> String {
        [("sender", service), ("member", member), ("path", path)].reduce("type='signal'") { rule, part in
            part.1.map { "\(rule),\(part.0)='\($0)'" } ?? rule
        }
    }

    package static func adapterPath(_ number: Int) -> String { "\(root)/hci\(number)" }
    /// The user's name for the adapter at a path: `hci0`.
    static func adapterName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// All that it has.
    package static let objects = BusRequest(service, "/", manager, "GetManagedObjects")
    /// The request for its owner on the bus.
    static let owner = BusRequest(bus, "/org/freedesktop/DBus", bus, "GetNameOwner", [.string(service)])

    package static func call(
        _ path: String, _ interface: String, _ method: String, _ arguments: BusValue...
    ) -> BusRequest {
        BusRequest(service, path, interface, method, arguments)
    }

    /// Sets a property of an object.
    package static func set(_ path: String, _ interface: String, _ property: String, _ value: BusValue) -> BusRequest {
        call(path, properties, "Set", .string(interface), .string(property), .variant(value))
    }
}
