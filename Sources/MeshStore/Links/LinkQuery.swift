import MeshWire

/// The names and values behind the question mark of a `meshcore://` link.
///
/// Every byte but ASCII alphanumerics and `-._~` is written as `%` and two digits, so that any text passes. A plus
/// sign is read as a blank, as in the firmware's own examples.
struct LinkQuery {
    static let scheme = "meshcore://"

    var items: [(name: String, value: String)]

    init(_ items: [(String, String)]) {
        self.items = items.map { (name: $0.0, value: $0.1) }
    }

    /// Reads a link; `nil` for another scheme or path, and for one that is not UTF-8 after its percent signs.
    init?(_ link: String, path: String) {
        let parts = link.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == Self.scheme + path else { return nil }
        let query = parts[1].split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
        items = []
        for item in query.split(separator: "&") {
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0]), let value = Self.decoded(sides.count > 1 ? sides[1] : "")
            else { return nil }
            items.append((name, value))
        }
    }

    /// The first value of that name.
    subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    func link(path: String) -> String {
        "\(Self.scheme)\(path)?\(items.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&"))"
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%\([byte].hex.uppercased())"
            }
        }.joined()
    }

    private static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = [UInt8](text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                guard digits.count == 2, let decoded = [UInt8](hex: String(decoding: digits, as: UTF8.self)),
                    decoded.count == 1
                else {
                    return nil
                }
                bytes += decoded
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
