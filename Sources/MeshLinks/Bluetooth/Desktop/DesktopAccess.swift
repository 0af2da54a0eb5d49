import MeshBluetoothHost
package import MeshBus

/// The permission of this user to use bluetoothd; the check changes nothing.
package enum DesktopAccess: Hashable, Sendable {
    case allowed
    /// It is there, and the bus hands it no calls of this user.
    case refused
    case notRunning
    /// There is no such bus, or it does not let us in.
    case noBus

    /// - Parameter place: The bus, when it is another one than the system's.
    package init(on place: Bus.Place = .system) {
        switch SystemService(DesktopNames.service, on: place) {
        case .noBus: self = .noBus
        case .notRunning: self = .notRunning
        case .running:
            do throws(BusError) {
                try Bus(place).call(DesktopNames.objects)
                self = .allowed
            } catch {
                let failure = BluetoothCentral.Failure(error, adapter: "", hasTyped: false)
                self = failure == .desktop(.notAllowed) ? .refused : .allowed
            }
        }
    }
}
