public import Foundation
import GRDB

/// The sessions with rooms and repeaters.
public protocol RemoteNodeSessionStore: Sendable {
    /// All sessions: those with favourite contacts first, then the last connected.
    func fetchRemoteNodeSessions(deviceID: UUID) async throws(StackError) -> [RemoteNodeSessionDTO]
    /// The connected ones, in the same order.
    func fetchConnectedRemoteNodeSessions(
        deviceID: UUID
    ) async throws(StackError) -> [RemoteNodeSessionDTO]
    /// The session of a row; `nil` for an unknown id.
    func fetchRemoteNodeSession(id: UUID) async throws(StackError) -> RemoteNodeSessionDTO?
    /// By the whole key of the node, 32 bytes; `nil` when there is no session with it.
    func fetchRemoteNodeSession(
        deviceID: UUID, publicKey: Data
    ) async throws(StackError) -> RemoteNodeSessionDTO?
    /// By the first bytes of the key, 1 to 32; `nil` for none and for several.
    func fetchRemoteNodeSession(
        deviceID: UUID, publicKeyPrefix: Data
    ) async throws(StackError) -> RemoteNodeSessionDTO?
    /// Stores a session; unread count and sync time of a known one stay. Its id.
    @discardableResult
    func saveRemoteNodeSession(_ session: RemoteNodeSessionDTO) async throws(StackError) -> UUID
    /// Notes a login (with its date) or the end of one; permissions are kept for the look of the session.
    func updateRemoteNodeSessionConnection(
        id: UUID, isConnected: Bool, permissionLevel: RoomPermissionLevel, at date: Date
    ) async throws(StackError)
    /// Takes over what a status said; what is `nil` stays as it was.
    func updateRemoteNodeStatus(
        id: UUID, batteryMillivolts: UInt16?, uptimeSeconds: UInt32?, noiseFloor: Int16?, rxAirtimeSeconds: UInt32?,
        neighborCount: Int?
    ) async throws(StackError)
    /// At the start of the process: nobody is logged in; how many were.
    @discardableResult
    func resetAllRemoteNodeSessionConnections() async throws(StackError) -> Int
    /// Deletes a session with its posts.
    func deleteRemoteNodeSession(id: UUID) async throws(StackError)
    /// Moves the sync time forward; a smaller one is left alone.
    func updateRoomLastSyncTimestamp(sessionID: UUID, to timestamp: UInt32) async throws(StackError)
}

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
        on: ["deviceID", "publicKey"], keeping: ["id", "unreadCount", "lastSyncTimestamp"])
}

extension PersistenceStore {
    public func fetchRemoteNodeSessions(deviceID: UUID) throws(StackError) -> [RemoteNodeSessionDTO] {
        try read { db in try db.rows(RemoteNodeSessionDTO.self, SQL.all, deviceID) }
    }

    public func fetchConnectedRemoteNodeSessions(
        deviceID: UUID
    ) throws(StackError) -> [RemoteNodeSessionDTO] {
        try read { db in try db.rows(RemoteNodeSessionDTO.self, SQL.connected, deviceID) }
    }

    public func fetchRemoteNodeSession(id: UUID) throws(StackError) -> RemoteNodeSessionDTO? {
        try read { db in try db.row(RemoteNodeSessionDTO.self, SQL.byID, id) }
    }

    public func fetchRemoteNodeSession(
        deviceID: UUID, publicKey: Data
    ) throws(StackError) -> RemoteNodeSessionDTO? {
        try read { db in try db.row(RemoteNodeSessionDTO.self, SQL.byKey, deviceID, publicKey) }
    }

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

    @discardableResult
    public func saveRemoteNodeSession(_ session: RemoteNodeSessionDTO) throws(StackError) -> UUID {
        try write { db in
            try db.run(SQL.save, row: session)
            return try db.row(RemoteNodeSessionDTO.self, SQL.byKey, session.deviceID, session.publicKey)?.id
                ?? session.id
        }
    }

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

    @discardableResult
    public func resetAllRemoteNodeSessionConnections() throws(StackError) -> Int {
        try write { db in try db.run("UPDATE remoteNodeSession SET isConnected = 0 WHERE isConnected") }
    }

    public func deleteRemoteNodeSession(id: UUID) throws(StackError) {
        try write { db in
            try db.changeOne(
                "DELETE FROM remoteNodeSession WHERE id = ?1", id, orThrow: .sessionNotFound)
        }
    }

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
