public import FoundationEssentials

private enum SQL {
    private static let order = """
        ORDER BY (
            SELECT isFavorite FROM contact c
            WHERE c.deviceID = remoteNodeSession.deviceID AND c.publicKey = remoteNodeSession.publicKey) IS 1 DESC,
        coalesce(lastConnectedDate, 0) DESC, id
        """
    static let all = RemoteNodeSessionDTO.select("WHERE deviceID = ?1 \(order)")
    static let connected = RemoteNodeSessionDTO.select("WHERE deviceID = ?1 AND isConnected \(order)")
    static let byID = RemoteNodeSessionDTO.select("WHERE id = ?1")
    static let byKey = RemoteNodeSessionDTO.select("WHERE deviceID = ?1 AND publicKey = ?2")
    static let byPrefix = RemoteNodeSessionDTO.select(
        "WHERE deviceID = ?1 AND publicKey >= ?2 AND publicKey <= ?3 LIMIT 2")
    static let save = RemoteNodeSessionDTO.upsert(
        on: ["deviceID", "publicKey"], keeping: ["id", "unreadCount", "lastSyncTimestamp", "unsyncedCount"])
}

extension PersistenceStore {
    /// All sessions: those with favourite contacts first, then the last connected.
    public func fetchRemoteNodeSessions(deviceID: UUID) throws(StackError) -> [RemoteNodeSessionDTO] {
        try read { db in try db.rows(RemoteNodeSessionDTO.self, SQL.all, deviceID) }
    }

    /// The connected ones, in the same order.
    public func fetchConnectedRemoteNodeSessions(
        deviceID: UUID
    ) throws(StackError) -> [RemoteNodeSessionDTO] {
        try read { db in try db.rows(RemoteNodeSessionDTO.self, SQL.connected, deviceID) }
    }

    /// The session of a row; `nil` for an unknown id.
    public func fetchRemoteNodeSession(id: UUID) throws(StackError) -> RemoteNodeSessionDTO? {
        try read { db in try db.row(RemoteNodeSessionDTO.self, SQL.byID, id) }
    }

    /// Returns the session with the node of this whole key, 32 bytes; `nil` when there is none.
    public func fetchRemoteNodeSession(
        deviceID: UUID, publicKey: Data
    ) throws(StackError) -> RemoteNodeSessionDTO? {
        try read { db in try db.row(RemoteNodeSessionDTO.self, SQL.byKey, deviceID, publicKey) }
    }

    /// Returns the session with the node whose key begins so, 1 to 32 bytes; `nil` for none and for several.
    public func fetchRemoteNodeSession(
        deviceID: UUID, publicKeyPrefix: Data
    ) throws(StackError) -> RemoteNodeSessionDTO? {
        try read { db in
            guard 1...32 ~= publicKeyPrefix.count else { throw StackError(.store, .invalidData) }
            let last = publicKeyPrefix + Data(repeating: 0xFF, count: 32 - publicKeyPrefix.count)
            let found = try db.rows(RemoteNodeSessionDTO.self, SQL.byPrefix, deviceID, publicKeyPrefix, last)
            return found.count == 1 ? found[0] : nil
        }
    }

    /// Stores a session; unread count and sync time of a known one stay. Its id.
    @discardableResult
    public func saveRemoteNodeSession(_ session: RemoteNodeSessionDTO) throws(StackError) -> UUID {
        try write { db in
            try db.run(SQL.save, row: session)
            return try db.row(RemoteNodeSessionDTO.self, SQL.byKey, session.deviceID, session.publicKey)?.id
                ?? session.id
        }
    }

    /// Notes a login (with its date) or the end of one; permissions are kept for the look of the session.
    public func updateRemoteNodeSessionConnection(
        id: UUID, isConnected: Bool, permissionLevel: RoomPermissionLevel, at date: Date
    ) throws(StackError) {
        try write { db in
            try db.changeOne(
                """
                UPDATE remoteNodeSession SET isConnected = ?2, permissionLevel = ?3,
                    lastConnectedDate = iif(?2, ?4, lastConnectedDate)
                WHERE id = ?1
                """, id, isConnected, permissionLevel, date, orThrow: .sessionNotFound)
        }
    }

    /// Stores the values of a status; `nil` leaves one as it was.
    public func updateRemoteNodeStatus(
        id: UUID, batteryMillivolts: UInt16?, uptimeSeconds: UInt32?, noiseFloor: Int16?, rxAirtimeSeconds: UInt32?,
        neighborCount: Int?
    ) throws(StackError) {
        try write { db in
            try db.changeOne(
                """
                UPDATE remoteNodeSession SET lastBatteryMillivolts = coalesce(?2, lastBatteryMillivolts),
                    lastUptimeSeconds = coalesce(?3, lastUptimeSeconds),
                    lastNoiseFloor = coalesce(?4, lastNoiseFloor),
                    lastRxAirtimeSeconds = coalesce(?5, lastRxAirtimeSeconds),
                    neighborCount = coalesce(?6, neighborCount)
                WHERE id = ?1
                """, id, batteryMillivolts, uptimeSeconds, noiseFloor, rxAirtimeSeconds, neighborCount,
                orThrow: .sessionNotFound)
        }
    }

    /// Resets all sessions at the start of the process; returns the number of those that were marked as connected.
    @discardableResult
    public func resetAllRemoteNodeSessionConnections() throws(StackError) -> Int {
        try write { db in try db.run("UPDATE remoteNodeSession SET isConnected = 0 WHERE isConnected") }
    }

    /// Notes how many posts a room has for us, as it says; `nil` where that is not known any more.
    public func updateRoomUnsyncedCount(sessionID: UUID, to count: Int?) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE remoteNodeSession SET unsyncedCount = max(?2, 0) WHERE id = ?1", sessionID, count,
                orThrow: .sessionNotFound)
        }
    }

    /// Deletes a session with its posts.
    public func deleteRemoteNodeSession(id: UUID) throws(StackError) {
        try write { db in
            try db.changeOne(
                "DELETE FROM remoteNodeSession WHERE id = ?1", id, orThrow: .sessionNotFound)
        }
    }

    /// Moves the sync time forward; a smaller one is left alone.
    public func updateRoomLastSyncTimestamp(
        sessionID: UUID, to timestamp: UInt32
    ) throws(StackError) {
        try write { db in
            try db.changeOne(
                "UPDATE remoteNodeSession SET lastSyncTimestamp = max(lastSyncTimestamp, ?2) WHERE id = ?1",
                sessionID, timestamp, orThrow: .sessionNotFound)
        }
    }
}
