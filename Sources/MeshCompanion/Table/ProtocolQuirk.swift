/// Where the firmware is odd in a way that an app can see, by name: what an emulator imitates and a client works round.
///
/// As of firmware 1.17.1. Source: companion document §§3, 4, 6 and 12.
public enum ProtocolQuirk: UInt8, CaseIterable, Hashable, Sendable {
    case receiveBufferResidue
    case nulBehindFrame
    case transmitBufferResidue
    case negativeTextLength
    case channelTextCut
    case silentInvalidPath
    case listingCountsAll
    case emptyListingEndsWithZero
    case zeroLastmodIsHidden
    case hiddenContactSlots
    case resetPathKeepsLastmod
    case clockOnlyForward
    case messageLeavesBeforeDelivery
    case versionFixedAtArrival
    case unknownBandwidthAccepted
    case floatConversions
    case overlongReplyIsLost
    case importAlwaysOK
    case halvedContactLimit
    case literalRawPath
    case onePendingRequest
    case channelDataLimits
    case scopeNameRunsOn
    case lowestPriorityIsStuck
}

extension ProtocolQuirk {
    /// The firmware release that was seen to behave so.
    public var firmware: Release { "1.17.1" }

    /// One sentence: what the radio does.
    public var summary: String {
        switch self {
        case .receiveBufferResidue:
            "Fields behind the end of a short frame are read from what earlier frames left in the receive buffer."
        case .nulBehindFrame: "A NUL is stored directly behind the frame in the receive buffer."
        case .transmitBufferResidue: "Behind the NUL of a name stand leftovers of earlier frames."
        case .negativeTextLength: "A frame of fewer than 7 bytes makes the text length negative; anything may happen."
        case .channelTextCut: "The text is cut silently where name, separator and text exceed 160 bytes."
        case .silentInvalidPath: "An impossible stored path length is answered with SENT, and nothing is transmitted."
        case .listingCountsAll: "The count is that of all contacts, whatever the filter."
        case .emptyListingEndsWithZero: "A listing without a contact ends with 0 as the latest change."
        case .zeroLastmodIsHidden: "A contact whose last change is 0 is never listed."
        case .hiddenContactSlots: "Eight unlisted slots are searched too; while empty they match a key of zeros."
        case .resetPathKeepsLastmod:
            "The last change of the contact stays as it was, so a filtered listing leaves it out."
        case .clockOnlyForward: "The clock can be set forward only."
        case .messageLeavesBeforeDelivery: "The message is gone from the queue even if its frame is lost."
        case .versionFixedAtArrival: "The layout is that of the app version known when the message arrived."
        case .unknownBandwidthAccepted: "A bandwidth that the chip lacks is stored and reported, but not applied."
        case .floatConversions: "The value passes through floating point and may come back a unit smaller."
        case .overlongReplyIsLost: "An answer that does not fit a frame is not sent, and no error either."
        case .importAlwaysOK: "OK says only that the packet parsed; forged, stale and own adverts are dropped later."
        case .halvedContactLimit: "The contact limit is reported halved."
        case .literalRawPath: "The path length counts bytes in the command and is a coded length on the air."
        case .onePendingRequest: "A new request silently takes the place of the pending one."
        case .channelDataLimits: "166 and 167 bytes of payload pass the first check and fail as TABLE_FULL."
        case .scopeNameRunsOn: "The name is searched for its NUL beyond its field."
        case .lowestPriorityIsStuck: "A packet of priority 255 is never sent and keeps its buffer."
        }
    }
}
