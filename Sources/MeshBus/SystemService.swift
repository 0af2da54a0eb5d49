/// The presence of a service on the bus of the system.
package enum SystemService: Hashable, Sendable {
    case running
    case notRunning
    /// The bus does not exist, or does not admit us.
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

    /// Returns whether a call of the service is answered: it runs, or the bus starts it.
    package static func isOffered(_ name: String, on place: Bus.Place = .system) -> Bool {
        do throws(BusError) {
            let bus = try Bus(place)
            if try bus.has(name) { return true }
            return try bus.starts(name)
        } catch {
            return false
        }
    }
}
