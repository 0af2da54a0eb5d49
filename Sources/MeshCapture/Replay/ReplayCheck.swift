import MeshWire

/// One command or one push of a replay, and the faults in the radio's frames.
public struct ReplayCheck: Hashable, Sendable {
    /// A departure from the recording; frames are their bytes from the code on.
    public enum Problem: Hashable, Sendable {
        /// The fields of this frame that differ and may not.
        case differs(String, [FieldDifference])
        /// A recorded frame of an answer that did not come before the limit, or before the link ended.
        case missingReply([UInt8])
        /// A frame of an answer that the recording does not have.
        case unexpectedReply([UInt8])
        /// A recorded push that did not come before the limit.
        case missingPush([UInt8])
        /// A push that the recording does not have.
        case unexpectedPush([UInt8])
        /// Word for word, a frame that differs.
        case otherBytes(recorded: [UInt8], seen: [UInt8], ByteDifference)
        /// A packet on the air that was not recorded, with the first of those that are due.
        case otherPacket(due: [UInt8]?, seen: [UInt8])
        /// A recorded packet that was not sent on the air in time.
        case missingPacket([UInt8])
        /// The link did not open, for a reason for people.
        case notConnected(String)
        /// The link ended, and did not in the recording.
        case linkLost
        /// The radio ended the link in the recording, and did not now.
        case linkStays
    }

    /// The firmware's constant for the frame.
    public let title: String
    /// The place of the frame among the recording's entries; `nil` for one that is not in it.
    public let entry: Int?
    /// In the order in which they were found; empty when all was as recorded.
    public internal(set) var problems: [Problem] = []

    /// True when the radio did as recorded.
    public var isKept: Bool { problems.isEmpty }

    /// True when there was no link at all.
    public var isNotConnected: Bool {
        problems.contains { if case .notConnected = $0 { true } else { false } }
    }
}

extension ReplayCheck.Problem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .differs(let name, let fields):
            "\(name): " + fields.map(\.description).joined(separator: "; ")
        case .missingReply(let frame): "not answered; recorded was \(frame.hex)"
        case .unexpectedReply(let frame): "an answer that was not recorded: \(frame.hex)"
        case .missingPush(let frame): "did not come; recorded was \(frame.hex)"
        case .unexpectedPush(let frame): "a push that was not recorded: \(frame.hex)"
        case .otherBytes(let recorded, let seen, .byte(let offset)):
            "differs at byte \(offset): recorded was \(recorded.hex), seen \(seen.hex)"
        case .otherBytes(let recorded, let seen, .length):
            "has \(seen.count) bytes, not \(recorded.count): recorded was \(recorded.hex), seen \(seen.hex)"
        case .otherBytes(let recorded, let seen, .number(let bound)):
            "is not within \(bound) of what was recorded: \(recorded.hex), seen \(seen.hex)"
        case .otherPacket(let due, let seen):
            "a packet that was not recorded: \(seen.hex)" + (due.map { "; due is \($0.hex)" } ?? "")
        case .missingPacket(let packet): "not sent on the air; recorded was \(packet.hex)"
        case .notConnected(let reason): "the link does not open: \(reason)"
        case .linkLost: "the link ended, and did not when it was recorded"
        case .linkStays: "the link stays, and ended when it was recorded"
        }
    }
}
