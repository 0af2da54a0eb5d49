package import MeshBluetoothHost
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

extension BluetoothCentral.DesktopFault {
    /// Returns the reason why bluetoothd has no adapter that is on; `nil` when it has one. It blocks.
    ///
    /// - Parameters:
    ///   - number: the adapter, when it is another one than the default.
    ///   - place: the bus, when it is another one than the system's.
    package static func found(adapter number: Int? = nil, on place: Bus.Place = .system) -> Self? {
        do throws(BusError) {
            let objects = DesktopObjects(try Bus(place).call(DesktopNames.objects).first)
            guard let adapter = objects.adapter(number) else { return .noAdapter(number.map { "hci\($0)" }) }
            return objects.isPowered(adapter) ? nil : .poweredOff(DesktopNames.adapterName(adapter))
        } catch {
            return Self(error)
        }
    }
}
