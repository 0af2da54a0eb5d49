import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import StackTestSupport
import Testing

@testable import PocketMeshServices

/// Pictures over repeaters, which the receiver confirms.
@Suite struct ImageDeliveryMeshTests {
    private static let hills = ["hill", "valley", "tower"]

    /// Alice and bob with repeaters between them, each of which hears its neighbours alone.
    private static func row(_ repeaters: Int, loss: UInt16 = 0) -> WorldDescription {
        let names = ["alice"] + hills.prefix(repeaters) + ["bob"]
        return WorldDescription(
            name: "row", summary: "alice and bob at the ends of a row",
            nodes: names.map { NodeDescription($0, hills.contains($0) ? .repeater : .companion(.wifi)) },
            links: zip(names, names.dropFirst()).map { .init($0, $1, lossPerTenThousand: loss) })
    }

    /// An app with its service of pictures, and its contact at the other end of the row.
    private struct End: Sendable {
        let bench: ServiceBench
        let images: ImageService
        let other: ContactDTO
        let progress = Notes<ImageProgress>()

        func begin() async throws {
            images.events.note(in: progress) { if case .imageProgressed(let value) = $0 { value } else { nil } }
            try await images.startEventMonitoring(deviceID: bench.device.id)
        }

        var pictures: [MessageDTO] { get async throws { try await bench.messages(with: other) } }
    }

    private func ends(
        _ mesh: MeshBench, repeaters: Int, _ change: (inout ImagePolicy) -> Void = { _ in }
    ) async throws -> (alice: End, bob: End) {
        // Not with the adverts that all nodes send 16 s after their boot.
        try await mesh.clock.sleep(for: .seconds(30))
        let (alice, bob) = (try await mesh.app("alice"), try await mesh.app("bob"))
        let path = try await mesh.world.withWorld { world in
            try Self.hills.prefix(repeaters).map { name in
                let node = try #require(world.node(labelled: name))
                return try #require(world.firmware(node)).publicKey[0]
            }
        }
        let bobAtAlice = try await contact(of: bob, at: alice, over: path)
        let aliceAtBob = try await contact(of: alice, at: bob, over: path.reversed())
        let (from, to) = (
            End(bench: alice, images: alice.images(), other: bobAtAlice),
            End(bench: bob, images: bob.images(change), other: aliceAtBob)
        )
        try await from.begin()
        try await to.begin()
        return (from, to)
    }

    private func contact(of other: ServiceBench, at app: ServiceBench, over path: [UInt8]) async throws -> ContactDTO {
        var record = Frames.contact(1, name: "other")
        record.publicKey = FixedBytes([UInt8](other.device.publicKey))
        record.outPathLength = .init(rawValue: UInt8(path.count))
        record.outPath = FixedBytes(path)
        let id = try await app.store.saveContact(deviceID: app.device.id, from: record)
        return try #require(try await app.store.fetchContact(id: id))
    }

    /// Waits until the last picture of alice has this status; whether it came to that.
    private func wait(_ limit: Duration, for status: MessageStatus, at end: End) async throws -> Bool {
        let start = end.bench.clock.now
        while start.duration(to: end.bench.clock.now) < limit {
            if try await end.pictures.last?.status == status { return true }
            try await end.bench.clock.sleep(for: .seconds(1))
        }
        return false
    }

    @Test(.proves("SVC-188"), arguments: 0...3)
    func `a picture arrives over repeaters, and its sender is told`(repeaters: Int) throws {
        try withMesh(Self.row(repeaters)) { mesh in
            let (alice, bob) = try await ends(mesh, repeaters: repeaters)
            let picture = Pictures.jpeg(136 * 12)
            let plan = try await alice.images.plan(of: picture, to: alice.other)
            let start = mesh.clock.now

            let id = try await alice.images.sendImage(picture, to: alice.other)
            #expect(await alice.images.waitForConfirmation(of: id))

            let message = try #require(try await bob.pictures.last)
            #expect(try await bob.bench.store.fetchBlob(messageID: message.id)?.data == picture)
            #expect(try await alice.pictures.map(\.status) == [.delivered])
            #expect(alice.progress.all.last?.hasArrived == true && alice.progress.all.last?.done == 12)
            // Nothing went twice: the pace is that of the plan, and the word of the receiver follows at once.
            #expect(start.duration(to: mesh.clock.now) < plan.duration + plan.interval * 2)
            await alice.images.stop()
            await bob.images.stop()
        }
    }

    @Test(.proves("SVC-188", "SVC-189"), arguments: [UInt64(1), 2, 3])
    func `what the air loses is asked for and sent again, until the picture is there once`(seed: UInt64) throws {
        try withMesh(Self.row(1, loss: 2500), seed: seed) { mesh in
            let (alice, bob) = try await ends(mesh, repeaters: 1)
            let picture = Pictures.jpeg(136 * 15, seed: seed)

            try await alice.images.sendImage(picture, to: alice.other)

            #expect(try await wait(.seconds(1800), for: .delivered, at: alice))
            let pictures = try await bob.pictures
            #expect(pictures.count == 1)
            #expect(try await bob.bench.store.fetchBlob(messageID: pictures[0].id)?.data == picture)
            #expect(alice.progress.all.contains { $0.state == .running && $0.done > 0 && $0.done < 15 })
            await alice.images.stop()
            await bob.images.stop()
        }
    }

    @Test(.proves("SVC-190")) func `an app of the founding protocol receives it, and it is not confirmed`() throws {
        try withMesh(Self.row(1)) { mesh in
            let (alice, bob) = try await ends(mesh, repeaters: 1) { $0.confirms = false }
            let picture = Pictures.jpeg(136 * 4)

            let id = try await alice.images.sendImage(picture, to: alice.other)
            #expect(await !alice.images.waitForConfirmation(of: id))

            #expect(try await alice.pictures.map(\.status) == [.sent])
            #expect(try await bob.pictures.count == 1)
            #expect(alice.progress.all.last?.state == .complete && alice.progress.all.last?.hasArrived == false)
            await alice.images.stop()
            await bob.images.stop()
        }
    }

    @Test func `a wait that begins while a picture is sent ends with it, where no report is expected`() throws {
        try withMesh(Self.row(1)) { mesh in
            let (alice, bob) = try await ends(mesh, repeaters: 1)
            await alice.images.stop()
            let silent = alice.bench.images { $0.confirms = false }
            let waits = Notes<Bool>()

            try await silent.sendImage(Pictures.jpeg(136 * 4), to: alice.other) { progress in
                guard progress.done == 0 else { return }
                Task { waits.add(await silent.waitForConfirmation(of: progress.transferID)) }
            }
            try await mesh.clock.sleep(for: .seconds(1))

            #expect(waits.all == [false])
            await silent.stop()
            await bob.images.stop()
        }
    }

    @Test(.proves("SVC-191")) func `the receiving app has kept what came before a break, and asks for the rest`() throws
    {
        try withMesh(Self.row(1)) { mesh in
            let (alice, bob) = try await ends(mesh, repeaters: 1)
            let picture = Pictures.jpeg(136 * 10)
            let sending = Task { try await alice.images.sendImage(picture, to: alice.other) }
            try await mesh.clock.sleep(for: .seconds(18))
            await bob.images.stop()
            let kept = try await bob.bench.transfers().map(\.received)
            _ = try await sending.value
            #expect(kept.count == 1 && ChunkSet(total: 10, stored: kept[0]).count >= 3)

            let second = End(bench: bob.bench, images: bob.bench.images(), other: bob.other)
            try await second.begin()

            #expect(try await wait(.seconds(300), for: .delivered, at: alice))
            #expect(try await bob.pictures.count == 1)
            #expect(try await bob.bench.store.fetchImageChunks(transferID: bob.bench.transfers()[0].id).isEmpty)
            await alice.images.stop()
            await second.images.stop()
        }
    }

    @Test(.proves("SVC-191")) func `the sending app goes on after a break, and learns that the picture is there`()
        throws
    {
        try withMesh(Self.row(1)) { mesh in
            let (alice, bob) = try await ends(mesh, repeaters: 1)
            let picture = Pictures.jpeg(136 * 8)
            let sending = Task {
                await failure(of: .pictures) { try await alice.images.sendImage(picture, to: alice.other) }
            }
            try await mesh.clock.sleep(for: .seconds(12))
            await alice.images.stop()
            #expect(await sending.value == .notConnected)
            try await mesh.clock.sleep(for: .seconds(100))

            let second = End(bench: alice.bench, images: alice.bench.images(), other: alice.other)
            try await second.begin()

            #expect(try await wait(.seconds(300), for: .delivered, at: alice))
            #expect(try await bob.pictures.count == 1)
            await second.images.stop()
            await bob.images.stop()
        }
    }

    @Test(.proves("SVC-189")) func `a report of somebody else about the picture changes nothing`() throws {
        try withMesh(Self.row(0)) { mesh in
            let (alice, _) = try await ends(mesh, repeaters: 0) { $0.isEnabled = false }
            let id = try await alice.images.sendImage(Pictures.jpeg(300), to: alice.other)
            let transfer = try #require(try await alice.bench.store.fetchImageTransfer(id: id))

            let stranger = ImageReport(
                receiver: FixedBytes(repeatElement(9, count: 6)), imageID: transfer.imageID, received: .full(total: 3))
            try await alice.images.handle(stranger, deviceID: alice.bench.device.id)

            #expect(try await alice.bench.store.fetchImageTransfer(id: id)?.arrived.isEmpty == true)
            #expect(try await alice.pictures.map(\.status) == [.sent])
            await alice.images.stop()
        }
    }
}
