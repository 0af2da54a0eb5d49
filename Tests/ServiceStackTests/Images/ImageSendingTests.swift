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

/// Pictures on their way out, against a radio that the test scripts.
@Suite struct ImageSendingTests {
    @Test(.proves("SVC-182")) func `the next chunk is not written before the OK for this one`() throws {
        try withScriptedRadio { bench, transport in
            let bob = try await bench.contact(2)
            let service = bench.images()
            let sending = Task { try await service.sendImage(Pictures.jpeg(500), to: bob) }
            var seen: [Int] = []
            for _ in 0..<4 {
                try await bench.clock.sleep(for: .seconds(4))
                seen.append(await transport.sentFrames.count { $0.first == 0x19 })
                await transport.simulateOK()
            }
            let id = try await sending.value

            #expect(seen == [1, 2, 3, 4])
            let indexes = await transport.sentFrames.filter { $0.first == 0x19 }.map { $0[12] }
            #expect(indexes == [0, 1, 2, 3])
            // Taken by the radio is all that anybody knows.
            #expect(try await bench.store.fetchMessage(id: id)?.status == .sent)
            #expect(try await bench.store.fetchImageTransfer(id: id)?.state == .complete)
        }
    }

    @Test(.proves("SVC-182")) func `a chunk whose first relay is not heard goes once more, the very same`() throws {
        let radio = RawRadio()
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            let bob = try await bench.contact(2, hops: 2)
            let service = bench.images()
            try await service.startEventMonitoring(deviceID: bench.device.id)
            let start = bench.clock.now
            let sending = Task { try await service.sendImage(Pictures.jpeg(136 * 3), to: bob) }
            // The relay of the second chunk is heard, and no other.
            while radio.written.count < 3 { try await bench.clock.sleep(for: .milliseconds(100)) }
            let chunk = try #require(radio.written.last)
            let relay: [UInt8] =
                [RouteType.direct.rawValue | PayloadType.rawCustom.rawValue << 2, 1, 2] + chunk.written()
            await transport.simulateReceive(Push.LogRxData(snr: 0, rssi: 0, raw: relay).encoded())
            let heardAt = bench.clock.now
            while radio.written.count < 4 { try await bench.clock.sleep(for: .milliseconds(100)) }

            #expect(radio.written.map(\.index) == [0, 0, 1, 2])
            #expect(radio.written[0] == radio.written[1])
            #expect(heardAt.duration(to: bench.clock.now) < start.duration(to: heardAt))
            _ = try await sending.value
            await service.stop()
        }
    }

    @Test(.proves("SVC-183")) func `a full table leads to a pause of one second and the same chunk again`() throws {
        let radio = RawRadio { number, _ in (2..<5).contains(number) ? .tableFull : .ok }
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, _ in
            let bob = try await bench.contact(2)
            let progress = Notes<Int>()
            let start = bench.clock.now
            try await bench.images().sendImage(Pictures.jpeg(500), to: bob) { progress.add($0.done) }

            #expect(start.duration(to: bench.clock.now) == .seconds(3))
            #expect(radio.written.map(\.index) == [0, 1, 2, 2, 2, 2, 3])
            #expect(Set(radio.written.filter { $0.index == 2 }).count == 1)
            #expect(radio.rebuilt == Pictures.jpeg(500))
            #expect(progress.all == [0, 1, 2, 3, 4])
        }
    }

    @Test(.proves("SVC-183")) func `a table that stays full fails the transfer at its limit of sixty retries`() throws {
        let radio = RawRadio { _, chunk in chunk.index == 1 ? .tableFull : .ok }
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, _ in
            let bob = try await bench.contact(2)
            let ids = Notes<ImageProgress>()
            let start = bench.clock.now
            let error = await failure(of: .pictures) {
                try await bench.images().sendImage(Pictures.jpeg(500), to: bob) { ids.add($0) }
            }

            #expect(error == .gaveUp(chunk: 1))
            #expect(start.duration(to: bench.clock.now) == .seconds(60))
            #expect(radio.written.count == 1 + 61)
            let id = try #require(ids.all.first).transferID
            #expect(ids.all.last?.state == .failed)
            #expect(try await bench.store.fetchMessage(id: id)?.status == .failed)
            #expect(try await bench.store.fetchImageTransfer(id: id)?.state == .failed)
        }
    }

    @Test(.proves("SVC-R-122"))
    func `a table that is full for thirty seconds costs thirty seconds and no chunk`() throws {
        let radio = RawRadio { number, _ in (4..<34).contains(number) ? .tableFull : .ok }
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, _ in
            let bob = try await bench.contact(2)
            let start = bench.clock.now
            let picture = Pictures.jpeg(136 * 10)
            let id = try await bench.images().sendImage(picture, to: bob)

            #expect(start.duration(to: bench.clock.now) == .seconds(30))
            #expect(radio.written[4..<35].allSatisfy { $0.index == 4 })
            #expect(radio.rebuilt == picture)
            #expect(try await bench.store.fetchMessage(id: id)?.status == .sent)
        }
    }

    @Test(.proves("SVC-R-121")) func `a chunk whose OK is lost is written again, and the picture is right`() throws {
        let radio = RawRadio { number, _ in number == 2 ? .silence : .ok }
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, _ in
            let bob = try await bench.contact(2)
            try await bench.images().sendImage(Pictures.jpeg(600), to: bob)

            #expect(radio.written.map(\.index) == [0, 1, 2, 2, 3, 4])
            #expect(radio.rebuilt == Pictures.jpeg(600))
        }
        let mute = RawRadio { _, chunk in chunk.index == 2 ? .silence : .ok }
        try withScriptedRadio(answers: { mute.answer($0) }) { bench, _ in
            let bob = try await bench.contact(2)
            let error = await failure(of: .pictures) {
                try await bench.images().sendImage(Pictures.jpeg(600), to: bob)
            }
            #expect(error == .gaveUp(chunk: 2))
            #expect(mute.written.count == 2 + 4)
        }
    }

    @Test(.proves("SVC-187")) func `without a path that raw data can take nothing is written or stored`() throws {
        let radio = RawRadio()
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            let service = bench.images()
            let count = await transport.sentFrames.count
            let unknown = try await bench.contact(2, hops: nil)
            let wide = try await bench.contact(3, hops: 2, hashSize: 2)
            var stranger = unknown
            stranger.id = UUID()
            for contact in [unknown, wide, stranger] {
                let error = await failure(of: .pictures) {
                    try await service.sendImage(Pictures.jpeg(100), to: contact)
                }
                #expect(error == .noDirectPath)
                #expect(try await bench.messages(with: contact).isEmpty)
            }
            #expect(await transport.sentFrames.count == count)
            #expect(try await bench.transfers().isEmpty)

            let near = try await bench.contact(4, hops: 0, hashSize: 2)
            try await service.sendImage(Pictures.jpeg(100), to: near)
            #expect(radio.paths == [[]])
        }
    }

    @Test func `a picture that is none, too large, refused or not wanted is an error of its own`() throws {
        let radio = RawRadio { _, chunk in chunk.index == 1 ? .refused : .ok }
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, _ in
            let bob = try await bench.contact(2)
            let off = bench.images { $0.isEnabled = false }
            let service = bench.images()
            func error(_ service: ImageService, _ data: Data) async -> StackError.Reason? {
                await failure(of: .pictures) { try await service.sendImage(data, to: bob) }
            }

            #expect(await error(off, Pictures.jpeg(10)) == .featureOff)
            #expect(await error(service, Data([0x89, 0x50, 0x4E, 0x47])) == .imageDecodeFailed)
            #expect(await error(service, Pictures.jpeg(512 * 136 + 1)) == .tooManyChunks(count: 513, limit: 512))
            #expect(radio.written.isEmpty)
            #expect(await error(service, Pictures.jpeg(500)) == .session(.refused(.sendRawData, .badState)))
            #expect(try await bench.messages(with: bob).map(\.status) == [.failed])
        }
    }

    @Test func `one picture is sent at a time, in the order in which they came`() throws {
        let radio = RawRadio()
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, _ in
            let bob = try await bench.contact(2)
            let service = bench.images { $0.chunkPause = .milliseconds(500) }
            let start = bench.clock.now
            async let first = service.sendImage(Pictures.jpeg(500, seed: 1), to: bob)
            async let second = service.sendImage(Pictures.jpeg(300, seed: 2), to: bob)
            _ = try await (first, second)

            #expect(
                radio.written.map(\.index) == [0, 1, 2, 3, 0, 1, 2]
                    || radio.written.map(\.index) == [0, 1, 2, 0, 1, 2, 3])
            #expect(Set(radio.written.map(\.imageID)).count == 2)
            #expect(start.duration(to: bench.clock.now) == .milliseconds(2500), "a pause behind each but the last")
        }
    }

    @Test func `a transfer is cancelled by its id, or with the task that waits for it`() throws {
        let radio = RawRadio { _, chunk in chunk.index == 1 ? .tableFull : .ok }
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, _ in
            let bob = try await bench.contact(2)
            let service = bench.images()
            let told = Notes<ImageProgress>()
            let one = Task {
                await failure(of: .pictures) {
                    try await service.sendImage(Pictures.jpeg(300), to: bob) { told.add($0) }
                }
            }
            let waiting = Task {
                await failure(as: CancellationError.self) { try await service.sendImage(Pictures.jpeg(300), to: bob) }
            }
            try await bench.clock.sleep(for: .milliseconds(10_500))
            waiting.cancel()
            #expect(await waiting.value != nil)

            try await service.cancel(transferID: try #require(told.all.first).transferID)
            try await service.cancel(transferID: UUID())

            #expect(await one.value == .cancelled)
            #expect(told.all.last?.state == .failed)
            #expect(radio.written.count == 1 + 11)
            #expect(try await bench.messages(with: bob).map(\.status) == [.failed, .failed])
            #expect(try await bench.transfers().allSatisfy { $0.state == .failed })
        }
    }
}
