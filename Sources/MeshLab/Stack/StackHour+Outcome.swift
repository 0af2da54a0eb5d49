import MeshCrypto
public import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices

extension StackHour {
    /// What an hour came to.
    public struct Outcome: Hashable, Sendable, Codable {
        public let seed: UInt64
        public let simulatedSeconds: Int
        /// On the air, of all nodes.
        public let framesSent: Int
        /// Times that alice's link went, and that the stack was ready again.
        public let losses: Int
        public let readies: Int
        /// Texts of contacts whose apps saw them acknowledged, and texts of contacts that are stored: one whose
        /// acknowledgements were all lost is stored as well.
        public let acknowledged: Int
        public let stored: Int
        public let storedOnChannels: Int
        public let storedPosts: Int
        /// Alice's texts to contacts, by how they ended.
        public let delivered: Int
        public let failed: Int
        public let sentOnChannels: Int
        public let deliveredPosts: Int
        public let failedPosts: Int
        /// Things that somebody was told have arrived, and that are missing.
        public let lost: Int
        /// Things that are there more than once.
        public let doubled: Int
        /// Statuses, counts and conversations that say something that is not so.
        public let untrue: Int
        /// The first of these as text.
        public let findings: [String]
        /// Errors that alice saw, by code.
        public let errors: [String: Int]
        /// Of the air, the order of all steps, and everything stored.
        public let digest: String

        public var isSound: Bool { lost + doubled + untrue == 0 }
    }

    /// Runs the hour; throws when an app could not even be set up, or when time cannot go on.
    public func run(seed: Seed) throws -> Outcome {
        let measured = try VirtualTime.measure(order: order.map(VirtualTime.Order.drawn) ?? .arrival) { clock in
            try await HourRun(hour: self, seed: seed, clock: clock).run()
        }
        var checks = HourChecks(measured.value)
        checks.run()
        return Outcome(
            seed: seed, seconds: Int(measured.elapsed.components.seconds), record: measured.value, checks: checks,
            digest: measured.value.digest(schedule: measured.digest))
    }
}

extension StackHour.Outcome {
    init(seed: Seed, seconds: Int, record: HourRecord, checks: HourChecks, digest: String) {
        let (tally, findings) = (checks.tally, checks.findings)
        self.init(
            seed: seed.value, simulatedSeconds: seconds, framesSent: record.framesSent, losses: record.books.losses,
            readies: record.books.readies, acknowledged: tally.acknowledged, stored: tally.storedIn,
            storedOnChannels: tally.storedOnChannels, storedPosts: tally.storedPosts, delivered: tally.delivered,
            failed: tally.failed, sentOnChannels: tally.sentOnChannels, deliveredPosts: tally.deliveredPosts,
            failedPosts: tally.failedPosts, lost: findings[.lost], doubled: findings[.doubled],
            untrue: findings[.untrue], findings: findings.texts, errors: record.books.errors, digest: digest)
    }
}

extension HourRecord {
    /// Sixteen hex digits of everything that came out.
    func digest(schedule: UInt64) -> String {
        var lines = ["\(worldDigest) \(unseed) \(schedule) \(framesSent)"]
        for row in (books.contacts + books.channels).flatMap(\.rows) {
            lines.append(
                "\(row.id) \(row.receivedOrder) \(row.timestamp) \(row.status) \(row.retryAttempt) \(row.text)")
        }
        for row in books.rooms.flatMap(\.rows) {
            lines.append("\(row.id) \(row.receivedOrder) \(row.timestamp) \(row.status) \(row.text)")
        }
        return SHA256.hash(Array(lines.joined(separator: "\n").utf8)).prefix(8).hex
    }
}
