import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

@testable import meshbed

/// Deep queues, what empties them, and who looks at what came of it.
@Suite struct SyncTests {
    static func load(_ messages: Int) -> SyncLoad {
        var load = SyncLoad()
        load.messages = messages
        load.contacts = 30
        load.channels = 5
        return load
    }

    @Test func `a radio is switched on with contacts, channels and a backlog, the same ones for a seed`() throws {
        let description = Self.load(500).world(seed: Seed(3))
        let world = World(description, seed: Seed(3))
        let radio = try #require(world.node(labelled: SyncLoad.label).flatMap(world.companion))

        #expect(radio.offlineQueue.count == 500)
        #expect(radio.contacts.listedCount == 30)
        #expect(radio.channels.slots.count { !$0.isUnused } == 5)
        #expect(Self.load(500).world(seed: Seed(3)).nodes[0].backlog == description.nodes[0].backlog)
        #expect(Self.load(500).world(seed: Seed(4)).nodes[0].backlog != description.nodes[0].backlog)
    }

    @Test func `a backlog is kept by the rules of the queue: a full one gives up its oldest channel message`() throws {
        var description = Self.load(20).world(seed: Seed(3))
        description.nodes[0].board.offlineQueueSize = 16
        let world = World(description, seed: Seed(3))
        let radio = try #require(world.node(labelled: SyncLoad.label).flatMap(world.companion))

        #expect(radio.offlineQueue.count == 16)
    }

    @Test func `a message that was acknowledged and is missing is a fault, the one in flight may be`() {
        var ledger = SyncLedger()
        ledger.given(upTo: 3)
        ledger.given(upTo: 5)

        #expect(ledger.faults(in: Self.stored(["0: a", "1: b", "3: d", "4: e"])) == [])
        #expect(
            ledger.faults(in: Self.stored(["1: b", "1: b", "3: d", "7: x"])) == [
                "\"7: x\" is stored and was never given out", "message 0 was acknowledged and is not stored",
                "message 1 is stored 2 times",
            ])
    }

    @Test func `a text that its sender was told of is kept, and a confirmed one has arrived`() {
        var ledger = SendLedger()
        ledger.note(["created 0", "delivered 0", "created 1", "sent 1", "created 2"])
        var sent = Self.stored(["text 0", "text 1", "text 2"])

        #expect(ledger.next == 4)
        #expect(ledger.faults(in: sent) == [])
        #expect(
            ledger.faults(atRecipient: Self.stored(["text 1"]), sent: sent) == [
                "text 0 counts as delivered, and the recipient has it not",
                "text 2 counts as delivered, and the recipient has it not",
            ])
        sent.rows[0].isDelivered = false
        sent.rows.remove(at: 1)
        #expect(
            ledger.faults(in: sent) == [
                "text 1 was told of and is gone", "text 1 was told to be sent, and the store knows nothing of it",
                "text 0 was told to be delivered, and the store knows nothing of it",
            ])
    }

    /// A store with these texts, all of them delivered.
    private static func stored(_ texts: [String]) -> StoredMessages {
        var stored = StoredMessages()
        for text in texts {
            if let index = stored.rows.firstIndex(where: { $0.text == text }) {
                stored.rows[index].count += 1
            } else {
                stored.rows.append(.init(text: text, count: 1, isSent: true, isDelivered: true))
            }
        }
        return stored
    }
}
