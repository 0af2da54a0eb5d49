import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

/// Details of messages and channels that are sharper than the statements of the suite: instants, repeated
/// acknowledgements.
@Suite struct MessageStatementTests {
    @Test func `a message that nobody acknowledges stays without a word`() {
        var bench = CompanionBench.knowing(.bob)
        bench.sendText("hi", to: .bob)

        bench.wait(milliseconds: 600_000)

        #expect(bench.takeFrames() == [])
        #expect(bench.radio.nextWake == .never)
    }

    // MARK: Receiving

    @Test func `channel texts of other types and cut datagrams are dropped`() {
        var bench = CompanionBench.knowing()
        let secret = GroupChannel.publicChannel.secret

        #expect(bench.hearing(Peer.group(.grpTxt, Peer.plaintext([0x78], type: .cliData, at: 1), secret: secret)) == [])
        #expect(bench.hearing(Peer.group(.grpData, [1, 0, 14, 1, 2], secret: secret)) == [])
        #expect(bench.hearing(Peer.group(.grpData, [1, 0, 13, 1, 2], secret: secret)) == Answer.waiting)
    }

    // MARK: Acknowledging by itself

    @Test func `a flooded message is acknowledged inside the way it came`() throws {
        var bench = CompanionBench.knowing(.bob)
        let plaintext = Peer.plaintext([UInt8]("hello".utf8), at: 9)
        bench.hear(Peer.bob.datagram(.txtMsg, plaintext, to: bench.key, .flood([0xAA, 0xBB])))

        bench.wait(milliseconds: 199)
        #expect(bench.transmitted.isEmpty)
        let answer = try #require(bench.airAfter().first)

        let ack = MeshHash.ackHash(plaintext: plaintext, key: Peer.bob.key)
        let opened = try #require(Peer.bob.opened(answer.bytes, with: bench.key))
        #expect(answer.type == .path && answer.route == .flood)
        #expect(Array(opened.prefix(9)) == [2, 0xAA, 0xBB, 3] + Peer.bytes(ack) + [0])
    }

    @Test func `a direct message is acknowledged along the path, twice when asked to`() {
        var bench = CompanionBench.knowing()
        bench.add(.bob, path: PathLength(hashSize: 1, hops: 1), [0x55])
        bench.hear(Peer.bob.text("a", at: 1, to: bench.key))
        let once = bench.airAfter()
        bench.send(SetOtherParams(manualAdd: 0, telemetryModes: 0, advertLocationPolicy: 0, multiAcks: 3))
        bench.hear(Peer.bob.text("b", at: 2, to: bench.key))
        let twice = bench.airAfter()

        #expect(once.map(\.type) == [.ack] && once[0].path == [0x55] && once[0].payloadCount == 6)
        #expect(twice.map(\.type) == [.multipart, .ack])
    }

    @Test func `a direct message of a contact without a path is acknowledged by flood`() {
        var bench = CompanionBench.knowing(.bob)
        bench.hear(Peer.bob.text("a", at: 1, to: bench.key))

        let air = bench.airAfter()

        #expect(air.map(\.type) == [.ack] && air[0].route == .flood)
    }

    @Test func `the attempt that rides behind a text comes back in its acknowledgement`() {
        var bench = CompanionBench.knowing()
        bench.add(.bob, path: .empty)
        let plaintext = Peer.plaintext([0x61, 0, 9], attempt: 9, at: 1)
        bench.hear(Peer.bob.datagram(.txtMsg, plaintext, to: bench.key))

        #expect(bench.airAfter().first?.payload[4] == 9)
    }
}
