import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire
import Testing

/// The tables of `companion.json` that need a whole radio.
@Suite struct CompanionVectorTests {
    /// Sends all commands one after another, 700 ms apart, as to the reference.
    ///
    /// Replies depend on the state of buffers, counters and tables after earlier commands.
    @Test func `every recorded command is answered as the reference answered it`() {
        let vectors = CompanionVectors.stored
        var board = BoardProfile.vectors
        board.hasGPS = true
        var bench = CompanionBench(board: board, flash: .holding(vectors.identity("factory").local))
        bench.withRadio { $0.setClock(0x6B49_CE18) }
        for (name, type) in [("bob", NodeType.chat), ("rep", .repeater)] {
            let peer = Peer(
                name.prefix(1).uppercased() + name.dropFirst(), type: type, identity: vectors.identity(name).local)
            bench.hear(peer.advert(0x6B49_CA30))
            bench.wait(milliseconds: 300)
        }

        var seen = 0
        for frame in vectors.frames {
            guard let reply = frame.referenceReply else { continue }
            bench.toApp = []
            bench.send([UInt8](hex: frame.hex) ?? [])
            bench.wait(milliseconds: 100)
            // The next step of the mesh may push something of its own, as after an import.
            let answers = bench.takeFrames().filter { $0[0] < 0x80 || $0[0] == 0x8B }
            #expect(answers.map(\.hex) == reply, "\(frame.name)")
            bench.wait(milliseconds: 600)
            if bench.radio.isHalted { bench.reboot() }
            seen += 1
        }

        #expect(seen == 81)
    }

    @Test(arguments: CompanionVectors.stored.sentTimeouts.rows)
    func `SENT tells how long to wait`(_ row: CompanionVectors.Timeout) {
        var bench = CompanionBench.knowing(.bob)
        bench.send(
            SetRadioParams(
                frequency: row.freqKhz, bandwidth: row.bwHz, spreadingFactor: row.sf, codingRate: row.cr))
        let text = String(repeating: "x", count: row.textBytes)
        let paths: [(PathLength, UInt32)] = [
            (.unknown, row.flood), (.empty, row.direct0Hops),
            (PathLength(hashSize: 2, hops: 2), row.direct2Hops2Byte),
            (PathLength(hashSize: 1, hops: 3), row.direct3Hops),
        ]

        for (path, wanted) in paths {
            bench.add(.bob, path: path, [1, 2, 3, 4])
            let sent = bench.sent(
                SendTxtMsg(
                    textType: .plain, attempt: 0, timestamp: 1, publicKeyPrefix: FixedBytes(Peer.bob.prefix),
                    text: ByteText(text)))
            #expect(sent?.timeout == wanted, "\(path)")
            #expect(sent?.route == (path.isUnknown ? 1 : 0))
            bench.wait(milliseconds: 1000)
        }
    }

    @Test(arguments: CompanionVectors.stored.derivations.floatRoundTrips)
    func `values come back as floating point leaves them`(_ row: CompanionVectors.RoundTrip) throws {
        var bench = CompanionBench()
        let sent = row.sent ?? []

        switch row.command {
        case "SET_ADVERT_LATLON":
            bench.send(SetAdvertLatlon(latitude: Int32(sent[0]), longitude: Int32(sent[1])))
            let info = try Resp.SelfInfo(decoding: bench.ask(AppStart())[0])
            #expect([Int64(info.latitude), Int64(info.longitude)] == row.reported)
        case "SET_TUNING_PARAMS":
            bench.send(SetTuningParams(receiveDelay: UInt32(sent[0]), airtimeFactor: UInt32(sent[1])))
            let tuning = try Resp.TuningParams(decoding: bench.ask(GetTuningParams())[0])
            #expect([Int64(tuning.receiveDelay), Int64(tuning.airtimeFactor)] == row.reported)
        case "SET_RADIO_PARAMS":
            bench.send(
                SetRadioParams(
                    frequency: UInt32(sent[0]), bandwidth: UInt32(sent[1]), spreadingFactor: 8, codingRate: 5))
            let info = try Resp.SelfInfo(decoding: bench.ask(AppStart())[0])
            #expect([Int64(info.frequency), Int64(info.bandwidth)] == row.reported)
        default:
            bench.withRadio { $0.environment.battery = .millivolts(row.batteryMv ?? 0) }
            let lpp = try Push.TelemetryResponse(decoding: bench.ask([39, 0, 0, 0])[0]).lpp
            #expect(lpp.hex == row.lpp)
        }
    }

    @Test(arguments: CompanionVectors.stored.framing, [1, 3, 4096])
    func `streams of bytes are cut into frames as the reference cuts them`(
        _ stream: CompanionVectors.Stream, _ size: Int
    ) {
        let isWifi = stream.name.hasPrefix("wifi")
        var bench = CompanionBench(interface: isWifi ? .wifi(sendQueue: 4) : .serial)
        bench.withRadio { $0.setClock(1_800_000_000) }
        if isWifi { bench.connect() }
        let bytes = [UInt8](hex: stream.bytesToRadio) ?? []

        for start in stride(from: 0, to: bytes.count, by: size) {
            bench.pass(.appBytes([UInt8](bytes[start..<min(start + size, bytes.count)])))
        }
        bench.wait(milliseconds: 50)

        #expect(bench.takeFrames().flatMap(\.self).hex == stream.bytesToApp)
    }
}
