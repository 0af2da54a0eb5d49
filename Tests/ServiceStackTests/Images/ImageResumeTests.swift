import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTime
import MeshVirtualTime
import MeshWire
import StackTestSupport
import Testing

@testable import PocketMeshServices

/// Pictures whose link is lost on the way.
@Suite struct ImageResumeTests {
    /// Loses the link while chunk 3 of 6 is unconfirmed; the id of the transfer.
    private func interrupt(_ service: ImageService, _ bench: ServiceBench, lose: @Sendable () async -> Void)
        async throws
        -> UUID
    {
        let bob = try await bench.contact(2)
        let ids = Notes<UUID>()
        let sending = Task {
            await failure(of: .pictures) {
                try await service.sendImage(Pictures.jpeg(800), to: bob) { ids.add($0.transferID) }
            }
        }
        try await bench.clock.sleep(for: .seconds(1))
        await lose()
        #expect(await sending.value == .notConnected)
        let id = try #require(ids.all.first)
        #expect(try await bench.store.fetchImageTransfer(id: id)?.state == .paused)
        #expect(try await bench.store.fetchMessage(id: id)?.status == .sending)
        return id
    }

    /// A radio that says nothing to chunk 3 the first time.
    private static func radio() -> RawRadio { RawRadio { number, _ in number == 3 ? .silence : .ok } }

    @Test func `a picture goes on at its unconfirmed chunk when there is a link again`() throws {
        let radio = Self.radio()
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            let service = bench.images()
            let id = try await interrupt(service, bench) { await transport.simulateLoss() }
            try await bench.clock.sleep(for: .seconds(598))

            try await bench.session.start()
            try await service.startEventMonitoring(deviceID: bench.device.id)
            try await bench.clock.sleep(for: .seconds(1))

            #expect(radio.written.map(\.index) == [0, 1, 2, 3, 3, 4, 5])
            #expect(radio.rebuilt == Pictures.jpeg(800))
            #expect(try await bench.store.fetchMessage(id: id)?.status == .sent)
            #expect(try await bench.store.fetchImageTransfer(id: id)?.state == .complete)
        }
    }

    @Test func `after ten minutes it has failed`() throws {
        let radio = Self.radio()
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            let service = bench.images()
            let id = try await interrupt(service, bench) { await transport.simulateLoss() }
            try await bench.clock.sleep(for: .seconds(601))

            try await bench.session.start()
            try await service.startEventMonitoring(deviceID: bench.device.id)
            try await bench.clock.sleep(for: .seconds(1))

            #expect(radio.written.count == 4)
            #expect(try await bench.store.fetchMessage(id: id)?.status == .failed)
        }
    }

    @Test func `it goes on in a service of its own, behind the end of the one that began it`() throws {
        let radio = Self.radio()
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, _ in
            let first = bench.images()
            let id = try await interrupt(first, bench) { await first.stop() }
            await bench.session.stop()

            try await bench.session.start()
            let second = bench.images()
            try await second.startEventMonitoring(deviceID: bench.device.id)
            try await bench.clock.sleep(for: .seconds(2))

            #expect(radio.written.map(\.index) == [0, 1, 2, 3, 3, 4, 5])
            #expect(radio.rebuilt == Pictures.jpeg(800))
            #expect(try await bench.store.fetchMessage(id: id)?.status == .sent)
            await second.stop()
        }
    }

    @Test func `a message that has failed meanwhile, or was deleted, is not sent on`() throws {
        for isDeleted in [true, false] {
            let radio = Self.radio()
            try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
                let service = bench.images()
                let id = try await interrupt(service, bench) { await transport.simulateLoss() }
                if isDeleted {
                    try await bench.store.deleteMessage(id: id)
                } else {
                    _ = try await bench.store.failAllPendingMessages(deviceID: bench.device.id)
                }

                try await bench.session.start()
                try await service.startEventMonitoring(deviceID: bench.device.id)
                try await bench.clock.sleep(for: .seconds(1))

                #expect(radio.written.count == 4)
                #expect(try await bench.transfers().allSatisfy { !$0.isOpen })
            }
        }
    }

    @Test func `the path is that of the moment, and a picture whose contact has none any more fails`() throws {
        let radio = Self.radio()
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            let service = bench.images()
            let id = try await interrupt(service, bench) { await transport.simulateLoss() }
            _ = try await bench.contact(2, hops: 2)

            try await bench.session.start()
            try await service.startEventMonitoring(deviceID: bench.device.id)
            // Over two repeaters chunks keep their distance, and one whose relay is not heard goes once more.
            try await bench.clock.sleep(for: .seconds(32))

            #expect(radio.paths.prefix(4) == [[], [], [], []])
            #expect(Set(radio.paths.dropFirst(4)) == [[1, 2]])
            #expect(radio.rebuilt == Pictures.jpeg(800))
            #expect(try await bench.store.fetchMessage(id: id)?.status == .sent)
        }
        let other = Self.radio()
        try withScriptedRadio(answers: { other.answer($0) }) { bench, transport in
            let service = bench.images()
            let id = try await interrupt(service, bench) { await transport.simulateLoss() }
            _ = try await bench.contact(2, hops: nil)

            try await bench.session.start()
            try await service.startEventMonitoring(deviceID: bench.device.id)
            try await bench.clock.sleep(for: .seconds(1))

            #expect(other.written.count == 4)
            #expect(try await bench.store.fetchMessage(id: id)?.status == .failed)
        }
    }
}
