extension ImplementationMatrix {
    /// A badge for each implementation, with a name for its files that is safe everywhere and given once.
    package var badges: [(file: String, badge: StatusBadge)] {
        var counts: [String: Int] = [:]
        return sections.flatMap { section in
            section.columns.map { column in
                let name = Self.fileName(section.role.rawValue + "-" + column.name)
                let count = counts[name, default: 0] + 1
                counts[name] = count
                // No name ends like this by itself: dashes stand alone.
                return (count == 1 ? name : "\(name)--\(count)", column.badge)
            }
        }
    }

    /// A name of letters, digits, dots and single dashes, in lower case.
    private static func fileName(_ name: String) -> String {
        var words: [[UInt8]] = [[]]
        for byte in name.utf8.prefix(400) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
                words[words.count - 1].append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): words[words.count - 1].append(byte + 0x20)
            default: words.append([])
            }
        }
        let whole = words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
        return String(whole.prefix(80))
    }
}
