public import Foundation

extension Data {
    /// Returns a 32-byte key that begins with `first` and is distinguished by `number`.
    public static func key(_ number: Int, first: [UInt8] = []) -> Data {
        var bytes = first + [UInt8](repeating: 0x5A, count: 32 - first.count)
        Swift.withUnsafeBytes(of: UInt64(number).littleEndian) { bytes.replaceSubrange(24..., with: $0) }
        if first.isEmpty { bytes[0] = UInt8(truncatingIfNeeded: number) }
        return Data(bytes)
    }
}

extension UUID {
    /// An id by number.
    public static func numbered(_ number: Int) -> UUID {
        var bytes = [UInt8](repeating: 0, count: 16)
        withUnsafeBytes(of: UInt64(number).bigEndian) { bytes.replaceSubrange(8..., with: $0) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
