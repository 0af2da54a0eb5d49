import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import Testing

@testable import PocketMeshServices

/// Pictures out of chunks, without radio, store or clock.
@Suite struct ImageAssemblyTests {
    private func chunk(
        _ index: UInt16, of total: UInt16, sender: UInt8 = 2, imageID: UInt32 = 7, bytes: Int = 136
    ) -> ImageChunk {
        ImageChunk(
            sender: FixedBytes(repeatElement(sender, count: 6)), imageID: imageID, index: index, total: total,
            data: [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: bytes))
    }

    @Test(.proves("SVC-181"), arguments: Array(UInt64(1)...24))
    func `a picture of any number of chunks is rebuilt from any order with duplicates`(seed: UInt64) throws {
        var draw = Seed(seed).stream("picture")
        let ends: [UInt64: Int] = [1: 1, 2: 2, 3: 512, 4: 65_535]
        let total = ends[seed] ?? (seed < 14 ? Int(draw.draw(1, 600)) : Int(draw.draw(1, 65_536)))
        let size = total > 3000 ? Int(draw.draw(1, 24)) : Int(draw.draw(1, 137))
        let length = (total - 1) * size + Int(draw.draw(1, UInt32(size) + 1))
        let data = (0..<length).map { _ in draw.nextByte() }
        let image = OutgoingImage(data, sender: FixedBytes([1, 2, 3, 4, 5, 6]), imageID: .max, chunkBytes: size)
        #expect(image.total == total)
        var order = (0..<total).flatMap { index in
            [Int](repeating: index, count: draw.draw(0, 8) == 0 ? Int(draw.draw(2, 4)) : 1)
        }
        order.shuffle(using: &draw)

        var assembly = ImageAssembly(.init(chunks: 65_535))
        var results: [[UInt8]] = []
        for index in order {
            let read = try ImageChunk(image.chunk(index).written())
            if case .complete(let bytes) = assembly.take(read, at: .zero).outcome { results.append(bytes) }
        }

        #expect(results == [data], "whole once, byte for byte")
        #expect(assembly.transfers.isEmpty && assembly.size == 0)
    }

    @Test(.proves("SVC-185")) func `what cannot be a chunk of this picture is refused, and nothing is kept of it`() {
        let foreign: [(ImageChunk, ImageAssembly.DropReason)] = [
            (chunk(0, of: 0), .tooManyChunks), (chunk(0, of: 513), .tooManyChunks),
            (chunk(5, of: 65_535), .tooManyChunks),
            (chunk(3, of: 3), .badIndex), (chunk(.max, of: 512), .badIndex), (chunk(0, of: 3, bytes: 0), .badLength),
            (chunk(0, of: 3, bytes: 171), .badLength),
        ]
        var assembly = ImageAssembly()
        for (chunk, reason) in foreign {
            #expect(assembly.take(chunk, at: .zero).outcome == .dropped(reason))
            #expect(assembly.transfers.isEmpty && assembly.size == 0)
        }

        #expect(assembly.take(chunk(0, of: 512, bytes: 170), at: .zero).outcome == .began)
        let size = assembly.size
        #expect(assembly.take(chunk(1, of: 511), at: .zero).outcome == .dropped(.otherTotal))
        #expect(assembly.take(chunk(0, of: 512, bytes: 1), at: .zero).outcome == .repeated, "the first one counts")
        #expect(assembly.size == size && size == 170 + 64)
        #expect(assembly.take(chunk(1, of: 512), at: .zero).outcome == .added)
    }

    @Test(.proves("SVC-R-125")) func `announced totals of 65535 from a hundred senders stay below the cap`() {
        var assembly = ImageAssembly()
        for sender in UInt8(0)..<100 {
            #expect(assembly.take(chunk(0, of: .max, sender: sender), at: .zero).outcome == .dropped(.tooManyChunks))
        }
        #expect(assembly.size == 0)

        // Also for who takes such pictures: with the sets of chunks counted in.
        var generous = ImageAssembly(.init(chunks: 65_535))
        var most = 0
        var given = 0
        for index in UInt16(0)..<600 {
            for sender in UInt8(0)..<100 where Int(sender) % 10 == Int(index) / 60 {
                let (outcome, evicted) = generous.take(
                    chunk(index, of: .max, sender: sender), at: .seconds(Int(index)))
                #expect(outcome == .began || outcome == .added)
                given += evicted.count
                most = max(most, generous.size)
                #expect(generous.transfers.count <= 8)
            }
        }
        #expect(most <= 4 << 20 && most > 8 * 8192 && given > 0)
    }

    @Test func `the bytes of all transfers stay below their bound, and the one that is idle longest goes first`() {
        var assembly = ImageAssembly(.init(bytes: 1000, chunks: 512))
        for (time, sender) in [UInt8(1), 2, 3].enumerated() {
            _ = assembly.take(chunk(0, of: 8, sender: sender, bytes: 170), at: .seconds(time))
        }
        _ = assembly.take(chunk(1, of: 8, sender: 1, bytes: 170), at: .seconds(4))
        #expect(assembly.size == 4 * 170 + 3)

        let (outcome, evicted) = assembly.take(chunk(2, of: 8, sender: 1, bytes: 170), at: .seconds(5))
        #expect(outcome == .added && evicted.isEmpty, "853 bytes")
        let next = assembly.take(chunk(3, of: 8, sender: 1, bytes: 170), at: .seconds(6))
        #expect(next.outcome == .added && next.evicted.map { $0.key.sender[0] } == [2])
        _ = assembly.take(chunk(4, of: 8, sender: 1, bytes: 170), at: .seconds(7))
        let last = assembly.take(chunk(5, of: 8, sender: 1, bytes: 170), at: .seconds(8))
        #expect(last.outcome == .dropped(.noRoom), "one picture alone is too large")
        #expect(assembly.transfers.isEmpty)
    }

    @Test func `a ninth transfer takes the place of the one that has been idle longest`() {
        var assembly = ImageAssembly()
        for sender in UInt8(1)...8 { _ = assembly.take(chunk(0, of: 2, sender: sender), at: .seconds(Int(sender))) }
        _ = assembly.take(chunk(0, of: 2, sender: 1), at: .seconds(9))

        let evicted = assembly.take(chunk(0, of: 2, sender: 9), at: .seconds(10)).evicted

        #expect(evicted.map { $0.key.sender[0] } == [2])
        #expect(assembly.transfers.count == 8)
    }

    @Test(.proves("SVC-184")) func `a transfer expires five minutes after its last chunk`() {
        var assembly = ImageAssembly()
        _ = assembly.take(chunk(0, of: 3), at: .zero)
        _ = assembly.take(chunk(2, of: 3), at: .seconds(200))
        #expect(assembly.nextExpiry == .seconds(500))
        #expect(assembly.expire(at: .milliseconds(499_999)).isEmpty)

        let expired = assembly.expire(at: .seconds(500))

        #expect(expired.map(\.received.missing) == [[1]])
        #expect(assembly.size == 0 && assembly.nextExpiry == nil)
    }

    @Test func `a chunk that comes again behind the whole picture begins no other, for as long as it can come`() {
        var assembly = ImageAssembly()
        for index in UInt16(0)..<3 { _ = assembly.take(chunk(index, of: 3), at: .zero) }

        #expect(assembly.take(chunk(1, of: 3), at: .seconds(299)).outcome == .dropped(.finished))
        #expect(assembly.take(chunk(1, of: 3), at: .seconds(300)).outcome == .began)
    }
}
