/// The text of a file that another tool or a shell wrote, in UTF-8.
package enum FieldText {
    /// Returns the file without the mark of its encoding; one in UTF-16 that has such a mark becomes UTF-8.
    ///
    /// Some shells write what a program prints as UTF-16. Half a pair, or half a unit at the end, becomes U+FFFD.
    package static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return [UInt8](bytes.dropFirst(3)) }
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
        let units = stride(from: 2, to: bytes.count, by: 2).map { index -> UInt16 in
            guard index + 1 < bytes.count else { return 0xFFFD }
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        return [UInt8](String(decoding: units, as: UTF16.self).utf8)
    }
}
