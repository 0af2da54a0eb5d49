import MeshFirmware
import MeshRadio
import MeshTime
import Testing

@testable import MeshSimulator

/// The state of a node's chip while a frame is on the air.
@Suite struct RadioStatusTests {
    @Test func `a listener has the preamble after four symbols and the header after forty-four`() {
        var world = World.parrots(2)
        world.send([1, 2, 3], from: 0)
        let symbol = Airtime(LoRaParameters()).symbolMicroseconds

        func status(at microseconds: Int64) -> RadioStatus.Reception? {
            world.run(until: .microseconds(microseconds))
            return world.radioStatus(of: 1).reception
        }

        #expect(status(at: 4 * symbol - 1) == nil)
        let noticed = RadioStatus.Reception(
            since: .microseconds(4 * symbol), hasHeader: false, rssiByte: -80, busyFor: .microseconds(4 * symbol))
        #expect(status(at: 4 * symbol) == noticed)
        #expect(status(at: symbol * 177 / 4 - 1)?.hasHeader == false)
        #expect(status(at: symbol * 177 / 4)?.hasHeader == true)
        #expect(world.radioStatus(of: 0).reception == nil, "it is sending")
        #expect(status(at: 2_000_000) == nil)
    }

    /// Returns the time for which the antenna of the second of two nodes has been busy.
    ///
    /// It is measured in the middle of the last of `count` frames with a pause of `pause` between them.
    private func busyMilliseconds(_ count: Int, pause: TimeSpan, rssi: Int16 = -8000) -> Int64? {
        var world = World.parrots(2)
        world.links[NodeID(index: 0), NodeID(index: 1)] = Signal(snrHundredths: 1000, rssiHundredths: rssi)
        world.run(until: .seconds(1))
        for _ in 1..<count {
            world.send([1, 2, 3], from: 0)
            world.run(until: world.now + Self.airtime + pause)
        }
        world.send([1, 2, 3], from: 0)
        world.run(until: world.now + .milliseconds(100))
        return world.radioStatus(of: 1).reception?.busyFor.milliseconds
    }

    /// Of three bytes.
    private static let airtime = TimeSpan(microseconds: Airtime(LoRaParameters()).microseconds(bytes: 3))

    @Test func `frames that leave no time to sample the noise floor between them are one burst`() {
        let frame = Self.airtime.milliseconds

        #expect(busyMilliseconds(1, pause: .zero) == 100)
        #expect(busyMilliseconds(3, pause: .milliseconds(6)) == 2 * (frame + 6) + 100)
        #expect(busyMilliseconds(3, pause: .milliseconds(7)) == 100)
    }

    @Test func `under a weak signal the noise floor is sampled until the modem notices the frame`() {
        // 96 dBm below 1 mW is 14 dB above the floor, and four symbols are 16 ms.
        #expect(busyMilliseconds(3, pause: .zero, rssi: -9600) == busyMilliseconds(3, pause: .zero))
        #expect(busyMilliseconds(3, pause: .zero, rssi: -9601) == 83)
    }

    @Test func `a node's own transmission belongs to the burst`() {
        var world = World.parrots(2)
        world.run(until: .seconds(1))
        world.send([1, 2, 3], from: 1)
        world.run(until: world.now + Self.airtime + .milliseconds(2))
        world.send([1, 2, 3], from: 0)
        world.run(until: world.now + .milliseconds(100))

        #expect(world.radioStatus(of: 1).reception?.busyFor == Self.airtime + .milliseconds(102))
    }
}
