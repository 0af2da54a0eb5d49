import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTestSupport
import MeshWire
import Testing

/// CMP-159 to CMP-179: logins and requests, and who answers them.
@Suite struct RequestStatementTests {
    private func login(_ bench: inout CompanionBench, _ peer: Peer = .rep) {
        bench.send(SendLogin(publicKey: peer.key, password: "password"))
        bench.toApp = []
    }

    // MARK: Logins

    @Test(.proves("CMP-159", "CMP-160")) func `a login names its server and carries 15 bytes of password`() throws {
        var bench = CompanionBench.knowing(.rep, .room)
        let password = ByteText(String(repeating: "p", count: 30))

        let sent = bench.sent(SendLogin(publicKey: Peer.rep.key, password: password))
        bench.send(SendLogin(publicKey: Peer.room.key, password: password))

        let air = bench.airAfter()
        let plain = zip([Peer.rep, .room], air).map { peer, packet in
            Sealing.open([UInt8](packet.payload.dropFirst(33)), secret: peer.secret(with: bench.key)) ?? []
        }
        #expect(sent.map { Peer.bytes($0.tag) } == Array(Peer.rep.key.prefix(4)))
        #expect(
            Array(plain[0]) == Peer.bytes(CompanionBench.epoch) + [UInt8](repeating: 0x70, count: 15)
                + [UInt8](repeating: 0, count: 13))
        #expect(Array(plain[1].prefix(8)) == Peer.bytes(CompanionBench.epoch + 1) + [0, 0, 0, 0])
        #expect(plain[1].dropFirst(8).prefix { $0 != 0 }.count == 15)
    }

    @Test(.proves("CMP-160")) func `a room is told the time of its newest post`() {
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

    @Test(.proves("CMP-161")) func `a granted login is reported once in full`() {
        var bench = CompanionBench.knowing(.rep)
        login(&bench)
        let answer = Peer.rep.response(99, [0, 0, 1, 3, 9, 9, 9, 9, 2], to: bench.key)

        #expect(bench.hearing(answer) == [[0x85, 1] + Peer.rep.prefix + Peer.bytes(99) + [3, 2]])
        #expect(bench.hearing(Peer.rep.response(100, [0, 0, 1, 3, 9, 9, 9, 9, 2], to: bench.key)) == [])
    }

    @Test(.proves("CMP-162")) func `old servers say OK and anything else is a failure`() {
        var bench = CompanionBench.knowing(.rep)
        login(&bench)
        #expect(
            bench.hearing(Peer.rep.response(1, [0x4F, 0x4B], to: bench.key)) == [[0x85, 0] + Peer.rep.prefix])
        login(&bench)
        #expect(bench.hearing(Peer.rep.response(2, [1], to: bench.key)) == [[0x86, 0] + Peer.rep.prefix])
    }

    @Test(.proves("CMP-235")) func `whatever a server answers next ends a pending login`() {
        var bench = CompanionBench.knowing(.rep)
        login(&bench)

        #expect(bench.hearing(Peer.rep.response(5, [7, 7, 7], to: bench.key)) == [[0x86, 0] + Peer.rep.prefix])
        #expect(bench.hearing(Peer.rep.response(6, [0, 0, 1, 3, 9, 9, 9, 9, 2], to: bench.key)) == [])
    }

    @Test(.proves("CMP-175")) func `a keep-alive connection lasts until LOGOUT`() {
        var bench = CompanionBench.knowing(.rep)
        login(&bench)
        bench.hear(Peer.rep.response(99, [0, 2, 1, 3, 9, 9, 9, 9, 2], to: bench.key))

        #expect(bench.ask(HasConnection(publicKey: Peer.rep.key)) == Answer.ok)
        bench.wait(milliseconds: 3_600_000)
        #expect(bench.ask(HasConnection(publicKey: Peer.rep.key)) == Answer.ok)
        #expect(bench.ask(Logout(publicKey: Peer.rep.key)) == Answer.ok)
        #expect(bench.ask(HasConnection(publicKey: Peer.rep.key)) == Answer.notFound)
        #expect(bench.ask(Logout(publicKey: Peer.eve.key)) == Answer.ok)
    }

    // MARK: Requests

    @Test(.proves("CMP-163")) func `a status is known by its sender alone`() throws {
        var bench = CompanionBench.knowing(.rep, .bob)
        let sent = try bench.mustSend(SendStatusReq(publicKey: Peer.rep.key))

        #expect(sent.tag == CompanionBench.epoch)
        #expect(bench.hearing(Peer.bob.response(sent.tag, [1], to: bench.key)) == [])
        let data = [UInt8](1...12)
        #expect(
            bench.hearing(Peer.rep.response(12345, data, to: bench.key)) == [[0x87, 0] + Peer.rep.prefix + data])
    }

    @Test(.proves("CMP-164", "CMP-165")) func `answers come with the padding of the cipher block`() throws {
        var bench = CompanionBench.knowing(.rep)
        let padding = [UInt8](repeating: 0, count: 8)
        let telemetry = try bench.mustSend(SendTelemetryReq(publicKey: Peer.rep.key))
        let lpp: [UInt8] = [1, 0x74, 1, 0x8E]
        #expect(
            bench.hearing(Peer.rep.response(telemetry.tag, lpp, to: bench.key))
                == [[0x8B, 0] + Peer.rep.prefix + lpp + padding])

        let binary = try bench.mustSend(SendBinaryReq(publicKey: Peer.rep.key, request: [6, 0, 255]))
        #expect(
            bench.hearing(Peer.rep.response(binary.tag, lpp, to: bench.key))
                == [[0x8C, 0] + Peer.bytes(binary.tag) + lpp + padding])
        let packet = try #require(bench.airAfter().last)
        #expect(
            Peer.rep.opened(packet.bytes, with: bench.key)?.prefix(7).elementsEqual(
                Peer.bytes(binary.tag) + [6, 0, 255]) == true)
    }

    @Test(.proves("CMP-166")) func `a new request of any kind forgets the pending one`() throws {
        var bench = CompanionBench.knowing(.rep)
        let first = try bench.mustSend(SendBinaryReq(publicKey: Peer.rep.key, request: [1]))
        let second = try bench.mustSend(SendTelemetryReq(publicKey: Peer.rep.key))

        #expect(bench.hearing(Peer.rep.response(first.tag, [1], to: bench.key)) == [])
        #expect(bench.hearing(Peer.rep.response(second.tag, [1], to: bench.key)).map { $0[0] } == [0x8B])
    }

    @Test(.proves("CMP-167")) func `texts, traces and failed requests leave a pending request alone`() throws {
        var bench = CompanionBench.knowing(.rep)
        let sent = try bench.mustSend(SendBinaryReq(publicKey: Peer.rep.key, request: [1]))

        bench.sendText("hi", to: .rep)
        bench.send(SendTracePath(tag: 1, auth: 2, flags: 0, path: [1]))
        bench.send(SendBinaryReq(publicKey: Peer.eve.key, request: [1]))

        #expect(bench.hearing(Peer.rep.response(sent.tag, [1], to: bench.key)).map { $0[0] } == [0x8C])
    }

    @Test(.proves("CMP-168", "CMP-169", "CMP-247"))
    func `path discovery floods, reports both ways and changes nothing`() throws {
        var bench = CompanionBench.knowing()
        let path = PathLength(hashSize: 1, hops: 1)
        bench.add(.rep, path: path, [0x99])

        let sent = try bench.mustSend(SendPathDiscoveryReq(publicKey: Peer.rep.key))
        let request = try #require(bench.airAfter().first)
        let frames = bench.hearing(
            Peer.rep.pathReturn(
                PathLength(hashSize: 2, hops: 2), [0xAA, 0xBB, 0xCC, 0xDD], extra: .response,
                Peer.bytes(sent.tag) + [1, 0x74, 1, 0x8E], to: bench.key, .flood([0x11, 0x22])))

        #expect(sent.route == 1 && request.isFlood)
        #expect(
            Peer.rep.opened(request.bytes, with: bench.key).map { Array($0[4..<9]) } == [3, 0xFE, 0, 0, 0])
        #expect(frames == [[0x8D, 0] + Peer.rep.prefix + [0x42, 0xAA, 0xBB, 0xCC, 0xDD, 2, 0x11, 0x22]])
        #expect(bench.contact(.rep)?.outPathLength == path)
        #expect(bench.airAfter().isEmpty)
    }

    @Test(.proves("CMP-170")) func `an answer inside a path first updates the path`() throws {
        var bench = CompanionBench.knowing(.rep)
        let sent = try bench.mustSend(SendTelemetryReq(publicKey: Peer.rep.key))

        let frames = bench.hearing(
            Peer.rep.pathReturn(
                .empty, [], extra: .response, Peer.bytes(sent.tag) + [1, 2, 3], to: bench.key, .flood))

        #expect(frames.map { $0[0] } == [0x81, 0x8B])
    }

    @Test(.proves("CMP-172", "CMP-174")) func `strangers are asked over eight hidden slots`() throws {
        var bench = CompanionBench.knowing()
        let strangers = (0..<9).map { Peer("S", seed: 0x60 + UInt8($0)) }
        for peer in strangers {
            let sent = try bench.mustSend(SendAnonReq(publicKey: peer.key, data: [1, 0]))
            #expect(sent.route == 0)
            bench.wait(milliseconds: 1000)
        }

        #expect(bench.takeTransmissions().count == 9)
        #expect(bench.ask(GetContactByKey(publicKey: strangers[0].key)) == Answer.notFound)
        #expect(bench.contact(strangers[1]) != nil)
        #expect(bench.listing() == [])
        let last = try bench.mustSend(SendAnonReq(publicKey: strangers[8].key, data: [1]))
        #expect(
            bench.hearing(strangers[8].response(last.tag, [5], to: bench.key)).map { Array($0.prefix(7)) }
                == [[0x8C, 0] + Peer.bytes(last.tag) + [5]])
    }

    @Test(.proves("CMP-176")) func `tags never repeat`() {
        var bench = CompanionBench.knowing(.rep)

        let tags = (0..<3).compactMap { _ in bench.sent(SendStatusReq(publicKey: Peer.rep.key))?.tag }

        #expect(tags == [0, 1, 2].map { CompanionBench.epoch + $0 })
    }

    @Test(.proves("CMP-177")) func `a response with tag 0 passes for telemetry`() {
        var bench = CompanionBench.knowing(.rep)

        #expect(bench.hearing(Peer.rep.response(0, [1], to: bench.key)).map { $0[0] } == [0x8B])
    }

    @Test(.proves("CMP-178")) func `an answer that finds nobody is used up`() throws {
        var bench = CompanionBench.knowing(.rep)
        let sent = try bench.mustSend(SendBinaryReq(publicKey: Peer.rep.key, request: [1]))
        bench.disconnect()
        bench.hear(Peer.rep.response(sent.tag, [1], to: bench.key))
        bench.connect()

        #expect(bench.takeFrames() == [])
        #expect(bench.hearing(Peer.rep.response(sent.tag, [2], to: bench.key)) == [])
    }

    @Test(.proves("CMP-179")) func `an answer too long for a frame is lost`() throws {
        var bench = CompanionBench.knowing(.rep)
        let sent = try bench.mustSend(SendBinaryReq(publicKey: Peer.rep.key, request: [1]))

        #expect(
            bench.hearing(Peer.rep.response(sent.tag, [UInt8](repeating: 1, count: 157), to: bench.key)) == [])
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
        .proves("CMP-230"),
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
