import Foundation
import MeshTime
import MeshWire
import Testing

@testable import PocketMeshServices

/// The words about a picture beside the founding protocol.
@Suite struct ImageReportTests {
    private let receiver = FixedBytes<6>([1, 2, 3, 4, 5, 6])

    private func report(_ received: ChunkSet) -> ImageReport {
        ImageReport(receiver: receiver, imageID: 0xDEAD_BEEF, received: received)
    }

    @Test(arguments: Array(UInt64(1)...32))
    func `what lacks is read as it was written, for any picture`(seed: UInt64) throws {
        var draw = Seed(seed).stream("report")
        let total = Int(draw.draw(1, UInt32(ImageReport.chunkLimit) + 1))
        var received = ChunkSet(total: total)
        let share = draw.draw(0, 5)
        for index in 0..<total where draw.draw(0, 4) < share { received.insert(index) }

        let chunk = ImageWord.report(report(received)).chunk(number: 9)
        let read = try ImageChunk(chunk.written())

        #expect(ImageWord(read, chunks: ImageReport.chunkLimit) == .report(report(received)))
        #expect(chunk.data.count <= ImageChunk.standardSize)
    }

    @Test func `an app of the founding protocol accepts no report as a chunk`() {
        var some = ChunkSet(total: 64)
        some.insert(3)
        for received in [ChunkSet(total: 64), some, .full(total: 64)] {
            var assembly = ImageAssembly()
            #expect(
                assembly.take(ImageWord.report(report(received)).chunk(number: 1), at: .zero).outcome
                    == .dropped(.tooManyChunks))
            #expect(assembly.size == 0)
        }
    }

    @Test func `a complete picture takes four bytes beside the header, and no two reports are the same`() {
        let complete = ImageWord.report(report(.full(total: 512)))

        #expect(complete.chunk(number: 7).data == [1, 7, 0, 2])
        #expect(complete.chunk(number: 8) != complete.chunk(number: 7))
    }

    @Test func `a chunk that goes again is another packet, and the same chunk to those who understand it`() throws {
        let chunk = ImageChunk(
            sender: receiver, imageID: 7, index: 3, total: 5, data: [UInt8](repeating: 9, count: 136))
        let word = ImageWord.again(chunk).chunk(number: 1)

        #expect(ImageWord(try ImageChunk(word.written()), chunks: 512) == .again(chunk))
        #expect(word.written() != ImageWord.again(chunk).chunk(number: 2).written())
        #expect(word.written().count <= 154)
        #expect(ImageWord(chunk, chunks: 512) == nil)
        var assembly = ImageAssembly()
        #expect(assembly.take(word, at: .zero).outcome == .dropped(.tooManyChunks))
    }

    @Test func `chunks, other totals and bits that make no sense are no report`() {
        func read(_ index: UInt16, total: UInt16 = 0, _ data: [UInt8], chunks: Int = 512) -> ImageReport? {
            let word = ImageWord(
                ImageChunk(sender: receiver, imageID: 1, index: index, total: total, data: [1, 0] + data),
                chunks: chunks)
            return if case .report(let report) = word { report } else { nil }
        }
        #expect(read(2, [8, 0, 1])?.received.missing == [2])
        let bad: [(UInt16, UInt16, [UInt8])] = [
            (0, 5, [8, 0, 1]), (2, 0, []), (2, 0, [8]), (0, 0, [0, 0]), (0, 0, [1, 2, 1]), (9, 0, [8, 0, 1]),
            (8, 0, [8, 0, 1]), (2, 0, [8, 0]), (2, 0, [8, 0, 2]), (2, 0, [8, 0, 1, 1]), (.max, 0, [.max, .max]),
        ]
        for (index, total, data) in bad { #expect(read(index, total: total, data) == nil) }
        #expect(read(0, [16, 0, 1], chunks: 15) == nil)
        // Kinds that are not known, and a chunk that is none.
        for data: [UInt8] in [[0, 0, 8, 0, 1], [3, 0, 8, 0, 1], [2, 0, 8, 0], [2, 0, 0, 0, 1], [1, 0, 8]] {
            let chunk = ImageChunk(sender: receiver, imageID: 1, index: 0, total: 0, data: data)
            #expect(ImageWord(chunk, chunks: 512) == nil)
        }
        // A bit behind the last chunk stands for nothing.
        #expect(read(7, [8, 0, 0xFF])?.received.missing == [7])
    }

    @Test(arguments: Array(UInt64(1)...200))
    func `any bytes are read without a trap, and stay in their bounds`(seed: UInt64) {
        var draw = Seed(seed).stream("noise")
        let data = (0..<Int(draw.draw(0, 171))).map { _ in draw.nextByte() }
        let index = UInt16(truncatingIfNeeded: draw.draw(0, 65_536))
        let chunk = ImageChunk(sender: receiver, imageID: 7, index: index, total: 0, data: data)

        if case .report(let report) = ImageWord(chunk, chunks: 512) {
            #expect((1...512).contains(report.received.total))
        }
    }
}
