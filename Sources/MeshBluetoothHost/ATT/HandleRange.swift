package import MeshWire

extension ATT {
    /// The handles of a service, from its declaration on.
    package struct HandleRange: FieldGroup, Hashable {
        /// The handle of the declaration, 0x0001 to 0xFFFF.
        package var first: UInt16 = 0
        /// The last handle that belongs to it; 0xFFFF where the service is the server's last.
        package var last: UInt16 = 0

        package init() {}

        package init(first: UInt16, last: UInt16) {
            self.first = first
            self.last = last
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("first", &first, unit: .hex)
            w.u16("last", &last, unit: .hex)
        }
    }

    /// A list cut into items of one length; what is left over at its end is no item.
    static func uniformItems(_ bytes: [UInt8], length: Int) -> [ArraySlice<UInt8>] {
        guard length >= 2 else { return [] }
        return stride(from: 0, to: bytes.count - bytes.count % length, by: length).map { bytes[$0..<$0 + length] }
    }

    /// The number that the first two bytes are; there must be two.
    static func littleEndian(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        UInt16(bytes[bytes.startIndex]) | UInt16(bytes[bytes.startIndex + 1]) << 8
    }
}
