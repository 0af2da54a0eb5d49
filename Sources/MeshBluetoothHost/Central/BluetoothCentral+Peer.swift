// Which radio is meant; the same for all that look for one.
extension BluetoothCentral.Peer {
    /// Radios that are named where the wanted one is not found.
    package static let heardLimit = 4

    /// Tells whether a device that is heard is the wanted one.
    ///
    /// An address is proof enough. A name counts for devices with the Nordic UART service only. One that was cut to fit
    /// into an advertisement is compared with the beginning.
    package func isHeard(address: UInt64, name: String?, isNameComplete: Bool, hasNordicUART: Bool) -> Bool {
        switch self {
        case .address(let number): return address == number
        case .name(let wanted):
            guard hasNordicUART, let name else { return false }
            if isNameComplete { return name == wanted }
            // One that is cut may be cut within a character.
            let start = name.unicodeScalars.last == "\u{FFFD}" ? String(name.unicodeScalars.dropLast()) : name
            return !start.isEmpty && wanted.utf8.starts(with: start.utf8)
        case .nobody: return false
        }
    }

    /// Returns the failure that the end of a scan stands for.
    package func notFound(heard: [String]) -> BluetoothCentral.Failure {
        self == .nobody ? .hungUp : .noDevice(self, heard: heard)
    }
}

extension BluetoothCentral.Peer: CustomStringConvertible {
    /// The name, or the address as people write it.
    package var description: String {
        switch self {
        case .name(let name): name
        case .address(let number): BluetoothAddress(number: number, isRandom: false).description
        case .nobody: "in range"
        }
    }
}
