import MeshFirmware
import MeshRadio
import MeshTime
import Testing

@testable import MeshSimulator

/// What a node's chip tells while a frame is on the air.
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
        #expect(status(at: 4 * symbol) == .init(since: .microseconds(4 * symbol), hasHeader: false, rssiByte: -80))
        #expect(status(at: symbol * 177 / 4 - 1)?.hasHeader == false)
        #expect(status(at: symbol * 177 / 4)?.hasHeader == true)
        #expect(world.radioStatus(of: 0).reception == nil, "it is sending")
        #expect(status(at: 2_000_000) == nil)
    }
}
