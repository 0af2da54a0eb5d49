import MeshCompanion
import MeshFirmware

// The oddities of the firmware that the suite can see, each left out. Six cannot be seen by it:
//
// - `negative-text-length`: what the firmware does with a channel text of one or two bytes is undefined, and may be a
//   crash: no statement can ask for it, and none sends one.
// - `hop-count-overflow` and `direct-ack-loses-codes` are about what a node relays for others. The suite's statements
//   are about an app's own traffic; those of OverTheAir hold them (OTA-032, OTA-042), in tests of the mesh.
// - `no-path-retry-on-ack`: with it the radio does nothing, and no statement asks for a silence of four seconds on the
//   air.
// - `next-frame-overlooked` shows where two nodes talk right after each other, and the suite puts one frame at a time
//   on the air.
// - `forged-advert-blocks` changes only why a second copy of a forged advert is dropped, which no frame and no packet
//   says.
extension Mutant {
    static let oddities: [Mutant] = [
        without(.receiveBufferResidue, 36, 37), without(.nulBehindFrame, 36), without(.transmitBufferResidue, 77, 153),
        without(.overlongReplyLost, 232), without(.floatConversions, 55, 66, 210, 230),
        without(.halvedContactLimit, 40), without(.unsupportedBandwidthAccepted, 58), without(.scopeNameRunsOn, 246),
        without(.clockOnlyForward, 56),
        without(.clockFromContacts, 217), without(.unfilteredContactCount, 88, 89, 242),
        without(.zeroEndOfContacts, 89), without(.zeroLastmodNeverListed, 242), without(.resetPathKeepsLastmod, 99),
        without(.hiddenContactSlots, 101, 234), without(.importAlwaysOK, 106), without(.channelTextCut, 129),
        without(.zeroKeyChannels, 128), without(.channelDataLimitMismatch, 133), without(.poolErrorNames, 134),
        without(.invalidPathSent, 231), without(.literalRawPath, 236), without(.lowestPriorityStuck, 191),
        without(.messageLeavesBeforeDelivery, 144), without(.versionFixedAtArrival, 41),
        without(.waitingForDiscarded, 142, 249), without(.zeroAckConfirms, 122), without(.onePendingRequest, 166),
        without(.statusMatchedBySender, 163),
        without(.zeroTagTelemetry, 177), without(.cipherBlockPadding, 163, 164, 165, 177),
    ]

    /// The firmware without one of its oddities.
    private static func without(_ quirk: Quirk, _ statements: Int...) -> Mutant {
        Mutant("no-" + quirk.rawValue, .oddity, statements, quirk.otherwise, .quirkOff(quirk))
    }
}
