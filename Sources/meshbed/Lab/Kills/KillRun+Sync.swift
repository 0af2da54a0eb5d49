import FoundationEssentials
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports

extension KillRun {
    /// Messages that are fetched between two kills, at most; a radio has enough of them for all.
    private static let syncSteps: UInt32 = 60

    func killSyncs(in scratch: String) async throws -> Outcome {
        var load = SyncLoad()
        load.messages = (points + 1) * Int(Self.syncSteps) * 3
        load.contacts = 20
        load.channels = 8
        let endpoint = NodeEndpoint(label: SyncLoad.label, endpoint: .freePort)
        var world = load.world(seed: seed)
        // So slow that a kill meets the message that was meant.
        world.nodes[0].board.loopPeriod = .microseconds(300)
        let emulator = try await Emulator.start(.init(world: world, seed: seed, endpoints: [endpoint]))
        defer { Task { await emulator.stop() } }
        let store = scratch + "/store.sqlite"
        let command = command(.sync, emulator.endpoints[0], store: store)
        var outcome = Outcome(.sync)
        var stream = seed.stream("kill", "sync")
        var ledger = SyncLedger()
        for _ in 0..<points {
            let before = try await given(emulator, of: load.messages)
            let end = try await kill(command, at: Self.point(&stream, steps: Self.syncSteps, pause: 2500)) { _ in
                try await given(emulator, of: load.messages) - before
            }
            if end.wasRunning { outcome.kills += 1 }
            ledger.given(upTo: try await settled(emulator, of: load.messages))
            guard FileManager.default.fileExists(atPath: store) else { continue }
            outcome.faults += ledger.faults(in: try await StoredMessages(store))
            if !outcome.faults.isEmpty { break }
        }
        // The last one may go on to its end.
        if outcome.faults.isEmpty {
            let isContent = try await AppProcess(program + command).end(within: .seconds(120))
            if !isContent { outcome.faults.append("the app did not end well when it was left alone") }
            let stored = try await StoredMessages(store)
            ledger.finished(load.messages)
            outcome.faults += ledger.faults(in: stored)
            outcome.unfinished = load.messages - stored.rows.reduce(0) { $0 + $1.count }
        }
        outcome.acknowledged = ledger.owed.count { $0 }
        return outcome
    }

    /// Messages that the radio has given out.
    private func given(_ emulator: Emulator, of count: Int) async throws -> Int {
        try await emulator.inspect { world in
            count - (world.node(labelled: SyncLoad.label).flatMap { world.companion($0)?.offlineQueue.count } ?? count)
        }
    }

    /// The same when the radio has noticed that its app has gone.
    private func settled(_ emulator: Emulator, of count: Int) async throws -> Int {
        for _ in 0..<5000 {
            let isAlone = try await emulator.inspect { world in
                world.node(labelled: SyncLoad.label).flatMap { world.companion($0)?.isConnected } == false
            }
            if isAlone { break }
            try await ContinuousClock().sleep(for: .milliseconds(1))
        }
        return try await given(emulator, of: count)
    }
}

/// The messages that must be in the store: each one after which the app has asked for the next.
struct SyncLedger {
    /// Messages that are owed, by number, among those that the radio has sent.
    private(set) var owed: [Bool] = []

    /// The app of a round was given messages up to here; of these it has not asked for anything behind the last one.
    mutating func given(upTo count: Int) {
        guard count > owed.count else { return }
        owed += Array(repeating: true, count: count - owed.count - 1) + [false]
    }

    /// An app has asked until there was nothing more.
    mutating func finished(_ count: Int) {
        if count > owed.count { owed += Array(repeating: true, count: count - owed.count) }
    }

    func faults(in stored: StoredMessages) -> [String] {
        var counts = Array(repeating: 0, count: owed.count)
        var faults = stored.problems
        for row in stored.rows {
            guard let number = row.text.split(separator: ":").first.flatMap({ Int($0) }),
                counts.indices.contains(number)
            else {
                faults.append("\"\(row.text)\" is stored and was never given out")
                continue
            }
            counts[number] += row.count
        }
        for (number, isOwed) in owed.enumerated() {
            if counts[number] > 1 { faults.append("message \(number) is stored \(counts[number]) times") }
            if isOwed && counts[number] == 0 { faults.append("message \(number) was acknowledged and is not stored") }
        }
        return faults
    }
}
