import MeshBluetoothHost
package import MeshBus

/// The permission of this user to use bluetoothd; the check changes nothing.
package enum DesktopAccess: Hashable, Sendable {
    case allowed
    /// The service is there, and the bus delivers no calls of this user to it.
    case refused
    case notRunning
    /// The bus does not exist, or does not admit us.
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
