import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire
import Testing

/// Nothing that an app or the air can say stops a radio or makes it grow, and one seed is one run.
@Suite struct HostileAppTests {
    /// A run of random commands, bytes, packets and time: what came out, as one number.
    private func run(seed: UInt64, quirks: QuirkSet = .all, rounds: Int, interface: AppInterface) -> UInt64 {
        var draw = Seed(seed).stream("hostile")
        var board = BoardProfile.vectors
        board.maxContacts = 5
        board.offlineQueueSize = 5
        var bench = CompanionBench(board: board, quirks: quirks, seed: seed, interface: interface)
        bench.connect()
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for _ in 0..<rounds {
            act(&bench, &draw)
            for bytes in bench.takeFrames() + bench.takeTransmissions() {
                for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
            }
            if bench.radio.isHalted || bench.isClosed {
                bench.wait(milliseconds: 2000)
                bench.reboot(interface: interface)
                bench.connect()
            }
            #expect(bench.radio.contacts.slots.count <= 13)
            #expect(bench.radio.offlineQueue.count <= 5)
        }
        return digest
    }

    private func act(_ bench: inout CompanionBench, _ draw: inout RandomStream) {
        let peers = [Peer.bob, .rep, .room, .eve]
        let peer = peers[Int(draw.draw(0, 4))]
        switch draw.draw(0, 12) {
        case 0...5: bench.pass(.appBytes(StreamFraming.encode(toRadio: command(&draw, peer))))
        case 6: bench.pass(.appBytes(bytes(&draw, atMost: 300)))
        case 7: bench.hear(bytes(&draw, atMost: 255), snr: Double(draw.draw(0, 60)) - 30, rssi: -200)
        case 8: bench.hear(peer.advert(draw.draw(0, 2000), .flood(bytes(&draw, atMost: 20))))
        case 9: hearSealed(&bench, &draw, peer)
        case 10: bench.wait(milliseconds: Int(draw.draw(0, 9000)))
        default:
            if draw.draw(0, 4) == 0 { bench.disconnect() }
            bench.connect()
        }
        bench.wait(milliseconds: Int(draw.draw(0, 20)))
    }

    /// A frame that begins like a command, with a key that may be known in its usual place.
    private func command(_ draw: inout RandomStream, _ peer: Peer) -> [UInt8] {
        var frame = bytes(&draw, atMost: 180)
        if frame.isEmpty { frame = [0] }
        frame[0] = UInt8(draw.draw(0, 68))
        let offsets = [1, 2, 4, 7]
        let offset = offsets[Int(draw.draw(0, 4))]
        if draw.draw(0, 4) != 0, frame.count >= offset + 32 {
            frame.replaceSubrange(offset..<(offset + 32), with: peer.key.array)
        }
        if frame.count > 1, draw.draw(0, 2) == 0 { frame[1] = UInt8(draw.draw(0, 3)) }
        return frame
    }

    private func hearSealed(_ bench: inout CompanionBench, _ draw: inout RandomStream, _ peer: Peer) {
        let types: [PayloadType] = [.req, .response, .txtMsg, .path]
        let type = types[Int(draw.draw(0, 4))]
        let way = draw.draw(0, 2) == 0 ? Peer.Way.direct : .flood(bytes(&draw, atMost: 10))
        bench.hear(peer.datagram(type, bytes(&draw, atMost: 160), to: bench.key, way))
        let secret = draw.draw(0, 2) == 0 ? SharedSecret() : GroupChannel.publicChannel.secret
        let group: PayloadType = draw.draw(0, 2) == 0 ? .grpTxt : .grpData
        bench.hear(Peer.group(group, bytes(&draw, atMost: 168), secret: secret))
    }

    private func bytes(_ draw: inout RandomStream, atMost limit: UInt32) -> [UInt8] {
        (0..<draw.draw(0, limit + 1)).map { _ in draw.nextByte() }
    }

    @Test(arguments: [UInt64](1...8))
    func `random apps and airs find nothing to break`(_ seed: UInt64) {
        _ = run(seed: seed, rounds: 1500, interface: .serial)
        _ = run(seed: seed, quirks: .none, rounds: 1500, interface: .wifi(sendQueue: 4))
    }

    @Test func `one seed gives one run`() {
        let first = run(seed: 42, rounds: 500, interface: .serial)
        let second = run(seed: 42, rounds: 500, interface: .serial)
        let other = run(seed: 43, rounds: 500, interface: .serial)

        #expect(first == second && first != other)
    }
}
