import MeshCompanion
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import Testing

/// Listening before talking as the drivers of the versions do it, compared with figures of running firmware.
///
/// Series of runs are compared by Fisher's exact test, two-sided, at 5 %.
@Suite struct ListeningTests {
    private static let bursts = 48

    /// Bursts that were wholly confirmed.
    struct Figures: Sendable, CustomTestStringConvertible {
        let version: FirmwareVersion
        /// In firmware that ran on a stand-in of the chip: four direct texts at once, first attempts, moments spread
        /// over 2 s.
        let running: (whole: Int, runs: Int)
        /// The counts of 480 runs for each length, with the released drivers and dispatchers themselves.
        ///
        /// They were compiled for a desk with a stand-in of the SX1262. Its other side sent four frames half a
        /// millisecond apart. The model was not changed after it.
        let desk: [Int]

        var testDescription: String { version.name }

        static let all = [
            Figures(version: .v1_15, running: (2, 12), desk: [105, 267, 199]),
            Figures(version: .v1_16, running: (0, 12), desk: [106, 17, 101]),
            Figures(version: .v1_17_1, running: (9, 16), desk: [190, 231, 321]),
        ]
    }

    @Test(.proves("FWV-089"), arguments: Figures.all)
    func `four texts at once are confirmed as often as with the real drivers`(_ real: Figures) {
        for (length, desk) in zip(TextBurst.lengths, real.desk) {
            let bursts = bursts(real.version, length)
            expect(bursts, desk, of: 480)
            // The length of the texts in the running firmware was not written down; this one fits all three series
            // best.
            guard length == 16 else { continue }
            expect(bursts, real.running.whole, of: real.running.runs)
            guard real.version == .v1_17_1 else { continue }
            // In each of the other seven two texts arrived, and none was confirmed.
            let lost = bursts.filter { !$0.isWhole }
            let alike = lost.count { $0.arrived == 2 && $0.acknowledged == 0 }
            #expect(FisherTest(alike, of: lost.count, and: 7, of: 7).probability >= 0.05)
        }
    }

    /// Before a modem notices a weak frame, its driver still samples: a sampling ends between two frames. The
    /// figures are from the desk, with a signal of 10 dB above the noise floor in place of 30.
    @Test func `weak signals are talked over more often, as with the real driver`() {
        for (length, weak) in zip(TextBurst.lengths, [138, 59, 179]) {
            expect(bursts(.v1_17_1, length, rssiHundredths: -10_000), weak, of: 480)
        }
    }

    private func bursts(_ version: FirmwareVersion, _ length: Int, rssiHundredths: Int16 = -8000) -> [TextBurst] {
        var setting = TextBurst.Setting(version)
        setting.length = length
        setting.rssiHundredths = rssiHundredths
        return TextBurst.spread(Self.bursts, setting)
    }

    /// Expects that the share of whole bursts is compatible with that of another series.
    private func expect(
        _ bursts: [TextBurst], _ whole: Int, of runs: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let own = bursts.count(where: \.isWhole)
        let test = FisherTest(own, of: bursts.count, and: whole, of: runs)
        #expect(test.probability >= 0.05, "\(own) of \(bursts.count)", sourceLocation: sourceLocation)
    }

    @Test func `1.14 listens as 1.15 does, and the development branch as 1.17`() {
        func bursts(_ version: FirmwareVersion) -> [TextBurst] { TextBurst.spread(6, TextBurst.Setting(version)) }

        #expect(bursts(.v1_14) == bursts(.v1_15))
        #expect(bursts(.v1_18) == bursts(.v1_17_1))
    }

    /// Running firmware: 12 of 12.
    @Test func `with the preamble unmasked and nothing remembered, 1.16 loses nothing`() {
        var switches = FirmwareVersion.v1_16.switches
        switches.receptionFlags = .preambleAndHeader
        var setting = TextBurst.Setting(
            FirmwareVersion(name: "1.16", release: "1.16.0", buildDate: "6 Jun 2026", switches: switches))
        setting.quirks.remove(.nextFrameOverlooked)

        expect(TextBurst.spread(12, setting), 12, of: 12)
    }

    /// Running firmware without the sampling: 0 of 16.
    @Test func `bursts in which no sampling of the noise floor begins are talked over`() {
        // The samplings of both radios begin 30 ms after the first moment, and then 2,001 ms later.
        let moments = (span: TimeSpan.milliseconds(400), first: TimeSpan.milliseconds(50))
        let bursts = TextBurst.spread(16, over: moments.span, from: moments.first, TextBurst.Setting(.v1_17_1))

        expect(bursts, 0, of: 16)
    }

    /// 60 acknowledgements behind a busy channel, in running firmware: after 802 to 1,044 ms, 880 on average.
    @Test(arguments: [FirmwareVersion.v1_16, .v1_17_1])
    func `an acknowledgement waits for a frame to end as long as on running firmware`(_ version: FirmwareVersion) {
        let delays = (1...60).compactMap { acknowledgementDelay(version, seed: UInt64($0)) }

        #expect(delays.count == 60)
        // Pauses are of 120, 240 or 360 ms and a millisecond each.
        #expect(delays.allSatisfy { 800...1046 ~= $0 })
        // Two means of 60, at 5 %: with pauses drawn evenly and a channel busy for 480 to 600 ms the deviation is 87
        // ms.
        let mean = Double(delays.reduce(0, +)) / 60
        #expect(abs(mean - 880) < 1.96 * 87 * (2.0 / 60).squareRoot())
    }

    /// Returns the milliseconds from a direct text to its acknowledgement, when a frame of 0.7 s begins 10 ms after
    /// the text.
    private func acknowledgementDelay(_ version: FirmwareVersion, seed: UInt64) -> Int64? {
        var line = MixedLine.pair(version, version, seed: seed)
        line.sendText("first", from: 0, to: 1, at: 1_800_000_000)
        line.wait(20)
        line.forgetTrace()
        line.sendText("second", from: 0, to: 1, at: 1_800_000_001)
        line.wait(.milliseconds(5))
        guard let end = line.transmissions(of: 0).first?.upperBound else { return nil }
        line.wait(end + .milliseconds(10) - line.world.now)
        // A direct text to somebody else.
        line.transmit([0x0A, 0, 0xFF] + [UInt8](repeating: 0x55, count: 94), near: 0)
        line.wait(5)
        return line.transmissions(of: 1).first.map { ($0.lowerBound - end).milliseconds }
    }
}
