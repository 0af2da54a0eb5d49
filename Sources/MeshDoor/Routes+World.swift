import MeshEmulator
import MeshFiles
import MeshSimulator
import MeshTime
import MeshWorlds

// The world as a whole: how it stands, its time, its snapshots.
extension DoorRoute {
    static let worlds = [
        DoorRoute("GET", "/openapi.json") { _, call in
            try call.checkQuery()
            return DoorAnswer(type: "application/json", body: .whole(Door.document))
        },
        DoorRoute("GET", "/world") { door, call in
            try call.checkQuery()
            return try await door.describe()
        },
        DoorRoute("POST", "/advance") { door, call in
            let fields = try call.fields("seconds", "stopsWhenTold")
            let span = try fields.seconds("seconds")
            let stops = try fields.bool("stopsWhenTold") ?? false
            try await door.emulator.look { runner in
                guard runner.pace == .stepped else {
                    throw DoorRefusal(.conflict, "time passes by itself here: use run-until, pause or speed")
                }
                try runner.checkRoom()
            }
            try await door.emulator.advance(by: span, stoppingWhenTold: stops)
            return try await door.look { StateRecord($0) }
        },
        DoorRoute("POST", "/run-until") { door, call in try await door.runUntil(call) },
        DoorRoute("POST", "/pause") { door, call in try await door.pause(true, call) },
        DoorRoute("POST", "/resume") { door, call in try await door.pause(false, call) },
        DoorRoute("POST", "/speed") { door, call in
            guard let speed = try call.fields("speed").number("speed", in: 0.01...1000) else {
                throw DoorRefusal(.badRequest, "speed: is missing")
            }
            return try await door.change { runner in
                guard case .clock = runner.pace else {
                    throw DoorRefusal(.conflict, "only a world that follows the clock has a speed")
                }
                runner.setSpeed(speed)
            }
        },
    ]

    static let histories = [
        DoorRoute("GET", "/snapshots") { door, call in
            try call.checkQuery()
            return try await door.look { ["snapshots": $0.snapshotList.map(SnapshotRecord.init)] }
        },
        DoorRoute("POST", "/snapshots") { door, call in
            let fields = try call.fields("name")
            let name = try fields.needString("name")
            guard Door.isSnapshotName(name) else {
                throw fields.problem("name", "must be 1 to 64 letters, digits, dots, dashes and underscores")
            }
            return try await door.change { try $0.takeSnapshot(name) }
        },
        DoorRoute("POST", "/snapshots/{snapshot}/restore") { door, call in
            _ = try call.fields()
            return try await door.change { try $0.restore(call["snapshot"]) }
        },
        DoorRoute("DELETE", "/snapshots/{snapshot}") { door, call in
            try call.checkQuery()
            return try await door.change { try $0.deleteSnapshot(call["snapshot"]) }
        },
        DoorRoute("GET", "/trace") { door, call in
            try call.checkQuery()
            let trace = try await door.traceText()
            return DoorAnswer(type: "application/x-ndjson", body: .whole(trace))
        },
        DoorRoute("GET", "/events") { door, call in
            try call.checkQuery()
            let lines = try await door.emulator.look { $0.follow() }
            return DoorAnswer(type: "text/event-stream", body: .pieces(Door.events(lines)))
        },
    ]
}

extension Door {
    private struct WorldRecord: Encodable {
        let name: String
        let state: StateRecord
        let nodes: Int
        let links: Int
        let snapshots: [String]
    }

    fileprivate func describe() async throws -> DoorAnswer {
        let record = try await emulator.look { [world] runner in
            WorldRecord(
                name: world, state: StateRecord(runner), nodes: runner.world.nodes.count,
                links: runner.world.links.linkCount, snapshots: runner.snapshotList.map(\.name))
        }
        let text = try record.jsonText(inOneLine: true)
        // The provenance is JSON already.
        return DoorAnswer(json: text.dropLast() + ",\"provenance\":\(provenance)}")
    }

    fileprivate func pause(_ isPaused: Bool, _ call: DoorCall) async throws -> DoorAnswer {
        _ = try call.fields()
        return try await change { runner in
            guard runner.pace != .stepped else {
                throw DoorRefusal(.conflict, "stepped time stands still unless it is advanced")
            }
            runner.pause(isPaused)
        }
    }

    fileprivate func runUntil(_ call: DoorCall) async throws -> DoorAnswer {
        let fields = try call.fields("condition", "seconds", "stopsWhenTold")
        let stops = try fields.bool("stopsWhenTold") ?? false
        let span = try fields.seconds("seconds")
        guard let part = try fields.object("condition") else { throw fields.missing("condition") }
        let condition = try await emulator.look { runner in
            try runner.checkRoom()
            return try DoorCondition(part, runner)
        }
        let isMet = try await emulator.run(
            atMost: span, stoppingWhenTold: stops, untilRunner: condition.isMet)
        return try await look { RunUntilRecord(isMet: isMet, state: StateRecord($0)) }
    }

    fileprivate static func isSnapshotName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    /// What has happened, as a trace file without an end.
    func traceText() async throws -> [UInt8] {
        let (log, topology, seed) = try await emulator.look { runner in
            (runner.log ?? HappeningLog(), runner.people?.topology ?? Topology(name: ""), runner.world.seed)
        }
        return log.text(topology, seed: seed)
    }

    /// Lines of a trace as server-sent events, each as soon as it is there.
    fileprivate static func events(_ lines: AsyncStream<HappeningLog.Line>) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            let task = Task {
                // A reader knows from this that it is connected.
                continuation.yield(Array(": events\n\n".utf8))
                var writer = TraceWriter()
                for await line in lines {
                    writer.add(line.time, line.node, line.happening)
                    let text = writer.takeText()
                    guard !text.isEmpty else { continue }
                    continuation.yield(Array("data: ".utf8) + text + [0x0A])
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension JSONFields {
    /// A time of the world in seconds, a day at most.
    func seconds(_ key: String) throws(FileProblem) -> TimeSpan {
        guard let seconds = try number(key, in: 0...86_400) else { throw missing(key) }
        return .microseconds(Int64((seconds * 1e6).rounded()))
    }
}

extension WorldRunner {
    /// Refuses further requests that wait for time when too many do.
    func checkRoom() throws(DoorRefusal) {
        guard waitingSteps < Door.mostWaiting else {
            throw DoorRefusal(.busy, "\(Door.mostWaiting) requests wait for time already")
        }
    }
}
