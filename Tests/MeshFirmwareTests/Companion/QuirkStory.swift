import MeshCompanion
import MeshFirmware

/// The steps that show a quirk of a radio, and the results with and without it.
struct QuirkStory: Sendable {
    /// The peers that the radio knows at first, without a path.
    var peers: [Peer]
    var board: BoardProfile
    /// The firmware's frames, or what matters of them.
    let faithful: [[UInt8]]
    /// The same where the quirk is off.
    let expected: [[UInt8]]
    let tell: @Sendable (inout CompanionBench) -> [[UInt8]]

    init(
        _ peers: Peer..., board: BoardProfile = .vectors, faithful: [[UInt8]], expected: [[UInt8]],
        tell: @escaping @Sendable (inout CompanionBench) -> [[UInt8]]
    ) {
        self.peers = peers
        self.board = board
        self.faithful = faithful
        self.expected = expected
        self.tell = tell
    }
}

extension Quirk {
    // A total switch: the compiler asks for the story of a new quirk, and its test fails until the firmware asks for
    // it.
    var story: QuirkStory {
        switch self {
        case .receiveBufferResidue: .receiveBufferResidue
        case .nulBehindFrame: .nulBehindFrame
        case .transmitBufferResidue: .transmitBufferResidue
        case .negativeTextLength: .negativeTextLength
        case .overlongReplyLost: .overlongReplyLost
        case .floatConversions: .floatConversions
        case .halvedContactLimit: .halvedContactLimit
        case .unsupportedBandwidthAccepted: .unsupportedBandwidthAccepted
        case .scopeNameRunsOn: .scopeNameRunsOn
        case .clockOnlyForward: .clockOnlyForward
        case .clockFromContacts: .clockFromContacts
        case .unfilteredContactCount: .unfilteredContactCount
        case .zeroEndOfContacts: .zeroEndOfContacts
        case .zeroLastmodNeverListed: .zeroLastmodNeverListed
        case .resetPathKeepsLastmod: .resetPathKeepsLastmod
        case .hiddenContactSlots: .hiddenContactSlots
        case .importAlwaysOK: .importAlwaysOK
        case .channelTextCut: .channelTextCut
        case .zeroKeyChannels: .zeroKeyChannels
        case .channelDataLimitMismatch: .channelDataLimitMismatch
        case .poolErrorNames: .poolErrorNames
        case .invalidPathSent: .invalidPathSent
        case .literalRawPath: .literalRawPath
        case .lowestPriorityStuck: .lowestPriorityStuck
        case .messageLeavesBeforeDelivery: .messageLeavesBeforeDelivery
        case .versionFixedAtArrival: .versionFixedAtArrival
        case .waitingForDiscarded: .waitingForDiscarded
        case .zeroAckConfirms: .zeroAckConfirms
        case .onePendingRequest: .onePendingRequest
        case .statusMatchedBySender: .statusMatchedBySender
        case .zeroTagTelemetry: .zeroTagTelemetry
        case .cipherBlockPadding: .cipherBlockPadding
        case .hopCountOverflow: .hopCountOverflow
        case .noPathRetryOnAck: .noPathRetryOnAck
        case .forgedAdvertBlocks: .forgedAdvertBlocks
        case .directAckLosesCodes: .directAckLosesCodes
        case .nextFrameOverlooked: .nextFrameOverlooked
        }
    }
}
