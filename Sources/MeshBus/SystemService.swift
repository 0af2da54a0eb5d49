/// The presence of a service on the bus of the system.
package enum SystemService: Hashable, Sendable {
    case running
    case notRunning
    /// There is no such bus, or it does not let us in.
    case noBus

    /// Asks for a service by its name, as `org.bluez`.
    ///
    /// - Parameter place: The bus, when it is another one than the system's.
    package init(_ name: String, on place: Bus.Place = .system) {
        do throws(BusError) {
            self = try Bus(place).has(name) ? .running : .notRunning
        } catch {
            self = .noBus
        }
    }
}
