import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshRadio
import MeshTime
import MeshWire
import Testing

/// The behaviour of the reference in corners that no statement names and no recording shows.
@Suite struct DetailTests {
    @Test func `a frequency that the chip does not have is stored, reported and not applied`() {
        var bench = CompanionBench()
        let before = bench.radio.radioParameters
        let wanted = SetRadioParams(
            frequency: 2_400_000, bandwidth: 125_000, spreadingFactor: 9, codingRate: 6, clientRepeat: nil)

        #expect(bench.ask(wanted) == Answer.ok)

        let info = bench.ask(AppStart()).first.flatMap { try? Resp.SelfInfo(decoding: $0) }
        #expect(info?.frequency == 2_400_000)
        #expect(
            bench.radio.radioParameters
                == LoRaParameters(
                    frequencyKilohertz: before.frequencyKilohertz, bandwidthHertz: 125_000, spreadingFactor: 9,
                    codingRate: 6))
    }

    @Test func `a spreading factor that the chip does not have leaves it at the one it had`() {
        var board = BoardProfile.vectors
        board.chip = .sx127x
        var bench = CompanionBench(board: board)
        let wanted = SetRadioParams(frequency: 869_525, bandwidth: 125_000, spreadingFactor: 5, codingRate: 5)
        #expect(bench.ask(wanted) == Answer.ok)
        #expect(bench.radio.radioParameters.spreadingFactor == board.radio.spreadingFactor)
        #expect(bench.radio.radioParameters.frequencyKilohertz == 869_525)

        var strict = CompanionBench(board: board, quirks: .all.removing(.unsupportedBandwidthAccepted))
        #expect(strict.ask(wanted) == Answer.illegal)
    }

    @Test(arguments: [("30", 30), (" 30", 30), ("+30x", 30), ("-1", 86400), ("x", 0), ("99999999999999999999", 86400)])
    func `the interval of the GPS is read as C reads numbers`(_ text: String, _ seconds: UInt32) {
        var board = BoardProfile.vectors
        board.hasGPS = true
        var bench = CompanionBench(board: board)

        #expect(bench.ask([0x29] + Array("gps_interval:\(text)".utf8)) == Answer.ok)

        #expect(bench.radio.preferences.gpsInterval == seconds)
    }

    @Test func `the NUL behind the variables is left in the transmit buffer`() {
        var board = BoardProfile.vectors
        board.hasGPS = true
        var bench = CompanionBench(board: board)
        #expect(bench.ask(AppStart()).first?[6] != 0)
        #expect(bench.ask([0x28]) == [[0x15] + "gps:0".utf8])

        let channel = bench.ask(GetChannel(channelIndex: 1)).first ?? []

        #expect(Array(channel.prefix(7)) == [0x12, 1, 0, 0x73, 0x3A, 0x30, 0])
    }

    @Test func `an empty file of an advert counts as none`() {
        let path = "/bl/" + Array(Peer.bob.key.prefix(8)).hex.uppercased()
        var bench = CompanionBench(flash: Flash(files: [(path, [])]))
        bench.add(Peer.bob)

        #expect(bench.ask(ExportContact(publicKey: Peer.bob.key)) == Answer.notFound)
        #expect(bench.ask(ShareContact(publicKey: Peer.bob.key)) == Answer.tableFull)
    }

    @Test(arguments: [BoardProfile.vectors, .rak4631])
    func `whatever the stored adverts hold, they can be exported, shared and replaced`(_ board: BoardProfile) {
        var stream = RandomStream(state: 11)
        var origin = CompanionBench.knowing(board: board)
        origin.hear(Peer.bob.advert(1))
        origin.wait(milliseconds: 6000)
        let flash = origin.radio.flash
        let path = flash.files.first { $0.path == "/adv_blobs" || $0.path.hasPrefix("/bl/") }?.path ?? ""
        let whole = flash[path] ?? []
        #expect(whole.count > 100)
        for round in UInt32(0)..<60 {
            var bytes = whole
            // The head of the first record, which says what is behind it.
            for _ in 0..<3 { bytes[Int(stream.draw(0, 20))] = stream.nextByte() }
            let count = stream.draw(0, 3) == 0 ? Int(stream.draw(0, 400)) : bytes.count
            var damaged = flash
            _ = damaged.write(Array(bytes.prefix(count)), to: path)
            var bench = CompanionBench(board: board, flash: damaged)

            _ = bench.ask(ExportContact(publicKey: Peer.bob.key))
            _ = bench.ask(ShareContact(publicKey: Peer.bob.key))
            bench.hear(Peer.bob.advert(2 + round))

            #expect(bench.ask(ExportContact(publicKey: Peer.bob.key)).first?.first == 0x0B)
        }
    }

    @Test func `a request to a stranger draws no random numbers`() {
        var bench = CompanionBench.knowing()
        let before = bench.radio.randomStream

        #expect(bench.ask(SendStatusReq(publicKey: Peer.bob.key)) == Answer.notFound)
        #expect(bench.ask(SendTelemetryReq(publicKey: Peer.bob.key)) == Answer.notFound)
        #expect(bench.ask(SendPathDiscoveryReq(publicKey: Peer.bob.key)) == Answer.notFound)

        #expect(bench.radio.randomStream == before)
    }

    @Test func `an app cannot fill the flash beyond its size`() {
        var board = BoardProfile.vectors
        board.storageKiB = 16
        var bench = CompanionBench(board: board)
        let key = bench.radio.core.identity.privateKey
        // Reading the contacts again forgets the contact, and its advert stays.
        for number in UInt8(0)..<150 {
            bench.send(ImportContact(packet: Peer("a node with a long name", seed: number).advert(1)))
            bench.wait(milliseconds: 3)
            bench.send(ImportPrivateKey(privateKey: key))
        }

        #expect(bench.radio.flash.usedBytes > 15 * 1024)
        #expect(bench.radio.flash.usedBytes <= 16 * 1024)
    }
}
