/// What firmware 1.17.1 does and nobody would design: on by default, each can be switched off by name.
///
/// A switched-off quirk gives the behaviour that the documents of the protocol promise, so that a client's dependence
/// on the oddity shows.
public enum Quirk: String, CaseIterable, Hashable, Sendable {
    /// Commands without a length check read what earlier frames left in the receive buffer (CMP-036, CMP-037).
    case receiveBufferResidue = "receive-buffer-residue"
    /// CHANNEL_INFO and DEFAULT_FLOOD_SCOPE carry leftovers behind the name's NUL (CMP-077, CMP-153).
    case transmitBufferResidue = "transmit-buffer-residue"
    /// Eight hidden contact slots answer to an all-zero key (CMP-101, CMP-234, OTA §17.4).
    case hiddenContactSlots = "hidden-contact-slots"
    /// Unused channel slots send and receive with the all-zero key (CMP-128, OTA §17.5).
    case zeroKeyChannels = "zero-key-channels"
    /// Positions, frequency, tuning and voltage pass through floating point (CMP-055, CMP-066, CMP-210).
    case floatConversions = "float-conversions"
    /// Responses reach the app zero padded to the cipher block (CMP-164, CMP-165); without it all zeros at the end go.
    case cipherBlockPadding = "cipher-block-padding"
    /// A contact whose lastmod is 0 is counted and never listed (CMP-242).
    case zeroLastmodNeverListed = "zero-lastmod-never-listed"
    /// CONTACTS_START counts all contacts, whatever the filter (CMP-088).
    case unfilteredContactCount = "unfiltered-contact-count"
    /// END_OF_CONTACTS carries 0 when nothing was sent (CMP-089).
    case zeroEndOfContacts = "zero-end-of-contacts"
    /// MSG_WAITING is pushed for a message that was discarded (CMP-142).
    case waitingForDiscarded = "waiting-for-discarded"
    /// An unsolicited response with tag 0 is pushed as telemetry (CMP-177).
    case zeroTagTelemetry = "zero-tag-telemetry"
    /// An acknowledgement of value 0 confirms an empty entry (OTA §17.6).
    case zeroAckConfirms = "zero-ack-confirms"
    /// Status answers are matched by sender only (CMP-163).
    case statusMatchedBySender = "status-matched-by-sender"
    /// A failed channel text says NOT_FOUND, a failed import ILLEGAL_ARG (CMP-134).
    case poolErrorNames = "pool-error-names"
    /// Channel data of 166 and 167 bytes passes the frame check and fails in the mesh (CMP-133).
    case channelDataLimitMismatch = "channel-data-limit-mismatch"
    /// A contact with an impossible path is "sent" to and nothing is transmitted (CMP-231).
    case invalidPathSent = "invalid-path-sent"
    /// At boot the clock is set from the newest contact, even backwards (CMP-217).
    case clockFromContacts = "clock-from-contacts"
    /// A 1-byte flood with 63 hops leaves as path length 0x40 (OTA-032).
    case hopCountOverflow = "hop-count-overflow"
    /// A flooded acknowledgement never triggers a path retry (OTA-068).
    case noPathRetryOnAck = "no-path-retry-on-ack"
    /// A forged advert blocks the duplicate table entry of its payload (OTA-024).
    case forgedAdvertBlocks = "forged-advert-blocks"
    /// Direct acknowledgements lose their transport codes when forwarded (OTA-042).
    case directAckLosesCodes = "direct-ack-loses-codes"
    /// SET_RADIO_PARAMS accepts bandwidths that the chip does not have and keeps the old one on air (Q34).
    case unsupportedBandwidthAccepted = "unsupported-bandwidth-accepted"
    /// RESET_PATH leaves lastmod alone, so that a filtered listing does not show it (CMP-099).
    case resetPathKeepsLastmod = "reset-path-keeps-lastmod"
    /// A stored advert that fits no frame is exported as silence (CMP-232).
    case overlongReplyLost = "overlong-reply-lost"
    /// SEND_RAW_DATA skips as many bytes as the path length's number, not as the path has (CMP-236).
    case literalRawPath = "literal-raw-path"
    /// A raw packet of priority 255 is queued and never sent (CMP-191).
    case lowestPriorityStuck = "lowest-priority-stuck"

    var bit: UInt64 { 1 << UInt64(Self.allCases.firstIndex(of: self) ?? 0) }
}

/// Which quirks a node has.
public struct QuirkSet: Hashable, Sendable {
    var bits: UInt64

    /// Firmware 1.17.1 as it is.
    public static let all = QuirkSet(bits: ~0)
    public static let none = QuirkSet(bits: 0)

    init(bits: UInt64) {
        self.bits = bits
    }

    public init(_ quirks: some Sequence<Quirk>) {
        bits = quirks.reduce(0) { $0 | $1.bit }
    }

    public func contains(_ quirk: Quirk) -> Bool { bits & quirk.bit != 0 }

    public mutating func remove(_ quirk: Quirk) { bits &= ~quirk.bit }
    public mutating func insert(_ quirk: Quirk) { bits |= quirk.bit }

    public func removing(_ quirk: Quirk) -> QuirkSet {
        var copy = self
        copy.remove(quirk)
        return copy
    }
}
