public import FoundationEssentials

private enum SQL {
    static let all = DeviceDTO.select("ORDER BY lastConnected DESC, id")
    static let byID = DeviceDTO.select("WHERE id = ?1")
    static let byKey = DeviceDTO.select("WHERE publicKey = ?1")
    static let active = DeviceDTO.select("WHERE isActive")
    static let save = DeviceDTO.upsert(
        on: ["id"], keeping: ["lastContactSync", "lastFullContactSync", "isActive", "knownRegions"])
    static let endpoints = EndpointDTO.select("ORDER BY lastUsed DESC, kind, address")
    static let endpointsOfDevice = EndpointDTO.select("WHERE deviceID = ?1 ORDER BY lastUsed DESC, kind, address")
    static let endpoint = EndpointDTO.select("WHERE kind = ?1 AND address = ?2")
    static let saveEndpoint = EndpointDTO.upsert(on: ["kind", "address"], keeping: [])
}

extension PersistenceStore {
    /// All radios, the last connected first.
    public func fetchDevices() throws(StackError) -> [DeviceDTO] {
        try read { db in try db.rows(DeviceDTO.self, SQL.all) }
    }

    /// The radio of a row; `nil` for an unknown id.
    public func fetchDevice(id: UUID) throws(StackError) -> DeviceDTO? {
        try read { db in try db.row(DeviceDTO.self, SQL.byID, id) }
    }

    /// Returns the radio with this key, 32 bytes; `nil` for one that was never stored.
    public func fetchDevice(publicKey: Data) throws(StackError) -> DeviceDTO? {
        try read { db in try db.row(DeviceDTO.self, SQL.byKey, publicKey) }
    }

    /// The one that is marked as active; `nil` while none is.
    public func fetchActiveDevice() throws(StackError) -> DeviceDTO? {
        try read { db in try db.row(DeviceDTO.self, SQL.active) }
    }

    /// Stores a radio's information about itself; returns the row as it is now.
    ///
    /// A known key keeps its row and id. A known id with another key is a radio with a new identity: the row receives
    /// the key, and the next contact synchronisation is a full one. Synchronisation state, regions and the active mark
    /// of a known radio stay as they are.
    @discardableResult
    public func saveDevice(_ device: DeviceDTO) throws(StackError) -> DeviceDTO {
        try write { db in
            var device = device
            if let known = try db.row(DeviceDTO.self, SQL.byKey, device.publicKey) {
                device.id = known.id
            } else if try db.row(DeviceDTO.self, SQL.byID, device.id) != nil {
                try db.run(
                    "UPDATE device SET lastContactSync = 0, lastFullContactSync = NULL WHERE id = ?1", device.id)
            } else if device.isActive {
                try db.run("UPDATE device SET isActive = 0 WHERE isActive")
            }
            try db.run(SQL.save, row: device)
            guard let saved = try db.row(DeviceDTO.self, SQL.byID, device.id) else {
                throw StackError(.store, .deviceNotFound)
            }
            return saved
        }
    }

    /// Marks one radio as the active one, and no other.
    public func setActiveDevice(id: UUID) throws(StackError) {
        try write { db in
            try db.run("UPDATE device SET isActive = 0 WHERE isActive AND id <> ?1", id)
            try db.changeOne("UPDATE device SET isActive = 1 WHERE id = ?1", id, orThrow: .deviceNotFound)
        }
    }

    /// Deletes a radio with its contacts, messages, channels, sessions, posts and queue; addresses stay, without radio.
    public func deleteDevice(id: UUID) throws(StackError) {
        try write { db in try db.changeOne("DELETE FROM device WHERE id = ?1", id, orThrow: .deviceNotFound) }
    }

    /// Moves the watermark forward; a smaller one is left alone.
    public func updateContactWatermark(deviceID: UUID, to watermark: UInt32) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE device SET lastContactSync = max(lastContactSync, ?2) WHERE id = ?1", deviceID, watermark,
                orThrow: .deviceNotFound)
        }
    }

    /// Forgets the watermark: the radio's clock ran backwards, or the radio was reset.
    public func resetContactWatermark(deviceID: UUID) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE device SET lastContactSync = 0, lastFullContactSync = NULL WHERE id = ?1", deviceID,
                orThrow: .deviceNotFound)
        }
    }

    /// Stores the names of regions for scopes of floods, in place of all earlier ones; throws `deviceNotFound`.
    public func updateKnownRegions(deviceID: UUID, to regions: [String]) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE device SET knownRegions = ?2 WHERE id = ?1", deviceID, regions, orThrow: .deviceNotFound)
        }
    }
}

extension PersistenceStore {
    /// All addresses, the last used first.
    public func fetchEndpoints() throws(StackError) -> [EndpointDTO] {
        try read { db in try db.rows(EndpointDTO.self, SQL.endpoints) }
    }

    /// The addresses of one radio, the last used first.
    public func fetchEndpoints(deviceID: UUID) throws(StackError) -> [EndpointDTO] {
        try read { db in try db.rows(EndpointDTO.self, SQL.endpointsOfDevice, deviceID) }
    }

    /// Returns the row of an address; `nil` for one that is not stored.
    public func fetchEndpoint(kind: String, address: String) throws(StackError) -> EndpointDTO? {
        try read { db in try db.row(EndpointDTO.self, SQL.endpoint, kind, address) }
    }

    /// Stores an address, in place of a stored one of the same kind and address.
    public func saveEndpoint(_ endpoint: EndpointDTO) throws(StackError) {
        try write { db in _ = try db.run(SQL.saveEndpoint, row: endpoint) }
    }

    /// Forgets an address; one that is not stored is forgotten already.
    public func deleteEndpoint(kind: String, address: String) throws(StackError) {
        try write { db in _ = try db.run("DELETE FROM endpoint WHERE kind = ?1 AND address = ?2", kind, address) }
    }
}
