import FoundationEssentials
import MeshCore
import MeshEmulator
import MeshSimulator
import MeshTime
import MeshTransports
import PocketMeshServices

extension KillRun {
    /// Texts that are sent between two kills, at most.
    private static let sendSteps: UInt32 = 6
    /// Seconds of the air per second of the clock.
    private static let speed = 500.0

    func killSends(in scratch: String) async throws -> Outcome {
        let world = WorldDescription(
            name: "duo", summary: "companion radios alice and bob",
            nodes: [NodeDescription("alice", .companion(.wifi)), NodeDescription("bob", .companion(.wifi))],
            links: [.init("alice", "bob")])
        let endpoints = ["alice", "bob"].map { NodeEndpoint(label: $0, endpoint: .freePort) }
        let emulator = try await Emulator.start(
            .init(world: world, seed: seed, endpoints: endpoints, pace: .clock(speed: Self.speed)))
        defer { Task { await emulator.stop() } }
        try await meet(emulator)
        let (store, bobs) = (scratch + "/store.sqlite", scratch + "/bob.sqlite")
        let bob = try await SyncClient(
            transport: Self.transport(emulator.endpoints[1]), store: PersistenceStore(path: bobs), dependencies: .real()
        )
        try await bob.sync()
        var outcome = Outcome(.send)
        var ledger = SendLedger()
        var stream = seed.stream("kill", "send")
        for _ in 0..<points {
            let command = command(
                .send, emulator.endpoints[0], store: store, first: ledger.next, count: Int(Self.sendSteps) * 2)
            let end = try await kill(command, at: Self.point(&stream, steps: Self.sendSteps, pause: 15_000)) {
                // The first line says that it begins.
                max(0, $0.lines.count - 1)
            }
            if end.wasRunning { outcome.kills += 1 }
            ledger.note(end.lines)
            guard FileManager.default.fileExists(atPath: store) else { continue }
            outcome.faults += ledger.faults(in: try await StoredMessages(store))
            if !outcome.faults.isEmpty { break }
        }
        if outcome.faults.isEmpty {
            let command = command(.send, emulator.endpoints[0], store: store, first: ledger.next)
            let app = try AppProcess(program + command)
            let isContent = try await app.end(within: .seconds(120))
            ledger.note(app.lines)
            if !isContent { outcome.faults.append("the app did not end well when it was left alone") }
        }
        try await ContinuousClock().sleep(for: .milliseconds(500))
        await bob.end()
        let sent = try await StoredMessages(store)
        if outcome.faults.isEmpty { outcome.faults = ledger.faults(in: sent) }
        outcome.faults += ledger.faults(atRecipient: try await StoredMessages(bobs), sent: sent)
        outcome.acknowledged = ledger.sent.count
        outcome.unfinished = sent.rows.count { !$0.isSent }
        return outcome
    }

    private static func transport(_ endpoint: NodeEndpoint) -> any MeshTransport { StreamTransport(endpoint.endpoint) }

    /// Lets both radios advertise until each has the other.
    private func meet(_ emulator: Emulator) async throws {
        let sessions = emulator.endpoints.map {
            MeshCoreSession(transport: Self.transport($0), clock: ContinuousClock())
        }
        for session in sessions { try await session.start() }
        for (session, name) in zip(sessions, ["alice", "bob"]) { try await session.setName(name) }
        for _ in 0..<50 {
            var counts: [Int] = []
            for session in sessions { counts.append(try await session.getContacts().contacts.count) }
            if counts == [1, 1] { break }
            for session in sessions {
                try await session.sendAdvertisement(flood: true)
                try await ContinuousClock().sleep(for: .milliseconds(40))
            }
        }
        for session in sessions { await session.stop() }
    }
}

/// The statuses that the sending app has shown to its user.
struct SendLedger {
    private var created: Set<Int> = []
    /// Texts that the radio has accepted, and those of them that were confirmed.
    private(set) var sent: Set<Int> = []
    private var delivered: Set<Int> = []

    /// The number of the next text: no number is used twice.
    private(set) var next = 0

    mutating func note(_ lines: [String]) {
        for line in lines {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int(words[1]) else { continue }
            switch words[0] {
            case "created": created.insert(number)
            case "sent": sent.insert(number)
            case "delivered":
                sent.insert(number)
                delivered.insert(number)
            default: break
            }
            next = max(next, number + 1)
        }
        // One may have been composed of which nobody was told.
        next += 1
    }

    func faults(in stored: StoredMessages) -> [String] {
        var faults = stored.problems
        let rows = Self.byNumber(stored, &faults)
        for number in created.sorted() where rows[number] == nil {
            faults.append("text \(number) was told of and is gone")
        }
        for number in sent.sorted() where rows[number]?.isSent != true {
            faults.append("text \(number) was told to be sent, and the store knows nothing of it")
        }
        for number in delivered.sorted() where rows[number]?.isDelivered != true {
            faults.append("text \(number) was told to be delivered, and the store knows nothing of it")
        }
        return faults
    }

    /// Returns faults at the recipient: a text that is stored twice, or that was confirmed and is missing.
    func faults(atRecipient stored: StoredMessages, sent: StoredMessages) -> [String] {
        var faults = stored.problems
        let received = Self.byNumber(stored, &faults)
        let ours = Self.byNumber(sent, &faults)
        for number in ours.keys.sorted() where ours[number]?.isDelivered == true && received[number] == nil {
            faults.append("text \(number) counts as delivered, and the recipient has it not")
        }
        return faults
    }

    private static func byNumber(_ stored: StoredMessages, _ faults: inout [String]) -> [Int: StoredMessages.Row] {
        var rows: [Int: StoredMessages.Row] = [:]
        for row in stored.rows {
            guard let number = row.text.split(separator: " ").last.flatMap({ Int($0) }) else {
                faults.append("\"\(row.text)\" was never sent")
                continue
            }
            if row.count > 1 { faults.append("text \(number) is stored \(row.count) times") }
            rows[number] = row
        }
        return rows
    }
}
