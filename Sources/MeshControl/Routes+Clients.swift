import FoundationEssentials
import MeshCapture
import MeshCompanion
import MeshEmulator
import MeshFiles
import MeshFirmware
import MeshHTTP
import MeshSimulator
import MeshTime
import MeshTransports
import MeshWire
import MeshWorlds

// What happens between a companion radio and the client at its endpoint.
extension ControlAPI {
    static let clients: [WebRoute<ControlAPI>] = [
        WebRoute("POST", "/nodes/{node}/link-faults") { api, call in
            let wish = try call.linkFaults()
            return try await api.client(call) { driver, node in
                guard try wish.give(to: node, of: &driver) else {
                    throw WebRefusal(.conflict, "the link has been given as many faults as are counted")
                }
            }
        },
        WebRoute("DELETE", "/nodes/{node}/link-faults") { api, call in
            try call.checkQuery()
            return try await api.client(call) { $0.clearLinkFaults(of: $1) }
        },
        WebRoute("POST", "/nodes/{node}/hangs-up") { api, call in
            _ = try call.fields()
            return try await api.client(call) { $0.hangUp($1) }
        },
        WebRoute("POST", "/nodes/{node}/pushes") { api, call in
            let fields = try call.fields("hex", "nightmare")
            let frames = try Nightmare.frames(fields)
            return try await api.client(call) { driver, node in
                guard driver.hasClient(node) else {
                    throw WebRefusal(.conflict, "no client is connected to the node")
                }
                for frame in frames { _ = driver.push(frame, to: node) }
            }
        },
        WebRoute("POST", "/nodes/{node}/recording") { api, call in
            _ = try call.fields()
            return try await api.client(call) { driver, node in
                guard driver.startRecording(of: node) else {
                    throw WebRefusal(.conflict, "the node is being recorded already")
                }
            }
        },
        WebRoute("DELETE", "/nodes/{node}/recording") { api, call in
            try call.checkQuery()
            return try await api.recording(call)
        },
    ]
}

/// A frame that an app should survive, by name.
private enum Nightmare: String, CaseIterable {
    case unknownPush = "unknown-push"
    case empty
    case cutPush = "cut-push"
    case strayOK = "stray-ok"
    case strayError = "stray-error"
    case messagesWaiting = "messages-waiting"
    case tooLong = "too-long"
    case noise

    var frames: [[UInt8]] {
        switch self {
        // A push of a later firmware, with a body.
        case .unknownPush: [[0xBF, 1, 2, 3, 4]]
        case .empty: [[]]
        // The code of an advert, and a part of its key.
        case .cutPush: [[0x80, 0xAA, 0xBB]]
        case .strayOK: [[0x00]]
        case .strayError: [[0x01, 0x02]]
        // The same news more often than there are messages.
        case .messagesWaiting: Array(repeating: [0x83], count: 16)
        case .tooLong: [[0x80] + [UInt8](repeating: 0x5A, count: 299)]
        case .noise: [(0..<172).map { UInt8(truncatingIfNeeded: ($0 * 73) ^ 0xA5) }]
        }
    }

    /// The frames that a request names.
    static func frames(_ fields: JSONFields) throws -> [[UInt8]] {
        let hex = try fields.string("hex")
        let name = try fields.string("nightmare")
        switch (hex, name) {
        case (let hex?, nil):
            guard let bytes = [UInt8](hex: hex), bytes.count <= 300 else {
                throw fields.problem("hex", "must be 300 bytes of hex at most")
            }
            return [bytes]
        case (nil, let name?):
            guard let nightmare = Nightmare(rawValue: name) else {
                let known = allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.problem("nightmare", "is not known; known are \(known)")
            }
            return nightmare.frames
        default: throw WebRefusal(.badRequest, "takes either hex or nightmare")
        }
    }
}

extension ControlAPI {
    /// Steers at a node at whose endpoint frames pass, and answers with its state after that.
    fileprivate func client(
        _ call: WebCall, _ body: @escaping @Sendable (inout WorldDriver, NodeID) throws -> Void
    ) async throws -> WebAnswer {
        try await node(call) { driver, node in
            guard driver.hasFrames(node) else {
                throw WebRefusal(.conflict, "the node is no companion radio with an endpoint")
            }
            try body(&driver, node)
        }
    }

    /// The recording of a node as a text, without its secrets.
    fileprivate func recording(_ call: WebCall) async throws -> WebAnswer {
        let (recorded, board, seed) = try await emulator.steer { driver in
            let node = try driver.node(call["node"])
            guard let recorded = driver.endRecording(of: node) else {
                throw WebRefusal(.conflict, "the node is not being recorded")
            }
            return (recorded, driver.world.board(of: node), driver.world.seed)
        }
        let header = RecordingHeader(
            firmware: board.firmwareVersion, board: board.name, transport: recorded.link,
            date: Date().formatted(.iso8601.year().month().day()),
            rows: [.init("node", call["node"]), .init("world", world), .init("seed", "\(seed.value)")])
        var scrubber = RecordingScrubber(salt: (0..<32).map { _ in UInt8.random(in: 0...255) }, in: header)
        let entries = recorded.entries.map { scrubber.scrubbed($0) }
        let text = Recording(scrubber.header, entries).text
        return WebAnswer(type: "text/plain", body: .whole(Array(text.utf8)))
    }
}

extension LinkFaultWish {
    /// Gives a link these faults; false when it remembers no more.
    ///
    /// A refusal names the members of the request, as its reader does.
    fileprivate func give(to node: NodeID, of driver: inout WorldDriver) throws(FileProblem) -> Bool {
        do throws(FileProblem) { return try driver.give(self, to: node) } catch {
            var problem = error
            problem.field = "plan.\(problem.field)"
            throw problem
        }
    }
}

extension WebCall {
    /// Rates for one direction, a plan, or both.
    fileprivate func linkFaults() throws -> LinkFaultWish {
        let fields = try fields(
            "way", "frames", "drop", "double", "garble", "cutInTwo", "delaySeconds", "stallSeconds", "cutAfter",
            "mayNotFire", "plan")
        guard let plan = try fields.object("plan") else { return LinkFaultWish(rates: try rates(fields)) }
        try plan.allow(["faults"])
        let planned = try LinkFaultPlan(plan)
        return LinkFaultWish(rates: fields.keys == ["plan"] ? nil : try rates(fields), plan: planned)
    }

    private func rates(_ fields: JSONFields) throws -> LinkFaultWish.Rates {
        let way = try fields.needString("way")
        guard ["toApp", "toRadio"].contains(way) else { throw fields.problem("way", "must be toApp or toRadio") }
        func share(_ key: String) throws -> UInt32 {
            UInt32(nearest: (try fields.number(key, in: 0...1) ?? 0) * 10_000)
        }
        func span(_ key: String) throws -> Duration? {
            try fields.number(key, in: 0...3600).map { .microseconds(Int64(nearest: $0 * 1e6)) }
        }
        var faults = LinkFaults()
        faults.drop = try share("drop")
        faults.duplicate = try share("double")
        faults.garble = try share("garble")
        faults.fragment = try share("cutInTwo")
        faults.delay = try span("delaySeconds") ?? .zero
        faults.stall = try span("stallSeconds").map { .init(after: 0, lasts: $0) }
        faults.cutAfter = try fields.integer("cutAfter", in: 0...1_000_000)
        faults.frames = try fields.integer("frames", in: 1...1_000_000)
        return LinkFaultWish.Rates(
            faults, way == "toApp" ? .toApp : .toRadio, mayNotFire: try fields.bool("mayNotFire") ?? false)
    }
}
