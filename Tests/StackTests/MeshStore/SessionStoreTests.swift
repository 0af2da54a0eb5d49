import Foundation
import MeshTestSupport
import Testing

@testable import MeshStore

/// Sessions with rooms and repeaters, and the posts of rooms.
@Suite struct SessionStoreTests {
    private func session(_ number: Int, of device: DeviceDTO, _ role: RemoteNodeRole = .roomServer)
        -> RemoteNodeSessionDTO
    {
        RemoteNodeSessionDTO(deviceID: device.id, publicKey: .key(number), name: "node \(number)", role: role)
    }

    private func post(
        _ number: Int, in session: RemoteNodeSessionDTO, text: String = "hi", timestamp: UInt32,
        isFromSelf: Bool = false
    ) -> RoomMessageDTO {
        RoomMessageDTO(
            id: .numbered(number), sessionID: session.id, authorKeyPrefix: Data([1, 2, 3, 4]), text: text,
            timestamp: timestamp, createdAt: .at(number), isFromSelf: isFromSelf)
    }

    @Test func `what a room still has for us is kept, and counted down by its posts`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let room = session(1, of: devices[0])
        try await store.saveRemoteNodeSession(room)
        func unsynced() async throws -> Int? { try await store.fetchRemoteNodeSession(id: room.id)?.unsyncedCount }

        try await store.saveRoomMessage(post(1, in: room, timestamp: 100))
        #expect(try await unsynced() == nil, "nobody said how many there are")
        try await store.updateRoomUnsyncedCount(sessionID: room.id, to: 2)
        try await store.saveRoomMessage(post(2, in: room, text: "a", timestamp: 101))
        try await store.saveRoomMessage(post(3, in: room, text: "own", timestamp: 102, isFromSelf: true))
        #expect(try await unsynced() == 1)
        try await store.saveRemoteNodeSession(room)
        #expect(try await unsynced() == 1, "saving a known session leaves it alone")
        for number in 4...6 {
            try await store.saveRoomMessage(post(number, in: room, text: "b", timestamp: UInt32(100 + number)))
        }
        #expect(try await unsynced() == 0)
        try await store.updateRoomUnsyncedCount(sessionID: room.id, to: nil)
        #expect(try await unsynced() == nil)
        let error = await failure(of: .store) {
            try await store.updateRoomUnsyncedCount(sessionID: .numbered(9), to: 1)
        }
        #expect(error == .sessionNotFound)
    }

    @Test(.proves("SVC-149", "SVC-150", "SVC-R-107"))
    func `a post is stored once, counted unless own, and moves the time forward only`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let room = session(1, of: devices[0])
        try await store.saveRemoteNodeSession(room)

        let results = [
            try await store.saveRoomMessage(post(1, in: room, timestamp: 100)),
            try await store.saveRoomMessage(post(2, in: room, timestamp: 100)),
            try await store.saveRoomMessage(post(3, in: room, text: "own", timestamp: 300, isFromSelf: true)),
            try await store.saveRoomMessage(post(4, in: room, timestamp: 50)),
            try await store.saveRoomMessage(post(5, in: room, text: "ho", timestamp: 100)),
        ]

        #expect(results.map(\.isDuplicate) == [false, true, false, false, false])
        let after = try await store.fetchRemoteNodeSession(id: room.id)
        #expect(after?.unreadCount == 3 && after?.lastSyncTimestamp == 100)
        let key = post(1, in: room, timestamp: 100).deduplicationKey
        #expect(try await store.isDuplicateRoomMessage(sessionID: room.id, deduplicationKey: key))
        try await store.updateRoomLastSyncTimestamp(sessionID: room.id, to: 90)
        try await store.resetRoomUnreadCount(sessionID: room.id)
        try await store.incrementRoomUnreadCount(sessionID: room.id)
        let read = try await store.fetchRemoteNodeSession(id: room.id)
        #expect(read?.unreadCount == 1 && read?.lastSyncTimestamp == 100)
    }

    @Test(.proves("SVC-R-022")) func `posts stand by server time, then arrival`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let room = session(1, of: devices[0])
        try await store.saveRemoteNodeSession(room)
        for (number, timestamp) in [(1, UInt32(30)), (2, 10), (3, 20), (4, 10), (5, 40)] {
            try await store.saveRoomMessage(post(number, in: room, text: "\(number)", timestamp: timestamp))
        }

        let all = try await store.fetchRoomMessages(sessionID: room.id)
        let page = try await store.fetchRoomMessages(sessionID: room.id, limit: 2, offset: 1)

        #expect(all.map(\.text) == ["2", "4", "3", "1", "5"])
        #expect(page.map(\.text) == ["3", "1"])
    }

    @Test func `an own post has a delivery state that never goes back`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let room = session(1, of: devices[0])
        try await store.saveRemoteNodeSession(room)
        var own = post(1, in: room, timestamp: 5, isFromSelf: true)
        own.status = .sent
        try await store.saveRoomMessage(own)

        #expect(try await store.updateRoomMessageStatus(id: own.id, to: .delivered) == .changed)
        #expect(try await store.updateRoomMessageStatus(id: own.id, to: .failed) == .refused(.delivered))
        #expect(
            await failure(of: .store) {
                try await store.updateRoomMessageStatus(id: .numbered(7), to: .failed)
            } == .messageNotFound)
        #expect(
            await failure(of: .store) {
                try await store.saveRoomMessage(post(2, in: session(9, of: devices[0]), timestamp: 1))
            } == .sessionNotFound)
    }

    @Test(.proves("SVC-147"))
    func `at the start nobody is logged in, and sessions come favourites first, then the most recent`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(contacts: 5)
        for number in 0..<4 { try await store.saveRemoteNodeSession(session(number, of: devices[0])) }
        let ids = (0..<4).map { session($0, of: devices[0]).id }
        for number in 0..<3 {
            try await store.updateRemoteNodeSessionConnection(
                id: ids[number], isConnected: true, permissionLevel: .readWrite, at: .at(number))
        }
        try await store.updateContactPreferences(
            id: ContactDTO.numbered(0, of: devices[0]).id, nickname: nil, isBlocked: false, isFavorite: true)

        let connected = try await store.fetchConnectedRemoteNodeSessions(deviceID: devices[0].id)
        let reset = try await store.resetAllRemoteNodeSessionConnections()

        #expect(connected.map(\.id) == [ids[0], ids[2], ids[1]])
        #expect(reset == 3)
        #expect(try await store.fetchConnectedRemoteNodeSessions(deviceID: devices[0].id).isEmpty)
        let all = try await store.fetchRemoteNodeSessions(deviceID: devices[0].id)
        #expect(all.map(\.id) == [ids[0], ids[2], ids[1], ids[3]])
        #expect(all[1].lastConnectedDate == .at(2) && all[1].canPost && !all[1].isAdmin)
    }

    @Test(.proves("SVC-153")) func `a status is kept, and what it does not say stays`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let node = session(1, of: devices[0], .repeater)
        try await store.saveRemoteNodeSession(node)
        try await store.updateRemoteNodeStatus(
            id: node.id, batteryMillivolts: 4100, uptimeSeconds: 77, noiseFloor: -117, rxAirtimeSeconds: 9,
            neighborCount: 3)

        try await store.updateRemoteNodeStatus(
            id: node.id, batteryMillivolts: 4000, uptimeSeconds: nil, noiseFloor: nil, rxAirtimeSeconds: nil,
            neighborCount: nil)

        let after = try await store.fetchRemoteNodeSession(id: node.id)
        #expect(after?.lastBatteryMillivolts == 4000 && after?.lastUptimeSeconds == 77)
        #expect(after?.lastNoiseFloor == -117 && after?.lastRxAirtimeSeconds == 9 && after?.neighborCount == 3)
    }

    @Test(.proves("SVC-R-103")) func `a session is found with the id of its own radio`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(devices: 2)
        for device in devices { try await store.saveRemoteNodeSession(session(1, of: device)) }

        for device in devices {
            let byKey = try await store.fetchRemoteNodeSession(deviceID: device.id, publicKey: .key(1))
            let byPrefix = try await store.fetchRemoteNodeSession(
                deviceID: device.id, publicKeyPrefix: Data.key(1).prefix(6))
            #expect(byKey?.deviceID == device.id && byPrefix == byKey)
        }
        try await store.saveRemoteNodeSession(session(257, of: devices[0]))
        let prefix = Data.key(1).prefix(6)
        #expect(Data.key(257).prefix(6) == prefix, "the same beginning")
        #expect(try await store.fetchRemoteNodeSession(deviceID: devices[0].id, publicKeyPrefix: prefix) == nil)
    }

    @Test func `saving a known session leaves its counters alone; deleting it deletes its posts`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let room = session(1, of: devices[0])
        try await store.saveRemoteNodeSession(room)
        try await store.saveRoomMessage(post(1, in: room, timestamp: 100))

        var renamed = room
        renamed.name = "renamed"
        try await store.saveRemoteNodeSession(renamed)

        let after = try await store.fetchRemoteNodeSession(id: room.id)
        #expect(after?.name == "renamed" && after?.unreadCount == 1 && after?.lastSyncTimestamp == 100)
        try await store.deleteRemoteNodeSession(id: room.id)
        #expect(try await store.number("SELECT count(*) FROM roomMessage") == 0)
    }
}
