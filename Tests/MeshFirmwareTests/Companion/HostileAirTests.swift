import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire
import Testing

/// A companion that repeats, delays and acknowledges twice hears packets of every type, length, path and route.
@Suite struct HostileAirTests {
    /// A frame whose header and path make sense more often than not, and sometimes names this node.
    private func frame(_ draw: inout RandomStream, near key: PublicKey) -> [UInt8] {
        let header = UInt8(draw.draw(0, 64))
        var frame = [header]
        if RouteType(header: header).hasTransportCodes { frame += (0..<4).map { _ in draw.nextByte() } }
        let size = Int(draw.draw(1, 4))
        let hops = [0, 1, Int(draw.draw(0, 65)), 64 / size, 63][Int(draw.draw(0, 5))]
        let length = PathLength(hashSize: size, hops: min(hops, 64 / size))
        frame.append(length.rawValue)
        var path = (0..<length.byteCount).map { _ in draw.nextByte() }
        if draw.draw(0, 2) == 0 { for index in path.indices { path[index] = key[index % size] } }
        var payload = (0..<draw.draw(0, 186)).map { _ in draw.nextByte() }
        let start = [0, 9, 10, 17][Int(draw.draw(0, 4))]
        if draw.draw(0, 2) == 0, payload.count > start { payload[start] = key[0] }
        if draw.draw(0, 2) == 0, payload.count > 8 { payload[8] = UInt8(draw.draw(0, 4)) }
        if draw.draw(0, 4) == 0, !payload.isEmpty { payload[0] = UInt8(draw.draw(0, 16)) << 4 | 3 }
        return Array((frame + path + payload).prefix(255))
    }

    private func hearSealed(_ bench: inout CompanionBench, _ draw: inout RandomStream) {
        let type = [PayloadType.req, .response, .txtMsg, .path][Int(draw.draw(0, 4))]
        let size = Int(draw.draw(1, 4))
        let hops = Int(draw.draw(0, UInt32(64 / size) + 1))
        let path = (0..<(size * hops)).map { _ in draw.nextByte() }
        var plaintext = (0..<draw.draw(0, 160)).map { _ in draw.nextByte() }
        if plaintext.count > 4, draw.draw(0, 2) == 0 { plaintext[4] = UInt8(draw.draw(0, 4)) << 2 | 1 }
        if type == .path, !plaintext.isEmpty, draw.draw(0, 4) != 0 {
            plaintext[0] = UInt8(draw.draw(0, 200))
            let extra = 1 + PathLength(rawValue: plaintext[0]).byteCount
            if extra < plaintext.count { plaintext[extra] = UInt8(draw.draw(0, 5)) }
        }
        if plaintext.count > 4, draw.draw(0, 4) == 0 { plaintext.replaceSubrange(..<4, with: [0, 0, 0, 0]) }
        let way = draw.draw(0, 2) == 0 ? Peer.Way.direct : .flood(PathLength(hashSize: size, hops: min(hops, 63)), path)
        bench.hear(Peer.bob.datagram(type, plaintext, to: bench.key, way))
    }

    private func run(seed: UInt64, board: BoardProfile, quirks: QuirkSet, rounds: Int) {
        var draw = Seed(seed).stream("air")
        var board = board
        board.loopPeriod = .milliseconds(1)
        board.hasGPS = true
        board.maxContacts = 4
        var bench = CompanionBench(board: board, quirks: quirks, seed: seed)
        bench.transmission = .real
        bench.send(
            SetRadioParams(frequency: 869_495, bandwidth: 500_000, spreadingFactor: 7, codingRate: 5, clientRepeat: 1))
        bench.send(SetTuningParams(receiveDelay: seed.isMultiple(of: 2) ? 20_000 : 0, airtimeFactor: 0))
        bench.send(
            SetOtherParams(manualAdd: 0, telemetryModes: 0x2A, advertLocationPolicy: 1, multiAcks: draw.nextByte()))
        bench.send([0x29] + Array("gps:1".utf8))
        bench.add(.bob)
        for _ in 0..<rounds {
            switch draw.draw(0, 8) {
            case 0...4: bench.hear(frame(&draw, near: bench.key), snr: Double(draw.draw(0, 60)) - 30)
            case 5: hearSealed(&bench, &draw)
            case 6: bench.sendText("x", to: .bob, at: draw.draw(0, 5))
            default: bench.wait(milliseconds: Int(draw.draw(0, 4000)))
            }
            bench.wait(milliseconds: Int(draw.draw(0, 60)))
            let accounts = bench.radio.accounts
            #expect(accounts.packetsInUse == accounts.packetsHeld && accounts.packetsHeld <= 16)
        }
        bench.wait(milliseconds: 60_000)
        #expect(bench.radio.accounts.packetsInUse == 0)
    }

    @Test(arguments: [UInt64](1...6))
    func `no packet breaks a companion that repeats, and none stays behind in it`(_ seed: UInt64) {
        run(seed: seed, board: .heltecV3, quirks: .all, rounds: 600)
        run(seed: seed, board: .rak4631, quirks: .none, rounds: 600)
    }
}
