import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshWire

// Sending, receiving, requests.
extension QuirkStory {
    /// The codes of the frames that a packet brings to the app.
    private static func codes(_ frames: [[UInt8]]) -> [[UInt8]] { frames.map { [$0[0]] } }

    static let channelTextCut = QuirkStory(faithful: Answer.ok, expected: Answer.tableFull) { bench in
        bench.ask([3, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0x78, count: 169))
    }

    static let zeroKeyChannels = QuirkStory(faithful: Answer.waiting + Answer.ok, expected: Answer.notFound) { bench in
        bench.hearing(Peer.group(.grpTxt, Peer.plaintext([0x78], at: 1), secret: SharedSecret(), hash: 0))
            + bench.ask([3, 0, 5, 0, 0, 0, 0, 0x78])
    }

    static let channelDataLimitMismatch = QuirkStory(faithful: Answer.tableFull, expected: Answer.illegal) { bench in
        bench.ask([0x3E, 0, 0xFF, 1, 0] + [UInt8](repeating: 1, count: 166))
    }

    static let poolErrorNames = QuirkStory(
        .bob, faithful: Answer.notFound + Answer.illegal, expected: Answer.tableFull + Answer.tableFull
    ) { bench in
        bench.status = RadioStatus(isReceiving: true)
        for number in 0..<17 { bench.sendText("\(number)", to: .bob) }
        return bench.ask([3, 0, 0, 0, 0, 0, 0, 0x78]) + bench.ask(ImportContact(packet: Peer.eve.advert(1)))
    }

    static let invalidPathSent = QuirkStory(faithful: [], expected: [[1]]) { bench in
        bench.add(.bob, path: PathLength(rawValue: 0xC1))
        bench.sendText("x", to: .bob)
        return bench.airAfter().map { [$0.route == .flood ? 1 : 0] }
    }

    private static let raw: [UInt8] = [0x42, 1, 2, 3, 4] + "data".utf8

    static let literalRawPath = QuirkStory(faithful: Answer.unsupported, expected: Answer.ok + [[0x3E] + raw]) {
        bench in
        bench.ask([0x19] + raw) + bench.airAfter().map(\.bytes)
    }

    static let lowestPriorityStuck = QuirkStory(faithful: Answer.ok, expected: Answer.ok + [[0x11, 0, 0xAA]]) { bench in
        bench.ask([0x41, 0xFF, 0x11, 0, 0xAA]) + bench.airAfter().map(\.bytes)
    }

    // MARK: Receiving

    private static let sent = Peer.bob.prefix + [0xFF, 0] + Peer.bytes(1) + "a".utf8

    static let messageLeavesBeforeDelivery = QuirkStory(
        .bob, faithful: [[0x0A]], expected: [[0x10, 25, 0, 0] + sent, [0x0A]]
    ) { bench in
        bench.hear(Peer.bob.text("a", at: 1, to: bench.key))
        _ = bench.nextMessage()
        bench.disconnect()
        bench.connect()
        let again = bench.nextMessage()
        return again == [0x0A] ? [again] : [again, bench.nextMessage()]
    }

    static let versionFixedAtArrival = QuirkStory(
        .bob, faithful: [[0x10, 25, 0, 0] + sent, [0x11]], expected: [[0x07] + sent, [0x08]]
    ) { bench in
        bench.hear(Peer.bob.text("a", at: 1, to: bench.key))
        bench.hear(Peer.channelText("Bob: a", at: 1, secret: GroupChannel.publicChannel.secret))
        bench.send(DeviceQuery(appTargetVersion: 2))
        return [bench.nextMessage(), [bench.nextMessage()[0]]]
    }

    private static let withoutQueue: BoardProfile = {
        var board = BoardProfile.vectors
        board.offlineQueueSize = 0
        return board
    }()

    static let waitingForDiscarded = QuirkStory(
        .bob, board: withoutQueue, faithful: Answer.waiting, expected: []
    ) { bench in
        bench.hearing(Peer.bob.text("x", at: 1, to: bench.key))
    }

    static let zeroAckConfirms = QuirkStory(faithful: [[0x82]], expected: []) { bench in
        codes(bench.hearing(Peer.ack(0)))
    }

    // MARK: Requests

    static let onePendingRequest = QuirkStory(
        .rep, .room, faithful: [[0x8B]], expected: [[0x8B], [0x85], [0x8C]]
    ) { bench in
        let first = bench.sent(SendBinaryReq(publicKey: Peer.rep.key, request: [1]))?.tag ?? 0
        bench.send(SendLogin(publicKey: Peer.rep.key, password: "x"))
        let last = bench.sent(SendTelemetryReq(publicKey: Peer.room.key))?.tag ?? 0
        return codes(
            bench.hearing(Peer.room.response(last, [1], to: bench.key))
                + bench.hearing(Peer.rep.response(9, [0, 0, 0, 0], to: bench.key))
                + bench.hearing(Peer.rep.response(first, [1], to: bench.key)))
    }

    /// The content of the answer that counts as that of the node's state.
    static let statusMatchedBySender = QuirkStory(.rep, faithful: [[0x87, 1]], expected: [[0x87, 2]]) { bench in
        let tag = bench.sent(SendStatusReq(publicKey: Peer.rep.key))?.tag ?? 0
        let frames =
            bench.hearing(Peer.rep.response(tag &+ 1, [1], to: bench.key))
            + bench.hearing(Peer.rep.response(tag, [2], to: bench.key))
        return frames.map { [$0[0], $0[8]] }
    }

    static let zeroTagTelemetry = QuirkStory(.rep, faithful: [[0x8B]], expected: []) { bench in
        codes(bench.hearing(Peer.rep.response(0, [1], to: bench.key)))
    }

    static let cipherBlockPadding = QuirkStory(
        .rep, faithful: [[7] + [UInt8](repeating: 0, count: 11)], expected: [[7]]
    ) { bench in
        let tag = bench.sent(SendBinaryReq(publicKey: Peer.rep.key, request: [1]))?.tag ?? 0
        return bench.hearing(Peer.rep.response(tag, [7], to: bench.key)).map { [UInt8]($0.dropFirst(6)) }
    }
}
