/// The description of a quirk.
struct QuirkNote {
    var place = Quirk.Place.companion
    var source: String
    var summary: String
    var otherwise: String

    init(_ source: String, _ summary: String, otherwise: String) {
        self.source = source
        self.summary = summary
        self.otherwise = otherwise
    }

    /// The note of a quirk that no app can see.
    static func air(_ source: String, _ summary: String, otherwise: String) -> QuirkNote {
        var note = QuirkNote(source, summary, otherwise: otherwise)
        note.place = .air
        return note
    }
}

extension Quirk {
    // A total switch, so that a quirk without its sentences does not compile.
    var note: QuirkNote {
        switch self {
        case .receiveBufferResidue:
            QuirkNote(
                "CMP-036, CMP-037",
                "Fields behind the end of a short frame are read from what earlier frames left in the receive buffer.",
                otherwise: "The short frame is refused with UNSUPPORTED_CMD.")
        case .nulBehindFrame:
            QuirkNote(
                "firmware, MyMesh::handleCmdFrame",
                "A NUL is stored behind the frame, and over a variable's colon, where later short frames can read it.",
                otherwise: "A command leaves the receive buffer as the frame filled it.")
        case .transmitBufferResidue:
            QuirkNote(
                "CMP-077, CMP-153", "Behind the NUL of a name stand leftovers of earlier frames.",
                otherwise: "The name is padded with zeros.")
        case .negativeTextLength:
            QuirkNote(
                "firmware, MyMesh::handleCmdFrame",
                "A channel text of fewer than 7 bytes makes the text length negative, and anything may happen; this"
                    + " radio sends an empty text.",
                otherwise: "It is refused with UNSUPPORTED_CMD, like other short frames.")
        case .overlongReplyLost:
            QuirkNote(
                "CMP-232", "A stored advert that does not fit a frame is exported as silence.",
                otherwise: "The export is refused with NOT_FOUND.")
        case .floatConversions:
            QuirkNote(
                "CMP-055, CMP-066, CMP-210",
                "Positions, frequency, tuning and voltage pass through floating point and may come back a unit smaller.",
                otherwise: "They come back as they were given.")
        case .halvedContactLimit:
            QuirkNote(
                "CMP-040", "The contact limit is reported halved.",
                otherwise: "It is reported as it is, or as 255 where it is larger.")
        case .unsupportedBandwidthAccepted:
            QuirkNote(
                "firmware, setParams of the chip's wrapper",
                "A bandwidth that the chip lacks is stored and reported, but the old one stays on the air.",
                otherwise: "It is refused with ILLEGAL_ARG.")
        case .scopeNameRunsOn:
            QuirkNote(
                "CMP-246",
                "The name of a scope is searched for its NUL beyond its field, and one that fills the"
                    + " field is refused.",
                otherwise: "A name may fill its field of 31 bytes.")
        case .clockOnlyForward:
            QuirkNote(
                "CMP-056", "An app can set the clock forward only.", otherwise: "It can set the clock to any time.")
        case .clockFromContacts:
            QuirkNote(
                "CMP-217", "At boot the clock is set by the newest change of a contact, even backwards.",
                otherwise: "The contacts can set it forward only.")
        case .unfilteredContactCount:
            QuirkNote(
                "CMP-088", "A listing begins with the count of all contacts, whatever its filter.",
                otherwise: "It begins with the count of contacts that follow.")
        case .zeroEndOfContacts:
            QuirkNote(
                "CMP-089", "A listing that showed no contact ends with 0 as the latest change.",
                otherwise: "It ends with the time that it was asked for.")
        case .zeroLastmodNeverListed:
            QuirkNote(
                "CMP-242", "A contact whose last change is 0 is counted and never listed.",
                otherwise: "A listing without a filter shows it.")
        case .resetPathKeepsLastmod:
            QuirkNote(
                "CMP-099",
                "Forgetting a path leaves the last change of the contact as it was, so a filtered listing leaves it out.",
                otherwise: "It counts as a change.")
        case .hiddenContactSlots:
            QuirkNote(
                "CMP-101, CMP-234",
                "Eight unlisted contact slots are searched too; while empty they match a key of zeros.",
                otherwise: "Empty slots match no key.")
        case .importAlwaysOK:
            QuirkNote(
                "CMP-105, CMP-106",
                "OK to an import says only that the packet parsed; forged, stale, nameless and own adverts are dropped"
                    + " later.",
                otherwise: "Such an import is refused with ILLEGAL_ARG.")
        case .channelTextCut:
            QuirkNote(
                "CMP-129, OTA-085",
                "A channel text is cut silently where name, separator and text exceed 160 bytes.",
                otherwise: "It is refused with TABLE_FULL, like a text to a contact that is too long.")
        case .zeroKeyChannels:
            QuirkNote(
                "CMP-128", "Unused channel slots send and receive with a key of zeros.",
                otherwise: "Sending there is refused with NOT_FOUND, and nothing is received.")
        case .channelDataLimitMismatch:
            QuirkNote(
                "CMP-133", "166 and 167 bytes of channel data pass the first check and fail as TABLE_FULL.",
                otherwise: "They are refused with ILLEGAL_ARG, like longer ones.")
        case .poolErrorNames:
            QuirkNote(
                "CMP-134", "Without a free packet buffer a channel text says NOT_FOUND and an import ILLEGAL_ARG.",
                otherwise: "Both say TABLE_FULL, as everything else does.")
        case .invalidPathSent:
            QuirkNote(
                "CMP-231", "An impossible stored path length is answered with SENT, and nothing is transmitted.",
                otherwise: "It counts as no path: the packet is flooded.")
        case .literalRawPath:
            QuirkNote(
                "CMP-236", "The path length of raw data counts bytes in the command and is a coded length on the air.",
                otherwise: "It is a coded length in both.")
        case .lowestPriorityStuck:
            QuirkNote(
                "CMP-191", "A raw packet of priority 255 is never sent and keeps its buffer.",
                otherwise: "It is sent after all others.")
        case .messageLeavesBeforeDelivery:
            QuirkNote(
                "CMP-144",
                "A message is gone from the queue once it was asked for, even if its frame is lost.",
                otherwise: "It leaves when the next one is asked for; a new client or session gets it again.")
        case .versionFixedAtArrival:
            QuirkNote(
                "CMP-041", "A message has the layout of the app version known when it arrived.",
                otherwise: "It has that of the version known when it is fetched.")
        case .waitingForDiscarded:
            QuirkNote(
                "CMP-142", "MSG_WAITING is pushed for a message that was discarded.",
                otherwise: "Only messages that are kept are announced.")
        case .zeroAckConfirms:
            QuirkNote(
                "firmware, MyMesh::processAck", "An acknowledgement of value 0 confirms a text that nobody sent.",
                otherwise: "It confirms nothing.")
        case .onePendingRequest:
            QuirkNote(
                "CMP-166", "A new request silently takes the place of the pending one.",
                otherwise: "Requests wait for their answers side by side.")
        case .statusMatchedBySender:
            QuirkNote(
                "CMP-163", "The answer to a status request is known by its sender only.",
                otherwise: "It is known by its tag too.")
        case .zeroTagTelemetry:
            QuirkNote(
                "CMP-177", "A response with tag 0 that nobody asked for is pushed as telemetry.",
                otherwise: "It is dropped.")
        case .cipherBlockPadding:
            QuirkNote(
                "CMP-164, CMP-165", "Responses reach the app padded with zeros to the block of the cipher.",
                otherwise: "All zeros at their end are removed.")
        case .hopCountOverflow:
            .air(
                "OTA-032", "A flood of one-byte hashes with 63 hops leaves with path length 0x40.",
                otherwise: "It is not forwarded.")
        case .noPathRetryOnAck:
            .air(
                "OTA-068", "A flooded acknowledgement never makes the node tell its path once more.",
                otherwise: "It does so after three seconds, as after a flooded response.")
        case .forgedAdvertBlocks:
            .air(
                "OTA-024", "A forged advert blocks the entry of its payload in the duplicate table.",
                otherwise: "It leaves no entry.")
        case .directAckLosesCodes:
            .air(
                "OTA-042", "Direct acknowledgements lose their transport codes when they are forwarded.",
                otherwise: "They keep them, like other packets.")
        case .nextFrameOverlooked:
            .air(
                "firmware, isReceiving of CustomSX1262",
                "A node that waits for one frame to end may talk over the preamble of the next one, once: its driver takes"
                    + " what it saw of the first for the second, unless a sampling of the noise floor between the two used"
                    + " that up (since 1.17, all chips but SX127x).",
                otherwise: "It waits for the next frame, too.")
        }
    }
}
