import Foundation
import MeshTestSupport
import Testing

@testable import MeshStore

/// The way of an outgoing message never goes back.
@Suite struct MessageStatusTests {
    /// Source: ServiceStack (SVC-107), and for what a lost link does (SVC-109).
    private static let allowed: [MessageStatus: Set<MessageStatus>] = [
        .pending: [.sending, .failed], .sending: [.sent, .pending, .failed],
        .sent: [.retrying, .delivered, .failed], .retrying: [.sent, .delivered, .failed], .failed: [.delivered],
        .delivered: [],
    ]

    @Test(.proves("SVC-107"), arguments: MessageStatus.allCases, MessageStatus.allCases)
    func `the store allows the transitions of the way and refuses all others`(from: MessageStatus, to: MessageStatus)
        async throws
    {
        let (store, devices) = try await PersistenceStore.fixture()
        try await store.saveMessage(.composed(1, to: .numbered(0, of: devices[0]), status: from, ackCode: 7))
        let isAllowed = Self.allowed[from]?.contains(to) == true
        let expected = isAllowed ? StatusChange.changed : .refused(from)

        #expect(try await store.updateMessageStatus(id: .numbered(1), to: to) == expected)

        #expect(try await store.fetchMessage(id: .numbered(1))?.status == (isAllowed ? to : from))
        #expect(from.mayBecome(to) == isAllowed)
        try await store.execute("UPDATE message SET status = \(from.rawValue)")
        let byCode = try await store.updateMessageByAckCode(deviceID: devices[0].id, ackCode: 7, to: to)
        #expect(byCode?.change == expected)
        try await store.execute("UPDATE message SET status = \(from.rawValue)")
        let retry = try await store.updateMessageRetryStatus(
            id: .numbered(1), to: to, retryAttempt: 2, maxRetryAttempts: 4)
        #expect(retry == expected)
        #expect(try await store.fetchMessage(id: .numbered(1))?.retryAttempt == (isAllowed ? 2 : 0))
    }

    @Test func `a message tells whether it was given up, and its SNR as it travels`() async throws {
        let (_, devices) = try await PersistenceStore.fixture()
        var message = MessageDTO.composed(1, to: .numbered(0, of: devices[0]), status: .failed, ackCode: 7)
        message.snr = -7.25

        #expect(message.hasFailed && !message.isPending)
        #expect(message.snrQuarterDB == -29)
    }

    @Test(.proves("SVC-R-029"))
    func `a failure that was decided before the confirmation came changes nothing`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        try await store.saveMessage(.composed(1, to: .numbered(0, of: devices[0]), status: .sent, ackCode: 0xDEAD_BEEF))

        let confirmed = try await store.updateMessageByAckCode(
            deviceID: devices[0].id, ackCode: 0xDEAD_BEEF, to: .delivered, roundTripTime: 1234)
        let late = try await store.updateMessageStatus(id: .numbered(1), from: .sent, to: .failed)

        #expect(confirmed?.id == .numbered(1) && confirmed?.change == .changed)
        #expect(late == .refused(.delivered))
        let message = try await store.fetchMessage(id: .numbered(1))
        #expect(message?.status == .delivered && message?.roundTripTime == 1234)
    }

    @Test(.proves("SVC-R-029"))
    func `of many tasks that end one message only one succeeds, and delivered wins`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        for number in 1...50 {
            try await store.saveMessage(.composed(number, to: .numbered(0, of: devices[0]), status: .sent))
        }

        let changes = await withTaskGroup(of: [StatusChange?].self) { group in
            for status in [MessageStatus.failed, .delivered, .failed, .delivered] {
                group.addTask {
                    var changes: [StatusChange?] = []
                    for number in 1...50 {
                        changes.append(try? await store.updateMessageStatus(id: .numbered(number), to: status))
                    }
                    return changes
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }

        #expect(changes.allSatisfy { $0 != nil })
        #expect(try await store.number("SELECT count(*) FROM message WHERE status = 3") == 50)
    }

    @Test func `an expected state that does not hold refuses a change that would be allowed`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        try await store.saveMessage(.composed(1, to: .numbered(0, of: devices[0]), status: .retrying))

        #expect(
            try await store.updateMessageStatus(id: .numbered(1), from: .sent, to: .delivered) == .refused(.retrying))
        #expect(
            await failure(of: .store) {
                try await store.updateMessageStatus(id: .numbered(2), to: .failed)
            } == .messageNotFound)
    }

    @Test(.proves("SVC-094")) func `a code belongs to the newest outgoing message of its radio`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(devices: 2)
        let here = ContactDTO.numbered(0, of: devices[0])
        try await store.saveMessage(.composed(1, to: here, status: .sending))
        try await store.saveMessage(.composed(2, to: here, status: .delivered, ackCode: 5))
        try await store.saveMessage(.composed(3, to: .numbered(0, of: devices[1]), status: .sent, ackCode: 5))

        let change = try await store.updateMessageAck(id: .numbered(1), ackCode: 9, to: .sent)

        #expect(change == .changed)
        let sent = try await store.fetchMessage(deviceID: devices[0].id, ackCode: 9)
        #expect(sent?.id == .numbered(1) && sent?.status == .sent)
        #expect(try await store.fetchMessage(deviceID: devices[0].id, ackCode: 5)?.id == .numbered(2))
        #expect(try await store.fetchMessage(deviceID: devices[1].id, ackCode: 5)?.id == .numbered(3))
        #expect(try await store.fetchMessage(deviceID: devices[0].id, ackCode: 4) == nil)
        #expect(
            try await store.updateMessageByAckCode(deviceID: devices[0].id, ackCode: 4, to: .delivered) == nil)
    }

    @Test(.proves("SVC-106", "SVC-R-018", "SVC-R-077"))
    func `a resend has a fresh timestamp, no code and no repeats`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let contact = ContactDTO.numbered(0, of: devices[0])
        var failed = MessageDTO.composed(1, to: contact, status: .failed, ackCode: 5)
        failed.heardRepeats = 3
        failed.retryAttempt = 4
        var onChannel = MessageDTO.composed(2, to: contact, status: .sent)
        onChannel.contactID = nil
        onChannel.channelIndex = 1
        try await store.saveMessages([failed, onChannel, .composed(3, to: contact, status: .sent)])

        let changes = [
            try await store.prepareResend(id: .numbered(1), timestamp: 99),
            try await store.prepareResend(id: .numbered(2), timestamp: 99),
            try await store.prepareResend(id: .numbered(3), timestamp: 99),
            try await store.prepareResend(id: .numbered(1), timestamp: 100),
        ]

        #expect(changes == [.changed, .changed, .refused(.sent), .refused(.pending)])
        let again = try #require(try await store.fetchMessage(id: .numbered(1)))
        #expect(again.status == .pending && again.timestamp == 99 && again.ackCode == nil)
        #expect(again.heardRepeats == 0 && again.retryAttempt == 0 && again.id == failed.id)
        #expect(try await store.number("SELECT count(*) FROM message") == 3, "SVC-R-019: one row, however often sent")
    }

    @Test(.proves("SVC-096")) func `repeats are counted`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        try await store.saveMessage(.composed(1, to: .numbered(0, of: devices[0]), status: .delivered))

        #expect(try await store.incrementMessageHeardRepeats(id: .numbered(1)) == 1)
        #expect(try await store.incrementMessageHeardRepeats(id: .numbered(1)) == 2)
        try await store.updateMessageHeardRepeats(id: .numbered(1), heardRepeats: 7)
        #expect(try await store.fetchMessage(id: .numbered(1))?.heardRepeats == 7)
    }

    @Test(.proves("SVC-096")) func `a heard repeat is stored and counted in one write`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        try await store.saveMessage(.composed(1, to: .numbered(0, of: devices[0]), status: .sent))
        let packet = HeardPacketDTO(deviceID: devices[0].id, heardAt: .at(1), snr: -13, rssi: -101, packet: Data([1]))

        #expect(try await store.saveHeardPacket(packet, repeating: .numbered(1)) == 1)
        #expect(try await store.saveHeardPacket(packet) == nil)
        #expect(try await store.saveHeardPacket(packet, repeating: .numbered(9)) == nil, "it was deleted meanwhile")
        try await store.execute(
            "CREATE TRIGGER full BEFORE UPDATE ON message BEGIN SELECT RAISE(ABORT, 'no more'); END")
        await #expect(throws: StackError.self) { try await store.saveHeardPacket(packet, repeating: .numbered(1)) }

        #expect(try await store.fetchMessage(id: .numbered(1))?.heardRepeats == 1)
        #expect(try await store.fetchHeardPackets(deviceID: devices[0].id).count == 3)
    }

    @Test(.proves("SVC-109")) func `ending a connection fails what is on its way and nothing else`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(devices: 2)
        let contact = ContactDTO.numbered(0, of: devices[0])
        for (number, status) in MessageStatus.allCases.enumerated() {
            try await store.saveMessage(.composed(number, to: contact, status: status))
            try await store.saveMessage(.composed(100 + number, to: .numbered(0, of: devices[1]), status: status))
        }
        var onChannel = MessageDTO.composed(50, to: contact, status: .sent)
        onChannel.contactID = nil
        onChannel.channelIndex = 1
        try await store.saveMessage(onChannel)
        try await store.saveMessage(.received(60, from: contact))
        try await store.enqueueMessage(.composed(70, to: contact))

        let failed = try await store.failAllPendingMessages(deviceID: devices[0].id)

        #expect(Set(failed) == Set([0, 1, 2, 5, 70].map(UUID.numbered)))
        #expect(try await store.countPendingMessages(deviceID: devices[0].id) == 0)
        #expect(try await store.fetchMessage(id: .numbered(50))?.status == .sent)
        for (number, status) in MessageStatus.allCases.enumerated() {
            #expect(try await store.fetchMessage(id: .numbered(100 + number))?.status == status)
        }
    }
}
