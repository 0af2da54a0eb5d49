import Foundation
import MeshCompanion
import MeshCore
import MeshSimulator
import MeshTestSupport
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Channels with emulated radios.
@Suite struct ChannelMeshTests {
    /// Drains the radio's queue, and finds its texts in the store.
    private static func drain(_ bench: ServiceBench, _ sink: MemoryNotificationSink) async throws -> Int {
        let container = try await MainActor.run {
            try ServiceContainer.forTesting(
                session: bench.session, dependencies: bench.dependencies, store: bench.store, sink: sink)
        }
        await container.syncCoordinator.incoming.wire(into: container.messagePollingService)
        await container.messagePollingService.startEventMonitoring(deviceID: bench.device.id)
        let count = try await container.messagePollingService.pollAllMessages()
        _ = await container.messagePollingService.waitForPendingHandlers(timeout: .seconds(5))
        await container.tearDown()
        return count
    }

    private static func texts(_ bench: ServiceBench, _ thread: MessageThread) async throws -> [String] {
        try await bench.store.fetchMessages(deviceID: bench.device.id, thread: thread).map(\.text)
    }

    @Test(.proves("SVC-080", "SVC-R-068"))
    func `a fresh radio has the public channel in slot 0 and 39 empty slots`() throws {
        let (result, rows) = try withMesh(.solo) { mesh in
            let alice = try await mesh.app("alice")
            let channels = alice.channels()
            try await alice.session.setChannel(39, name: "last", secret: ChannelSyncTests.secret(9))
            let result = try await channels.syncChannels(
                deviceID: alice.device.id, maxChannels: alice.device.maxChannels)
            return (result, try await channels.getChannels(deviceID: alice.device.id))
        }

        #expect(result == ChannelSyncResult(channelsSynced: 2))
        #expect(rows.map(\.index) == [0, 39])
        #expect(rows.first?.secret == ChannelService.publicSecret)
        #expect(rows.last?.name == "last")
    }

    @Test(.proves("SVC-R-069", "SVC-136"))
    func `what a stock radio sends on Public is readable once the stack has set slot 0 up`() throws {
        let (before, after) = try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            let sink = MemoryNotificationSink()
            let channels = alice.channels()
            try await channels.syncChannels(deviceID: alice.device.id, maxChannels: 40)
            try await channels.clearChannel(deviceID: alice.device.id, index: 0)
            #expect(try await channels.getChannels(deviceID: alice.device.id).isEmpty)
            // Nobody adverts any more who has just been switched on.
            try await mesh.clock.sleep(for: .seconds(20))
            try await bob.session.sendChannelMessage(channel: 0, text: "unheard", timestamp: bob.dependencies.seconds)
            try await mesh.clock.sleep(for: .seconds(5))
            let before = try await Self.drain(alice, sink)
            let row = try await channels.setupPublicChannel(deviceID: alice.device.id)
            try await bob.session.sendChannelMessage(channel: 0, text: "heard", timestamp: bob.dependencies.seconds)
            try await mesh.clock.sleep(for: .seconds(5))
            _ = try await Self.drain(alice, sink)
            return (before, try await Self.texts(alice, .channel(row.id)))
        }

        #expect(before == 0)
        #expect(after == ["heard"])
    }

    @Test(.proves("SVC-R-074"))
    func `a message for a slot that is not known is stored, and nobody is told a wrong name`() throws {
        let (count, unknown, shown) = try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            let sink = MemoryNotificationSink()
            try await alice.channels().syncChannels(deviceID: alice.device.id, maxChannels: 40)
            // Another app takes slot 4 of alice's radio.
            for session in [alice.session, bob.session] {
                try await session.setChannel(4, name: "club", secret: ChannelSyncTests.secret(4))
            }
            try await bob.session.sendChannelMessage(
                channel: 4, text: "who reads this?", timestamp: bob.dependencies.seconds)
            try await mesh.clock.sleep(for: .seconds(5))
            let count = try await Self.drain(alice, sink)
            return (count, try await Self.texts(alice, .unknownChannel(4)), await sink.shown)
        }

        #expect(count == 1)
        #expect(unknown == ["who reads this?"])
        #expect(shown.isEmpty)
    }

    @Test(.proves("SVC-R-078"))
    func `traffic under a key of zeros is filed as unknown and never as a private channel`() throws {
        let (unknown, shown, channels) = try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            let sink = MemoryNotificationSink()
            let channels = alice.channels()
            try await channels.syncChannels(deviceID: alice.device.id, maxChannels: 40)
            let mine = try await channels.createChannel(deviceID: alice.device.id, name: "mine", passphrase: "x")
            // Firmware sends and hears under the zeros of an empty slot.
            try await bob.session.sendChannelMessage(channel: 9, text: "zeros", timestamp: bob.dependencies.seconds)
            try await mesh.clock.sleep(for: .seconds(5))
            #expect(try await Self.drain(alice, sink) == 1)
            return (
                try await Self.texts(alice, .unknownChannel(2)), await sink.shown,
                try await Self.texts(alice, .channel(mine.id))
            )
        }

        #expect(unknown == ["zeros"])
        #expect(shown.isEmpty)
        #expect(channels.isEmpty)
    }

    @Test(.proves("SVC-137", "SVC-134")) func `two nodes that know the passphrase understand each other`() throws {
        let texts = try withMesh { mesh in
            let alice = try await mesh.app("alice")
            let bob = try await mesh.app("bob")
            let mine = try await alice.channels().createChannel(
                deviceID: alice.device.id, name: "ours", passphrase: "öffne dich")
            try await bob.session.setChannel(7, name: "filler", secret: ChannelSyncTests.secret(7))
            let his = try await bob.channels().setChannel(
                deviceID: bob.device.id, index: 8, name: "whatever", passphrase: "öffne dich")
            try await bob.session.sendChannelMessage(
                channel: his.index, text: "hi", timestamp: bob.dependencies.seconds)
            try await mesh.clock.sleep(for: .seconds(5))
            _ = try await Self.drain(alice, MemoryNotificationSink())
            return try await Self.texts(alice, .channel(mine.id))
        }

        #expect(texts == ["hi"])
    }
}
