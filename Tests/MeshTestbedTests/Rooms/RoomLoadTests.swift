import MeshTime
import Testing

@testable import MeshLab

@Suite struct RoomLoadTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `members on lossy links get every post, or it is said why not`(seed: UInt64) {
        var load = RoomLoad()
        load.members = 6
        load.posts = 8

        let outcome = load.run(seed: Seed(seed))

        #expect(outcome.joined == 6)
        #expect(outcome.stored == 8)
        #expect(outcome.isComplete, "\(outcome)")
    }

    @Test func `where nothing arrives nobody gets in, and that is said`() {
        var load = RoomLoad()
        load.members = 4
        load.posts = 4
        load.lossPerTenThousand = 10_000
        load.limit = .seconds(1800)

        let outcome = load.run(seed: Seed(1))

        #expect(outcome.joined == 0 && outcome.stored == 0 && outcome.pushes == 0 && outcome.fetched == 0)
    }

    @Test func `what is missing at the end has a reason`() {
        var load = RoomLoad()
        load.members = 6
        load.posts = 12
        load.limit = .seconds(700)

        let outcome = load.run(seed: Seed(1))

        #expect(outcome.isSound)
        #expect(!outcome.missing.isEmpty)
        let lacking = outcome.missing.values.reduce(0, +)
        #expect(lacking + outcome.fetched - outcome.repeated == outcome.stored * 5)
    }
}
