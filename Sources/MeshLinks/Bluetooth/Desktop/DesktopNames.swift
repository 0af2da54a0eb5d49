import MeshBus

/// The names of bluetoothd's objects, interfaces and methods.
enum DesktopNames {
    static let service = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let gattService = "org.bluez.GattService1"
    static let characteristic = "org.bluez.GattCharacteristic1"
    static let agent = "org.bluez.Agent1"
    static let agents = "org.bluez.AgentManager1"
    static let errors = "org.bluez.Error."
    static let manager = "org.freedesktop.DBus.ObjectManager"
    static let properties = "org.freedesktop.DBus.Properties"
    static let bus = "org.freedesktop.DBus"
    /// What all of its objects are below.
    static let root = "/org/bluez"

    /// The signals that a central needs.
    static let rules = [
        "type='signal',sender='\(service)'",
        "type='signal',sender='\(bus)',member='NameOwnerChanged',arg0='\(service)'",
    ]

    static func adapterPath(_ number: Int) -> String { "\(root)/hci\(number)" }

    /// All that it has.
    static let objects = BusRequest(service, "/", manager, "GetManagedObjects")
    /// Who it is on the bus.
    static let owner = BusRequest(bus, "/org/freedesktop/DBus", bus, "GetNameOwner", [.string(service)])

    static func call(_ path: String, _ interface: String, _ method: String, _ arguments: BusValue...) -> BusRequest {
        BusRequest(service, path, interface, method, arguments)
    }
}
