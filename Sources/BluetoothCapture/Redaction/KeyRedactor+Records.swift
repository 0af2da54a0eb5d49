extension KeyRedactor {
    /// Redacts a record as it stands in a file, wrapping included. Returns whether it held a key.
    ///
    /// Link types that carry no HCI are left alone: on the air keys travel encrypted.
    mutating func redact(_ header: RecordHeader, _ bytes: inout [UInt8]) -> Bool {
        // What programs and the kernel say to each other, behind the cookie of whoever talks.
        if let message = header.monitorMessage(in: bytes.span), 16...17 ~= message.opcode {
            return Self.edit(&bytes, from: message.start + 4) {
                Self.redactManagement(isEvent: message.opcode == 17, &$0)
            }
        }
        guard let place = try? header.hostPlace(in: bytes.span) else { return false }
        return Self.edit(&bytes, from: place.start) { redact(HostPacketHeader(header, place), &$0) }
    }

    /// Edits the bytes behind a wrapping.
    private static func edit(_ bytes: inout [UInt8], from start: Int, _ body: (inout [UInt8]) -> Bool) -> Bool {
        guard start < bytes.count else { return false }
        var inner = [UInt8](bytes[start...])
        guard body(&inner) else { return false }
        bytes.replaceSubrange(start..., with: inner)
        return true
    }
}
