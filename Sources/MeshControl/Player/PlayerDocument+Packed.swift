import MeshFiles
import MeshTime

// The bytes of a player document; the article "Player documents" has the format.
extension PlayerDocument {
    static let magic = Array("MESHPLAY".utf8)
    static let version: UInt32 = 1

    /// The document as bytes: a head in JSON, then columns of numbers in little endian, each from a multiple of eight
    /// on.
    package var packed: [UInt8] {
        var columns = ColumnWriter()
        columns.add("nodeX", world.nodes.map(\.x.bitPattern), as: "f32")
        columns.add("nodeY", world.nodes.map(\.y.bitPattern), as: "f32")
        columns.add("linkFrom", world.links.map(\.from), as: "u32")
        columns.add("linkTo", world.links.map(\.to), as: "u32")
        columns.add("linkThere", world.links.map(\.there), as: "i16")
        columns.add("linkBack", world.links.map(\.back), as: "i16")
        columns.add("linkBackbone", world.links.map { $0.isBackbone ? 1 : 0 } as [UInt8], as: "u8")
        columns.addGaps("time", events.times)
        columns.add("kind", events.kinds, as: "u8")
        columns.add("node", events.nodes, as: "u32")
        columns.add("first", events.firsts, as: "u32")
        columns.add("second", events.seconds, as: "i32")
        columns.add("airtime", events.airtimes, as: "u32")
        columns.add("hashLow", events.hashes.map { UInt32(truncatingIfNeeded: $0) }, as: "u32")
        columns.add("hashHigh", events.hashes.map { UInt32(truncatingIfNeeded: $0 >> 32) }, as: "u32")
        columns.add("type", events.types, as: "u8")
        columns.add("route", events.routes, as: "u8")
        columns.add("hops", events.hops, as: "u8")
        columns.add("length", events.lengths, as: "u8")
        columns.add("bytes", events.bytes, as: "u8")
        let head = Array(((try? Head(self, columns.sections).jsonText(inOneLine: true)) ?? "{}").utf8)
        var packed = Self.magic
        packed.append(number: Self.version)
        packed.append(number: UInt32(head.count))
        packed += head
        packed.alignToEight()
        return packed + columns.bytes
    }
}

/// Columns one after the other.
private struct ColumnWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var sections: [Head.Section] = []

    mutating func add<N: FixedWidthInteger>(_ name: String, _ numbers: [N], as type: String) {
        let start = bytes.count
        bytes.reserveCapacity(start + numbers.count * MemoryLayout<N>.size + 8)
        for number in numbers { bytes.append(number: number) }
        close(name, type, numbers.count, start)
    }

    /// Numbers that never fall, as the gaps between them: seven bits a byte, the lowest first.
    mutating func addGaps(_ name: String, _ numbers: [Int64]) {
        let start = bytes.count
        var last: Int64 = 0
        for number in numbers {
            var gap = UInt64(max(0, number - last))
            last = max(last, number)
            while gap >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: gap) | 0x80)
                gap >>= 7
            }
            bytes.append(UInt8(gap))
        }
        close(name, "gaps", numbers.count, start)
    }

    private mutating func close(_ name: String, _ type: String, _ count: Int, _ start: Int) {
        sections.append(Head.Section(name: name, type: type, count: count, at: start, size: bytes.count - start))
        bytes.alignToEight()
    }
}

/// The JSON in front of the columns.
private struct Head: Encodable {
    struct Section: Encodable {
        let name: String
        let type: String
        /// The number of values.
        let count: Int
        /// Bytes from the first column's beginning.
        let at: Int
        let size: Int
    }

    struct Piece: Encodable {
        let from: Int
        let next: Int
        let count: Int
        let generation: Int
    }

    let format = "meshbed player 1"
    let source: String
    let title: String
    let facts: [[String]]
    let span: Int64
    let metresPerUnit: Double
    let nodes: [String]
    let roles: [String]
    let strings: [String]
    let messages: [[String]]
    /// Style, label and detail of each note.
    let notes: [[String]]
    /// Microseconds and the other lane of each note.
    let noteNumbers: [[Int64]]
    let piece: Piece?
    let sections: [Section]

    init(_ document: PlayerDocument, _ sections: [Section]) {
        source = document.source.rawValue
        title = document.title
        facts = document.facts.map { [$0.name, $0.value] }
        span = max(document.span.microseconds, document.events.times.last ?? 0)
        metresPerUnit = document.world.metresPerUnit
        nodes = document.world.nodes.map(\.name)
        roles = document.world.nodes.map(\.role)
        strings = document.events.strings
        messages = document.events.messages.map { [$0.to, $0.text] }
        notes = document.events.notes.map { [$0.style, $0.label, $0.detail] }
        noteNumbers = document.events.notes.map { [$0.length, Int64($0.to)] }
        piece = document.piece.map {
            Piece(from: $0.from, next: $0.next, count: $0.count, generation: $0.generation)
        }
        self.sections = sections
    }
}

extension [UInt8] {
    fileprivate mutating func append(number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func alignToEight() {
        append(contentsOf: repeatElement(0, count: (8 - count % 8) % 8))
    }
}
