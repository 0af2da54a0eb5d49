public import MeshWire

/// A frame listed for people: every field with offset, size and value, and the plaintext if a key opened it.
public struct PrintedPacket: Hashable, Sendable {
    /// Type, route, hops and sizes in one line.
    public var summary: String
    /// The fields of the frame, with offsets from its first byte.
    public var fields: [PrintedField] = []
    /// The owners of the key that opens the payload: the channel's or the peers' names.
    ///
    /// `nil` when it is not sealed or no key fits.
    public var openedBy: String?
    /// The fields of the plaintext, with offsets from its first byte.
    public var plaintext: [PrintedField] = []
    /// The facts that are known besides the fields, such as the validity of a signature.
    public var notes: [String] = []
    /// The first field that makes no sense; the fields before it are listed.
    public var failure: FrameError?

    public init(summary: String) {
        self.summary = summary
    }
}

extension PrintedPacket: CustomStringConvertible {
    public var description: String {
        var lines = [summary]
        lines += fields.map(Self.line)
        if let openedBy { lines.append("opened by \(openedBy):") }
        lines += plaintext.map(Self.line)
        lines += notes
        if let failure { lines.append("malformed: \(failure)") }
        return lines.joinedVisibleLines
    }

    private static func line(_ field: PrintedField) -> String {
        let offset = "\(field.offset)".alignedRight(to: 4)
        let size = "\(field.size)".alignedRight(to: 4)
        let name = field.name.padded(to: 20)
        let unit = field.unit.isEmpty || field.unit == "text" ? "" : " \(field.unit)"
        let note = field.note.isEmpty ? "" : "  (\(field.note))"
        return "\(offset)\(size)  \(name) \(field.value)\(unit)\(note)"
    }
}
