import MeshCompanion
import MeshFirmware
import MeshTime
import Testing

/// The frames for a host that reads late, and the inputs of a hostile one.
///
/// Compare the firmware's own test of its modem, 1.17.1, `test_kiss_modem`.
@Suite struct ModemHostTests {
    private static let meta: [UInt8] = [6, 0xF9, 0xEB, 0x8B]

    @Test func `a packet is followed by its strength, unless the host wants none`() {
        let bench = ModemBench()
        _ = bench.takeFrames()
        bench.hear([1, 2, 3])
        #expect(bench.takeFrames() == [[0, 1, 2, 3], Self.meta], "-5.25 dB in quarters, -117 dBm")

        _ = bench.ask(.setSignalReport, [0])
        bench.hear([4])

        #expect(bench.takeFrames() == [[0, 4]])
        #expect(bench.modem.statistics.received == 2)
    }

    @Test func `the strength of what it receives can be asked for, and whether there is anything`() {
        let bench = ModemBench()
        bench.status = RadioStatus(.init(since: .start, hasHeader: true, rssiByte: -80))

        #expect(bench.ask(.isChannelBusy) == [0x8E, 1])
        #expect(bench.ask(.getCurrentRSSI) == [0x8D, 0xB0])
    }

    @Test func `frames with a wrong checksum are only counted`() {
        let bench = ModemBench()
        _ = bench.takeFrames()
        bench.pass(.receiveError)

        #expect(bench.takeFrames() == [])
        #expect(bench.ask(.getStats) == [0x92, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])
    }

    @Test func `two frames wait for a host that does not read, and it hears that more were lost`() {
        let bench = ModemBench()
        _ = bench.takeFrames()
        #expect(bench.hold(true) == false)
        for _ in 0..<5 { bench.send(.setHardware, [ModemCommand.ping.rawValue]) }
        #expect(bench.takeFrames() == [])

        #expect(bench.hold(false))
        bench.pass(.woke)

        #expect(bench.takeFrames() == [[6, 0x97], [6, 0x97], [6, 0xF1, 7]])
    }

    @Test func `while frames wait the radio keeps the newest packet only`() {
        let bench = ModemBench()
        _ = bench.takeFrames()
        _ = bench.hold(true)
        for number in 1...3 { bench.hear([UInt8(number)]) }

        _ = bench.hold(false)
        bench.pass(.woke)

        #expect(bench.takeFrames() == [[0, 1], Self.meta, [0, 3], Self.meta])
    }

    @Test func `the end of a transmission is kept until there is a place for it`() {
        let bench = ModemBench()
        bench.send(.persistence, [255])
        bench.send(.txDelay, [0])
        bench.send(.data, [1])
        _ = bench.takeFrames()
        _ = bench.hold(true)
        for _ in 0..<2 { bench.send(.setHardware, [ModemCommand.ping.rawValue]) }
        bench.pass(.transmitDone)
        bench.send(.data, [2])
        #expect(bench.takeTransmissions() == [[1]], "the modem is not free before its host knows")

        _ = bench.hold(false)
        bench.pass(.woke)

        let frames = bench.takeFrames()
        #expect(frames.contains([6, 0xF8, 1]))
        #expect(frames.filter { $0 == [6, 0x97] }.count == 2)
    }

    /// Four million bytes: marks, escapes and types are frequent, so that many of them are frames.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `nothing that a host can say stops a modem or makes it grow`(seed: UInt64) {
        var draw = Seed(seed).stream("hostile")
        var bench = ModemBench(seed: seed)
        var answers = 0
        for round in 0..<2048 {
            bench.pass(.appBytes((0..<512).map { _ in Self.byte(&draw) }))
            switch draw.draw(0, 6) {
            case 0: _ = bench.hold(true)
            case 1: if bench.hold(false) { bench.pass(.woke) }
            case 2: bench.hear((0..<draw.draw(0, 256)).map { _ in draw.nextByte() })
            case 3: bench.pass(.transmitDone)
            default: bench.wait(.milliseconds(draw.draw(0, 2000)))
            }
            answers += bench.takeFrames().count
            let effects = bench.takeEffects()
            #expect(effects.count < 1000, "in round \(round)")
            if effects.contains(where: { if case .reboot = $0 { true } else { false } }) {
                bench = ModemBench(flash: bench.modem.flash, seed: seed)
            }
        }

        #expect(answers > 1000, "some of it was understood")
    }

    private static func byte(_ draw: inout RandomStream) -> UInt8 {
        switch draw.draw(0, 8) {
        case 0, 1: KISSFraming.mark
        case 2: KISSFraming.escape
        case 3: 0x06
        case 4: UInt8(draw.draw(0, 0x20))
        case 5: 0x00
        default: draw.nextByte()
        }
    }
}

extension ModemBench {
    func hold(_ isHeld: Bool) -> Bool { modem.holdLink(isHeld) }
}
