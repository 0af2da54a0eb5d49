import Foundation
import MeshPacket
import MeshTestSupport
import MeshTime
import Testing

@testable import MeshStore

/// The values that are read equal those that were stored.
@Suite struct RoundTripTests {
    /// Draws values of every kind, the odd ones among them.
    struct Draw {
        var stream: RandomStream

        mutating func pick<T>(_ values: [T]) -> T { values[Int(stream.draw(0, UInt32(values.count)))] }
        mutating func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in stream.nextByte() }) }
        mutating func u32() -> UInt32 { pick([0, 1, .max, 0x8000_0000, stream.nextU32()]) }
        mutating func flag() -> Bool { pick([true, false]) }
        mutating func id() -> UUID { bytes(16).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) } }
        mutating func date() -> Date {
            pick([.at(0), Date(timeIntervalSince1970: 0), .at(Int(stream.draw(0, 1 << 30)))])
        }
        mutating func text() -> String {
            pick(["", "hi", "a\u{0}b", "\u{0}", "日本 🏔️", "'; DROP TABLE message; --", "\u{FFFD}\u{202E}", "\n\t\r"])
        }
        mutating func degrees() -> Double { pick([0, -90, 180, 48.117266, -0.0000001]) }
        mutating func maybe<T>(_ value: T) -> T? { flag() ? value : nil }
    }

    static let seeds = Array(UInt64(1)...40)

    private func draw(_ seed: UInt64) -> Draw { Draw(stream: Seed(seed).stream("rows")) }

    @Test(.proves("SVC-167"), arguments: seeds)
    func `a radio, an address and a contact are read as they were stored`(seed: UInt64) async throws {
        var draw = draw(seed)
        let store = try PersistenceStore()
        let device = DeviceDTO(
            id: draw.id(), publicKey: draw.bytes(32), nodeName: draw.text(), firmwareVersion: draw.pick([0, 255]),
            firmwareVersionString: draw.text(), manufacturerName: draw.text(), buildDate: draw.text(),
            maxContacts: draw.pick([0, 510, 70_000]), maxChannels: draw.pick([0, 40]), frequencyKHz: draw.u32(),
            bandwidthHz: draw.pick([62_500, 7_800]), spreadingFactor: 12, codingRate: 8,
            txPower: draw.pick([-9, 22, .min, .max]), maxTxPower: draw.pick([0, 255]), latitude: draw.degrees(),
            longitude: draw.degrees(), blePin: draw.u32(), manualAddContacts: draw.flag(), multiAcks: 255,
            telemetryModeBase: 3, telemetryModeLoc: 2, telemetryModeEnv: 1, advertLocationPolicy: 1,
            clientRepeat: draw.maybe(draw.flag()), pathHashMode: 2, lastConnected: draw.date(),
            lastContactSync: draw.u32(), lastFullContactSync: draw.maybe(draw.date()), isActive: draw.flag(),
            knownRegions: draw.pick([[], ["#de", "a\"b"], [draw.text()]]))
        let endpoint = EndpointDTO(
            kind: "tcp", address: draw.text(), deviceID: draw.maybe(device.id), displayName: draw.text(),
            lastUsed: draw.date(), bonded: draw.flag())
        let contact = ContactDTO(
            deviceID: device.id, publicKey: draw.bytes(32), name: draw.text(), typeRawValue: draw.pick([1, 2, 3, 200]),
            flags: 255, outPathLengthRaw: draw.pick([0xFF, 0, 0x42]), outPath: draw.bytes(draw.pick([0, 4, 64])),
            lastAdvertTimestamp: draw.u32(), latitude: draw.degrees(), longitude: draw.degrees(),
            lastModified: draw.u32(), nickname: draw.maybe(draw.text()), isBlocked: draw.flag(),
            isFavorite: draw.flag(), isDiscovered: draw.flag(), onRadio: draw.flag(),
            lastMessageDate: draw.maybe(draw.date()), unreadCount: draw.pick([0, 7, 100_000]))

        let saved = try await store.saveDevice(device)
        try await store.saveEndpoint(endpoint)
        try await store.saveContact(contact)

        #expect(saved == device)
        #expect(try await store.fetchDevice(id: device.id) == device)
        #expect(try await store.fetchEndpoint(kind: "tcp", address: endpoint.address) == endpoint)
        #expect(try await store.fetchContact(id: contact.id) == contact)
    }

    @Test(.proves("SVC-167", "SVC-124"), arguments: seeds)
    func `a message, its queue entry and a picture are read as they were stored`(seed: UInt64) async throws {
        var draw = draw(seed)
        let (store, devices) = try await PersistenceStore.fixture()
        var message = MessageDTO(
            id: draw.id(), deviceID: devices[0].id, contactID: draw.id(), channelID: draw.maybe(draw.id()),
            channelIndex: draw.maybe(39), text: draw.text(), timestamp: draw.u32(), createdAt: draw.date(),
            direction: draw.pick([.incoming, .outgoing]), status: draw.pick(MessageStatus.allCases),
            textType: .init(rawValue: draw.pick([0, 1, 2, 200])), kind: draw.pick([.text, .image]),
            ackCode: draw.maybe(draw.u32()), pathLength: 255, snr: draw.maybe(draw.pick([-12.25, 0, 31.75])),
            senderKeyPrefix: draw.maybe(draw.bytes(6)), senderNodeName: draw.maybe(draw.text()), isRead: draw.flag(),
            replyToID: draw.maybe(draw.id()), roundTripTime: draw.maybe(draw.u32()), heardRepeats: 12,
            retryAttempt: 3, maxRetryAttempts: 4, deduplicationKey: draw.maybe("key \(seed)"))
        let blob = BlobDTO(messageID: message.id, mime: "image/jpeg", data: draw.bytes(draw.pick([0, 3000])))
        let transfer = ImageTransferDTO(
            id: draw.id(), deviceID: devices[0].id, direction: .outgoing, senderKeyPrefix: draw.bytes(6),
            imageID: draw.u32(), total: 512, received: draw.bytes(64), state: .paused, changedAt: draw.date(),
            chunkBytes: 136, arrived: draw.bytes(draw.pick([0, 64])))
        let chunk = ImageChunkDTO(transferID: transfer.id, place: draw.pick([0, 511]), data: draw.bytes(136))

        let result = try await store.saveMessage(message)
        try await store.saveBlob(blob)
        try await store.saveImageTransfer(transfer, chunk: chunk)

        message.receivedOrder = 1
        #expect(result == .inserted(receivedOrder: 1))
        #expect(try await store.fetchMessage(id: message.id) == message)
        #expect(try await store.fetchBlob(messageID: message.id) == blob)
        #expect(try await store.fetchImageTransfers(deviceID: devices[0].id) == [transfer])
        #expect(try await store.fetchImageChunks(transferID: transfer.id) == [chunk])

        try await store.finishImageTransfer(transfer)
        #expect(try await store.fetchImageChunks(transferID: transfer.id).isEmpty)
        #expect(try await store.fetchImageTransfers(deviceID: devices[0].id) == [transfer])
    }

    @Test(arguments: seeds)
    func `attempts and heard packets are read as they were stored, the latest of many`(seed: UInt64) async throws {
        var draw = draw(seed)
        let (store, devices) = try await PersistenceStore.fixture()
        let message = MessageDTO(
            id: draw.id(), deviceID: devices[0].id, channelIndex: 0, text: "x", timestamp: 1, createdAt: draw.date(),
            direction: .outgoing, status: .sent)
        try await store.saveMessage(message)
        let attempts = [1, 2].map { number in
            MessageAttemptDTO(
                messageID: message.id, number: number, sentAt: draw.date(), isFlood: draw.flag(),
                pathLength: draw.pick([0, 0x42, 0xFF]), path: draw.bytes(number))
        }
        for attempt in attempts { try await store.saveMessageAttempt(attempt) }
        let packets = (0..<PersistenceStore.heardPacketLimit + 3).map { number in
            HeardPacketDTO(
                deviceID: devices[0].id, heardAt: .at(number), snr: -13, rssi: -101, packet: draw.bytes(20))
        }
        for packet in packets { try await store.saveHeardPacket(packet) }

        #expect(try await store.fetchMessageAttempts(messageID: message.id) == attempts)
        #expect(try await store.fetchHeardPackets(deviceID: devices[0].id) == Array(packets.dropFirst(3)))
        #expect(try await store.fetchHeardPackets(deviceID: draw.id()).isEmpty)
        try await store.deleteMessage(id: message.id)
        #expect(try await store.fetchMessageAttempts(messageID: message.id).isEmpty)
    }

    @Test(.proves("SVC-167"), arguments: seeds)
    func `a channel, a session and a post are read as they were stored`(seed: UInt64) async throws {
        var draw = draw(seed)
        let (store, devices) = try await PersistenceStore.fixture()
        let channel = ChannelDTO(
            deviceID: devices[0].id, index: draw.pick([0, 7, 255]), name: draw.text(), secret: draw.bytes(16),
            regionScope: draw.maybe(draw.text()), isEnabled: draw.flag(), lastMessageDate: draw.maybe(draw.date()),
            unreadCount: 3)
        let session = RemoteNodeSessionDTO(
            deviceID: devices[0].id, publicKey: draw.bytes(32), name: draw.text(),
            role: draw.pick([.repeater, .roomServer]), latitude: draw.degrees(), longitude: draw.degrees(),
            isConnected: draw.flag(), permissionLevel: draw.pick([.guest, .readWrite, .admin]),
            lastConnectedDate: draw.maybe(draw.date()), lastBatteryMillivolts: draw.maybe(.max),
            lastUptimeSeconds: draw.maybe(draw.u32()), lastNoiseFloor: draw.maybe(-120), unreadCount: 9,
            lastRxAirtimeSeconds: draw.maybe(draw.u32()), neighborCount: 4, lastSyncTimestamp: draw.u32(),
            unsyncedCount: draw.maybe(7))
        var post = RoomMessageDTO(
            id: draw.id(), sessionID: session.id, authorKeyPrefix: draw.bytes(4), authorName: draw.maybe(draw.text()),
            text: draw.text(), timestamp: draw.u32(), createdAt: draw.date(), isFromSelf: true,
            status: draw.pick(MessageStatus.allCases))

        let saved = try await store.saveChannel(channel)
        try await store.saveRemoteNodeSession(session)
        try await store.saveRoomMessage(post)

        post.receivedOrder = 1
        #expect(saved == channel)
        #expect(try await store.fetchChannel(deviceID: devices[0].id, index: channel.index) == channel)
        #expect(try await store.fetchRemoteNodeSession(id: session.id) == session)
        #expect(try await store.fetchRoomMessages(sessionID: session.id) == [post])
    }

    @Test func `fractions of a second are cut off when a date is set, not when it is stored`() {
        var device = DeviceDTO.numbered(1)

        device.lastConnected = Date(timeIntervalSince1970: 1.9)
        device.lastFullContactSync = Date(timeIntervalSince1970: -0.5)

        #expect(device.lastConnected == Date(timeIntervalSince1970: 1))
        #expect(device.lastFullContactSync == Date(timeIntervalSince1970: -1))
        #expect(Date(timeIntervalSince1970: .infinity).wholeSecondsSince1970 == 1 << 53)
        #expect(Date(timeIntervalSince1970: .nan).wholeSecondsSince1970 == 0)
    }

    @Test func `values that no row may have are refused by name`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        var contact = ContactDTO.numbered(9, of: devices[0])
        contact.latitude = .nan
        var device = DeviceDTO.numbered(3)
        device.publicKey = Data([1, 2, 3])

        #expect(await failure(of: .store) { try await store.saveContact(contact) } == .invalidData)
        #expect(await failure(of: .store) { try await store.saveDevice(device) } == .invalidData)
        #expect(
            await failure(of: .store) {
                try await store.saveContact(.numbered(1, of: .numbered(77)))
            } == .deviceNotFound)
        #expect(try await store.fetchContacts(deviceID: devices[0].id).count == 2)
    }

    @Test func `a value that this version does not know is an error, not a guess`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let contact = ContactDTO.numbered(0, of: devices[0])
        try await store.saveMessage(.received(1, from: contact))
        try await store.execute("UPDATE message SET status = 77")

        #expect(await failure(of: .store) { try await store.fetchMessage(id: .numbered(1)) } == .invalidData)
    }
}
