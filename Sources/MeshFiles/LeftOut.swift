/// The parts of a file that its reader left out, counted by reason.
///
/// A reader of other people's files leaves a part out rather than refuse the whole. The tally tells people what.
package struct LeftOut: Hashable, Sendable {
    /// A reason, and the parts that were left out for it.
    package struct Row: Hashable, Sendable {
        /// A part in one word, such as `record`.
        package let noun: String
        /// The reason as the words behind the noun, such as `without a packet`.
        package let reason: String
        /// True for parts that should have been read; false for those that hold nothing of the kind.
        package let isFault: Bool
        /// The number of parts.
        package fileprivate(set) var count = 0
        /// The first of the lines, counted from 1.
        package fileprivate(set) var lines: [Int] = []
        /// What the reader found in the first of them; may be empty, and may quote the file.
        package let detail: String
    }

    /// The lines that a row names.
    private static let namedLines = 5

    /// The reasons, in the order in which they came up.
    package private(set) var rows: [Row] = []

    /// A part in one word.
    private let noun: String

    package init(of noun: String = "record") {
        self.noun = noun
    }

    /// Counts a part. The reasons are those of the reader, so there are few.
    ///
    /// - Parameter line: the line where the part begins; 0 where there is none.
    package mutating func note(_ reason: String, isFault: Bool = true, line: Int, detail: String = "") {
        var index = rows.firstIndex { $0.reason == reason } ?? rows.endIndex
        if index == rows.endIndex {
            rows.append(Row(noun: noun, reason: reason, isFault: isFault, detail: detail))
            index = rows.endIndex - 1
        }
        rows[index].count += 1
        guard line > 0, rows[index].lines.count < Self.namedLines, rows[index].lines.last != line else { return }
        rows[index].lines.append(line)
    }

    /// Adds what another reader of the same file left out.
    package mutating func add(_ other: LeftOut) {
        for row in other.rows {
            note(row.reason, isFault: row.isFault, line: row.lines.first ?? 0, detail: row.detail)
            guard let index = rows.firstIndex(where: { $0.reason == row.reason }) else { continue }
            rows[index].count += row.count - 1
            let room = max(0, Self.namedLines - rows[index].lines.count)
            rows[index].lines += row.lines.dropFirst().prefix(room)
        }
    }

    /// All parts.
    package var count: Int { rows.reduce(0) { $0 + $1.count } }
    /// The parts that should have been read.
    package var faults: Int { rows.reduce(0) { $0 + ($1.isFault ? $1.count : 0) } }

    /// Drops the mark of a fault from a reason, when the rest of the file shows that it is none.
    package mutating func excuse(_ reason: String) {
        guard let index = rows.firstIndex(where: { $0.reason == reason }) else { return }
        let row = rows[index]
        rows[index] = Row(
            noun: row.noun, reason: reason, isFault: false, count: row.count, lines: row.lines, detail: row.detail)
    }
}

extension LeftOut.Row: CustomStringConvertible {
    /// The row for people: number, reason, lines, and what was found in the first of them.
    package var description: String {
        var text = "\(count) \(noun)\(count == 1 ? "" : "s") \(reason)"
        if !lines.isEmpty {
            text += lines.count == 1 ? ", line " : ", lines "
            text += lines.map(String.init).joined(separator: ", ") + (count > lines.count ? ", …" : "")
        }
        return detail.isEmpty ? text : text + ": \(detail)"
    }
}
