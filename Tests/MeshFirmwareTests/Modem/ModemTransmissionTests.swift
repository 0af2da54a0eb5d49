import MeshCompanion
import MeshFirmware
import MeshRadio
import MeshTime
import Testing

@Suite struct ModemTransmissionTests {
    private static let done: [UInt8] = [6, 0xF8, 1]

    /// A modem whose every random byte is low enough.
    private func persistent() -> ModemBench {
        let bench = ModemBench()
        bench.send(.persistence, [255])
        return bench
    }

    @Test func `a packet begins half a second after the channel was found clear, unless the host says otherwise`() {
        let bench = persistent()
        bench.send(.data, [1, 2, 3])
        bench.wait(.milliseconds(499))
        #expect(bench.takeTransmissions() == [])
        bench.wait(.milliseconds(1))
        #expect(bench.takeTransmissions() == [[1, 2, 3]])

        let quick = persistent()
        quick.send(.txDelay, [2])
        quick.send(.data, [4])
        quick.wait(.milliseconds(20))
        #expect(quick.takeTransmissions() == [[4]])
    }

    @Test func `the host hears of the end, and only then may the next packet come`() {
        let bench = persistent()
        bench.send(.txDelay, [0])
        _ = bench.takeFrames()
        bench.send(.data, [1])
        #expect(bench.takeTransmissions() == [[1]])

        bench.send(.data, [2])
        #expect(bench.takeFrames() == [[6, 0xF1, 7]])
        bench.pass(.transmitDone)
        #expect(bench.takeFrames() == [Self.done])

        bench.send(.data, [3])
        #expect(bench.takeTransmissions() == [[3]])
        #expect(bench.ask(.getStats) == [0x92, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test func `a radio that does not say that it has sent is given up, and the host told so`() {
        let bench = persistent()
        bench.send(.txDelay, [0])
        bench.send(.data, [1])
        _ = bench.takeFrames()

        let patience = Int64(LoRaParameters().airtimeMilliseconds(bytes: 1)) * 3 / 2
        bench.wait(.milliseconds(patience - 1))
        #expect(bench.takeFrames() == [])
        bench.wait(.milliseconds(1))

        #expect(bench.takeFrames() == [[6, 0xF8, 0]])
        bench.pass(.transmitDone)
        #expect(bench.takeFrames() == [], "it has stopped waiting for that")
    }

    @Test func `a busy channel is waited for, but not for ever`() {
        let bench = persistent()
        bench.send(.txDelay, [0])
        bench.status = RadioStatus(isReceiving: true)
        bench.send(.data, [1])
        bench.wait(.milliseconds(100))
        #expect(bench.takeTransmissions() == [])
        bench.status = RadioStatus()
        bench.wait(.milliseconds(1))
        #expect(bench.takeTransmissions() == [[1]])

        bench.pass(.transmitDone)
        bench.status = RadioStatus(isReceiving: true)
        bench.send(.data, [2])
        let patience = Int64(LoRaParameters().airtimeMilliseconds(bytes: 255)) * 3 / 2
        bench.wait(.milliseconds(patience - 1))
        #expect(bench.takeTransmissions() == [])
        bench.wait(.milliseconds(2))
        #expect(bench.takeTransmissions() == [[2]])
    }

    @Test func `in full duplex it does not listen before`() {
        let bench = persistent()
        bench.send(.txDelay, [0])
        bench.send(.fullDuplex, [1])
        bench.status = RadioStatus(isReceiving: true)

        bench.send(.data, [1])

        #expect(bench.takeTransmissions() == [[1]])
    }

    @Test func `the less persistent, the more slots pass before a packet`() {
        func slots(persistence: UInt8) -> Int {
            var total = 0
            for seed in 0..<40 {
                let bench = ModemBench(seed: UInt64(seed))
                bench.send(.persistence, [persistence])
                bench.send(.txDelay, [0])
                bench.send(.data, [1])
                while bench.takeTransmissions().isEmpty {
                    bench.wait(.milliseconds(100))
                    total += 1
                }
            }
            return total
        }

        #expect(slots(persistence: 255) == 0)
        #expect((80...160).contains(slots(persistence: 63)), "three times of four it waits")
    }

    @Test func `with slots of no length it still comes to an end`() {
        let bench = ModemBench()
        for type in [ModemFrameType.persistence, .slotTime, .txDelay] { bench.send(type, [0]) }

        bench.send(.data, [1])
        bench.wait(.seconds(10))

        #expect(bench.takeTransmissions() == [[1]])
    }

    @Test func `an empty packet and one that is too long are dropped without a word`() {
        let bench = persistent()
        _ = bench.takeFrames()

        bench.send(.data, [])
        bench.send(.data, [UInt8](repeating: 1, count: 256))
        bench.wait(.seconds(2))

        #expect(bench.takeTransmissions() == [] && bench.takeFrames() == [])
    }
}
