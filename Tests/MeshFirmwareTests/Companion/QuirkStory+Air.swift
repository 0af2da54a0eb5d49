import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire

// What other nodes see.
extension QuirkStory {
    private static func startRepeating(_ bench: inout CompanionBench) {
        bench.send(
            SetRadioParams(
                frequency: 869_495, bandwidth: 62_500, spreadingFactor: 8, codingRate: 5, clientRepeat: 1))
    }

    /// The path length with which a flood of 63 hops is relayed.
    static let hopCountOverflow = QuirkStory(faithful: [[0x40]], expected: []) { bench in
        startRepeating(&bench)
        let path = [UInt8](repeating: 0x77, count: 63)
        let secret = SharedSecret(channel: FixedBytes([UInt8](1...16)))
        bench.hear(Peer.group(.grpTxt, Peer.plaintext([0x78], at: 1), secret: secret, .flood(path)))
        return bench.airAfter(milliseconds: 30_000).map { [$0.pathLength.rawValue] }
    }

    static let noPathRetryOnAck = QuirkStory(faithful: [], expected: [[PayloadType.path.rawValue]]) { bench in
        bench.add(.bob, path: PathLength(hashSize: 1, hops: 1), [0x55])
        let ack = bench.sendText("x", to: .bob)
        _ = bench.airAfter()
        bench.hear(Peer.ack(ack, .flood([0x66])))
        return bench.airAfter(milliseconds: 4000).map { [$0.type.rawValue] }
    }

    /// The reasons for which the two copies of a forged advert are dropped.
    static let forgedAdvertBlocks = QuirkStory(
        faithful: [[DropReason.badSignature.rawValue], [DropReason.alreadySeen.rawValue]],
        expected: [[DropReason.badSignature.rawValue], [DropReason.badSignature.rawValue]]
    ) { bench in
        var forged = Peer.eve.advert(1)
        forged[40] ^= 1
        bench.hear(forged)
        bench.hear(forged)
        return bench.events.compactMap { event in
            if case .rxDrop(let reason) = event { [reason.rawValue] } else { nil }
        }
    }

    private static let acknowledgement: [UInt8] = [0x01, 0x6E, 0x11, 0x22, 0x33, 0x44, 0x05, 0xA7]

    static let directAckLosesCodes = QuirkStory(
        faithful: [[0x0E] + acknowledgement], expected: [[0x0F, 1, 2, 3, 4] + acknowledgement]
    ) { bench in
        startRepeating(&bench)
        bench.hear([0x0F, 1, 2, 3, 4, 0x02, bench.key[0]] + acknowledgement.dropFirst())
        return bench.airAfter(milliseconds: 5000).map(\.bytes)
    }

    /// A text that waits for a frame to end, and what becomes of it during the preamble of the next one.
    static let nextFrameOverlooked = QuirkStory(.bob, faithful: [[0], [1]], expected: [[0], [0]]) { bench in
        bench.status = RadioStatus(.init(since: .start, hasHeader: true))
        bench.sendText("x", to: .bob)
        let first = bench.airAfter(milliseconds: 1000).count
        bench.status = RadioStatus(.init(since: .seconds(1), hasHeader: false))
        return [[UInt8(first)], [UInt8(bench.airAfter(milliseconds: 1000).count)]]
    }
}
