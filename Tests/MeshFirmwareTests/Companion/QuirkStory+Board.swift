import MeshCompanion
import MeshCrypto
import MeshPacket
import MeshWire

@testable import MeshFirmware

// Buffers, settings, contacts.
extension QuirkStory {
    static let receiveBufferResidue = QuirkStory(
        faithful: [[0], [1, 2], [1]], expected: [[1, 1], [1, 1], [1, 1], [0]]
    ) { bench in
        bench.send([8] + "reboot".utf8)
        let short = bench.ask([0x26]) + bench.ask([0x1E, 1, 2])
        bench.send([8] + "reboot".utf8)
        return short + bench.ask([0x13]) + [[UInt8(bench.rebootCount)]]
    }

    /// A login leaves its NUL in the middle of a long frame, where a contact without a name finds one.
    static let nulBehindFrame = QuirkStory(
        faithful: [[UInt8]("pp".utf8)], expected: [[UInt8]("pp".utf8) + [UInt8](repeating: 0x6E, count: 29)]
    ) { bench in
        bench.send([8] + [UInt8](repeating: UInt8(ascii: "n"), count: 140))
        bench.send([0x1A] + Peer.rep.key.array + [UInt8](repeating: UInt8(ascii: "p"), count: 69))
        bench.send([9] + Peer.bob.key.array + [1, 0, 0xFF])
        return [bench.contact(.bob)?.name.text.bytes ?? []]
    }

    /// A one where an unnamed channel shows what SELF_INFO left, or else its name.
    static let transmitBufferResidue = QuirkStory(
        faithful: [[1]], expected: [[UInt8](repeating: 0, count: 31)]
    ) { bench in
        let info = bench.ask(AppStart())[0]
        let name = bench.ask([0x1F, 1])[0][3..<34]
        return [name == info[3..<34] ? [1] : [UInt8](name)]
    }

    static let negativeTextLength = QuirkStory(faithful: Answer.ok, expected: Answer.unsupported) { bench in
        bench.ask([3, 0, 0, 1, 2, 3])
    }

    static let overlongReplyLost = QuirkStory(faithful: [], expected: Answer.notFound) { bench in
        let path = [UInt8](repeating: 0x77, count: 63)
        bench.hear(Peer.bob.advert(1, name: "Bob of the long name", .flood(path)))
        return bench.ask(ExportContact(publicKey: Peer.bob.key))
    }

    static let floatConversions = QuirkStory(
        faithful: [Peer.bytes(16_653_531), [0x17] + Peer.bytes(2040) + Peer.bytes(4081), [0x01, 0xA3]],
        expected: [Peer.bytes(16_653_532), [0x17] + Peer.bytes(2041) + Peer.bytes(4082), [0x01, 0xA4]]
    ) { bench in
        bench.send(SetAdvertLatlon(latitude: 16_653_532, longitude: 0))
        bench.send(SetTuningParams(receiveDelay: 2041, airtimeFactor: 4082))
        let info = bench.ask(AppStart()).first.flatMap { try? Resp.SelfInfo(decoding: $0) }
        let latitude = UInt32(bitPattern: info?.latitude ?? 0)
        return [Peer.bytes(latitude)] + bench.ask([0x2B]) + bench.ask([0x27, 0, 0, 0]).map { $0.suffix(2) }
    }

    static let halvedContactLimit = QuirkStory(faithful: [[175], [75]], expected: [[255], [150]]) { bench in
        var board = BoardProfile.vectors
        board.maxContacts = 150
        var small = CompanionBench(board: board, quirks: bench.radio.core.quirks)
        let frames = bench.ask(DeviceQuery(appTargetVersion: 3)) + small.ask(DeviceQuery(appTargetVersion: 3))
        return frames.map { [$0[2]] }
    }

    static let unsupportedBandwidthAccepted = QuirkStory(faithful: Answer.ok, expected: Answer.illegal) { bench in
        bench.ask(SetRadioParams(frequency: 869_525, bandwidth: 100_000, spreadingFactor: 8, codingRate: 5))
    }

    private static let fullScope = [UInt8](repeating: 0x41, count: 31) + [UInt8](1...16)

    static let scopeNameRunsOn = QuirkStory(
        faithful: Answer.illegal + [[0x1C]], expected: Answer.ok + [[0x1C] + fullScope]
    ) { bench in
        bench.ask([0x3F] + fullScope) + bench.ask([0x40])
    }

    static let clockOnlyForward = QuirkStory(faithful: Answer.illegal, expected: Answer.ok) { bench in
        bench.ask(SetDeviceTime(epoch: CompanionBench.epoch - 1000))
    }

    /// The years of the clock since 1970, more or less.
    static let clockFromContacts = QuirkStory(faithful: [[0]], expected: [[57]]) { bench in
        bench.add(.bob, lastModified: 1_000_000)
        bench.wait(milliseconds: 6000)
        bench.reboot(keepingRTC: true)
        return [[UInt8(bench.time / 31_556_952)]]
    }

    static let unfilteredContactCount = QuirkStory(
        .bob, faithful: [[2, 1, 0, 0, 0]], expected: [[2, 0, 0, 0, 0]]
    ) { bench in
        bench.ask(GetContacts(since: CompanionBench.epoch))
    }

    static let zeroEndOfContacts = QuirkStory(
        .bob, faithful: [[4, 0, 0, 0, 0]], expected: [[4] + Peer.bytes(1_900_000_000)]
    ) { bench in
        bench.send(GetContacts(since: 1_900_000_000))
        bench.wait(milliseconds: 10)
        return bench.takeFrames().suffix(1)
    }

    static let zeroLastmodNeverListed = QuirkStory(
        .bob, faithful: [Peer.bob.prefix], expected: [Peer.bob.prefix, Peer.eve.prefix]
    ) { bench in
        bench.add(.eve, lastModified: 0)
        return bench.listing().map { [UInt8]($0.prefix(6)) }
    }

    static let resetPathKeepsLastmod = QuirkStory(
        .bob, faithful: [Peer.bytes(CompanionBench.epoch - 100)], expected: [Peer.bytes(CompanionBench.epoch)]
    ) { bench in
        bench.send(ResetPath(publicKey: Peer.bob.key))
        return [Peer.bytes(bench.contact(.bob)?.lastModified ?? 0)]
    }

    static let hiddenContactSlots = QuirkStory(faithful: [[3]], expected: [[1]]) { bench in
        bench.ask(GetContactByKey(publicKey: PublicKey())).map { [$0[0]] }
    }

    /// A forged advert, the node's own, a good one, and an older one.
    static let importAlwaysOK = QuirkStory(
        faithful: Answer.ok + Answer.ok + Answer.ok + Answer.ok,
        expected: Answer.illegal + Answer.illegal + Answer.ok + Answer.illegal
    ) { bench in
        var forged = Peer.eve.advert(6)
        forged[40] ^= 1
        let own = bench.ask([0x11]).first.map { [UInt8]($0.dropFirst()) } ?? []
        return [forged, own, Peer.eve.advert(5), Peer.eve.advert(4)].flatMap { packet in
            let answer = bench.ask(ImportContact(packet: packet))
            bench.wait(milliseconds: 10)
            return answer
        }
    }
}
