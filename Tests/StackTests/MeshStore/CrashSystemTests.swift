import Foundation
import Glibc
import MeshTestSupport
import MeshTime
import Synchronization
import Testing

@testable import MeshStore

/// Acknowledged messages are there after the process was killed, and rows that are there are whole.
@Suite(.serialized) struct CrashSystemTests {
    /// Appends one line to a file that the kernel keeps when the process dies.
    static func acknowledge(_ number: Int, in descriptor: Int32) {
        let line = "\(number)\n"
        _ = line.withCString { write(descriptor, $0, strlen($0)) }
    }

    /// Stores messages one by one and in batches, acknowledging each after the operation returned, until it is killed.
    static func storeUntilKilled(in folder: String, isKilledAt statement: Int?) async throws {
        let store = try PersistenceStore(path: folder + "/store.sqlite")
        try await store.addRadio(0)
        let contact = ContactDTO.numbered(0, of: .numbered(0))
        let descriptor = open(folder + "/acknowledged", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        if let statement { try await store.kill(afterStatements: statement) }
        var number = 0
        while number < 1_000_000 {
            number += 1
            try await store.saveMessage(.received(number, from: contact))
            acknowledge(number, in: descriptor)
            let batch = number + 1...number + 5
            try await store.saveMessages(batch.map { .received($0, from: contact) })
            for saved in batch { acknowledge(saved, in: descriptor) }
            number = batch.upperBound
            try await store.enqueueMessage(.composed(2_000_000 + number, to: contact))
            try await store.updateMessageStatus(id: .numbered(2_000_000 + number), to: .sending)
            try await store.completePendingSend(messageID: .numbered(2_000_000 + number), ackCode: UInt32(number))
            acknowledge(2_000_000 + number, in: descriptor)
        }
    }

    /// Opens what the killed process left; how many messages it had acknowledged.
    private func examine(_ scratch: Scratch) async throws -> Int {
        let text = (try? String(contentsOfFile: scratch.file("acknowledged"), encoding: .utf8)) ?? ""
        let acknowledged = text.split(separator: "\n").compactMap { Int($0) }
        let store = try PersistenceStore(path: scratch.file("store.sqlite"))
        let stored = Set(try await store.storedNumbers())

        #expect(Set(acknowledged).subtracting(stored).isEmpty, "acknowledged and lost")
        #expect(try await store.inconsistencies() == [])
        // Batches are whole: received messages come in runs of one and five.
        let received = stored.count { $0 < 2_000_000 }
        #expect([0, 1].contains(received % 6))
        // A message that was sent is not in the queue, one that is in the queue was not sent.
        let torn = try await store.number(
            """
            SELECT (SELECT count(*) FROM pendingSend p JOIN message m ON m.id = p.messageID WHERE m.status = 2)
            + (SELECT count(*) FROM message WHERE status IN (0, 1) AND direction = 1
                AND id NOT IN (SELECT messageID FROM pendingSend))
            """)
        #expect(torn == 0)
        // The store goes on where the process was killed.
        try await store.failStaleSending()
        try await store.saveMessage(.received(9_999_999, from: .numbered(0, of: .numbered(0))))
        return acknowledged.count
    }

    @Test(.proves("SVC-115", "SVC-R-075"), arguments: Array(1...40))
    func `a process killed between any two statements loses nothing acknowledged`(step: Int) async throws {
        let scratch = Scratch()
        let folder = scratch.path
        // The statements of one round and its transactions are about forty; all of them are met, in several rounds.
        let statement = step * 3 + step / 2

        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, statement = statement as Int] in
            try await CrashSystemTests.storeUntilKilled(in: folder, isKilledAt: statement)
        }

        _ = try await examine(scratch)
    }

    @Test(arguments: Array(UInt64(1)...10))
    func `a process killed at any moment loses nothing acknowledged`(seed: UInt64) async throws {
        let scratch = Scratch()
        let folder = scratch.path
        // Another thread kills when so many messages were acknowledged and then some time went by.
        let after = UInt64(Seed(seed).stream("kill").state(over: 400)) + 20

        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, after = after as UInt64] in
            Thread {
                while CrashSystemTests.size(of: folder + "/acknowledged") < after * 3 { sched_yield() }
                for _ in 0..<(after % 64) { sched_yield() }
                kill(getpid(), SIGKILL)
            }.start()
            try await CrashSystemTests.storeUntilKilled(in: folder, isKilledAt: nil)
        }

        let acknowledged = try await examine(scratch)
        #expect(acknowledged >= 10)
    }

    static func size(of path: String) -> UInt64 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_size) : 0
    }
}

extension RandomStream {
    fileprivate func state(over limit: UInt32) -> UInt32 {
        var stream = self
        return stream.draw(0, limit)
    }
}

extension PersistenceStore {
    /// Kills this process when the connection has begun this number of further statements.
    fileprivate func kill(afterStatements count: Int) throws {
        let left = Mutex(count)
        try read { db in
            db.trace { _ in
                let isTime = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isTime { Glibc.kill(getpid(), SIGKILL) }
            }
        }
    }

    /// The numbers of all stored messages.
    fileprivate func storedNumbers() throws -> [Int] {
        try read { db in
            try db.values(UUID.self, "SELECT id FROM message").map { id in
                id.bytes[8...].reduce(0) { $0 << 8 | Int($1) }
            }
        }
    }
}
