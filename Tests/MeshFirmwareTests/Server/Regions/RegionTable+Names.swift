import MeshWire

@testable import MeshFirmware

/// Regions by their names, as a command line has them.
extension RegionTable {
    /// Removes a region; `false` when there is none of this name, or it has parts.
    @discardableResult
    mutating func remove(_ name: ByteText) -> Bool {
        place(named: name.bytes).map { remove($0) } ?? false
    }

    /// Allows or denies floods in the region of this name; `false` when there is none.
    @discardableResult
    mutating func setAllowsFlood(_ allows: Bool, in name: ByteText) -> Bool {
        guard let place = place(named: name.bytes) else { return false }
        setAllowsFlood(allows, at: place)
        return true
    }

    /// Makes the region of this name the one of the node; `false` when there is none.
    @discardableResult
    mutating func setHome(_ name: ByteText) -> Bool {
        guard let place = place(named: name.bytes) else { return false }
        setHome(place)
        return true
    }

    /// Makes the region of this name the one of the node's own floods; `false` when there is none.
    @discardableResult
    mutating func setDefault(_ name: ByteText) -> Bool {
        guard let place = place(named: name.bytes) else { return false }
        setDefault(place)
        return true
    }
}
