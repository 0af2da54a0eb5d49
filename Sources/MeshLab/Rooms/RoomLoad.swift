import MeshFirmware
import MeshPacket
import MeshSimulator
public import MeshTime
import MeshWire
import MeshWorlds

/// A room server under load: members on lossy links who all post, and what came of it.
///
/// Members hear each other well; only the links to the room lose frames. Each logs in until it is let in, posts until it is
/// acknowledged, and gives a sign of life every ten minutes. A run ends when everybody has every post, or at the limit.
public struct RoomLoad: Sendable {
    /// Without the room itself, 1…20: the room's table holds no more.
    public var members = 20
    /// By all members together, 1…32: the room keeps no more.
    public var posts = 32
    /// Frames that get lost between room and members, per ten thousand in each direction.
    public var lossPerTenThousand: UInt16 = 3000
    public var limit = Instant.seconds(6 * 3600)

    public init() {}

    /// Why a member lacks a post.
    public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// It was never let in.
        case neverJoined
        /// Three pushes in a row were not acknowledged, and it has not spoken since.
        case leftAlone
        /// The time was over before its turn came.
        case timeOver
        /// The room takes the member to have it.
        case lost
    }

    /// What a run came to.
    public struct Outcome: Hashable, Sendable, Codable {
        public let seed: UInt64
        public let simulatedSeconds: Int
        public let joined: Int
        /// Posts that the room has stored.
        public let stored: Int
        public let pushes: Int
        /// Posts that members fetched, and how many of those they had already.
        public let fetched: Int
        public let repeated: Int
        /// Posts that members lack, by reason.
        public let missing: [String: Int]
        /// Times that the room's count of unsynced posts was not what the member lacked, and stayed so.
        public let miscounts: Int

        /// Everybody has everything, or it is said why not, and the room counts truly.
        public var isSound: Bool { miscounts == 0 && missing[Reason.lost.rawValue] == nil }
        public var isComplete: Bool { isSound && missing.isEmpty }
    }

    /// Unix seconds by the apps when a run begins.
    private static let startOfTime: UInt32 = 1_800_000_000
    private static let good = Signal(snrHundredths: 1000, rssiHundredths: -8000)

    /// Runs the room from cold boot.
    public func run(seed: Seed) -> Outcome {
        var bench = Bench(self, seed: seed)
        while bench.world.now < limit, !bench.isDone { bench.second() }
        return bench.outcome(seed: seed)
    }

    private func world(seed: Seed) -> World {
        var world = World(seed: seed)
        var setup = ServerSetup(.roomServer, board: .heltecV3)
        setup.silenceAdverts()
        let room = world.add(NodeDescription("room", .roomServer, setup: setup))
        for number in 0..<members {
            let member = world.add(NodeDescription("m\(number)", .companion(.serial)))
            for other in world.nodes where other != member && other != room {
                world.links.connect(member, other, AirLink(Self.good))
            }
            world.links.connect(member, room, AirLink(Self.good, lossPerTenThousand: lossPerTenThousand))
        }
        return world
    }

    /// A run in progress.
    private struct Bench {
        let load: RoomLoad
        var world: World
        var people: [RoomMember] = []
        var posted = 0
        var miscounts = 0
        /// Seconds after which an app has fetched whatever its radio holds.
        private static let settling = 60
        private var secondsWrong: [Int]
        private let room = NodeID(index: 0)

        init(_ load: RoomLoad, seed: Seed) {
            self.load = load
            secondsWrong = Array(repeating: 0, count: load.members)
            world = load.world(seed: seed)
            guard let key = world.firmware(room)?.publicKey else { return }
            for node in world.nodes.dropFirst() {
                guard let own = world.companion(node)?.publicKey else { continue }
                world.inject(.appConnected, into: node)
                people.append(RoomMember(node, key: own, room: key, number: node.index, clock: RoomLoad.startOfTime))
            }
        }

        private var server: RoomServer? { world.firmware(room) as? RoomServer }

        /// A second of the world, and what people do then.
        mutating func second() {
            world.run(until: world.now + .seconds(1))
            for output in world.takeOutputs() where output.node != room {
                if case .appBytes(let bytes) = output.kind { people[output.node.index - 1].app.receive(bytes) }
            }
            let seconds = world.now.milliseconds / 1000
            if seconds > 300, seconds % 45 == 0, posted < load.posts {
                people[posted % people.count].post(ByteText("post \(posted)"))
                posted += 1
            }
            for index in people.indices {
                people[index].act(at: world.now, clock: RoomLoad.startOfTime + UInt32(clamping: seconds))
                while let input = people[index].app.nextInput() {
                    world.inject(.appBytes(input), into: people[index].node)
                }
            }
            count()
        }

        /// What a member lacks, and what the room takes it to lack.
        private func accounts(_ person: RoomMember, _ server: RoomServer) -> (lacking: Int, counted: Int)? {
            guard let index = server.server.clients.index(of: person.publicKey) else { return nil }
            let client = server.server.clients[index]
            let counted = server.posts.unsyncedCount(after: client.syncSince, notBy: person.publicKey)
            return (lacking(person, server).count, Int(counted))
        }

        private func lacking(_ person: RoomMember, _ server: RoomServer) -> [PostRing.Post] {
            server.posts.posts.filter { $0.author != person.publicKey && person.received[$0.text] == nil }
        }

        /// The room may not know yet of the last post that it sent, and an app fetches what its radio has acknowledged
        /// some seconds later: a count is wrong when it stays so.
        private mutating func count() {
            guard let server else { return }
            for (index, person) in people.enumerated() {
                guard let (lacking, counted) = accounts(person, server) else { continue }
                secondsWrong[index] = (lacking...(lacking + 1)).contains(counted) ? 0 : secondsWrong[index] + 1
                if secondsWrong[index] == Self.settling { miscounts += 1 }
            }
        }

        var isDone: Bool {
            guard posted == load.posts, let server else { return false }
            return people.allSatisfy { $0.isQuiet && accounts($0, server).map { $0.lacking == 0 } == true }
        }

        func outcome(seed: Seed) -> Outcome {
            var missing: [String: Int] = [:]
            let server = server
            for person in people {
                guard let server, let reason = reason(person, server) else { continue }
                missing[reason.rawValue, default: 0] += lacking(person, server).count
            }
            let fetched = people.map { $0.received.values.reduce(0, +) }
            return Outcome(
                seed: seed.value, simulatedSeconds: Int(world.now.milliseconds / 1000),
                joined: people.count(where: \.hasJoined), stored: Int(server?.postCount ?? 0),
                pushes: Int(server?.pushCount ?? 0), fetched: fetched.reduce(0, +),
                repeated: fetched.reduce(0, +) - people.reduce(0) { $0 + $1.received.count }, missing: missing,
                miscounts: miscounts)
        }

        private func reason(_ person: RoomMember, _ server: RoomServer) -> Reason? {
            let missing = lacking(person, server)
            guard !missing.isEmpty else { return nil }
            guard let index = server.server.clients.index(of: person.publicKey), person.hasJoined else {
                return .neverJoined
            }
            let client = server.server.clients[index]
            if missing.contains(where: { $0.timestamp <= client.syncSince }) { return .lost }
            return client.pushFailures >= 3 ? .leftAlone : .timeOver
        }
    }
}
