import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// Details of logins and requests that are sharper than the statements of the suite: other senders, other modes.
@Suite struct RequestStatementTests {
    // MARK: Logins

    @Test func `a room is told the time of its newest post`() {
        var bench = CompanionBench.knowing(.room)
        let post = Peer.plaintext([1, 2, 3, 4] + "post".utf8, type: .signedPlain, at: 77)
        bench.hear(Peer.room.datagram(.txtMsg, post, to: bench.key))
        bench.wait(milliseconds: 1000)
        bench.transmitted = []

        bench.send(SendLogin(publicKey: Peer.room.key, password: ""))

        let packet = bench.airAfter()[0]
        let plain = Sealing.open(
            [UInt8](packet.payload.dropFirst(33)), secret: Peer.room.secret(with: bench.key))
        #expect(plain.map { Array($0[4..<8]) } == Peer.bytes(77))
    }

    // MARK: Requests

    @Test func `a status is known by its sender alone`() throws {
        var bench = CompanionBench.knowing(.rep, .bob)
        let sent = try bench.mustSend(SendStatusReq(publicKey: Peer.rep.key))

        #expect(sent.tag == CompanionBench.epoch)
        #expect(bench.hearing(Peer.bob.response(sent.tag, [1], to: bench.key)) == [])
        let data = [UInt8](1...12)
        #expect(
            bench.hearing(Peer.rep.response(12345, data, to: bench.key)) == [[0x87, 0] + Peer.rep.prefix + data])
    }

    @Test func `a flooded answer of a node with a path is told the path again`() {
        var bench = CompanionBench.knowing()
        bench.add(.rep, path: PathLength(hashSize: 1, hops: 1), [0x99])
        bench.hear(Peer.rep.response(1, [1], to: bench.key, .flood([0x31])))

        #expect(bench.airAfter(milliseconds: 2900).isEmpty)
        let air = bench.airAfter()

        #expect(air.map(\.type) == [.path] && air[0].path == [0x99])
        #expect(Peer.rep.opened(air[0].bytes, with: bench.key)?.prefix(3).elementsEqual([1, 0x31, 0xFF]) == true)
    }

    // MARK: Answering

    @Test(
        arguments: [
            (modes: UInt8(0b00), flags: UInt8(0x02), mask: UInt8(0), answers: false),
            (0b01, 0x00, 0, false), (0b01, 0x02, 0, true), (0b10, 0x00, 0, true), (0b11, 0x02, 0, false),
            (0b10, 0x00, 0x01, false),
        ])
    func `telemetry is given to those who may have it`(_ row: (modes: UInt8, flags: UInt8, mask: UInt8, answers: Bool))
    {
        var bench = CompanionBench.knowing()
        bench.add(.bob, path: .empty, flags: row.flags)
        bench.send(SetOtherParams(manualAdd: 0, telemetryModes: row.modes))
        bench.toApp = []
        let request = Peer.bytes(77) + [3, row.mask, 0, 0, 0, 1, 2, 3, 4]

        #expect(bench.hearing(Peer.bob.datagram(.req, request, to: bench.key)) == [])

        let air = bench.airAfter()
        #expect(air.map(\.type) == (row.answers ? [.response] : []))
        guard let packet = air.first else { return }
        #expect(
            Peer.bob.opened(packet.bytes, with: bench.key)?.prefix(8).elementsEqual(
                Peer.bytes(77) + [1, 0x74, 1, 0xA3]) == true)
    }
}
