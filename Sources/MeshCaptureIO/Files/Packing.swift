import CZlib

/// Packs bytes with deflate in a zlib frame, as browsers unpack them ("deflate").
package enum Packing {
    /// The packed bytes; `nil` when the library refuses.
    package static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
        var count = compressBound(UInt(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(count))
        guard compress2(&packed, &count, bytes, UInt(bytes.count), Z_BEST_SPEED) == Z_OK else { return nil }
        return Array(packed.prefix(Int(count)))
    }
}
