/// An unusual behaviour of firmware 1.17.1, by name: an emulator imitates it, and a client works round it.
///
/// A node has all of them unless one is switched off. Then it does what the firmware's documentation promises, or
/// what the author of a client would expect. So a dependence on the quirk shows. Its `summary` describes it.
///
/// The quirks that only other nodes see, over the air, are listed here too, although an app never meets them. Names
/// are chosen in one place, and this is the lowest module that all users of the names can see.
public enum Quirk: String, CaseIterable, Hashable, Sendable {
    // Buffers
    case receiveBufferResidue = "receive-buffer-residue"
    case nulBehindFrame = "nul-behind-frame"
    case transmitBufferResidue = "transmit-buffer-residue"
    case negativeTextLength = "negative-text-length"
    case overlongReplyLost = "overlong-reply-lost"
    // Settings and the board
    case floatConversions = "float-conversions"
    case halvedContactLimit = "halved-contact-limit"
    case unsupportedBandwidthAccepted = "unsupported-bandwidth-accepted"
    case scopeNameRunsOn = "scope-name-runs-on"
    case clockOnlyForward = "clock-only-forward"
    case clockFromContacts = "clock-from-contacts"
    // Contacts
    case unfilteredContactCount = "unfiltered-contact-count"
    case zeroEndOfContacts = "zero-end-of-contacts"
    case zeroLastmodNeverListed = "zero-lastmod-never-listed"
    case resetPathKeepsLastmod = "reset-path-keeps-lastmod"
    case hiddenContactSlots = "hidden-contact-slots"
    case importAlwaysOK = "import-always-ok"
    // Sending
    case channelTextCut = "channel-text-cut"
    case zeroKeyChannels = "zero-key-channels"
    case channelDataLimitMismatch = "channel-data-limit-mismatch"
    case poolErrorNames = "pool-error-names"
    case invalidPathSent = "invalid-path-sent"
    case literalRawPath = "literal-raw-path"
    case lowestPriorityStuck = "lowest-priority-stuck"
    // Receiving
    case messageLeavesBeforeDelivery = "message-leaves-before-delivery"
    case versionFixedAtArrival = "version-fixed-at-arrival"
    case waitingForDiscarded = "waiting-for-discarded"
    case zeroAckConfirms = "zero-ack-confirms"
    // Requests
    case onePendingRequest = "one-pending-request"
    case statusMatchedBySender = "status-matched-by-sender"
    case zeroTagTelemetry = "zero-tag-telemetry"
    case cipherBlockPadding = "cipher-block-padding"
    // On the air
    case hopCountOverflow = "hop-count-overflow"
    case noPathRetryOnAck = "no-path-retry-on-ack"
    case forgedAdvertBlocks = "forged-advert-blocks"
    case directAckLosesCodes = "direct-ack-loses-codes"
    case nextFrameOverlooked = "next-frame-overlooked"
}

extension Quirk {
    /// The side that meets a quirk.
    public enum Place: Hashable, Sendable {
        /// An app, in the frames of the companion protocol.
        case companion
        /// Other nodes, in packets over the air.
        case air
    }

    /// The firmware release that was seen to behave so.
    public var firmware: Release { "1.17.1" }
    /// The place at which it shows.
    public var place: Place { note.place }
    /// The node's behaviour, in one sentence.
    public var summary: String { note.summary }
    /// The behaviour when the quirk is switched off, in one sentence.
    public var otherwise: String { note.otherwise }
    /// The description's source: numbers of the articles CompanionStatements (CMP) and OverTheAir (OTA), or the
    /// firmware.
    public var source: String { note.source }
}
