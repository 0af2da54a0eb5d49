import Glibc
import MeshCore
import MeshTransports
import PocketMeshServices

/// The work of an app until it is killed, in its own process.
///
/// It plays no scenario: a killed process has no stage to come back to. Its services are those of `SyncClient`.
struct KilledApp: Sendable {
    enum Work: String, Hashable, Sendable, Codable, CaseIterable {
        /// Fetches everything from its radio, and ends.
        case sync
        /// Resumes unfinished sends, then sends one text after the other.
        case send
    }

    var host: String
    var port: UInt16
    /// The path of its store.
    var store: String
    /// The number of the first text that it sends.
    var first: Int = 0
    /// The number of texts that it sends, each after the end of the one before.
    var count: Int = 0

    /// Works with the real stack on the real clock; what somebody at the app would see goes to standard output, a line
    /// each.
    func run(_ work: Work) async throws {
        let store = try PersistenceStore(path: store)
        // As at the start of every app: what a crash left in the middle is put in order.
        try await store.failStaleSending()
        let executor = StackExecutor()
        let client = try await SyncClient(
            transport: StreamTransport(host: host, port: port, on: executor), store: store, profile: Self.profile,
            dependencies: .real(executor: executor))
        try await client.sync()
        Self.say("ready")
        if work == .send { try await send(client, store) }
        await client.end()
    }

    /// An app that lives for half a second must not wait half a minute for what the one before it left unconfirmed.
    private static let profile: StackProfile = {
        var profile = StackProfile()
        profile.messages.maxUnconfirmed = 1000
        // The queue is as deep as the run has kills, and the last app takes all that is left.
        profile.sync.drainLimit = .max
        profile.messages.retry.ackDefault = .seconds(1)
        return profile
    }()

    private func send(_ client: SyncClient, _ store: PersistenceStore) async throws {
        await client.services.onConnectionReady(deviceID: client.device.id)
        guard let peer = try await store.fetchContacts(deviceID: client.device.id).first else {
            throw StackError(.store, .contactNotFound)
        }
        for number in first..<first + count {
            let message = try await client.services.messageService.sendMessageWithRetry(
                text: "text \(number)", to: peer
            ) { _ in Self.say("created \(number)") }
            Self.say("\(message.status) \(number)")
        }
        Self.say("done \(first + count)")
    }

    /// One write, which the reader has even if this process ends right behind it.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
