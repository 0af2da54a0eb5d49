import Foundation

/// Reads the bytes of a player document as a browser does, without the code that writes them.
struct PackedReader {
    struct Problem: Error {
        let reason: String
    }

    let head: [String: Any]
    private let columns: [UInt8]
    private let sections: [String: [String: Any]]

    init(_ bytes: [UInt8]) throws {
        guard bytes.starts(with: Array("MESHPLAY".utf8)), bytes.count >= 16 else { throw Problem(reason: "magic") }
        let length = (12..<16).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
        let object = try JSONSerialization.jsonObject(with: Data(bytes[16..<16 + length]))
        head = object as? [String: Any] ?? [:]
        columns = Array(bytes[((16 + length + 7) / 8 * 8)...])
        let list = head["sections"] as? [[String: Any]] ?? []
        sections = Dictionary(uniqueKeysWithValues: list.map { ($0["name"] as? String ?? "", $0) })
    }

    var names: [String] { head["nodes"] as? [String] ?? [] }

    /// Numbers of a column, whatever their width; signed where the type is.
    func column(_ name: String) throws -> [Int64] {
        guard let section = sections[name], let type = section["type"] as? String, let at = section["at"] as? Int,
            let size = section["size"] as? Int, let count = section["count"] as? Int
        else { throw Problem(reason: "no column \(name)") }
        guard at % 8 == 0, at + size <= columns.count else { throw Problem(reason: "column \(name) lies outside") }
        let bytes = columns[at..<at + size]
        if type == "gaps" { return gaps(bytes, count) }
        let width = ["u8": 1, "i16": 2, "u32": 4, "i32": 4, "f32": 4][type] ?? 0
        guard width > 0, size == count * width else { throw Problem(reason: "column \(name) has another size") }
        return (0..<count).map { row in
            let cell = bytes[(at + row * width)..<(at + (row + 1) * width)]
            let number = cell.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let unused = 64 - 8 * width
            return type.hasPrefix("i") ? Int64(bitPattern: number << UInt64(unused)) >> Int64(unused) : Int64(number)
        }
    }

    private func gaps(_ bytes: ArraySlice<UInt8>, _ count: Int) -> [Int64] {
        var numbers: [Int64] = []
        var (now, gap, shift) = (Int64(0), Int64(0), Int64(0))
        for byte in bytes {
            gap |= Int64(byte & 0x7F) << shift
            shift += 7
            guard byte < 0x80 else { continue }
            now += gap
            numbers.append(now)
            (gap, shift) = (0, 0)
        }
        return numbers.count == count ? numbers : []
    }
}
