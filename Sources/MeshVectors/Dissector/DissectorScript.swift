import MeshCompanion
import MeshPacket
import MeshWire

/// A dissector for Wireshark in Lua, whose tables are printed from the walks.
package enum DissectorScript {
    /// The script, to be given to `tshark -X lua_script:`.
    package static var text: String {
        let script = String(decoding: PackageResources.meshcore_lua, as: UTF8.self)
        return script.replacing("--@TABLES@\n", with: tables())
    }

    private static func tables() -> String {
        var nodes = LuaNodes()
        let envelope = nodes.place(of: PacketEnvelope.shape())
        let data = nodes.place(of: AdvertData.shape())
        let payloads = (UInt8(0)...15).map { number in
            let type = PayloadType(rawValue: number)
            let shape = ShapeNode(from: 0) { walker, first in
                var payload = Payload(emptyOf: type, firstByte: first)
                payload.walk(&walker)
            }
            return "[\(number)] = { \(LuaNodes.quoted(type.name)), \(nodes.place(of: shape)) }"
        }
        let commands = CommandCode.allCases.map { nodes.entry($0.rawValue, $0.wireName, $0.row.frame) }
        let answers =
            ResponseCode.allCases.map { nodes.entry($0.rawValue, $0.wireName, $0.row.frame) }
            + PushCode.allCases.map { nodes.entry($0.rawValue, $0.wireName, $0.row.frame) }
        let lines = [
            "-- The steps of the walks: u and i are numbers, b and t bytes and text, B and T those to the end, o an",
            "-- optional tail, l a list. c has what follows by the value of the byte before, modulo m.",
            "local nodes = {", nodes.lines.joined(separator: ",\n"), "}",
            "local envelope, advert_data = \(envelope), \(data)",
            "local payloads = {\n  \(payloads.joined(separator: ",\n  "))\n}",
            "local commands = {\n  \(commands.joined(separator: ",\n  "))\n}",
            "local answers = {\n  \(answers.joined(separator: ",\n  "))\n}",
            "local refused_headers = \(LuaNodes.ranges(refusedHeaders))",
            "local refused_lengths = \(LuaNodes.ranges(refusedLengths))",
            "local payload_limit, advert_data_limit = \(PacketLimits.payload), \(PacketLimits.advertData)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The headers that the radio's reader refuses in front of an empty path.
    private static var refusedHeaders: [UInt8] {
        (UInt8.min...UInt8.max).filter { header in
            let frame = [header] + [UInt8](repeating: 0, count: RouteType(header: header).hasTransportCodes ? 5 : 1)
            return (try? PacketView(frame)) == nil
        }
    }

    /// The path lengths that the radio's reader refuses, however many bytes follow.
    private static var refusedLengths: [UInt8] {
        (UInt8.min...UInt8.max).filter { length in
            let count = PathLength(rawValue: length).byteCount
            let frame = [RouteType.flood.rawValue, length] + [UInt8](repeating: 0, count: count)
            return (try? PacketView(frame)) == nil
        }
    }
}

/// The nodes of all walks as Lua, each once.
private struct LuaNodes {
    private(set) var lines: [String] = []
    private var places: [ShapeNode: Int] = [:]

    /// Returns the number of a node, which is written if it is new; those that follow it come before.
    mutating func place(of node: ShapeNode) -> Int {
        if let place = places[node] { return place }
        var rest = ""
        if !node.branches.isEmpty {
            var children = [Int](repeating: 0, count: 256)
            for branch in node.branches {
                let place = place(of: branch.node)
                for value in branch.values.joined() { children[Int(value)] = place }
            }
            rest = Self.text(of: children)
        }
        let steps = node.steps.map(Self.text).joined(separator: ", ")
        lines.append("  { s = { \(steps) }\(rest) }")
        places[node] = lines.count
        return lines.count
    }

    /// The parts behind each value of a byte, as ranges; of its low bits alone, where these decide.
    private static func text(of children: [Int]) -> String {
        let periods = [1, 2, 4, 8, 16, 32, 64, 128]
        let period = periods.first { period in children.indices.allSatisfy { children[$0] == children[$0 % period] } }
        var ranges: [(first: Int, last: Int, child: Int)] = []
        for (value, child) in children[..<(period ?? children.count)].enumerated() {
            if let last = ranges.last, last.child == child {
                ranges[ranges.count - 1].last = value
            } else {
                ranges.append((value, value, child))
            }
        }
        let rows = ranges.map { "{ \($0.first), \($0.last), \($0.child) }" }.joined(separator: ", ")
        return ", m = \(period ?? children.count), c = { \(rows) }"
    }

    /// The row of a code.
    mutating func entry<F: CodedFrame>(_ code: UInt8, _ name: String, _ frame: F.Type) -> String {
        "[\(code)] = { \(Self.quoted(name)), \(place(of: F.shape(from: 1))) }"
    }

    private static func text(_ step: FieldShaper.Step) -> String {
        switch step {
        case .number(let name, let size, let isSigned, let isHex):
            "{ \(isSigned ? "\"i\"" : "\"u\""), \(quoted(name)), \(size), \(isHex) }"
        case .bytes(let name, let size, let isText): "{ \(isText ? "\"t\"" : "\"b\""), \(quoted(name)), \(size) }"
        case .rest(let name, let isText): "{ \(isText ? "\"T\"" : "\"B\""), \(quoted(name)) }"
        case .tail(let size): "{ \"o\", \(size) }"
        case .list(let size, let count): "{ \"l\", \(size), \(count ?? -1) }"
        }
    }

    /// Names are ASCII without quotes and backslashes, as a test holds.
    static func quoted(_ name: String) -> String { "\"\(name)\"" }

    /// Numbers in ascending order as ranges.
    static func ranges(_ numbers: [UInt8]) -> String {
        var ranges: [ClosedRange<UInt8>] = []
        for number in numbers {
            if let last = ranges.last, number > 0, last.upperBound == number - 1 {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return "{ " + ranges.map { "{ \($0.lowerBound), \($0.upperBound) }" }.joined(separator: ", ") + " }"
    }
}
