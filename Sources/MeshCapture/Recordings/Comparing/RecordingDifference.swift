import MeshCompanion
import MeshTime
import MeshWire

/// Two recordings side by side, as `diff` would put them, but line by line by their meaning.
///
/// Lines of the same meaning are put beside each other; among the lines between them, frames of the same code are.
/// Times of lines, notes, and the reasons of disconnections do not count.
public struct RecordingDifference: Hashable, Sendable {
    /// One line that differs, by its place in its own recording.
    public enum Change: Hashable, Sendable {
        /// A line of the first that the second has not.
        case missing(Int)
        /// A line of the second that the first has not.
        case added(Int)
        /// The same frame with other fields.
        case changed(Int, Int, [FieldDifference])
    }

    /// In the order of the lines; places of entries from 0.
    public private(set) var changes: [Change] = []
    /// The number of lines that are the same in both.
    public private(set) var same = 0

    /// Compares; `isExact` asks for the same bytes.
    public init(_ first: Recording, _ second: Recording, rules: DifferenceRules = .replay, isExact: Bool = false) {
        let first = first.entries.map { ComparedLine($0, rules, isExact: isExact) }
        let second = second.entries.map { ComparedLine($0, rules, isExact: isExact) }
        var place = (0, 0)
        for pair in Alignment.pairs(first.map(\.key), second.map(\.key)) + [(first.count, second.count)] {
            compare(place.0..<pair.0, place.1..<pair.1, first, second, rules)
            place = (pair.0 + 1, pair.1 + 1)
            if pair.0 < first.count { same += 1 }
        }
    }

    /// Compares the lines between two that are the same.
    private mutating func compare(
        _ removed: Range<Int>, _ added: Range<Int>, _ first: [ComparedLine], _ second: [ComparedLine],
        _ rules: DifferenceRules
    ) {
        var left = added
        for index in removed {
            guard let other = left.first(where: { second[$0].kind == first[index].kind }) else {
                changes.append(.missing(index))
                continue
            }
            changes += (left.lowerBound..<other).map(Change.added)
            changes.append(.changed(index, other, first[index].differences(second[other], rules)))
            left = (other + 1)..<left.upperBound
        }
        changes += left.map(Change.added)
    }
}

/// A line of a recording as it is compared.
struct ComparedLine {
    /// Lines of the same kind can be beside each other though they differ.
    let kind: String
    /// A key that is equal for lines of the same meaning.
    let key: String
    private let fields: [ComparedField]

    init(_ entry: RecordingEntry, _ rules: DifferenceRules, isExact: Bool) {
        switch entry.event {
        case .connected: (kind, fields) = ("+", [])
        case .disconnected: (kind, fields) = ("-", [])
        case .problem: (kind, fields) = ("!", [])
        case .turn(let turn): (kind, fields) = ("@ \(turn.word) \(turn.name)", [])
        case .frame(let direction, let bytes):
            let frame = ComparedFrame(bytes, direction)
            let bytesAsField = ComparedField(name: "bytes", fieldClass: .content, value: bytes, text: bytes.hex)
            kind = (direction == .toRadio ? "> " : "< ") + frame.name
            fields = isExact ? [bytesAsField] : frame.fields
        case .packet(let way, let bytes, _):
            let bytesAsField = ComparedField(name: "bytes", fieldClass: .content, value: bytes, text: bytes.hex)
            kind = way == .heard ? "air <" : "air >"
            fields = isExact ? [bytesAsField] : ComparedFrame.parts(ofPacket: bytes, named: "packet") ?? [bytesAsField]
        }
        key = fields.reduce(into: kind) { key, field in
            if isExact || !rules.allow(FieldDifference(field.name, field.fieldClass, recorded: nil, seen: nil)) {
                key += " \(field.name)=\(field.value.hex)"
            }
        }
    }

    func differences(_ other: ComparedLine, _ rules: DifferenceRules) -> [FieldDifference] {
        FrameDifference.differences(fields, other.fields).filter { $0.field == "bytes" || !rules.allow($0) }
    }
}

/// Finds the longest common run of lines.
enum Alignment {
    /// More lines than that are not compared each with each, but with those near by.
    static let limit = 6000

    /// Places of equal keys in both, ascending in both.
    static func pairs(_ first: [String], _ second: [String]) -> [(Int, Int)] {
        var numbers: [String: Int] = [:]
        func number(_ key: String) -> Int {
            let number = numbers[key] ?? numbers.count
            numbers[key] = number
            return number
        }
        let first = first.map(number)
        let second = second.map(number)
        let prefix = zip(first, second).prefix { $0 == $1 }.count
        let suffix = zip(first[prefix...].reversed(), second[prefix...].reversed()).prefix { $0 == $1 }.count
        let middle = [Int](first[prefix..<first.count - suffix])
        let other = [Int](second[prefix..<second.count - suffix])
        let inner = middle.count + other.count <= limit ? longest(middle, other) : near(middle, other)
        return (0..<prefix).map { ($0, $0) } + inner.map { ($0.0 + prefix, $0.1 + prefix) }
            + (0..<suffix).map { (first.count - suffix + $0, second.count - suffix + $0) }
    }

    private static func longest(_ first: [Int], _ second: [Int]) -> [(Int, Int)] {
        let difference = second.difference(from: first)
        var removed = [Bool](repeating: false, count: first.count)
        var inserted = [Bool](repeating: false, count: second.count)
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed[offset] = true
            case .insert(let offset, _, _): inserted[offset] = true
            }
        }
        return [(Int, Int)](zip(first.indices.filter { !removed[$0] }, second.indices.filter { !inserted[$0] }))
    }

    /// The next equal line, if it is among the next few.
    private static func near(_ first: [Int], _ second: [Int], within window: Int = 64) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var start = 0
        for index in first.indices {
            let end = min(second.count, start + window)
            guard start < end, let other = (start..<end).first(where: { second[$0] == first[index] }) else { continue }
            pairs.append((index, other))
            start = other + 1
        }
        return pairs
    }
}
