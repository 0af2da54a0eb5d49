import FoundationEssentials
import MeshFiles

/// Any JSON, compared as an expectation and written for people who read differences.
enum ExpectedValue: Hashable, Sendable {
    case null
    case truth(Bool)
    case number(Double)
    case text(String)
    case list([ExpectedValue])
    case object([String: ExpectedValue])

    init(_ value: some Encodable) throws {
        try self.init(json: [UInt8](JSONEncoder().encode(value)))
    }

    /// Gives an object a member that it lacks.
    mutating func fill(_ key: String, with value: ExpectedValue) {
        guard case .object(var members) = self, members[key] == nil else { return }
        members[key] = value
        self = .object(members)
    }

    /// Changes each item of an object's list.
    mutating func mapList(_ key: String, _ change: (ExpectedValue) -> ExpectedValue) {
        guard case .object(var members) = self, case .list(let items)? = members[key] else { return }
        members[key] = .list(items.map(change))
        self = .object(members)
    }
}

extension ExpectedValue: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let truth = try? container.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([ExpectedValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: ExpectedValue].self))
        }
    }
}

// MARK: Comparing

extension ExpectedValue {
    /// A line for each place where the other value is not as this one says.
    func differences(from seen: ExpectedValue?, at path: String) -> [String] {
        switch (self, seen) {
        case (.object(let members), .object(let others)?):
            members.sorted { $0.key < $1.key }.flatMap { key, member in
                member.differences(from: others[key], at: path.isEmpty ? key : "\(path).\(key)")
            }
        case (.list(let items), .list(let others)?): Self.differences(of: items, from: others, at: path)
        case (.null, nil): []
        default: self == seen ? [] : ["\(path): expected \(self), seen \(seen ?? .null)"]
        }
    }

    private func fits(_ seen: ExpectedValue) -> Bool { differences(from: seen, at: "").isEmpty }

    /// Items that are there on one side only are named as such; what stands between two that fit is compared in order.
    private static func differences(
        of items: [ExpectedValue], from others: [ExpectedValue], at path: String
    ) -> [String] {
        let pairs = zip(items, others)
        let start = pairs.prefix { $0.fits($1) }.count
        let end = zip(items.dropFirst(start).reversed(), others.dropFirst(start).reversed())
            .prefix { $0.fits($1) }.count
        var lines: [String] = []
        var (item, other) = (start, start)
        func close(_ itemEnd: Int, _ otherEnd: Int) {
            while item < itemEnd, other < otherEnd {
                lines += items[item].differences(from: others[other], at: "\(path)[\(item)]")
                (item, other) = (item + 1, other + 1)
            }
            while item < itemEnd {
                lines.append("\(path)[\(item)]: expected \(items[item]), it is missing")
                item += 1
            }
            while other < otherEnd {
                lines.append("\(path): not expected: \(others[other])")
                other += 1
            }
        }
        let ends = (items.count - end, others.count - end)
        for (place, otherPlace) in fitting(items[start..<ends.0], others[start..<ends.1]) {
            close(place, otherPlace)
            (item, other) = (place + 1, otherPlace + 1)
        }
        close(ends.0, ends.1)
        return lines
    }

    /// Beyond it lists are compared in order, since a search for matches costs the square of the differences.
    private static let fittingLimit = 500

    /// Returns the pairs of matching items, where their order is the same.
    private static func fitting(
        _ items: ArraySlice<ExpectedValue>, _ others: ArraySlice<ExpectedValue>
    ) -> [(Int, Int)] {
        guard items.count <= fittingLimit, others.count <= fittingLimit else { return [] }
        let changes = others.difference(from: items) { $0.fits($1) }
        var missing: Set<Int> = []
        var added: Set<Int> = []
        for change in changes {
            switch change {
            case .remove(let offset, _, _): missing.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        return Array(
            zip(
                items.indices.filter { !missing.contains($0 - items.startIndex) },
                others.indices.filter { !added.contains($0 - others.startIndex) }))
    }
}

// MARK: Writing

extension ExpectedValue: CustomStringConvertible {
    /// JSON in one line, members by name.
    var description: String {
        switch self {
        case .null: "null"
        case .truth(let truth): "\(truth)"
        case .number(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
        case .text(let text): Self.quoted(text)
        case .list(let items): "[" + items.map(\.description).joined(separator: ", ") + "]"
        case .object(let members): "{" + Self.sorted(members).map { "\($0): \($1)" }.joined(separator: ", ") + "}"
        }
    }

    /// JSON with a line for each member of an object and each item of a list in it.
    var lines: String { lines(indent: "") }

    private func lines(indent: String) -> String {
        let inner = indent + "  "
        switch self {
        case .object(let members) where !members.isEmpty:
            let rows = Self.sorted(members).map { "\(inner)\($0): \($1.lines(indent: inner))" }
            return "{\n" + rows.joined(separator: ",\n") + "\n\(indent)}"
        case .list(let items) where !items.isEmpty:
            return "[\n" + items.map { inner + $0.description }.joined(separator: ",\n") + "\n\(indent)]"
        default: return description
        }
    }

    private static func sorted(_ members: [String: ExpectedValue]) -> [(String, ExpectedValue)] {
        members.sorted { $0.key < $1.key }.map { (quoted($0.key), $0.value) }
    }

    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
