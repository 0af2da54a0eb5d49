import MeshTestbed
import MeshTime
import Testing

@testable import MeshScenarios
@testable import Scenarios

/// A few minutes of what `stack-hour` does for an hour, and small rooms of `loaded-room`.
@Suite struct LoadTests {
    private static let minutes: HourLoad = {
        var hour = HourLoad()
        (hour.near, hour.far, hour.channels, hour.rooms, hour.membersOfARoom) = (4, 2, 2, 1, 2)
        (hour.directEachWay, hour.channelTextsEachWay, hour.postsEachWay) = (60, 12, 6)
        (hour.talk, hour.quiet) = (.seconds(240), .seconds(120))
        (hour.untilCut, hour.cut) = (.seconds(40)...(.seconds(80)), .seconds(2)...(.seconds(10)))
        return hour
    }()

    private static func run(_ seed: UInt64) -> ScenarioRun {
        let minutes = DrawnScenario("stack-minutes", .crowds, "A few minutes.") { draw in Self.minutes.parts(&draw) }
        return ScenarioRun(minutes.scenario(of: Seed(seed)), seed: Seed(seed))
    }

    @Test(arguments: [1, 2, 3] as [UInt64], [nil, 7] as [UInt64?])
    func `nothing is lost, doubled or untrue in a lossy mesh with a link that goes away`(
        seed: UInt64, order: UInt64?
    ) {
        var run = Self.run(seed)
        run.order = order.map(Seed.init)

        let result = run.onVirtualTime()

        #expect(result.verdict == .kept)
        let cuts = result.entries.count { if case .fault(_, begins: true) = $0.kind { true } else { false } }
        #expect(cuts >= 2)
    }

    @Test func `a seed gives the same minutes each time, and another seed others`() {
        let first = Self.run(4).onVirtualTime()
        let again = Self.run(4).onVirtualTime()
        let other = Self.run(5).onVirtualTime()

        #expect(first.digest == again.digest)
        #expect(first.digest != other.digest)
    }

    private static func room(_ seed: UInt64, loss: ClosedRange<Double> = 0.3...0.3, limit: Duration) -> ScenarioRun {
        let room = DrawnScenario("small-room", .rooms, "A small room.") { draw in
            RoomLoad(members: 6...6, posts: 8...8, loss: loss, limit: limit).parts(&draw)
        }
        return ScenarioRun(room.scenario(of: Seed(seed)), seed: Seed(seed))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `members on lossy links get every post once, and the room counts truly`(seed: UInt64) {
        #expect(Self.room(seed, limit: .seconds(3600)).onVirtualTime().verdict == .kept)
    }

    @Test func `where nothing arrives nobody gets in, and that is said`() throws {
        let result = Self.room(1, loss: 1...1, limit: .seconds(600)).onVirtualTime()

        guard case .broken(let failure) = result.verdict else { throw ScenarioError("\(result.verdict)") }
        #expect(failure.sentence == "member-1 logs in at tavern, tried again for 10 min")
    }

    @Test func `what takes long is played by those who name it`() throws {
        let long = ScenarioLibrary.shipped.sourcesMatching("#long").map(\.name)

        #expect(long == ["stack-hour", "loaded-room"])
        for name in long {
            let source = try #require(ScenarioLibrary.shipped.source(name))
            #expect(
                source.scenario(of: Seed(1)).script.map(\.sentence)
                    != source.scenario(of: Seed(2)).script.map(\.sentence))
        }
    }
}
