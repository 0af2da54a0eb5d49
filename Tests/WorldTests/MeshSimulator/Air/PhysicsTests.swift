import MeshFirmware
import MeshRadio
import MeshTime
import Testing

@testable import MeshSimulator

/// The air model against published figures: each table of the article AirModels is here.
@Suite struct SensitivityTests {
    /// SX1276, as the firmware scores packets by.
    static let limits: [UInt8: Int] = [7: -750, 8: -1000, 9: -1250, 10: -1500, 11: -1750, 12: -2000]
    /// The decibels between 99 % and 1 % of 40-symbol frames lost, for an ideal receiver without phase.
    static let steepness: [UInt8: Double] = [7: 3.9, 8: 3.7, 9: 3.6, 10: 3.5, 11: 3.3, 12: 3.2]

    private func antenna(_ spreadingFactor: UInt8) -> Antenna {
        var antenna = Antenna()
        antenna.radio.spreadingFactor = spreadingFactor
        return antenna
    }

    /// The frame whose symbols behind the preamble, header included, are nearest to a number.
    private func bytes(symbols: Int64, _ antenna: Antenna) -> Int {
        let airtime = Airtime(antenna.radio)
        return (1...200).min { one, other in
            abs(count(one) - symbols) < abs(count(other) - symbols)
        } ?? 1

        func count(_ bytes: Int) -> Int64 {
            8 + (airtime.microseconds(bytes: bytes) - airtime.preambleMicroseconds) / airtime.symbolMicroseconds
        }
    }

    /// The SNR at which so many frames are lost, in 1/100 dB, by halves.
    private func snr(loss: Double, bytes: Int, _ antenna: Antenna, of count: Int = 1000) -> Int {
        var (low, high) = (-3000, 500)
        while high - low > 8 {
            let middle = (low + high) / 2
            if antenna.loss(snr: middle, bytes: bytes, of: count) > loss { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    @Test(arguments: Array(7...12) as [UInt8])
    func `1 % of 40-symbol frames are lost at the limit of the data sheet, and the loss is as steep as theory says`(
        spreadingFactor: UInt8
    ) throws {
        let antenna = antenna(spreadingFactor)
        let bytes = bytes(symbols: 40, antenna)
        let limit = try #require(Self.limits[spreadingFactor])

        let most = snr(loss: 0.99, bytes: bytes, antenna)
        let half = snr(loss: 0.5, bytes: bytes, antenna)
        let least = snr(loss: 0.01, bytes: bytes, antenna)

        #expect(abs(least - limit) <= 60)
        #expect(abs(Double(least - most) / 100 - (Self.steepness[spreadingFactor] ?? 0)) <= 0.7)
        #expect(most < half && half < least)
        // MeshBench holds its modem against these two.
        #expect(antenna.loss(snr: limit + 300, bytes: bytes) <= 0.2)
        #expect(antenna.loss(snr: limit - 600, bytes: bytes) >= 0.8)
    }

    @Test func `loss falls with every quarter of a decibel, and grows with the length of frames`() {
        let antenna = antenna(8)
        let losses = stride(from: -1400, through: -850, by: 25).map { antenna.loss(snr: $0, of: 400) }

        #expect(losses == losses.sorted(by: >))
        #expect((losses.first ?? 0) > 0.95 && losses.last == 0)
        let short = snr(loss: 0.5, bytes: bytes(symbols: 40, antenna), antenna)
        let long = snr(loss: 0.5, bytes: bytes(symbols: 100, antenna), antenna)
        #expect((1...100).contains(long - short), "0.3 dB in theory")
    }

    /// Hits of 400 of MeshBench's detector at the threshold, 3 dB and 9 dB below: 394, 211, 0 for SF 8, 400, 271, 0 for
    /// SF 12.
    @Test(arguments: [8, 12] as [UInt8])
    func `modems follow frames that they cannot decode`(spreadingFactor: UInt8) {
        func share(_ margin: Int) -> Double {
            let found = (0..<4096).count { SymbolLoss.isNoticed(margin: margin, draw: $0) }
            return Double(found) / 4096
        }

        #expect(share(0) > 0.98)
        #expect((0.4...0.7).contains(share(-300)))
        #expect(share(-900) == 0)
        let heard = (1...60 as ClosedRange<UInt64>).map { seed in
            Antenna().hear([.init(snr: -1350)], seed: seed).losses
        }
        #expect(heard.contains([.noise]) && heard.contains([.tooWeak]))
    }

    @Test(
        arguments: [(62_500, -12_000), (125_000, -11_700), (250_000, -11_400), (500_000, -11_100)] as [(UInt32, Int)])
    func `thermal noise and a noise figure of 6 dB give the sensitivities of data sheets`(bandwidth: UInt32, noise: Int)
    {
        let floor = Propagation(.freeSpace).noiseHundredths(bandwidthHertz: bandwidth)

        #expect(abs(floor - noise) <= 7)
        // SX1272 at PER 1 %: SF 7, then SF 12, in dBm.
        let sheets: [UInt32: (Int, Int)] = [125_000: (-124, -137), 250_000: (-122, -135), 500_000: (-116, -129)]
        if let sheet = sheets[bandwidth] {
            #expect(abs(floor - 750 - 100 * sheet.0) <= 260)
            #expect(abs(floor - 2000 - 100 * sheet.1) <= 260)
        }
    }
}

@Suite struct CaptureTests {
    let antenna = Antenna()
    /// Symbols of the preamble that a receiver can do without.
    var dispensable: Double { Double(antenna.radio.preambleSymbols) - 5 }

    @Test func `two equal frames in step are both lost, and of two 10 dB apart the strong one is received`() {
        #expect(antenna.hear([.init(snr: 500), .init(snr: 500)]).received == [])
        #expect(antenna.hear([.init(snr: 500), .init(snr: 1500)]).received == [1])
        #expect(antenna.hear([.init(snr: 1500), .init(snr: 500)]).received == [0])
    }

    /// Thresholds in circulation: 1 dB (Croce, AN1200.22), 3 dB (Benaissa), 6 dB (Semtech, Goursaud).
    @Test(arguments: [100, 300, 600])
    func `a frame that is followed survives a later one by the threshold alone`(
        threshold: Int
    ) {
        var antenna = antenna
        antenna.air.lockedThresholdHundredths = threshold
        for (lead, survives) in [(threshold + 1, true), (threshold - 1, false), (-1000, false)] {
            let outcome = antenna.hear([.init(snr: 1000, bytes: 100), .init(snr: 1000 - lead, begin: dispensable + 8)])
            #expect(outcome.received == (survives ? [0] : []), "lead \(lead)")
        }
    }

    @Test func `within the preamble 6 dB decide, and the weaker one may also have come first`() {
        #expect(antenna.hear([.init(snr: 0), .init(snr: 610, begin: dispensable - 2)]).received == [1])
        #expect(antenna.hear([.init(snr: 0), .init(snr: 590, begin: dispensable - 2)]).received == [])
        #expect(antenna.hear([.init(snr: 0), .init(snr: 1500, begin: dispensable + 2)]).received == [])
    }

    @Test(arguments: [(7, 32), (8, 32), (9, 16), (12, 16)] as [(UInt8, Double)])
    func `what is over before the end of a preamble does no harm`(
        spreadingFactor: UInt8, preamble: Double
    ) {
        var antenna = antenna
        antenna.radio.spreadingFactor = spreadingFactor
        let airtime = Airtime(antenna.radio)
        let length = Double(airtime.microseconds(bytes: 4)) / Double(airtime.symbolMicroseconds)
        let snr = 800
        for (late, isReceived) in [(0.5, true), (-1.5, false)] {
            let begin = length - (preamble - 5) + late
            let outcome = antenna.hear([.init(snr: snr, bytes: 4), .init(snr: snr, begin: begin)])
            #expect(outcome.received.contains(1) == isReceived, "\(late) symbols")
        }
    }

    @Test func `three interferers at -7 dB act like one at -2.2 dB`() {
        let followed = Antenna.Shot(snr: 1000, bytes: 100)
        // Near to each other, so that none of them is out of the preamble's critical part.
        let three = (0..<3).map { Antenna.Shot(snr: 300, begin: dispensable + 8 + Double($0)) }
        var antenna = antenna
        for (threshold, survives) in [(215, true), (240, false)] {
            antenna.air.lockedThresholdHundredths = threshold
            #expect(antenna.hear([followed] + three).received == (survives ? [0] : []))
            let one = Antenna.Shot(snr: 1000 - 223, begin: dispensable + 8)
            #expect(antenna.hear([followed, one]).received == (survives ? [0] : []))
        }
        antenna.air = .step
        #expect(antenna.hear([followed] + three).received == [0], "the old model holds each alone")
    }

    @Test func `what an interferer leaves is clean again`() {
        // The first interferer is gone when the second one comes; together they would be too much.
        let begin = dispensable + 4
        var antenna = antenna
        antenna.air.lockedThresholdHundredths = 500
        let first = Antenna.Shot(snr: 300, begin: begin, bytes: 1)
        let length = Double(Airtime(antenna.radio).microseconds(bytes: 1)) / Double(antenna.symbolMicroseconds)
        let wanted = Antenna.Shot(snr: 1000, bytes: 200)

        #expect(antenna.hear([wanted, first, .init(snr: 300, begin: begin + length + 1, bytes: 1)]).received == [0])
        #expect(antenna.hear([wanted, first, .init(snr: 300, begin: begin + length - 1, bytes: 1)]).received == [])
    }

    @Test(arguments: [(5, false), (6, false), (7, true), (8, true)] as [(UInt8, Bool)])
    func `coding rates 4 of 7 and 4 of 8 repair one covered symbol`(codingRate: UInt8, isRepaired: Bool) {
        var antenna = antenna
        antenna.radio.codingRate = codingRate
        let airtime = Airtime(antenna.radio)
        let length = Double(airtime.microseconds(bytes: 10)) / Double(airtime.symbolMicroseconds)

        // An equal frame that covers the last symbol, or the last two.
        #expect(
            antenna.hear([.init(snr: 800), .init(snr: 800, begin: length - 0.9)]).received.contains(0) == isRepaired)
        #expect(!antenna.hear([.init(snr: 800), .init(snr: 800, begin: length - 2)]).received.contains(0))
    }

    @Test func `a node that transmits receives nothing, and one busy with a weak preamble misses a strong frame`() {
        let begin = dispensable + 2
        let missed = (1...40 as ClosedRange<UInt64>).map { seed in
            antenna.hear([.init(snr: -1100, bytes: 60), .init(snr: 1000, begin: begin)], seed: seed)
        }

        #expect(missed.allSatisfy { $0.received == [] || $0.received == [1] })
        #expect(missed.contains { $0.losses.contains(.missed) })
        let alone = antenna.hear([.init(snr: 1000, begin: begin)])
        #expect(alone.received == [0])
    }
}

@Suite struct CrossTalkTests {
    /// Croce and others; computed values of Goursaud and Gorce are 8 to 14 dB lower.
    @Test(arguments: [(7, 8, -800), (8, 7, -1100), (9, 12, -1500), (12, 7, -2500)] as [(UInt8, UInt8, Int)])
    func `a frame of another spreading factor destroys one only where it is much stronger`(
        wanted: UInt8, other: UInt8, threshold: Int
    ) {
        var antenna = Antenna()
        antenna.radio.spreadingFactor = wanted
        let lock = Double(antenna.radio.preambleSymbols)
        // Those of the frame that a modem follows are lower by the difference of both thresholds.
        for (difference, survives) in [(threshold + 20, true), (threshold - 320, false)] {
            let disturbing = Antenna.Shot(
                snr: 500 - difference, begin: lock, bytes: 200, spreadingFactor: other)
            let outcome = antenna.hear([.init(snr: 500, bytes: 30), disturbing])
            #expect(outcome.received == (survives ? [0] : []), "\(difference)")
            #expect(outcome.losses == (survives ? [] : [.collision]), "a frame that cannot be received is no loss")
        }
    }

    @Test func `other frequencies and bandwidths do not disturb`() {
        #expect(CrossTalk.thresholdHundredths(wanted: 5, disturbing: 12) == -900)
        var world = World.parrots(3)
        world.links[NodeID(index: 2), NodeID(index: 1)] = Signal(snrHundredths: 7000, rssiHundredths: -3000)
        world.inject(.appBytes([4, 1]), into: NodeID(index: 2))
        world.send([UInt8](repeating: 1, count: 60), from: 0)
        world.run(until: .milliseconds(200))
        world.send([UInt8](repeating: 2, count: 60), from: 2)
        world.run(until: .seconds(5))

        #expect(world.losses(at: 1) == [])
    }
}

@Suite struct CarrierOffsetTests {
    /// A quarter of 62.5 kHz is 18.0 ppm at 869.6 MHz and 17.2 ppm at 910.5 MHz, between the two nodes.
    @Test(arguments: [(869_618, 17, 18), (910_525, 17, 18)] as [(UInt32, Int32, Int32)])
    func `nothing is received beyond a quarter of the bandwidth`(frequency: UInt32, near: Int32, far: Int32) {
        var antenna = Antenna()
        antenna.radio.frequencyKilohertz = frequency
        #expect(antenna.hear([.init(snr: -980, partsPerMillion: near)]).received == [0])
        #expect(antenna.hear([.init(snr: 1000, partsPerMillion: far)]).received == [])
        #expect(antenna.hear([.init(snr: 1000, partsPerMillion: -far)]).received == [])

        antenna.listenerPartsPerMillion = 10
        #expect(antenna.hear([.init(snr: 1000, partsPerMillion: far)]).received == [0])
        #expect(
            antenna.hear([.init(snr: 1000, partsPerMillion: -10)]).received == [], "crystals of 10 ppm at both ends")
    }
}

@Suite struct SignalReportTests {
    private func reported(_ snr: Int, noise: Int = -11_100) -> [Signal] {
        var antenna = Antenna(noise: noise)
        antenna.air.report = .field
        return (1...300 as ClosedRange<UInt64>).flatMap { antenna.hear([.init(snr: snr)], seed: $0).signals }
    }

    private func median(_ signals: [Signal]) -> Double {
        let sorted = signals.map(\.snrHundredths).sorted()
        return Double(sorted[sorted.count / 2]) / 100
    }

    /// Median reported SNR by RSSI of 3,138 exchanges; at -105 dBm and below only quiet sites receive. The noise floor
    /// of these sites was -111 dBm in the middle.
    @Test(arguments: [(-100.0, 8.75), (-95, 10.5), (-90, 11.25), (-80, 11.75)])
    func `strong signals are reported as radios in the field did`(rssi: Double, snr: Double) {
        let signals = reported(Int(rssi * 100) + 11_100)

        #expect(abs(median(signals) - snr) <= 0.6)
        #expect(signals.allSatisfy { $0.snrHundredths <= 1375 && $0.snrHundredths % 25 == 0 })
    }

    @Test func `reports go below the limit, and RSSI not below the noise`() {
        // Seven of ten frames of this strength are lost.
        let signals = reported(-1220)

        #expect((10...290).contains(signals.count))
        #expect(signals.contains { $0.snrHundredths <= -1200 })
        #expect(signals.allSatisfy { $0.rssiHundredths >= -11_150 })
        #expect(median(signals) < -11)
    }

    @Test func `the usual model reports what arrives`() {
        let signals = Antenna().hear([.init(snr: 2177)]).signals
        #expect(signals == [Signal(snrHundredths: 2177, rssiHundredths: -9823)])
    }

    /// The SNR of one link varied by 0.9 to 2.3 dB while the radio moved 5 to 200 m.
    @Test func `links of the field waver as much as was observed`() {
        let air = AirModel.field
        let pair = PairKey(7, 1, 2)
        let values = (0..<4000).map { Double(air.fading.deviation(of: pair, at: .seconds(10 * $0))) / 100 }
        let mean = values.reduce(0, +) / Double(values.count)
        let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()

        #expect((0.9...2.4).contains(deviation))
    }
}

@Suite struct NamedAirTests {
    @Test func `models are found by their names, and a changed one has none`() {
        for (name, model, _) in AirModel.named {
            #expect(AirModel(named: name) == model)
            #expect(model.name == name)
        }
        #expect(AirModel(named: "chips") == nil)
        #expect(AirModel().name == "chip")
        var air = AirModel()
        air.captureThresholdHundredths = 500
        #expect(air.name == nil)
    }

    /// 10^(k/10) at some levels, to nine digits.
    @Test func `powers of decibels are right`() {
        for (hundredths, power) in [
            (0, 1.0), (-12_000, 1e-12), (300, 1.995262315), (-223, 0.5984115951), (-1, 0.9977000639),
        ] {
            #expect(abs(LinearPower.milliwatts(hundredths) / power - 1) < 1e-9)
        }
    }
}
