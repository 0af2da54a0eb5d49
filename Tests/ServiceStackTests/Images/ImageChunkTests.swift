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

/// The form of a chunk, and its greatest size.
@Suite struct ImageChunkTests {
    @Test(.proves("SVC-180")) func `a chunk is sender, number, index and total before its data`() throws {
        let chunk = ImageChunk(
            sender: FixedBytes([1, 2, 3, 4, 5, 6]), imageID: 0x0A0B_0C0D, index: 0x0102, total: 0x0304,
            data: [0xFF, 0xD8])

        #expect(chunk.written() == [1, 2, 3, 4, 5, 6, 0x0D, 0x0C, 0x0B, 0x0A, 2, 1, 4, 3, 0xFF, 0xD8])
        #expect(try ImageChunk(chunk.written()) == chunk)
        #expect(ImageChunk(sender: chunk.sender, imageID: 1, index: 0, total: 1, data: []).written().count == 14)
        for length in 0..<14 {
            #expect(throws: FrameError.self) { try ImageChunk([UInt8](chunk.written().prefix(length))) }
        }
    }

    @Test(.proves("SVC-180")) func `a payload has at most 150 bytes, and fits the frames of both ends`() throws {
        #expect(ChunkSizing.standard.bytes(frame: 176, path: 0) == 136)
        #expect(ChunkSizing.standard.bytes(frame: 172, path: 20) == 136)
        #expect(ChunkSizing.standard.bytes(frame: 172, path: 21) == 135)
        // 176 - 4 for the push at the other end; a longer path takes more.
        #expect(ChunkSizing.maximum.bytes(frame: 176, path: 0) == 158)
        #expect(ChunkSizing.maximum.bytes(frame: 176, path: 8) == 152)
        #expect(ChunkSizing.maximum.bytes(frame: 300, path: 0) == 170)
        #expect(ChunkSizing.standard.bytes(frame: 20, path: 10) == 0)
        for path in 0...64 {
            for frame in [172, 176] {
                let size = ChunkSizing.standard.bytes(frame: frame, path: path)
                let payload = Pictures.chunks(Pictures.jpeg(300), from: 1, size: size)[0].written()
                let command = SendRawData(
                    pathLength: UInt8(path), path: [UInt8](repeating: 1, count: path), payload: payload)
                #expect(payload.count <= 150 && command.encoded().count <= frame)
                #expect(Push.RawData(snr: 0, rssi: 0, payload: payload).encoded().count <= frame)
            }
        }
    }

    @Test(.proves("SVC-R-124"))
    func `chunks of 136 bytes and a path of 8 hops fit a radio with frames of 172 bytes`() throws {
        let radio = RawRadio()
        try withScriptedRadio(answers: { radio.answer($0) }) { bench, transport in
            await transport.setCapabilities(.init(maxFrame: 172))
            await bench.session.stop()
            try await bench.session.start()
            let bob = try await bench.contact(2, hops: 8)

            try await bench.images().sendImage(Pictures.jpeg(400), to: bob)

            let frames = await transport.sentFrames.filter { $0.first == 0x19 }
            #expect(frames.map(\.count) == [160, 160, 2 + 8 + 14 + 400 - 272])
            #expect(radio.rebuilt == Pictures.jpeg(400))
            #expect(radio.paths.allSatisfy { $0 == [1, 2, 3, 4, 5, 6, 7, 8] })
        }
    }
}
