import Foundation
import MeshTestSupport
import Testing

@testable import MeshStore

/// A channel is its secret; a slot is where it stands.
@Suite struct ChannelStoreTests {
    private func secret(_ number: UInt8) -> Data { Data(repeating: number, count: 16) }

    private func slot(_ index: UInt8, _ name: String, _ number: UInt8) -> ChannelSlot {
        ChannelSlot(index: index, name: name, secret: secret(number))
    }

    private func heard(_ number: Int, on slot: UInt8, of device: DeviceDTO) -> MessageDTO {
        MessageDTO(
            id: .numbered(number), deviceID: device.id, channelIndex: slot, text: "\(number)", timestamp: 7,
            createdAt: .at(number), direction: .incoming, status: .delivered, senderNodeName: "ann")
    }

    @Test(.proves("SVC-082", "SVC-R-068", "SVC-R-070"))
    func `the radio's used slots are the rows, the last one too`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let id = devices[0].id
        var answers = (UInt8(0)..<40).map { slot($0, "", 0) }
        answers[0] = slot(0, "Public", 9)
        answers[39] = slot(39, "", 8)

        try await store.replaceChannels(answers, deviceID: id)
        let both = try await store.fetchChannels(deviceID: id)
        answers[0] = slot(0, "", 0)
        try await store.replaceChannels(answers, deviceID: id)

        #expect(both.map(\.index) == [0, 39] && both.map(\.displayName) == ["Public", "Channel 39"])
        #expect(try await store.fetchChannels(deviceID: id).map(\.index) == [39])
        #expect(try await store.fetchChannel(deviceID: id, index: 0) == nil)
    }

    @Test(.proves("SVC-081", "SVC-R-072")) func `a slot that did not answer keeps its channel`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let id = devices[0].id
        try await store.replaceChannels([slot(0, "Public", 1), slot(3, "mine", 2)], deviceID: id)

        try await store.replaceChannels([slot(0, "Public", 1)], deviceID: id)

        #expect(try await store.fetchChannels(deviceID: id).map(\.name) == ["Public", "mine"])
    }

    @Test(.proves("SVC-138", "SVC-R-073"))
    func `another secret is another channel, and the old one comes back with its history`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let id = devices[0].id
        try await store.replaceChannels([slot(3, "old", 1)], deviceID: id)
        try await store.saveMessage(heard(1, on: 3, of: devices[0]))

        try await store.replaceChannels([slot(3, "new", 2)], deviceID: id)
        try await store.saveMessage(heard(2, on: 3, of: devices[0]))

        #expect(try await store.fetchMessages(deviceID: id, channelIndex: 3).map(\.text) == ["2"])
        #expect(try await store.fetchArchivedChannels(deviceID: id).map(\.name) == ["old"])
        try await store.replaceChannels([slot(3, "", 0), slot(5, "old again", 1)], deviceID: id)
        let back = try #require(try await store.fetchChannel(deviceID: id, index: 5))
        #expect(back.unreadCount == 1 && back.name == "old again" && back.lastMessageDate == .at(1))
        #expect(try await store.fetchMessages(deviceID: id, thread: .channel(back.id)).map(\.text) == ["1"])
    }

    @Test func `channels that change places keep their histories`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let id = devices[0].id
        try await store.replaceChannels([slot(1, "a", 1), slot(2, "b", 2)], deviceID: id)
        try await store.saveMessage(heard(1, on: 1, of: devices[0]))
        try await store.saveMessage(heard(2, on: 2, of: devices[0]))

        try await store.replaceChannels([slot(1, "b", 2), slot(2, "a", 1)], deviceID: id)

        #expect(try await store.fetchMessages(deviceID: id, channelIndex: 1).map(\.text) == ["2"])
        #expect(try await store.fetchMessages(deviceID: id, channelIndex: 2).map(\.text) == ["1"])
    }

    @Test func `two slots with one secret are two rows`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()

        try await store.replaceChannels([slot(1, "a", 1), slot(2, "b", 1)], deviceID: devices[0].id)
        try await store.replaceChannels([slot(1, "a", 1), slot(2, "b", 1)], deviceID: devices[0].id)

        let rows = try await store.fetchChannels(deviceID: devices[0].id)
        #expect(rows.map(\.name) == ["a", "b"] && rows[0].id != rows[1].id)
    }

    @Test(.proves("SVC-R-074"))
    func `a message for an unknown slot is stored and never appears in a later channel`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let id = devices[0].id

        try await store.saveMessage(heard(1, on: 6, of: devices[0]))
        let unknown = try await store.fetchMessages(deviceID: id, channelIndex: 6)
        try await store.replaceChannels([slot(6, "late", 1)], deviceID: id)

        #expect(unknown.map(\.text) == ["1"])
        #expect(try await store.fetchMessages(deviceID: id, channelIndex: 6).isEmpty)
        #expect(try await store.fetchMessages(deviceID: id, thread: .unknownChannel(6)).count == 1)
    }

    @Test(.proves("SVC-136"))
    func `a channel that is left gives its slot free, with or without its messages`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let id = devices[0].id
        try await store.replaceChannels([slot(1, "kept", 1), slot(2, "gone", 2), slot(4, "empty", 4)], deviceID: id)
        try await store.saveMessage(heard(1, on: 1, of: devices[0]))
        try await store.saveMessage(heard(2, on: 2, of: devices[0]))
        let channels = try await store.fetchChannels(deviceID: id)

        try await store.deleteChannel(id: channels[0].id)
        try await store.deleteChannel(id: channels[1].id, deletingMessages: true)
        try await store.deleteChannel(id: channels[2].id)

        #expect(try await store.fetchChannels(deviceID: id).isEmpty)
        #expect(try await store.fetchArchivedChannels(deviceID: id).map(\.name) == ["kept"])
        #expect(try await store.number("SELECT count(*) FROM message") == 1)
        #expect(
            await failure(of: .store) {
                try await store.deleteChannel(id: channels[1].id)
            } == .channelNotFound)
    }

    @Test func `the region of a channel stays with its secret through synchronisations`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let id = devices[0].id
        let saved = try await store.saveChannel(
            ChannelDTO(deviceID: id, index: 1, name: "c", secret: secret(3), regionScope: "de"))
        let channel = try #require(saved)

        try await store.replaceChannels([slot(1, "", 0), slot(2, "moved", 3)], deviceID: id)
        let moved = try await store.fetchChannels(deviceID: id)
        try await store.saveChannel(ChannelDTO(deviceID: id, index: 2, name: "renamed", secret: secret(3)))
        let renamed = try await store.fetchChannel(deviceID: id, index: 2)
        try await store.setChannelScope(id: channel.id, nil)

        #expect(moved.map(\.index) == [2] && moved.map(\.regionScope) == ["de"])
        #expect(renamed?.name == "renamed" && renamed?.regionScope == "de")
        #expect(try await store.fetchChannel(id: channel.id)?.regionScope == nil)
        #expect(
            await failure(of: .store) { try await store.setChannelScope(id: devices[0].id, "de") } == .channelNotFound)
    }

    @Test func `counters, dates and switches of a channel`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        let saved = try await store.saveChannel(
            ChannelDTO(deviceID: devices[0].id, index: 1, name: "c", secret: secret(3)))
        let channel = try #require(saved)
        try await store.saveMessages((1...3).map { heard($0, on: 1, of: devices[0]) })
        try await store.incrementChannelUnreadCount(channelID: channel.id)
        try await store.updateChannelLastMessage(channelID: channel.id, date: .at(1))
        try await store.setChannelEnabled(id: channel.id, false)
        try await store.replaceChannels([slot(1, "renamed", 3)], deviceID: devices[0].id)

        let counted = try #require(try await store.fetchChannel(id: channel.id))
        try await store.clearChannelUnreadCount(channelID: channel.id)
        try await store.deleteMessage(id: .numbered(3))

        #expect(counted.unreadCount == 4 && counted.lastMessageDate == .at(3))
        #expect(counted.name == "renamed" && !counted.isEnabled, "a sync does not switch a channel on")
        let after = try await store.fetchChannel(id: channel.id)
        #expect(after?.unreadCount == 0 && after?.lastMessageDate == .at(2))
        #expect(try await store.number("SELECT count(*) FROM message WHERE NOT isRead") == 0)
        #expect(
            await failure(of: .store) {
                try await store.saveChannel(ChannelDTO(deviceID: devices[0].id, index: 2, name: "c", secret: Data([1])))
            } == .invalidData)
    }
}
