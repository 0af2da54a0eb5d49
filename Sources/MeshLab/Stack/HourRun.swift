import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTime
import MeshVirtualTime
import MeshWire

/// The keys of everybody in the mesh.
struct HourKeys: Sendable {
    let alice: FixedBytes<32>
    let rooms: [FixedBytes<32>]
    let peers: [FixedBytes<32>]

    init(_ world: World, _ hour: StackHour) {
        func key(_ label: String) -> FixedBytes<32> {
            guard let node = world.node(labelled: label), let firmware = world.firmware(node) else {
                preconditionFailure("the hour has no node \(label)")
            }
            return firmware.publicKey
        }
        alice = key("alice")
        rooms = (0..<hour.rooms).map { key(HourWorld.room($0)) }
        peers = (0..<hour.contacts).map { key(HourWorld.peer($0)) }
    }

    var aliceContact: ContactRecord { Self.contact(alice, "alice", .chat) }
    var roomContacts: [ContactRecord] {
        rooms.enumerated().map { Self.contact($1, HourWorld.room($0), .room) }
    }
    var peerContacts: [ContactRecord] {
        peers.enumerated().map { Self.contact($1, HourWorld.peer($0), .chat) }
    }

    private static func contact(_ key: FixedBytes<32>, _ name: String, _ type: NodeType) -> ContactRecord {
        var record = ContactRecord()
        record.publicKey = key
        record.type = type
        record.name = FixedBytes(text: ByteText(name))
        return record
    }
}

/// Listens to the world's trace for as long as the hour lasts.
actor HourWatch {
    private let world: LoopbackWorld
    private let rooms: [String]
    private(set) var trace: HourTrace

    init(_ world: LoopbackWorld, nodes: Int, rooms: Int) {
        self.world = world
        self.rooms = (0..<rooms).map(HourWorld.room)
        trace = HourTrace(nodes: nodes, rooms: rooms)
    }

    func look() async {
        let (records, posts) = await world.withWorld { [rooms] world in
            let posts = rooms.map { label in
                world.node(labelled: label).flatMap { world.firmware($0) as? RoomServer }?.posts.posts ?? []
            }
            return (world.takeTrace(), posts)
        }
        trace.take(records)
        for (room, posts) in posts.enumerated() { trace.take(posts, of: room) }
    }

    /// Looks every second, until cancelled.
    func listen(_ clock: VirtualClock) async throws {
        while true {
            try await clock.sleep(for: .seconds(1))
            await look()
        }
    }
}

/// One run of an hour, on virtual time.
struct HourRun: Sendable {
    let hour: StackHour
    let seed: Seed
    let clock: VirtualClock

    func run() async throws -> HourRecord {
        let made = HourWorld(hour: hour, seed: seed).make()
        let keys = HourKeys(made, hour)
        let plan = HourPlan(hour, seed: seed)
        let world = LoopbackWorld(made, clock: clock)
        let watch = HourWatch(world, nodes: made.nodes.count, rooms: hour.rooms)
        let peers = try await setUpPeers(world, keys)
        let alice = try await HourAlice(hour, keys: keys, world: world, clock: clock, seed: seed)
        try await talk(plan, keys, alice, peers, watch)
        let record = try await record(plan, keys, alice, peers, watch, world)
        await alice.stop()
        for peer in peers { await peer.session.stop() }
        await world.end()
        return record
    }

    private func setUpPeers(_ world: LoopbackWorld, _ keys: HourKeys) async throws -> [HourPeer] {
        var peers: [HourPeer] = []
        for number in 0..<hour.contacts {
            let session = MeshCoreSession(
                transport: try await world.transport(to: HourWorld.peer(number)), clock: clock)
            let peer = HourPeer(number, session: session, clock: clock, seed: seed)
            try await peer.setUp(contacts: [keys.aliceContact] + keys.roomContacts, channels: hour.channels)
            peers.append(peer)
        }
        return peers
    }

    /// Everybody talks and the link comes and goes; then it is quiet for a while.
    private func talk(
        _ plan: HourPlan, _ keys: HourKeys, _ alice: HourAlice, _ peers: [HourPeer], _ watch: HourWatch
    ) async throws {
        let end = clock.now.advanced(by: hour.talk)
        try await withThrowingTaskGroup { group in
            group.addTask { try await watch.listen(clock) }
            group.addTask { try await alice.keepRoomsEntered() }
            try await withThrowingTaskGroup { talking in
                for peer in peers {
                    talking.addTask {
                        try await peer.talk(plan.peers[peer.number], to: keys.alice, rooms: keys.rooms)
                    }
                }
                talking.addTask { try await alice.talk(plan.alice) }
                talking.addTask { try await alice.loseLink(plan.cuts) }
                try await talking.waitForAll()
            }
            if clock.now < end { try await clock.sleep(until: end) }
            try await clock.sleep(for: hour.quiet)
            group.cancelAll()
            while let result = await group.nextResult() {
                guard case .failure(let error) = result, !(error is CancellationError) else { continue }
                throw error
            }
        }
    }

    private func record(
        _ plan: HourPlan, _ keys: HourKeys, _ alice: HourAlice, _ peers: [HourPeer], _ watch: HourWatch,
        _ world: LoopbackWorld
    ) async throws -> HourRecord {
        await watch.look()
        var record = HourRecord(
            hour: hour, plan: plan, keys: keys, trace: await watch.trace, books: try await alice.books())
        for peer in peers { record.ledgers.append(await peer.ledger) }
        (record.worldDigest, record.unseed, record.framesSent, record.waiting) = await world.withWorld { world in
            let alice = world.node(labelled: "alice").flatMap { world.companion($0) }
            return (
                world.digest.value, world.unseed.value, world.statistics.transmissions, alice?.offlineQueue.count ?? 0
            )
        }
        return record
    }
}

/// All that an hour has left behind.
struct HourRecord: Sendable {
    let hour: StackHour
    let plan: HourPlan
    let keys: HourKeys
    let trace: HourTrace
    var books: HourBooks
    /// By peer.
    var ledgers: [HourLedger] = []
    var worldDigest: UInt64 = 0
    var unseed: UInt64 = 0
    var framesSent = 0
    /// Messages that nobody fetched from alice's radio.
    var waiting = 0
}
