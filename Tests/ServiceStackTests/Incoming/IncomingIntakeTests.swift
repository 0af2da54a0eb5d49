import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshWire
import StackTestSupport
import Testing

@testable import MeshStore
@testable import PocketMeshServices

/// The treatment of messages while the database accepts none: the radio forgets what it delivers.
@Suite struct IncomingIntakeTests {
    /// A database file that another connection can lock.
    private final class LockedFile: Sendable {
        let path = FileManager.default.temporaryDirectory.appending(path: "intake-\(UUID().uuidString).sqlite").path

        deinit {
            for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        }

        func open() throws -> PersistenceStore {
            try PersistenceStore(path: path, options: .init(lockPatience: 0))
        }

        /// Keeps everybody else from writing while the body runs.
        func whileLocked(_ body: () async throws -> Void) async throws {
            let other = try Database(path: path)
            try other.execute("BEGIN IMMEDIATE")
            try await body()
            try other.execute("COMMIT")
        }
    }

    private func withIncoming(
        _ file: LockedFile, _ body: @escaping @Sendable (IncomingBench) async throws -> Void
    ) throws {
        let radio = QueueRadio()
        try withScriptedRadio(store: try file.open(), answers: { radio.answers($0) }) { bench, _ in
            try await body(await IncomingBench(bench, radio))
        }
    }

    @Test(.proves("SVC-083"))
    func `a message that cannot be stored is kept, and no further one is taken until it can`() throws {
        let file = LockedFile()
        try withIncoming(file) { incoming in
            let bob = try #require(try await incoming.addContact(2))
            try await file.whileLocked {
                let error = await #expect(throws: StackError.self) {
                    try await incoming.drain(
                        Frames.message(from: 2, "one", timestamp: 1_749_900_001),
                        Frames.message(from: 2, "two", timestamp: 1_749_900_002),
                        Frames.message(from: 2, "three", timestamp: 1_749_900_003))
                }

                #expect(error == StackError(.polling, .notStored(drained: 1)))
                #expect(incoming.radio.queue.count == 2, "the radio still has the others")
                await #expect(throws: StackError(.polling, .notStored(drained: 0))) {
                    try await incoming.polling.pollAllMessages()
                }
            }
            #expect(try await incoming.polling.pollAllMessages() == 2)
            #expect(try await incoming.texts(.contact(bob.id)) == ["one", "two", "three"])
        }
    }

    @Test(.proves("SVC-083"))
    func `a post that cannot be stored is kept in its place, and the queue of the radio as well`() throws {
        let file = LockedFile()
        try withIncoming(file) { incoming in
            let bob = try #require(try await incoming.addContact(2))
            let room = try await incoming.addRoom(5)
            try await file.whileLocked {
                await #expect(throws: StackError(.polling, .notStored(drained: 1))) {
                    try await incoming.drain(
                        Frames.message(from: 5, "welcome", timestamp: 7, type: .signedPlain, author: 0xAB),
                        Frames.message(from: 2, "hello", timestamp: 1_749_900_001),
                        Frames.message(from: 5, "enjoy", timestamp: 8, type: .signedPlain, author: 0xAB))
                }
                #expect(incoming.radio.queue.count == 2, "the radio still has the others")
                #expect(incoming.trace.all.isEmpty)
            }
            #expect(try await incoming.polling.pollAllMessages() == 2)
            #expect(try await incoming.store.fetchRoomMessages(sessionID: room).map(\.text) == ["welcome", "enjoy"])
            #expect(try await incoming.texts(.contact(bob.id)) == ["hello"])
            #expect(
                incoming.trace.all.filter { $0.hasPrefix("notification") } == [
                    "notification lounge, ABABABAB: welcome", "notification bob: hello",
                    "notification lounge, ABABABAB: enjoy",
                ])
        }
    }

    @Test(.proves("SVC-083")) func `a disk that is broken keeps the radio's queue where it is`() throws {
        try withIncoming(LockedFile()) { incoming in
            let bob = try #require(try await incoming.addContact(2))
            try incoming.store.breakDown("INSERT ON message")
            await #expect(throws: StackError(.polling, .notStored(drained: 1))) {
                try await incoming.drain(
                    Frames.message(from: 2, "one", timestamp: 1_749_900_001),
                    Frames.message(from: 2, "two", timestamp: 1_749_900_002))
            }
            #expect(incoming.radio.queue.count == 1, "the radio still has the other")
            try incoming.store.repair()

            #expect(try await incoming.polling.pollAllMessages() == 1)
            #expect(try await incoming.texts(.contact(bob.id)) == ["one", "two"])
        }
    }

    @Test func `a post that nobody can ever store keeps nothing behind it`() throws {
        try withIncoming(LockedFile()) { incoming in
            let bob = try #require(try await incoming.addContact(2))
            _ = try await incoming.addRoom(5)
            try await incoming.drain(
                Frames.message(from: 9, "no room", timestamp: 7, type: .signedPlain, author: 0xAB),
                Frames.message(from: 2, "hello", timestamp: 1_749_900_001))

            #expect(try await incoming.texts(.contact(bob.id)) == ["hello"])
        }
    }

    @Test func `two who store at once what was kept lose nothing of it`() throws {
        try withIncoming(LockedFile()) { incoming in
            let handlers = incoming.coordinator.incoming
            let stored = Notes<String>()
            // How much the store takes: nothing, all but the last, all.
            let grades = Notes<Int>()
            await incoming.wire { [clock = incoming.bench.clock] post in
                try await clock.sleep(for: .milliseconds(1))
                if grades.all.count < (post.text == "4" ? 2 : 1) { throw StackError(.store, .locked(path: "p")) }
                stored.add(post.text)
                return nil
            }
            for number in 1...4 {
                let frame = Frames.message(
                    from: 5, ByteText("\(number)"), timestamp: 7, type: .signedPlain, author: 0xAB)
                guard case .contactMessageReceived(let post) = PacketParser.parse(frame) else { return }
                await handlers.take(.post(post, MessageArrival(deviceID: incoming.deviceID)))
            }
            #expect(await handlers.unstored.count == 4)
            grades.add(1)
            async let one = handlers.storeAgain()
            async let other = handlers.storeAgain()
            _ = await [one, other]
            grades.add(2)

            #expect(await handlers.storeAgain())
            #expect(Set(stored.all) == ["1", "2", "3", "4"])
        }
    }

    @Test func `what could not be stored has its last try when the services end`() throws {
        let file = LockedFile()
        try withIncoming(file) { incoming in
            let bob = try #require(try await incoming.addContact(2))
            try await file.whileLocked {
                _ = try? await incoming.drain(Frames.message(from: 2, "one", timestamp: 1_749_900_001))
            }
            #expect(try await incoming.texts(.contact(bob.id)) == [])
            await incoming.coordinator.stop()
            #expect(try await incoming.texts(.contact(bob.id)) == ["one"])
        }
    }
}
