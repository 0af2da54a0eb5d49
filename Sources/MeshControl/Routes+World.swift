import MeshEmulator
import MeshFiles
import MeshHTTP
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds

// The world as a whole: how it stands, its time, its snapshots.
extension ControlAPI {
    static let worlds: [WebRoute<ControlAPI>] = [
        WebRoute("GET", "/openapi.json") { _, call in
            try call.checkQuery()
            return WebAnswer(type: "application/json", body: .whole(ControlAPI.document))
        },
        WebRoute("GET", "/world") { api, call in
            try call.checkQuery()
            return try await api.describe()
        },
        WebRoute("POST", "/advance") { api, call in
            let fields = try call.fields("seconds", "stopsWhenTold")
            let span = try fields.seconds("seconds")
            let stops = try fields.bool("stopsWhenTold") ?? false
            try await api.emulator.look { driver in
                guard driver.pace == .stepped else {
                    throw WebRefusal(.conflict, "time passes by itself here: use run-until, pause or speed")
                }
            }
            let state = try await api.emulator.run(atMost: span, stoppingWhenTold: stops, until: nil) { driver, _ in
                StateRecord(driver)
            }
            return try WebAnswer(state)
        },
        WebRoute("POST", "/run-until") { api, call in try await api.runUntil(call) },
        WebRoute("POST", "/pause") { api, call in try await api.pause(true, call) },
        WebRoute("POST", "/resume") { api, call in try await api.pause(false, call) },
        WebRoute("POST", "/speed") { api, call in
            guard let speed = try call.fields("speed").number("speed", in: 0.01...1000) else {
                throw WebRefusal(.badRequest, "speed: is missing")
            }
            return try await api.change { driver in
                guard case .clock = driver.pace else {
                    throw WebRefusal(.conflict, "only a world that follows the clock has a speed")
                }
                driver.setSpeed(speed)
            }
        },
    ]

    static let histories: [WebRoute<ControlAPI>] = [
        WebRoute("GET", "/snapshots") { api, call in
            try call.checkQuery()
            return try await api.look { ["snapshots": $0.snapshots.map(SnapshotRecord.init)] }
        },
        WebRoute("POST", "/snapshots") { api, call in
            let fields = try call.fields("name")
            let name = try fields.needString("name")
            guard ControlAPI.isSnapshotName(name) else {
                throw fields.problem("name", "must be 1 to 64 letters, digits, dots, dashes and underscores")
            }
            return try await api.change { try $0.takeSnapshot(name) }
        },
        WebRoute("POST", "/snapshots/{snapshot}/restore") { api, call in
            _ = try call.fields()
            return try await api.change { try $0.restore(call["snapshot"]) }
        },
        WebRoute("DELETE", "/snapshots/{snapshot}") { api, call in
            try call.checkQuery()
            return try await api.change { try $0.deleteSnapshot(call["snapshot"]) }
        },
        WebRoute("GET", "/trace") { api, call in
            try call.checkQuery()
            let trace = try await api.traceText()
            return WebAnswer(type: "application/x-ndjson", body: .whole(trace))
        },
        WebRoute("GET", "/trace/packed") { api, call in try await api.packedTrace(call) },
        WebRoute("GET", "/events") { api, call in
            try call.checkQuery()
            guard let lines = try await api.emulator.follow() else {
                throw WebRefusal(.busy, "as many follow already as are served")
            }
            return WebAnswer(type: "text/event-stream", body: .pieces(ControlAPI.events(lines)))
        },
    ]
}

extension ControlAPI {
    private struct WorldRecord: Encodable {
        let name: String
        let state: StateRecord
        let nodes: Int
        let links: Int
        let snapshots: [String]
    }

    fileprivate func describe() async throws -> WebAnswer {
        let record = try await emulator.look { [world] driver in
            WorldRecord(
                name: world, state: StateRecord(driver), nodes: driver.world.nodes.count,
                links: driver.world.links.linkCount, snapshots: driver.snapshots.map(\.name))
        }
        let text = try record.jsonText(inOneLine: true)
        // The provenance is JSON already.
        return WebAnswer(json: text.dropLast() + ",\"provenance\":\(provenance)}")
    }

    fileprivate func pause(_ isPaused: Bool, _ call: WebCall) async throws -> WebAnswer {
        _ = try call.fields()
        return try await change { driver in
            guard driver.pace != .stepped else {
                throw WebRefusal(.conflict, "stepped time stands still unless it is advanced")
            }
            driver.pause(isPaused)
        }
    }

    fileprivate func runUntil(_ call: WebCall) async throws -> WebAnswer {
        let fields = try call.fields("condition", "seconds", "stopsWhenTold")
        let stops = try fields.bool("stopsWhenTold") ?? false
        let span = try fields.seconds("seconds")
        guard let part = try fields.object("condition") else { throw fields.missing("condition") }
        let condition = try await emulator.look { try ControlCondition(part, $0) }
        let answer = try await emulator.run(atMost: span, stoppingWhenTold: stops, until: condition.isMet) {
            RunUntilRecord(isMet: $1, state: StateRecord($0))
        }
        return try WebAnswer(answer)
    }

    fileprivate static func isSnapshotName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The events so far, as a trace file without an end.
    func traceText() async throws -> [UInt8] {
        let (log, topology, seed) = try await emulator.look { driver in
            (driver.log ?? HappeningLog(), driver.people?.topology ?? Topology(name: ""), driver.world.seed)
        }
        return log.text(topology, seed: seed)
    }

    /// Lines of a trace as server-sent events, each on request.
    ///
    /// Lines that a slow reader leaves stay in the follower, which has a bound.
    fileprivate static func events(_ lines: AsyncStream<HappeningLog.Line>) -> AsyncStream<[UInt8]> {
        let events = EventReader(lines)
        return AsyncStream { await events.next() }
    }
}

/// Reads lines of a trace from a follower, one event at a time.
private actor EventReader {
    private let lines: AsyncStream<HappeningLog.Line>
    private var writer = TraceWriter()
    private var hasBegun = false

    init(_ lines: AsyncStream<HappeningLog.Line>) {
        self.lines = lines
    }

    /// The next event; nothing when the run has ended.
    func next() async -> [UInt8]? {
        guard hasBegun else {
            hasBegun = true
            // A reader knows from this that it is connected.
            return Array(": events\n\n".utf8)
        }
        for await line in lines {
            writer.add(line.time, line.node, line.happening)
            let text = writer.takeText()
            if !text.isEmpty { return Array("data: ".utf8) + text + [0x0A] }
        }
        return nil
    }
}

extension JSONFields {
    /// A time of the world in seconds, a day at most.
    func seconds(_ key: String) throws(FileProblem) -> TimeSpan {
        guard let seconds = try number(key, in: 0...86_400) else { throw missing(key) }
        return .microseconds(Int64(nearest: seconds * 1e6))
    }
}
