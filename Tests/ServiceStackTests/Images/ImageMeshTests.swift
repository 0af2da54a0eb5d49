import Foundation
import MeshCapture
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshTransports
import MeshVirtualTime
import MeshWire
import StackTestSupport
import Synchronization
import Testing

@testable import PocketMeshServices

/// Pictures from one emulated radio to another.
@Suite struct ImageMeshTests {
    /// Alice and bob in each other's reach.
    private static func beside(loss: UInt16 = 0) -> WorldDescription {
        WorldDescription(
            name: "beside", summary: "alice and bob side by side",
            nodes: [NodeDescription("alice", .companion(.wifi)), NodeDescription("bob", .companion(.wifi))],
            links: [.init("alice", "bob", lossPerTenThousand: loss)])
    }

    /// Makes alice and bob contacts of each other, with a path to bob, in their stores too; returns alice's contact.
    private func meet(_ mesh: MeshBench, _ alice: ServiceBench, _ bob: ServiceBench) async throws -> ContactDTO {
        // Not with the adverts that all nodes send 16 s after their boot.
        try await mesh.clock.sleep(for: .seconds(20))
        try await mesh.introduce([alice, bob])
        for number in 0..<20 {
            _ = try await alice.session.sendMessage(
                to: .bytes([UInt8](bob.device.publicKey)), text: "hello",
                timestamp: alice.dependencies.seconds + UInt32(number))
            try await mesh.clock.sleep(for: .seconds(8))
            for app in [alice, bob] {
                for record in try await app.session.getContacts().contacts {
                    try await app.store.saveContact(deviceID: app.device.id, from: record)
                }
            }
            let known = try await alice.store.fetchContact(deviceID: alice.device.id, publicKey: bob.device.publicKey)
            if let known, known.routing != .unknown { return known }
        }
        throw MeshTransportError.deviceNotFound("a path that is found by twenty messages")
    }

    private struct Report: Hashable, Sendable {
        var received: Data?
        var refusals = 0
        var frames = 0
    }

    /// Sends one picture over a link to bob's app that does to raw data as the test says.
    private func transfer(
        _ picture: Data, _ description: WorldDescription, seed: UInt64 = 7, order: VirtualTime.Order = .arrival,
        bobsLink: @escaping @Sendable (any MeshTransport, VirtualClock) -> any MeshTransport = { inner, _ in inner }
    ) throws -> Report {
        try withMesh(description, seed: seed, order: order) { mesh in
            let traffic = Notes<RecordingEntry.Event>()
            let recorder = RecordingTransport(try await mesh.world.transport(to: "alice"), clock: mesh.clock) {
                traffic.add($0.event)
            }
            let alice = try await ServiceBench(transport: recorder, clock: mesh.clock, seed: mesh.seed.part("alice"))
            let link = bobsLink(try await mesh.world.transport(to: "bob"), mesh.clock)
            let bob = try await ServiceBench(transport: link, clock: mesh.clock, seed: mesh.seed.part("bob"))
            let known = try await meet(mesh, alice, bob)
            let receiver = bob.images()
            let got = Notes<UUID>()
            receiver.events.note(in: got) { if case .imageReceived(let message) = $0 { message.id } else { nil } }
            try await receiver.startEventMonitoring(deviceID: bob.device.id)

            try await alice.images().sendImage(picture, to: known)
            try await mesh.clock.sleep(for: .seconds(120))

            await receiver.stop()
            var report = Report()
            if let id = got.all.first { report.received = try await bob.store.fetchBlob(messageID: id)?.data }
            for event in traffic.all {
                switch event {
                case .frame(.toRadio, let frame) where frame.first == 0x19: report.frames += 1
                case .frame(.toApp, [1, 3]): report.refusals += 1
                default: break
                }
            }
            return report
        }
    }

    @Test(.proves("SVC-182", "SVC-183", "SVC-R-122"))
    func `a picture fills the radio's packets, waits, and arrives whole`() throws {
        let picture = Pictures.jpeg(136 * 40)

        let report = try transfer(picture, Self.beside())

        #expect(report.received == picture)
        #expect(report.refusals > 10, "the pool of sixteen packets was full again and again")
        #expect(report.frames == 40 + report.refusals)
    }

    @Test func `a picture takes the path through a repeater`() throws {
        let picture = Pictures.jpeg(136 * 3)

        #expect(try transfer(picture, .village).received == picture)
    }

    @Test(.proves("SVC-181"), arguments: [UInt64(1), 2, 3])
    func `frames that come twice and out of order on the way to the app do no harm`(seed: UInt64) throws {
        let picture = Pictures.jpeg(136 * 12, seed: seed)

        let report = try transfer(picture, Self.beside(), seed: seed, order: .drawn(Seed(seed))) { inner, clock in
            var faults = LinkFaults()
            faults.duplicate = 4000
            let doubled = FaultyTransport(inner, toApp: faults, seed: Seed(seed), clock: clock)
            return ReorderingTransport(doubled, seed: Seed(seed), clock: clock)
        }

        #expect(report.received == picture)
    }

    @Test func `the same seed takes the same course`() throws {
        let reports = try (0..<2).map { _ in try transfer(Pictures.jpeg(800), Self.beside(loss: 500), seed: 3) }

        #expect(reports[0] == reports[1])
    }

    @Test(.proves("SVC-184"))
    func `what the air loses is named by the receiver; sent again, the picture arrives`() throws {
        try withMesh(Self.beside(loss: 2500)) { mesh in
            let (alice, bob) = (try await mesh.app("alice"), try await mesh.app("bob"))
            let known = try await meet(mesh, alice, bob)
            let receiver = bob.images()
            let got = Notes<MessageDTO>()
            let given = Notes<ImageProgress>()
            receiver.events.note(in: got) { if case .imageReceived(let message) = $0 { message } else { nil } }
            receiver.events.note(in: given) {
                if case .imageProgressed(let progress) = $0, progress.state == .failed { progress } else { nil }
            }
            try await receiver.startEventMonitoring(deviceID: bob.device.id)
            let picture = Pictures.jpeg(136 * 6)
            let sender = alice.images()

            var id = try await sender.sendImage(picture, to: known)
            // Until one has come whole, and one has not.
            for _ in 0..<20 where got.all.isEmpty || given.all.isEmpty {
                try await mesh.clock.sleep(for: .seconds(400))
                id = try await sender.resendImage(messageID: id)
            }
            try await mesh.clock.sleep(for: .seconds(400))

            let message = try #require(got.all.first)
            #expect(try await bob.store.fetchBlob(messageID: message.id)?.data == picture)
            #expect(
                !given.all.isEmpty && given.all.allSatisfy { !$0.missing.isEmpty && $0.done + $0.missing.count == 6 })
            #expect(await receiver.assembly.size == 0)
            #expect(try await alice.messages(with: known).allSatisfy { $0.status == .sent })
            await receiver.stop()
        }
    }

    @Test(.proves("SVC-R-123"))
    func `chunks for a host that is away are lost; the picture stays sent, and can be sent again`() throws {
        try withMesh(Self.beside()) { mesh in
            let (alice, bob) = (try await mesh.app("alice"), try await mesh.app("bob"))
            let known = try await meet(mesh, alice, bob)
            let sender = alice.images()
            let picture = Pictures.jpeg(136 * 4)
            await bob.session.stop()

            let id = try await sender.sendImage(picture, to: known)
            try await mesh.clock.sleep(for: .seconds(60))
            #expect(try await alice.store.fetchMessage(id: id)?.status == .sent)

            try await bob.session.start()
            let receiver = bob.images()
            let got = Notes<MessageDTO>()
            receiver.events.note(in: got) { if case .imageReceived(let message) = $0 { message } else { nil } }
            try await receiver.startEventMonitoring(deviceID: bob.device.id)
            try await mesh.clock.sleep(for: .seconds(30))
            #expect(await receiver.incomingTransfers.isEmpty, "the radio kept nothing")

            let again = try await sender.resendImage(messageID: id)
            try await mesh.clock.sleep(for: .seconds(60))
            let message = try #require(got.all.first)
            #expect(try await bob.store.fetchBlob(messageID: message.id)?.data == picture)
            #expect(again != id)
            #expect(try await alice.messages(with: known).map(\.status) == [.sent, .sent])
            await receiver.stop()
        }
    }
}

/// Holds each frame of raw data back for a drawn time, so that they overtake each other.
private actor ReorderingTransport: MeshTransport {
    private let inner: any MeshTransport
    private let clock: VirtualClock
    private var draws: RandomStream
    private let inbox = AsyncStream<[UInt8]>.makeStream()
    private var pump: Task<Void, Never>?

    init(_ inner: any MeshTransport, seed: Seed, clock: VirtualClock) {
        self.inner = inner
        self.clock = clock
        draws = seed.stream("order")
    }

    var receivedData: AsyncStream<[UInt8]> { inbox.stream }
    var connectionState: ConnectionState { get async { await inner.connectionState } }

    func connect() async throws {
        try await inner.connect()
        let frames = await inner.receivedData
        pump = Task {
            await withDiscardingTaskGroup { group in
                for await frame in frames {
                    guard frame.first == PushCode.rawData.rawValue else {
                        inbox.continuation.yield(frame)
                        continue
                    }
                    let wait = Duration.milliseconds(Int64(draws.draw(0, 10_000)))
                    group.addTask { [clock, inbox] in
                        try? await clock.sleep(for: wait)
                        inbox.continuation.yield(frame)
                    }
                }
            }
            inbox.continuation.finish()
        }
    }

    func disconnect() async {
        await inner.disconnect()
        await pump?.value
    }

    func send(_ frame: [UInt8]) async throws { try await inner.send(frame) }
}
