/// Gives nodes of foreign files the names that a world file allows: 1 to 31 bytes, no control characters, no two alike.
package struct NodeLabels {
    private static let longest = 31
    private var taken: Set<String> = []

    package init() {}

    /// A name as near to the given one as it can be.
    ///
    /// - Parameter key: distinguishes nodes of the same name, and names one without.
    package mutating func take(_ name: String, key: String) -> String {
        let key = Self.cut(Self.clean(key), to: 12)
        var label = Self.cut(Self.clean(name), to: Self.longest)
        if label.isEmpty { label = key.isEmpty ? "node" : key }
        if taken.contains(label) {
            label = Self.cut(label, to: Self.longest - key.utf8.count - 1) + " " + key
        }
        var number = 2
        let base = label
        while !taken.insert(label).inserted {
            let ending = " \(number)"
            label = Self.cut(base, to: Self.longest - ending.utf8.count) + ending
            number += 1
        }
        return label
    }

    private static func clean(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }

    /// The longest beginning of whole characters that has so many bytes.
    private static func cut(_ text: String, to bytes: Int) -> String {
        var cut = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            guard count <= bytes else { break }
            cut.append(character)
        }
        return cut
    }
}
