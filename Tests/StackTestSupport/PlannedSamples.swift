import MeshCompanion
package import MeshTransports
import MeshWire

/// A planned fault of each kind, and a conversation that has the occasions of all of them.
package enum PlannedSamples {
    /// The faults, each once.
    package static let all: [PlannedLinkFault] = [
        PlannedLinkFault(.late(by: .seconds(2)), at: .frame(.contact, number: 2)),
        PlannedLinkFault(.split(after: 20, pause: .milliseconds(300)), at: .frame(.contact)),
        PlannedLinkFault(.merge, at: .frame(.contact)),
        PlannedLinkFault(.doubleBytes(from: 1, count: 2), at: .frame(.contact)),
        PlannedLinkFault(.cut(bytes: 3), at: .frame(.contact, number: 3)),
        PlannedLinkFault(.cutFront(bytes: 1), at: .frame(.contact)),
        PlannedLinkFault(.loseBytes(from: 10, count: 3), at: .frame(.contact)),
        PlannedLinkFault(.garble(), at: .frame(.contact)),
        // A header in front of nothing: what follows is taken for its frame.
        PlannedLinkFault(.insert(bytes: [0x3E, 5, 0]), at: .frame(.contact)),
        PlannedLinkFault(.rubbish(bytes: 60), at: .frame(.contact)),
        PlannedLinkFault(.olderSession(), at: .connect(number: 2)),
        PlannedLinkFault(.lose, at: .answer(to: .getChannel)),
        PlannedLinkFault(.swap, at: .frame(.contact)),
        PlannedLinkFault(.double, at: .frame(.contact)),
        PlannedLinkFault(.push(.msgWaiting), at: .answer(to: .getChannel)),
        PlannedLinkFault(.otherAnswer(.battAndStorage), at: .answer(to: .getChannel)),
        PlannedLinkFault(.wrongLength(by: 4), at: .frame(.contact)),
        PlannedLinkFault(.error(.tableFull), at: .answer(to: .getChannel)),
        PlannedLinkFault(.moreContacts(2), at: .frame(.contactsStart)),
        PlannedLinkFault(.fewerContacts(2)),
        PlannedLinkFault(.endlessListing),
        PlannedLinkFault(.sameMessage, at: .phase(.messages)),
        PlannedLinkFault(.unknownCode(0xBF), at: .after(frames: 2)),
        PlannedLinkFault(.longest, at: .frame(.endOfContacts)),
        PlannedLinkFault(.overlong(bytes: 200), at: .frame(.endOfContacts)),
        PlannedLinkFault(.empty, at: .frame(.contact)),
        PlannedLinkFault(.stall(for: .seconds(3)), at: .phase(.channels)),
        PlannedLinkFault(.endBefore, at: .frame(.contact, number: 2)),
        PlannedLinkFault(.endWithin(after: 5), at: .frame(.contact, number: 2)),
        PlannedLinkFault(.endAfter, at: .frame(.contact, number: 2)),
        PlannedLinkFault(.refuseConnection, at: .connect(number: 2)),
        PlannedLinkFault(.reboot, at: .answer(to: .getChannel)),
        PlannedLinkFault(.boardOff(for: .seconds(5)), at: .phase(.contacts), times: 1),
        PlannedLinkFault(.brownOut(for: .seconds(5)), at: .frame(.setChannel)),
    ]

    /// The same kind at an occasion that does not come in the conversation.
    package static func idle(_ fault: PlannedLinkFault) -> PlannedLinkFault {
        PlannedLinkFault(fault.kind, way: fault.way, at: .connect(number: 1000), mayNotFire: false)
    }

    /// The commands of the app; the link is opened anew in front of the second half.
    package static let halves: [[[UInt8]]] = [
        [AppStart().encoded(), GetContacts().encoded(), SyncNextMessage().encoded(), SyncNextMessage().encoded()],
        [
            AppStart().encoded(), GetContacts().encoded(), [CommandCode.getChannel.rawValue, 0], setChannel,
            SyncNextMessage().encoded(),
        ],
    ]

    private static let setChannel: [UInt8] = [CommandCode.setChannel.rawValue] + [UInt8](repeating: 7, count: 49)
}

/// The radio of the conversation: three contacts, one message, a channel.
package struct PlannedRadio: Sendable {
    private var hasMessage = true

    package init() {}

    /// The answers to a command.
    package mutating func answers(to command: [UInt8]) -> [[UInt8]] {
        switch command.first.flatMap(CommandCode.init(rawValue:)) {
        case .appStart: return [Frames.selfInfo.encoded()]
        case .getContacts:
            let contacts = (2...4).map { Frames.frame(Frames.contact($0)) }
            return [Resp.ContactsStart(count: 3).encoded()] + contacts + [Resp.EndOfContacts().encoded()]
        case .syncNextMessage:
            defer { hasMessage = false }
            return [hasMessage ? Frames.message(from: 2, "hello", timestamp: 7) : Frames.noMore]
        case .getChannel: return [Frames.channel(0, name: "public", secret: FixedBytes(repeatElement(9, count: 16)))]
        case .setChannel: return [Frames.ok]
        default: return []
        }
    }
}
