import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshPacket

extension FirmwareVersion {
    /// A version with another switch.
    func changed(_ change: (inout FirmwareSwitches) -> Void) -> FirmwareVersion {
        var switches = switches
        change(&switches)
        return FirmwareVersion(name: name, release: release, buildDate: buildDate, switches: switches)
    }
}

extension [UInt8] {
    /// The byte at a place, `nil` where there is none; setting one that is not there does nothing.
    subscript(at index: Int) -> UInt8? {
        get { indices.contains(index) ? self[index] : nil }
        set { if let newValue, indices.contains(index) { self[index] = newValue } }
    }
}

extension SentBytes {
    /// Tells whether a region of the table accepts the packet.
    func isIn(_ regions: RegionTable) -> Bool {
        guard let packet = try? PacketView(bytes) else { return false }
        return regions.match(packet) != nil
    }
}
