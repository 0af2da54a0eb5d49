import Foundation
import Testing

@testable import PocketMeshServices

/// The steps after the radio has accepted a picture, without radio, store or clock.
@Suite struct ImageDeliveryTests {
    private func set(_ total: Int, without missing: [Int]) -> ChunkSet {
        var set = ChunkSet(total: total)
        for index in 0..<total where !missing.contains(index) { set.insert(index) }
        return set
    }

    @Test func `what lacks is sent again until nothing does`() {
        var delivery = ImageDelivery(total: 20, hops: 1)
        for _ in 0..<20 { delivery.sent(isAgain: false) }

        #expect(delivery.heard(set(20, without: [3, 7])) == .send([3, 7]))
        for _ in 0..<2 { delivery.sent(isAgain: true) }
        #expect(delivery.heard(set(20, without: [3])) == .send([3]))
        #expect(delivery.heard(.full(total: 20)) == .arrived)
        #expect(delivery.isAnswered && delivery.arrived.isComplete)
    }

    @Test func `where most chunks are lost the last few go more than once, and the very last one once`() {
        var delivery = ImageDelivery(total: 20, hops: 3)
        #expect(delivery.heard(set(20, without: [1, 2, 3, 4])) == .send([1, 2, 3, 4]))
        for _ in 0..<4 { delivery.sent(isAgain: true) }

        #expect(delivery.heard(set(20, without: [1, 2, 3])) == .send([1, 1, 1, 2, 2, 2, 3]))
        for _ in 0..<6 { delivery.sent(isAgain: true) }
        #expect(delivery.heard(set(20, without: [3])) == .send([3]))
    }

    @Test(arguments: 0...3)
    func `an app of the founding protocol is asked a few times, more often over a longer way`(hops: Int) {
        var delivery = ImageDelivery(total: 5, hops: hops)

        for _ in 0..<(3 + 2 * hops) { #expect(delivery.silence() == .send([4])) }

        #expect(delivery.silence() == .notConfirmed)
        #expect(delivery.isGivenUp && !delivery.isAnswered)
        // It has the other protocol after all.
        #expect(delivery.heard(set(5, without: [0])) == .send([0]))
        #expect(!delivery.isGivenUp)
    }

    @Test func `one that has answered is asked longer, for the last chunk that lacks`() {
        var delivery = ImageDelivery(total: 5, hops: 0)
        _ = delivery.heard(set(5, without: [1, 2]))

        for _ in 0..<30 { #expect(delivery.silence() == .send([2])) }

        #expect(delivery.silence() == .notConfirmed)
    }

    @Test func `reports about another number of chunks are ignored, and those of strangers end some time`() {
        var delivery = ImageDelivery(total: 5, hops: 0)
        #expect(delivery.heard(.full(total: 6)) == .ignore)
        #expect(!delivery.isAnswered)

        var rounds = 0
        while case .send(let chunks) = delivery.heard(ChunkSet(total: 5)), rounds < 1000 {
            for _ in chunks { delivery.sent(isAgain: true) }
            rounds += 1
        }

        #expect(rounds <= 16 * 5 + 64)
        #expect(delivery.isGivenUp)
    }

    @Test func `what was known before a break is known after it`() {
        let delivery = ImageDelivery(total: 9, stored: [0b1111_0111, 1], hops: 0)

        #expect(delivery.arrived.missing == [3] && delivery.isAnswered)
        #expect(!ImageDelivery(total: 9, hops: 0).isAnswered)
    }
}
