import Foundation
import MeshBoards
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import Testing

@testable import MeshCompliance

/// Two radios under test where a statement needs a peer, both emulated, on the time of the world.
@Suite(.serialized) struct PeerRealTimeTests {
    /// Texts, adverts, requests, packets as they are, and what radios do with each other.
    private static let some = Selection("122,136,138,151,158,163,168,189,218,225,PEER-*")

    @Test func `with a peer, statements are shown that a client alone cannot see`() async throws {
        let desk = try await Desk()
        let report = try await desk.run(Self.some) { try $0.perform() }
        let alone = try await desk.run(Self.some) { run in
            var run = run
            run.peer = nil
            return try run.perform()
        }
        await desk.stop()

        #expect(report.exitCode == 0, "\(report.text(isVerbose: true))")
        #expect(report.kept == 10 + PeerCheck.all.count)
        #expect(alone.entries.filter(\.isKept).map(\.id) == ["CMP-189"])
        #expect(alone.notRun == 9 + PeerCheck.all.count)
    }

    @Test func `a peer at a serial line takes part, too`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "peer-\(UUID().uuidString).tty").path
        let desk = try await Desk(bob: .pty(path: path))
        let report = try await desk.run(Selection("136,218,PEER-text-*")) { try $0.perform() }
        await desk.stop()

        #expect(report.exitCode == 0, "\(report.text(isVerbose: true))")
        #expect(report.kept == 4)
    }

    @Test(arguments: [
        ("direct-message-without-hops", "CMP-138"), ("advert-key-short", "CMP-218"), ("path-backwards", "CMP-124"),
        ("message-key-swapped", "PEER-text-received"),
    ])
    func `a fault in what a radio receives is noticed through the peer`(mutant: String, id: String) async throws {
        let desk = try await Desk(mutant: mutant)
        let report = try await desk.run(Selection(id)) { try $0.perform() }
        await desk.stop()

        #expect(report.exitCode == 1, "\(report.text(isVerbose: true))")
        #expect(report.broken == 1)
    }

    @Test(arguments: [false, true])
    func `both radios are as they were before, also after an interrupt`(isInterrupted: Bool) async throws {
        let desk = try await Desk()
        for (index, name) in desk.names.enumerated() { try await desk.look(name) { try $0.setUp(index) } }
        let before = try await desk.photographs()

        let report = try await desk.run(Selection("71,78,138,154,218,220,PEER-*")) { run in
            var count = 0
            return try run.perform(
                isInterrupted: { isInterrupted && count == 8 }, progress: { _, _ in count += 1 })
        }
        let after = try await desk.photographs()
        await desk.stop()

        #expect(report.exitCode == (isInterrupted ? 2 : 0), "\(report.text(isVerbose: true))")
        #expect(report.entries.count == (isInterrupted ? 8 : 6 + PeerCheck.all.count))
        #expect(after == before)
    }

    @Test func `what a radio remembers of a run does not break the next one`() async throws {
        let desk = try await Desk()
        let checks = Selection(
            "83,172,213,226,MATRIX-0D-longest,MATRIX-0F-longest,MATRIX-39-longest,PEER-shared-contact,PEER-text-sent")
        let first = try await desk.run(checks) { try $0.perform() }
        let second = try await desk.run(checks) { try $0.perform() }
        await desk.stop()

        #expect(first.kept == 9, "\(first.text(isVerbose: true))")
        #expect(second.kept == 9, "\(second.text(isVerbose: true))")
    }

    @Test func `messages that waited are shown, as they wait no more`() async throws {
        let desk = try await Desk()
        let key = try await desk.look(desk.names[0]) { try $0.me() }
        let bob = try await desk.look(desk.names[1]) { radio in
            try radio.add(key: key)
            return try radio.me()
        }
        try await desk.look(desk.names[0]) { radio in
            try radio.add(key: bob)
            try radio.atOther(desk.names[1]) {
                _ = try $0.ask("02 00 00 \(radio.sentAt) \(key.prefix(6)) 'mine'", "06 …")
            }
            try radio.expect("83")
        }

        let report = try await desk.run(Selection("136")) { try $0.perform() }
        await desk.stop()

        #expect(report.exitCode == 0)
        #expect(report.notes.count == 2)
        #expect(report.text().contains("mine"))
    }

    @Test func `radios with other parameters, the same radio, and a radio out of radioRange are refused`() async throws
    {
        let desk = try await Desk()
        let one = desk.names[0]
        let same = await #expect(throws: ComplianceRun.Problem.self) {
            try await desk.run(peer: one) { try $0.perform() }
        }
        try await desk.look(desk.names[1]) { _ = try $0.ask("0B \(UInt32(868_000)) \(UInt32(62_500)) 08 05", "00") }
        let apart = await #expect(throws: ComplianceRun.Problem.self) { try await desk.run { try $0.perform() } }
        await desk.stop()
        let far = try await Desk(.village)
        let deaf = await #expect(throws: ComplianceRun.Problem.self) { try await far.run { try $0.perform() } }
        await far.stop()

        #expect(same?.description.contains("same radio") == true, "\(same?.description ?? "")")
        #expect(
            apart?.description
                == "the radios cannot hear each other: \(one) is at 869.618 MHz, 62.5 kHz, SF 8, CR 4/5, "
                + "\(desk.names[1]) at 868.000 MHz, 62.5 kHz, SF 8, CR 4/5; set both alike first")
        #expect(
            deaf?.description.contains("does not hear \(far.names[1]), though both are at 869.618 MHz") == true,
            "\(deaf?.description ?? "")")
    }

    @Test func `without its peer the rest of a run goes on, and the peer is put back`() async throws {
        let desk = try await Desk()
        try await desk.look(desk.names[1]) { try $0.setUp(1) }
        let before = try await desk.photographs()

        let report = try await desk.run(Selection("136,138,50-52,218")) { run in
            // Whoever connects takes the place of the one before.
            var thief: StreamTarget?
            defer { thief?.close() }
            return try run.perform(progress: { entry, _ in
                guard entry.id == "CMP-136", let address = run.peer?.addresses.first else { return }
                thief = StreamTarget(address)
                try? thief?.connect()
            })
        }
        let after = try await desk.photographs()
        await desk.stop()

        #expect(report.entries.filter(\.isKept).map(\.id) == ["CMP-050", "CMP-051", "CMP-052", "CMP-136"])
        #expect(report.notRun == 2, "\(report.text(isVerbose: true))")
        #expect(report.exitCode == 2)
        #expect(report.abortedBecause?.hasPrefix("the peer is gone: \(desk.names[1])") == true)
        #expect(after == before)
    }

    @Test func `what two radios do with each other is no part of other runs`() throws {
        let whole = try ComplianceRun(target: .emulator, only: Selection("136,PEER-advert")).perform()

        #expect(!Check.all.contains { $0.id.hasPrefix("PEER-") })
        #expect(whole.entries.map(\.id) == ["CMP-136", "PEER-advert"])
        #expect(whole.notRun == 1)
    }
}

/// Two emulated radios, behind real links, ten times as fast as real ones.
private struct Desk: Sendable {
    let names: [Target]
    private let emulator: Emulator

    init(_ world: WorldDescription = .desk, bob: LinkAddress = .freePort, mutant: String? = nil)
        async throws
    {
        var world = world
        for index in world.nodes.indices { world.nodes[index].hooks = mutant.flatMap { Mutant.named($0)?.hooks } }
        emulator = try await Emulator.start(
            .init(
                world: world, seed: Seed(7),
                endpoints: [
                    NodeEndpoint(label: "alice", endpoint: .freePort),
                    NodeEndpoint(label: "bob", endpoint: bob),
                ], pace: .clock(speed: 10)))
        names = emulator.endpoints.map { Target($0.endpoint.dialed) }
    }

    func stop() async { await emulator.stop() }

    /// A run against alice, with bob for a peer unless stated otherwise.
    func run<R: Sendable>(
        _ selection: Selection = .all, peer: Target? = nil,
        _ body: @escaping @Sendable (ComplianceRun) throws -> R
    ) async throws -> R {
        var run = ComplianceRun(target: names[0], only: selection)
        run.peer = peer ?? names[1]
        let ready = run
        return try await onThread { try body(ready) }
    }

    /// Does something to a radio as a client of its own.
    @discardableResult
    func look<R: Sendable>(_ name: Target, _ body: @escaping @Sendable (Probe) throws -> R) async throws
        -> R
    {
        try await onThread { try Probe.visit(name, body) }
    }

    /// Reads everything that a run could change in the two radios.
    func photographs() async throws -> [[[UInt8]]] {
        var all: [[[UInt8]]] = []
        for name in names {
            all.append(
                try await look(name) { radio in
                    let questions: [Pattern] = [
                        "01 00×7", "16 03", "2B", "3B", "40", "1F 00", "1F 01", "1F 02", "1F 03",
                    ]
                    let frames = try questions.map { try radio.ask($0, "…").frame }
                    return try frames + radio.contacts().keys.map { try radio.contact($0).frame }
                })
        }
        return all
    }

    /// On a thread of its own: a run that waits must not hold a thread that the emulator's end needs.
    private func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try body() }) }.start()
        }
    }
}

extension Probe {
    /// Connects, does something, and leaves.
    fileprivate static func visit<R>(_ name: Target, _ body: (Probe) throws -> R) throws -> R {
        let target = StreamTarget(try #require(name.addresses.first))
        try target.connect()
        defer { target.close() }
        return try body(Probe(target))
    }

    fileprivate func atOther<R>(_ name: Target, _ body: (Probe) throws -> R) throws -> R {
        try Self.visit(name, body)
    }

    /// Settings, a channel and a contact of an owner.
    fileprivate func setUp(_ index: Int) throws {
        let commands: [Pattern] = [
            "08 'Mine' \(UInt8(0x30 + index))", "0E \(Int32(1_000_000)) \(Int32(2_000_000))", "26 01 15 01 02",
            "3A 06 05", "3D 00 01", "3F 'region' 00×25 55×16", "15 00000000 D0070000", "20 01 'Mine' 00×28 11×16",
        ]
        for command in commands { try ask(command, "00") }
        try add(.carol, type: 2, path: [1, 2], lastmod: 1_640_000_000)
    }
}
