/// The `path_len` byte in front of path bytes: bits 7 and 6 are the size of a hash less one, the rest counts hops.
@usableFromInline
enum EncodedPath {
    /// How many path bytes follow: none for FF (no path) and for lengths that no path can have.
    ///
    /// A radio must be able to read such a length in order to refuse it.
    @inlinable
    static func byteCount(_ length: UInt8) -> Int {
        let bytes = (Int(length >> 6) + 1) * Int(length & 63)
        return length >= 0xC0 || bytes > 64 ? 0 : bytes
    }
}
