/// Whether a service is on the bus of the system.
package enum SystemService: Hashable, Sendable {
    case running
    case notRunning
    /// There is no such bus, or it does not let us in.
    case noBus

    /// Asks for a service by its name, as `org.bluez`.
    ///
    /// - Parameter bus: The address of the bus, when it is another one than the system's.
    package init(_ name: String, bus address: String = "unix:path=/run/dbus/system_bus_socket") {
        do throws(BusError) {
            let answer = try Bus(address: address).call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner", .string(name))
            self = answer == [.boolean(true)] ? .running : .notRunning
        } catch {
            self = .noBus
        }
    }
}
