public import MeshBoards
import MeshCompanion
public import MeshCore
public import MeshSimulator
public import MeshTime
public import MeshTransports
public import MeshWire
import Synchronization

/// The parts of a target that a scenario uses: radios, and the mesh behind them where it is ours.
public protocol StageMesh: Sendable {
    /// Abilities of the target. Without `.freshRadio` its radios have an owner, who wants them back as they were.
    var abilities: Abilities { get }
    /// Tells whether a person's radio has to be found and paired with before frames pass; `false` by default.
    func isPaired(_ member: Member) -> Bool
    /// The way in which a person's link carries frames, which decides what a planned fault can do to it.
    func carrier(of member: Member) -> LinkCarrier
    /// A link to a person's radio, not yet open.
    func transport(to member: Member) async throws -> any MeshTransport
    /// The public key of a node, where it can be had without asking it.
    func key(of member: Member) async throws -> FixedBytes<32>?
    /// Looks at the world behind the radios and changes it; throws where there is none.
    func withWorld<R: Sendable>(_ body: @escaping @Sendable (inout World) throws -> R) async throws -> R
    /// Ends the mesh, and gives back what was borrowed.
    func end() async
}

extension StageMesh {
    /// Not so unless a mesh says otherwise.
    public func isPaired(_ member: Member) -> Bool { false }
}

/// The place where a scenario plays: its people with their apps, the mesh, the clock, and the event log.
public final class Stage: Sendable {
    /// The scenario that is played.
    public let scenario: Scenario
    /// The clock of every wait.
    public let clock: any Clock<Duration>
    /// The seed of random numbers.
    public let seed: Seed
    /// Unix seconds of the beginning, by all clocks.
    public let start: UInt32
    /// Events of the run, in order.
    public let eventLog: EventLog
    /// Facts that expectations remember from look to look.
    public let memory = StageMemory()
    /// Traffic between apps and radios.
    let ledger = LinkLedger()
    /// Effects of faults and looks at rules.
    let proofs = ProofLedger()
    /// The scenario's, which are many lines away.
    private let cast: [Member]
    let mesh: any StageMesh
    private let elapsed: @Sendable () -> Duration
    private let players = Mutex<[String: Player]>([:])
    private let chores = Mutex<[Task<Void, Never>]>([])
    private let begun = Mutex(Duration.zero)

    /// A person's app, and the link that it sits on.
    struct Player: Sendable {
        let app: any ScenarioApp
        let link: CuttableLink
        let faults: FaultyTransport
        let key: FixedBytes<32>
        /// The settings to restore in the end; `nil` for radios that end with the scenario.
        var keeper: RadioKeeper?
    }

    init(
        _ scenario: Scenario, mesh: any StageMesh, clock: any Clock<Duration>, seed: Seed,
        start: UInt32 = Stage.startOfTime, eventLog: EventLog
    ) {
        self.start = start
        self.scenario = scenario
        cast = scenario.cast
        self.mesh = mesh
        self.clock = clock
        self.seed = seed
        self.eventLog = eventLog
        elapsed = clock.stopwatch()
    }

    // MARK: Time

    /// Unix seconds of the beginning where it is the same in every run: 2025-06-15, 15:06:40 UTC.
    public static let startOfTime: UInt32 = 1_750_000_000

    /// Since the stage was built.
    public var time: Duration { elapsed() }
    /// Since the script began.
    public var scriptTime: Duration { elapsed() - begun.withLock { $0 } }
    /// Unix seconds by the clock of a person's host.
    public var seconds: UInt32 { start &+ UInt32(clamping: time.components.seconds) }

    func beginScript() {
        let now = elapsed()
        begun.withLock { $0 = now }
    }

    /// Waits on the clock of the stage.
    public func sleep(_ span: Duration) async throws { try await clock.sleep(for: span) }

    // MARK: People

    /// The app of a person; throws for a node without one.
    public func app(of person: some Node) throws -> any ScenarioApp { try player(person.member).app }

    func player(_ member: Member) throws -> Player {
        guard let player = players.withLock({ $0[member.name] }) else {
            throw ScenarioError("\(member.name) has no app")
        }
        return player
    }

    func add(_ player: Player, as member: Member) { players.withLock { $0[member.name] = player } }

    /// The people who have an app, in the order of the cast.
    public var people: [Member] {
        let names = players.withLock { Set($0.keys) }
        return cast.filter { names.contains($0.name) }
    }

    /// The public key of any node.
    public func key(of node: some Node) async throws -> FixedBytes<32> {
        if let player = players.withLock({ $0[node.member.name] }) { return player.key }
        guard let key = try await mesh.key(of: node.member) else {
            throw ScenarioError("the key of \(node.member.name) is not known on this target")
        }
        return key
    }

    // MARK: The mesh

    /// Looks at the world behind the radios and changes it.
    public func withWorld<R: Sendable>(_ body: @escaping @Sendable (inout World) throws -> R) async throws -> R {
        try await mesh.withWorld(body)
    }

    // MARK: What goes on beside the script

    /// Does something later, unless the scenario is over by then.
    public func later(_ span: Duration, _ name: String, _ body: @escaping @Sendable (Stage) async throws -> Void) {
        let task = Task(name: name) {
            guard (try? await self.clock.sleep(for: span)) != nil else { return }
            do { try await body(self) } catch { self.eventLog.fail(name, "\(error)", at: self.time) }
        }
        chores.withLock { $0.append(task) }
    }

    func close() async {
        for chore in chores.withLock({ $0 }) { chore.cancel() }
        for member in people {
            guard let player = players.withLock({ $0[member.name] }) else { continue }
            await player.app.close()
            await player.link.mend()
            if let keeper = player.keeper {
                do { try await keeper.restore(over: player.link, clock: clock) } catch {
                    eventLog.fail("the radio of \(member.name) is put back", "\(error)", at: time)
                }
            }
            await player.faults.disconnect()
        }
        await mesh.end()
        // Links and apps know the stage: without this each run would keep its memory for as long as the process lasts.
        players.withLock { $0 = [:] }
        chores.withLock { $0 = [] }
    }
}

extension World {
    /// The node of a member: of one who shares a radio it is the owner's.
    public func node(of member: Member) throws -> NodeID {
        guard let node = node(labelled: member.radioName) else {
            throw ScenarioError("there is no node \(member.name)")
        }
        return node
    }
}
