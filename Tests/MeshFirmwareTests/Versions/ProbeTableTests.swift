import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshWire
import Testing

/// The probe table of FirmwareVersions, section 7: one question a row that distinguishes the versions (FWV-220).
@Suite struct ProbeTableTests {
    @Test(arguments: Probe.all, FirmwareVersion.all)
    func `a probe gets the answer of its version's column`(_ probe: Probe, _ version: FirmwareVersion) throws {
        let column = try #require(FirmwareVersion.all.firstIndex(of: version))

        #expect(try probe.ask(version) == probe.answers[column])
    }

    @Test func `the table has 24 rows, each with a column for every version`() {
        #expect(Probe.all.map(\.name) == (1...24).map { "P\($0)" })
        #expect(Probe.all.allSatisfy { $0.answers.count == FirmwareVersion.all.count })
    }
}

/// A row of the table: what is asked, and what each version answers, oldest first.
struct Probe: Sendable, CustomTestStringConvertible {
    let name: String
    let answers: [String]
    let ask: @Sendable (FirmwareVersion) throws -> String

    var testDescription: String { name }

    private init(_ name: String, _ answers: String..., ask: @escaping @Sendable (FirmwareVersion) throws -> String) {
        self.name = name
        self.answers = answers
        self.ask = ask
    }

    /// A frame as hex, and of the answer as many bytes as the row gives.
    private static func asked(_ hex: String, bytes: Int = 2) -> @Sendable (FirmwareVersion) throws -> String {
        { version in
            var bench = CompanionBench.running(version)
            let frame = try #require([UInt8](hex: hex.filter { $0 != " " }))
            return bench.ask(frame).map { [UInt8]($0.prefix(bytes)).hex }.joined(separator: " ")
        }
    }

    private static let u = "0101"
    private static let repeatFrequency = "77440d00 24f40000 08 05"

    static let all: [Probe] = settings + sending + air

    private static let settings = [
        Probe("P1", "0d0a", "0d0b", "0d0d", "0d0d", "0d0e", ask: asked("16 03")),
        Probe("P2", u, "1c", "1c", "1c", "1c", ask: asked("40")),
        Probe("P3", u, "00", "00", "00", "00", ask: asked("3e 00 ff ffff a1b2")),
        Probe("P4", u, "0106", "00", "00", "00", ask: asked("3e 00 ff ffff" + String(repeating: "61", count: 164))),
        Probe(
            "P5", u, "0106", "0103", "0103", "0106", ask: asked("3e 00 ff ffff" + String(repeating: "61", count: 166))),
        Probe("P6", u, u, "00", "00", "00", ask: asked("36 01")),
        Probe("P7", u, u, "00", "00", "00", ask: asked("41 00 11 00 aa")),
        Probe("P8", "0102", "0102", "0600", "0600", "0600", ask: asked("39" + Peer.eve.key.hex + "01")),
        Probe("P9", "0102", "0102", "0102", "03 148", "03 148") { version in
            var bench = CompanionBench.running(version)
            let answer = bench.ask([0x1E] + [UInt8](repeating: 0, count: 32))[0]
            return answer.count > 2 ? "\([answer[0]].hex) \(answer.count)" : answer.hex
        },
        Probe("P10", "0106", "00", "00", "00", "00", ask: asked("0b 400d0300 90d00300 0b 05")),
        Probe(
            "P11", "88420d0088420d00", "88420d0088420d00", "77440d0077440d00", "77440d0077440d00", "77440d0077440d00"
        ) { version in
            var bench = CompanionBench.running(version)
            return [UInt8](bench.ask([0x3C])[0][9..<17]).hex
        },
        Probe("P12", "0106", "0106", "00", "00", "00", ask: asked("0b" + repeatFrequency + "01")),
        // The two that refuse the frequency keep what was there.
        Probe("P13", "00", "00", "02", "01", "01") { version in
            var bench = CompanionBench.running(version)
            _ = bench.ask(try #require([UInt8](hex: ("0b" + repeatFrequency + "02").filter { $0 != " " })))
            return [bench.ask([0x16, 3])[0][80]].hex
        },
    ]

    private static let sending = [
        Probe("P14", u, u, u, u, "00", ask: asked("19 41 aabb 01020304")),
        Probe("P15", u, u, u, u, "0106", ask: asked("19 02 aabb 010203")),
        Probe(
            "P16", u, u, u, u, "060100000000",
            ask: asked("02 03 00 05000000" + Peer.bob.prefix.hex + "41", bytes: 6)),
        Probe("P17", u, u, u, u, "1d" + [UInt8]("v1.18.0".utf8).hex, ask: asked("42 766572", bytes: 8)),
        Probe("P18", u, u, u, u, u, ask: asked("42 76")),
        Probe("P19", "159", "159", "160", "160", "160") { version in
            // By wire: the receivers cut there, and drop elsewhere.
            var bench = CompanionBench.running(version, interface: .serial)
            let frame = [2, 0, 0, 5, 0, 0, 0] + Peer.bob.prefix + [UInt8](repeating: 0x41, count: 160)
            bench.send([0x3C, UInt8(frame.count), 0] + frame)
            let packet = try #require(bench.airAfter(milliseconds: 2000).first)
            return "\(try #require(Peer.bob.opened(packet.bytes, with: bench.key)).dropFirst(5).count { $0 == 0x41 })"
        },
    ]

    private static let air = [
        Probe("P20", "", "", "88 173", "88 173", "88 173") { version in
            var bench = CompanionBench.running(version)
            bench.connect()
            bench.toApp = []
            bench.hear([0x3D, 0] + [UInt8](repeating: 1, count: 168))
            let log = bench.takeFrames().first { $0[0] == PushCode.logRxData.rawValue }
            return log.map { "\([$0[0]].hex) \($0.count)" } ?? ""
        },
        Probe("P21", "4", "4", "6", "6", "6") { version in
            var bench = CompanionBench.running(version)
            // Attempt 5 stands behind the text, and is the fifth byte of a long acknowledgement.
            let plaintext = Peer.plaintext([0x68, 0x69, 0, 5], attempt: 5, at: CompanionBench.epoch)
            bench.hear(Peer.bob.datagram(.txtMsg, plaintext, to: bench.key, .flood))
            let answer = try #require(bench.airAfter(milliseconds: 2000).first)
            let opened = try #require(Peer.bob.opened(answer.bytes, with: bench.key))
            // Path length, type of the extra, acknowledgement, padding.
            try #require(opened[0] == 0 && opened[1] == PayloadType.ack.rawValue)
            return opened[6] == 5 ? "6" : opened[6...].allSatisfy { $0 == 0 } ? "4" : "?"
        },
        Probe("P22", "PATH", "PATH", "PATH", "PATH", "") { version in
            var bench = CompanionBench.running(version)
            bench.hear(Peer.bob.text("reboot", type: .cliData, at: CompanionBench.epoch, to: bench.key, .flood))
            return bench.airAfter(milliseconds: 5000).map { $0.type == .path ? "PATH" : "?" }.joined()
        },
        Probe("P23", "", "", "", "", "8c0078563412") { version in
            var bench = CompanionBench.running(version)
            bench.connect()
            let frames = bench.hearing(Peer.bob.response(0x1234_5678, [1, 2, 3, 4, 5], to: bench.key))
            return frames.map { [UInt8]($0.prefix(6)).hex }.joined(separator: " ")
        },
        // By 16 symbols of 4.096 ms, sixteen times.
        Probe("P24", "4644", "4644", "5684", "5684", "5684") { version in
            var bench = CompanionBench.running(version)
            let sent = SendTxtMsg(
                textType: .plain, attempt: 0, timestamp: 5, publicKeyPrefix: FixedBytes(Peer.bob.prefix), text: "A")
            return "\(try bench.mustSend(sent).timeout)"
        },
    ]
}

extension CompanionBench {
    /// A radio that runs this version, with one chat contact whose path is unknown, and an app of level 3.
    static func running(_ version: FirmwareVersion, interface: AppInterface = .frames) -> CompanionBench {
        var board = BoardProfile.vectors
        board.firmware = version
        var flash = Flash()
        if case .frames = interface {
        } else {
            // Its contact is made on the other side of a restart: a wire carries no bare frames.
            var bench = CompanionBench(board: board)
            bench.send(SetDeviceTime(epoch: epoch))
            bench.add(.bob)
            bench.wait(milliseconds: 10_000)
            flash = bench.radio.flash
        }
        var bench = CompanionBench(board: board, flash: flash, interface: interface)
        guard case .frames = interface else { return bench }
        bench.send(SetDeviceTime(epoch: epoch))
        bench.send(DeviceQuery(appTargetVersion: 3))
        bench.add(.bob)
        bench.toApp = []
        return bench
    }
}
