import Foundation
import MeshRadio
import Testing

@testable import PocketMeshServices

/// The distance of chunks, and the cost of a picture, by the way that it goes.
@Suite struct ImagePlanTests {
    private let radio = LoRaParameters()

    private func plan(_ bytes: Int = 136 * 10, hops: Int, radio: LoRaParameters? = nil) -> ImagePlan {
        ImagePlan(bytes: bytes, chunkBytes: 136, hops: hops, radio: radio ?? self.radio)
    }

    @Test(arguments: 0...8)
    func `the next chunk leaves when the last relay of this one is over, however long its pauses are`(hops: Int) {
        let frame = Duration.microseconds(radio.airtimeMicroseconds(bytes: 2 + hops + 150))

        let plan = plan(hops: hops)

        let longest = frame * (hops + 1) + frame * 3 / 2 * hops
        #expect(plan.interval >= longest && plan.interval < longest + .milliseconds(60 * (hops + 1) + 1))
        #expect(plan.airtime == frame * (hops + 1) * 10)
        #expect(plan.duration >= plan.interval * 10 && plan.duration < plan.interval * 10 + .milliseconds(1))
        #expect(plan.chunks == 10 && plan.hops == hops)
    }

    @Test(arguments: 0...6)
    func `the distance leaves seven tenths of what air and firmware allow, up to six hops`(hops: Int) {
        let plan = plan(hops: hops)

        #expect(plan.shortest / plan.duration > 0.7 && plan.shortest < plan.duration)
    }

    @Test func `a node that may send for half an hour in one keeps to that with a picture that needs more`() {
        let slow = LoRaParameters(
            frequencyKilohertz: 869_525, bandwidthHertz: 62_500, spreadingFactor: 12, codingRate: 8)
        let frame = Duration.microseconds(slow.airtimeMicroseconds(bytes: 152))
        let most = Int(Duration.seconds(1800) / frame)

        let small = plan(136 * most, hops: 0, radio: slow)
        let large = plan(136 * (most + 1), hops: 0, radio: slow)

        #expect(small.interval < frame + .milliseconds(61))
        #expect(large.interval == frame * 2)
    }

    @Test func `a picture of no bytes and chunks of no bytes make a plan as well`() {
        #expect(plan(0, hops: 3).chunks == 0 && plan(0, hops: 3).airtime == .zero)
        #expect(ImagePlan(bytes: 10, chunkBytes: 0, hops: 0, radio: radio).chunks == 10)
    }
}
