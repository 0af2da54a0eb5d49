package import MeshFiles
package import MeshFirmware
package import MeshSimulator
package import MeshTime
import MeshWire

/// The faults of a world file: what goes wrong, where, from when on and for how long.
package struct FaultFields {
    /// The most faults of one file.
    package static let most = 10_000

    /// Kinds as a file names them, each with its members.
    private enum Kind: String, CaseIterable {
        case loss, partition, deafness, crash, reboot
        case clockJump = "clock-jump"
        case flashFailure = "flash-failure"
        case corruption
        case senderCorruption = "sender-corruption"
        case replay, link

        var members: [String] {
            switch self {
            case .loss: ["share", "from", "to", "for"]
            case .partition: ["nodes", "for"]
            case .deafness, .crash, .flashFailure: ["node", "for"]
            case .reboot: ["node", "erases_flash"]
            case .clockJump: ["node", "seconds"]
            case .corruption: ["share", "from", "to", "passes_checksum", "for"]
            case .senderCorruption: ["share", "node", "for"]
            case .replay: ["node", "share", "after", "for"]
            case .link: ["from", "to", "snr", "rssi", "loss", "for"]
            }
        }
    }

    /// Places of nodes by name; asked, never walked.
    let places: [String: Int]
    /// From when moments count.
    private let start: Instant

    package init(places: [String: Int], from start: Instant = .start) {
        self.places = places
        self.start = start
    }

    func read(_ value: JSONText, at path: String) throws(FileProblem) -> Fault {
        try read(JSONFields(value, at: path))
    }

    package func read(_ fields: JSONFields) throws(FileProblem) -> Fault {
        let name = try fields.needString("kind")
        guard let kind = Kind(rawValue: name) else {
            let known = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.problem("kind", "\"\(name)\" is no fault; known are \(known)")
        }
        try fields.allow(["kind", "about", "at", "may_not_fire"] + kind.members)
        let begin = start + (try fields.span("at") ?? .zero)
        var end = Instant.never
        if let span = try fields.span("for") {
            guard span > .zero else { throw fields.problem("for", "must be longer than nothing") }
            end = begin + span
        }
        var fault = Fault(try self.kind(kind, fields), from: begin, to: end)
        fault.mayNotFire = try fields.bool("may_not_fire") ?? false
        return fault
    }

    private func kind(_ kind: Kind, _ fields: JSONFields) throws(FileProblem) -> Fault.Kind {
        switch kind {
        case .loss:
            return .loss(
                perTenThousand: try share(fields), from: try end("from", fields), to: try end("to", fields))
        case .partition: return .partition(try group(fields))
        case .deafness: return .deafness(try node("node", fields))
        case .crash: return .crash(try node("node", fields))
        case .reboot:
            return .reboot(try node("node", fields), keepingFlash: try !(fields.bool("erases_flash") ?? false))
        case .clockJump:
            guard let seconds = try fields.integer("seconds", in: Int32.min...Int32.max) else {
                throw fields.missing("seconds")
            }
            return .clockJump(try node("node", fields), seconds: seconds)
        case .flashFailure: return .flashFailure(try node("node", fields))
        case .corruption:
            return .corruption(
                perTenThousand: try share(fields), from: try end("from", fields), to: try end("to", fields),
                passesChecksum: try fields.bool("passes_checksum") ?? false)
        case .senderCorruption:
            return .senderCorruption(perTenThousand: try share(fields), of: try end("node", fields))
        case .replay:
            return .replay(
                near: try node("node", fields), perTenThousand: try share(fields),
                after: try fields.span("after") ?? .seconds(1))
        case .link: return try link(fields)
        }
    }

    /// Another link in one direction, or none where the file says nothing of its signal.
    private func link(_ fields: JSONFields) throws(FileProblem) -> Fault.Kind {
        let (from, to) = (try node("from", fields), try node("to", fields))
        guard from != to else { throw fields.problem("to", "a node has no link to itself") }
        let isThere = ["snr", "rssi", "loss"].contains { fields.member($0) != nil }
        return .link(from: from, to: to, isThere ? try fields.airLink() : nil)
    }

    private func group(_ fields: JSONFields) throws(FileProblem) -> [NodeID] {
        guard let list = try fields.list("nodes"), !list.isEmpty else { throw fields.missing("nodes", "has no node") }
        var nodes: [NodeID] = []
        for (index, value) in list.enumerated() {
            let path = "\(fields.path("nodes"))[\(index)]"
            guard case .string(let label) = value.content, let place = places[label] else {
                throw FileProblem(line: value.line, field: path, reason: "is no name of a node")
            }
            nodes.append(NodeID(index: place))
        }
        return nodes
    }

    private func share(_ fields: JSONFields) throws(FileProblem) -> Int {
        Int(nearest: (try fields.number("share", in: 0...1) ?? 1) * 10_000)
    }

    /// An end of the links that are meant; `nil` for every node.
    private func end(_ key: String, _ fields: JSONFields) throws(FileProblem) -> NodeID? {
        fields.member(key) == nil ? nil : try node(key, fields)
    }

    private func node(_ key: String, _ fields: JSONFields) throws(FileProblem) -> NodeID {
        NodeID(index: try fields.node(key, in: places))
    }
}

// What links, traffic and faults have in common.
extension JSONFields {
    /// The place of a node that a member names.
    func node(_ key: String, in places: [String: Int]) throws(FileProblem) -> Int {
        let label = try needString(key)
        guard let index = places[label] else { throw problem(key, "there is no node \"\(label)\"") }
        return index
    }

    /// A length of time as people write it.
    func span(_ key: String) throws(FileProblem) -> TimeSpan? {
        guard let text = try string(key) else { return nil }
        guard let span = TimeSpan(spelled: text) else {
            throw problem(key, "\"\(text)\" is no time; write 30s, 500ms, 2m or 1h")
        }
        return span
    }

    /// `snr` and `rssi`, and what they usually are.
    package func signal(like usual: Signal) throws(FileProblem) -> Signal {
        var signal = usual
        if let snr = try number("snr", in: -32...32) { signal.snrHundredths = Int16(nearest: snr * 100) }
        if let rssi = try number("rssi", in: -200...20) { signal.rssiHundredths = Int16(nearest: rssi * 100) }
        return signal
    }

    /// `snr`, `rssi` and `loss` of a link.
    package func airLink() throws(FileProblem) -> AirLink {
        let loss = try number("loss", in: 0...1) ?? 0
        return AirLink(try signal(like: .benchmark), lossPerTenThousand: UInt16(nearest: loss * 10_000))
    }
}
