import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import StackTestSupport
import Testing

@testable import PocketMeshServices

/// Pictures of others, pushed by a radio that the test scripts.
@Suite struct ImageReceivingTests {
    /// A service that accepts pictures, and its events.
    private struct Stage: Sendable {
        let bench: ServiceBench
        let transport: MockTransport
        let service: ImageService
        let sink: MemoryNotificationSink
        let bob: ContactDTO
        let received = Notes<MessageDTO>()
        let progress = Notes<ImageProgress>()
        let raw = Notes<[UInt8]>()

        func push(_ chunks: [ImageChunk]) async throws {
            for chunk in chunks { await transport.simulateReceive(Pictures.push(chunk)) }
            try await bench.clock.sleep(for: .milliseconds(1))
        }
    }

    private func play(
        _ change: @escaping @Sendable (inout ImagePolicy) -> Void = { _ in },
        _ scene: @escaping @Sendable (Stage) async throws -> Void
    ) throws {
        try withScriptedRadio { bench, transport in
            let sink = MemoryNotificationSink(capacity: 10)
            let notifications = await NotificationService(sink: sink, settings: bench.store, clock: bench.clock)
            let stage = Stage(
                bench: bench, transport: transport, service: bench.images(notifier: notifications, change), sink: sink,
                bob: try await bench.contact(2))
            stage.service.events.observe { event in
                switch event {
                case .imageReceived(let message): stage.received.add(message)
                case .imageProgressed(let progress): stage.progress.add(progress)
                case .rawDataReceived(let raw): stage.raw.add(raw.payload)
                default: break
                }
            }
            try await stage.service.startEventMonitoring(deviceID: bench.device.id)
            try await scene(stage)
            await stage.service.stop()
        }
    }

    @Test(.proves("SVC-181"), arguments: [UInt64(1), 2, 3])
    func `a picture comes in any order with duplicates, and is stored, told and notified once`(seed: UInt64) throws {
        try play { stage in
            let picture = Pictures.jpeg(136 * 20 + 5, seed: seed)
            let chunks = Pictures.chunks(picture, from: 2)
            var draw = Seed(seed).stream("order")
            var order = chunks + chunks.filter { _ in draw.draw(0, 3) == 0 }
            order.shuffle(using: &draw)

            try await stage.push(order)

            let message = try #require(stage.received.all.first)
            #expect(stage.received.all.count == 1)
            #expect(message.kind == .image && message.contactID == stage.bob.id && message.direction == .incoming)
            let blob = try await stage.bench.store.fetchBlob(messageID: message.id)
            #expect(blob?.data == picture && blob?.mime == "image/jpeg")
            #expect(try await stage.bench.messages(with: stage.bob).map(\.id) == [message.id])
            #expect(try await stage.bench.store.fetchContact(id: stage.bob.id)?.unreadCount == 1)
            #expect(await stage.sink.shown.map(\.title) == ["bob"])
            #expect(stage.progress.all.map(\.done) == Array(1...21) + [21])
            #expect(stage.progress.all.last?.state == .complete)
            #expect(await stage.service.incomingTransfers.isEmpty)
        }
    }

    @Test(.proves("SVC-184"))
    func `a picture that cannot be stored is told as failed, and nothing of it is kept`() throws {
        try play { stage in
            let picture = Pictures.jpeg(136 * 3)
            try stage.bench.store.breakDown("INSERT ON blob")
            try await stage.push(Pictures.chunks(picture, from: 2))
            #expect(stage.received.all.isEmpty)
            #expect(stage.progress.all.last?.state == .failed)
            #expect(await stage.service.incoming.isEmpty)
            #expect(try await stage.bench.transfers().isEmpty)
            #expect(try await stage.bench.messages(with: stage.bob).isEmpty)

            try stage.bench.store.repair()
            try await stage.push(Pictures.chunks(picture, from: 2, imageID: 8))
            #expect(stage.received.all.count == 1)
        }
    }

    @Test(.proves("SVC-184")) func `transfers that cannot be forgotten are told as failed, all of them`() throws {
        try play { stage in
            for imageID: UInt32 in [1, 2] {
                try await stage.push([Pictures.chunks(Pictures.jpeg(136 * 3), from: 2, imageID: imageID)[0]])
            }
            try stage.bench.store.breakDown("DELETE ON imageTransfer")
            try await stage.bench.clock.sleep(for: .seconds(301))

            #expect(stage.progress.all.filter { $0.state == .failed }.count == 2)
            #expect(await stage.service.incoming.isEmpty)
        }
    }

    @Test(.proves("SVC-184"))
    func `a missing chunk is named, and the transfer goes five minutes after its last chunk`() throws {
        try play { stage in
            let chunks = Pictures.chunks(Pictures.jpeg(136 * 10), from: 2)
            try await stage.push(chunks.filter { ![3, 7].contains($0.index) })

            let known = try #require(await stage.service.incomingTransfers.first)
            #expect((known.received, known.total, known.missing) == (8, 10, [3, 7]))
            #expect(known.contactID == stage.bob.id)
            #expect(try await stage.bench.transfers().map(\.state) == [.running])
            try await stage.bench.clock.sleep(for: .seconds(200))
            try await stage.push([chunks[3]])
            try await stage.bench.clock.sleep(for: .milliseconds(299_998))
            #expect(await stage.service.incomingTransfers.map(\.missing) == [[7]])

            try await stage.bench.clock.sleep(for: .milliseconds(2))

            #expect(await stage.service.incomingTransfers.isEmpty)
            #expect(await stage.service.assembly.size == 0)
            #expect(try await stage.bench.transfers().isEmpty)
            let last = try #require(stage.progress.all.last)
            #expect(last.state == .failed && last.missing == [7] && last.done == 9)
            #expect(stage.received.all.isEmpty)
            // What comes then begins anew.
            try await stage.push([chunks[7]])
            #expect(await stage.service.incomingTransfers.map(\.received) == [1])
        }
    }

    @Test(.proves("SVC-185")) func `strangers, other raw data and impossible chunks are kept by nobody`() throws {
        try play { stage in
            let chunks = Pictures.chunks(Pictures.jpeg(300), from: 2)
            let strangers = Pictures.chunks(Pictures.jpeg(300), from: 9)
            try await stage.push(strangers)
            #expect(stage.raw.all == strangers.map { $0.written() })
            for payload in [[UInt8](repeating: 2, count: 14), [1, 2, 3, 4]] {
                await stage.transport.simulateReceive(Push.RawData(snr: 0, rssi: 0, payload: payload).encoded())
            }
            var bad = chunks[0]
            for (index, total) in [(UInt16(0), UInt16.max), (0, 513), (0, 0), (3, 3)] {
                (bad.index, bad.total) = (index, total)
                try await stage.push([bad])
            }

            #expect(stage.raw.all.count == strangers.count + 2)
            #expect(await stage.service.incomingTransfers.isEmpty)
            #expect(await stage.service.assembly.size == 0)
            #expect(stage.progress.all.isEmpty)
            #expect(try await stage.bench.transfers().isEmpty)
            // A picture that began is not disturbed by another total.
            try await stage.push([chunks[0]])
            (bad.index, bad.total) = (1, 9)
            try await stage.push([bad] + chunks[1...])
            #expect(stage.received.all.count == 1)
        }
    }

    @Test func `a ninth picture takes the place of the one that has been idle longest`() throws {
        try play { stage in
            for number in UInt32(1)...9 {
                try await stage.push([Pictures.chunks(Pictures.jpeg(300), from: 2, imageID: number)[0]])
            }

            #expect(await stage.service.incomingTransfers.map(\.imageID) == Array(2...9))
            #expect(stage.progress.all.last { $0.state == .failed }?.missing == [1, 2])
            #expect(try await stage.bench.transfers().map(\.imageID) == Array(2...9))
        }
    }

    @Test func `what comes whole and is no JPEG is not stored`() throws {
        try play { stage in
            try await stage.push(Pictures.chunks(Data(repeating: 7, count: 400), from: 2))

            #expect(stage.received.all.isEmpty)
            #expect(stage.progress.all.last?.state == .failed)
            #expect(try await stage.bench.messages(with: stage.bob).isEmpty)
            #expect(try await stage.bench.transfers().isEmpty)
        }
    }

    @Test func `the same picture with the same number is one message, however often it comes`() throws {
        try play { stage in
            let chunks = Pictures.chunks(Pictures.jpeg(400), from: 2)
            try await stage.push(chunks + chunks)
            try await stage.bench.clock.sleep(for: .seconds(301))
            try await stage.push(chunks)

            #expect(stage.received.all.count == 1)
            #expect(try await stage.bench.messages(with: stage.bob).count == 1)
            #expect(try await stage.bench.transfers().map(\.state) == [.complete])
        }
    }

    @Test(.proves("SVC-189")) func `a chunk of a complete picture that comes again and again is answered some times`()
        throws
    {
        try play { stage in
            let chunks = Pictures.chunks(Pictures.jpeg(400), from: 2)
            try await stage.push(chunks)
            for _ in 0..<200 {
                try await stage.push([chunks[1]])
                try await stage.bench.clock.sleep(for: .seconds(10))
            }

            // One at the end of the picture, and those for the chunks that came again.
            let reports = await stage.transport.sentFrames.count { $0.first == CommandCode.sendRawData.rawValue }
            #expect(reports == 1 + ImageAnswers.limit)
            #expect(stage.received.all.count == 1)
        }
    }

    @Test func `a blocked contact's picture is stored as read and not notified`() throws {
        try play { stage in
            try await stage.bench.store.updateContactPreferences(
                id: stage.bob.id, nickname: nil, isBlocked: true, isFavorite: false)
            try await stage.push(Pictures.chunks(Pictures.jpeg(400), from: 2))

            #expect(try await stage.bench.messages(with: stage.bob).map(\.isRead) == [true])
            #expect(await stage.sink.shown.isEmpty)
        }
    }

    @Test func `without the feature every frame is raw data, and after the end nothing is taken`() throws {
        try play({ $0.isEnabled = false }) { stage in
            let chunks = Pictures.chunks(Pictures.jpeg(400), from: 2)
            try await stage.push(chunks)
            #expect(stage.raw.all.count == chunks.count)
            await stage.service.stop()
            try await stage.push(chunks)
            #expect(stage.raw.all.count == chunks.count)
            #expect(await stage.bench.session.subscriberCount == 0)
        }
    }
}
