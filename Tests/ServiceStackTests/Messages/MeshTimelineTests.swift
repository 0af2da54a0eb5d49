import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// The attempts of every preset against a mesh that loses links.
///
/// The radio decides, and the other side reports the arrivals.
@Suite struct MeshTimelineTests {
    /// Two ways from alice to bob.
    private static let twoWays = WorldDescription(
        name: "two ways", summary: "alice and bob, and two repeaters between them that hear each other",
        nodes: [
            NodeDescription("alice", .companion(.wifi)), NodeDescription("rep1", .repeater),
            NodeDescription("rep2", .repeater), NodeDescription("bob", .companion(.wifi)),
        ],
        links: [
            .init("alice", "rep1"), .init("alice", "rep2"), .init("rep1", "bob"), .init("rep2", "bob"),
            .init("rep1", "rep2"),
        ])

    enum Break: String, CaseIterable, Sendable {
        /// Alice's packets on her path do not reach bob.
        case afterTheFirstHop
        /// Bob's answers on his path do not reach alice.
        case afterTheAck
    }

    /// One message: what the radio did with each attempt and when, the row, and how many copies bob got.
    struct Story: Sendable {
        var routes: String
        var gaps: [Duration]
        var expectedGaps: [Duration]
        var resets: Int
        var row: MessageDTO
        var copies: Int
    }

    @Test(
        .proves("SVC-098", "SVC-099", "SVC-100", "SVC-104"), arguments: StackProfile.presets.map(\.name), Break.allCases
    )
    func `in a mesh the attempts follow the preset's policy`(preset: String, fault: Break) throws {
        let profile = try #require(StackProfile.presets.first { $0.name == preset }).profile
        let stories = try withMesh(Self.twoWays) { mesh in
            let play = try await MeshPlay(mesh, profile)
            let flooded = try await play.send("flood only")
            // The way back was learned with the acknowledgement.
            let direct = try await play.send("direct")
            try await play.breakPath(fault)
            let broken = try await play.send("broken")
            try await play.crashBob()
            let unreachable = try await play.send("unreachable")
            await play.end()
            return [flooded, direct, broken, unreachable]
        }
        let directs = String(repeating: "d", count: profile.messages.retry.floodAfter)

        for story in stories {
            #expect(story.row.retryAttempt == story.routes.count - 1)
            for (gap, expected) in zip(story.gaps, story.expectedGaps) {
                // The reset of the path lies between two attempts, and takes the radio a moment.
                #expect((expected...(expected + .milliseconds(50))).contains(gap), "\(story.row.text)")
            }
        }
        #expect(stories[0].routes == "f" && stories[0].row.status == .delivered && stories[0].copies == 1)
        #expect(stories[0].resets == 0)
        #expect(stories[1].routes == "d" && stories[1].row.status == .delivered && stories[1].copies == 1)
        #expect(stories[2].routes.hasPrefix(directs + "f") && stories[2].row.status == .delivered)
        #expect(stories[2].resets == 1)
        let copies = fault == .afterTheAck ? profile.messages.retry.floodAfter + 1 : 1
        #expect(stories[2].copies == copies)
        #expect(stories[3].routes.count == profile.messages.retry.maxAttempts && stories[3].row.status == .failed)
        #expect(stories[3].routes.hasPrefix(directs + "f"))
        for story in stories[..<3] { #expect(story.row.roundTripTime ?? 0 > 100) }
        #expect(stories[3].row.roundTripTime == nil)
    }
}

/// Alice and bob with their services in the emulated mesh.
private struct MeshPlay: Sendable {
    let mesh: MeshBench
    let alice: ServiceBench
    let bob: ServiceBench
    let contact: ContactDTO
    let service: MessageService
    let policy: RetryPolicy
    private let resets = Notes<Bool>()

    init(_ mesh: MeshBench, _ profile: StackProfile) async throws {
        self.mesh = mesh
        alice = try await mesh.app("alice")
        bob = try await mesh.app("bob")
        policy = profile.messages.retry
        // Away from the moments at which all nodes advertise.
        try await mesh.clock.sleep(until: .init(sinceStart: .seconds(25)))
        try await mesh.introduce([alice, bob])
        let (key, device) = (bob.device.publicKey, alice.device.id)
        for record in try await alice.session.getContacts().contacts {
            try await alice.store.saveContact(deviceID: device, from: record)
        }
        guard let contact = try await alice.store.fetchContact(deviceID: device, publicKey: key) else {
            throw StackError(.store, .contactNotFound)
        }
        self.contact = contact
        service = MessageService(
            session: alice.session, store: alice.store, profile: profile, dependencies: alice.dependencies,
            paths: Resetting(bench: alice, resets: resets))
    }

    func send(_ text: String) async throws -> MeshTimelineTests.Story {
        try await waitForQuiet()
        let sends = Notes<(at: Duration, sent: MessageSentInfo)>()
        _ = resets.takeAll()
        let clock = mesh.clock
        let events = await alice.session.events(filter: .eventType("messageSent"))
        let watch = Task {
            for await case .messageSent(let sent) in events { sends.add((clock.now.sinceStart, sent)) }
        }
        let row = try await service.sendMessageWithRetry(text: text, to: contact)
        watch.cancel()
        let attempts = sends.all.prefix(row.retryAttempt + 1)
        let copies = Notes<Bool>()
        var message = try await bob.session.getMessage()
        while message != .noMoreMessages {
            if case .contactMessage(let received) = message, received.message.text.string == text { copies.add(true) }
            message = try await bob.session.getMessage()
        }
        return MeshTimelineTests.Story(
            routes: attempts.map { $0.sent.route == 0 ? "d" : "f" }.joined(),
            gaps: zip(attempts, attempts.dropFirst()).map { $1.at - $0.at },
            expectedGaps: attempts.dropLast().enumerated().map { index, attempt in
                policy.wait(suggested: attempt.sent.timeout) + policy.backoff.pause(after: index + 1)
            }, resets: resets.all.count, row: row, copies: copies.all.count)
    }

    /// Nodes advertise every two minutes, all at once.
    private func waitForQuiet() async throws {
        let seconds = Int(mesh.clock.now.sinceStart / .seconds(1))
        let sinceAdverts = (seconds - 16 + 120) % 120
        try await mesh.clock.sleep(for: .seconds(sinceAdverts > 20 && sinceAdverts < 60 ? 5 : (150 - sinceAdverts)))
    }

    /// Removes the link on which the path to bob, or bob's path back, ends.
    func breakPath(_ fault: MeshTimelineTests.Break) async throws {
        let isBack = fault == .afterTheAck
        let owner = isBack ? bob : alice
        let target = isBack ? alice : bob
        let record = try await owner.session.getContact(publicKey: FixedBytes(target.device.publicKey))
        let hop = record.outPath.array[0]
        try await mesh.world.withWorld { world in
            let repeaters = ["rep1", "rep2"].compactMap { world.node(labelled: $0) }
            guard let alice = world.node(labelled: "alice"), let bob = world.node(labelled: "bob"),
                let hit = repeaters.first(where: { world.flash(of: $0)["/identity/_main.id"]?.first == hop })
            else { throw MeshTransportError.deviceNotFound("the repeater on the path") }
            // A repeater that bob alone does not hear would be talked over by him: nobody hears it.
            let cuts = isBack ? [(bob, hit)] : [(hit, bob), (hit, alice)] + repeaters.map { (hit, $0) }
            for (from, to) in cuts where from != to {
                world.schedule(Fault(.link(from: from, to: to, nil), from: world.now))
            }
        }
    }

    func crashBob() async throws {
        try await mesh.world.withWorld { world in
            guard let bob = world.node(labelled: "bob") else { throw MeshTransportError.deviceNotFound("bob") }
            world.schedule(Fault(.deafness(bob), from: world.now))
        }
    }

    func end() async {
        await service.stop()
        await alice.session.stop()
        await bob.session.stop()
    }
}

/// Does what the contacts do, and counts.
private struct Resetting: PathResetting {
    let bench: ServiceBench
    let resets: Notes<Bool>

    func resetPath(deviceID: UUID, publicKey: Data) async throws {
        resets.add(true)
        try await bench.session.resetPath(FixedBytes(publicKey))
    }
}
