import Foundation
import MeshDesktop
import MeshTestSupport
import MeshTime
import PocketMeshServices
import Testing

/// Pictures through a real library.
@Suite struct JPEGCodecTests {
    /// A scene with sky, ground, a sun, and as much grain as a camera in the dark gives.
    private func scene(_ width: Int, _ height: Int, grain: Int = 40, seed: UInt64 = 1) throws -> Picture {
        var stream = Seed(seed).stream("scene")
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        for row in 0..<height {
            for column in 0..<width {
                let isSky = row * 5 < height * 3
                let (x, y) = (column - width * 3 / 4, row - height / 5)
                let isSun = x * x + y * y < height * height / 100
                let base = isSun ? [250, 240, 120] : isSky ? [90, 140, 255 - row * 100 / height] : [60, 120, 40]
                for value in base {
                    let noise = grain == 0 ? 0 : Int(stream.nextByte()) * grain / 255 - grain / 2
                    pixels.append(UInt8(min(max(value + noise, 0), 255)))
                }
            }
        }
        return try #require(Picture(width: width, height: height, pixels: pixels))
    }

    /// The file of a camera: full size, fine, with a place in its metadata.
    private func photo(_ picture: Picture) throws -> Data {
        let file = try JPEGCodec().encode(picture, quality: 0.95)
        let note = Data("Exif\0\0GPS 48.117266 11.516667".utf8)
        let segment = Data([0xFF, 0xE1, 0, UInt8(note.count + 2)]) + note
        return file.prefix(2) + segment + file.dropFirst(2)
    }

    /// The mean difference of a colour.
    private func difference(_ one: Picture, _ other: Picture) -> Double {
        let sum = zip(one.pixels, other.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(one.pixels.count)
    }

    @Test(
        .proves("SVC-186"),
        arguments: [(1024, 768, 96, 72), (600, 1200, 48, 96), (3000, 20, 96, 1), (96, 96, 96, 96), (50, 31, 50, 31)])
    func `a photo is prepared to fit 96 by 96 in its own shape, and says nothing but the picture`(
        width: Int, height: Int, newWidth: Int, newHeight: Int
    ) throws {
        let photo = try photo(try scene(width, height))
        let preparation = ImagePreparation(codec: JPEGCodec())

        let prepared = try preparation.prepare(photo)

        let picture = try JPEGCodec().decode(prepared)
        #expect((picture.width, picture.height) == (newWidth, newHeight))
        #expect(prepared.count <= preparation.limit && preparation.limit == 64 * 136)
        #expect(prepared.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(prepared.range(of: Data("GPS".utf8)) == nil && photo.range(of: Data("GPS".utf8)) != nil)
        let wanted = try JPEGCodec().decode(photo).fitted(in: 96)
        #expect(difference(picture, wanted) < 12, "the same scene")
    }

    @Test(.proves("SVC-186")) func `the quality goes down in steps until the picture fits the cap`() throws {
        let photo = try photo(try scene(900, 900, grain: 250))
        let fitted = try JPEGCodec().decode(photo).fitted(in: 96)
        let sizes = try [0.6, 0.5, 0.4, 0.3, 0.2, 0.1].map { try JPEGCodec().encode(fitted, quality: $0) }
        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0.count > $1.count })
        for (place, wanted) in sizes.enumerated() {
            var policy = ImagePolicy()
            // As many chunks as this quality needs and the next better one does not fit in.
            policy.maxPreparedChunks = (wanted.count + 135) / 136
            let better = sizes[..<place].first { $0.count <= policy.maxPreparedChunks * 136 }
            let prepared = try ImagePreparation(policy: policy, codec: JPEGCodec()).prepare(photo)
            #expect(prepared == better ?? wanted)
        }
        var tiny = ImagePolicy()
        tiny.maxPreparedChunks = 2
        let least = try #require(sizes.last).count
        #expect(throws: StackError(.pictures, .tooManyChunks(count: (least + 135) / 136, limit: 2))) {
            try ImagePreparation(policy: tiny, codec: JPEGCodec()).prepare(photo)
        }
        tiny.side = 8
        tiny.maxPreparedChunks = 6
        let small = try JPEGCodec().decode(try ImagePreparation(policy: tiny, codec: JPEGCodec()).prepare(photo))
        #expect((small.width, small.height) == (8, 8), "the square is configurable")
    }

    @Test(.proves("SVC-186"))
    func `what is no picture is refused, and without a codec only a small JPEG is ready`() throws {
        let preparation = ImagePreparation(codec: JPEGCodec())
        let photo = try photo(try scene(200, 100))
        for data in [Data(), Data([0xFF, 0xD8, 0xFF]), Data("not a picture at all".utf8), Data(photo.dropFirst(3))] {
            #expect(throws: StackError(.pictures, .imageDecodeFailed)) { try preparation.prepare(data) }
        }

        let bare = ImagePreparation(codec: nil)
        let ready = try preparation.prepare(photo)
        #expect(try bare.prepare(ready) == ready)
        #expect(throws: StackError(.pictures, .noCodec)) { try bare.prepare(Data([0x89, 0x50, 0x4E, 0x47])) }
        let large = try self.photo(try scene(1000, 800))
        #expect(throws: StackError(.pictures, .tooManyChunks(count: (large.count + 135) / 136, limit: 64))) {
            try bare.prepare(large)
        }
    }

    @Test(arguments: Array(UInt64(1)...60))
    func `a damaged file is read or refused, and nothing else`(seed: UInt64) throws {
        var stream = Seed(seed).stream("damage")
        var file = try photo(try scene(160, 120))
        for _ in 0..<Int(stream.draw(1, 20)) {
            file[Int(stream.draw(2, UInt32(file.count)))] = stream.nextByte()
        }
        if seed.isMultiple(of: 3) { file = file.prefix(Int(stream.draw(0, UInt32(file.count)))) }

        let picture = try? JPEGCodec().decode(file)

        #expect((picture?.pixels.count).map { $0 > 0 } ?? true)
    }

    @Test func `a picture of more pixels than there is room for is refused before it is read`() throws {
        var codec = JPEGCodec()
        codec.pixelLimit = 199 * 100
        let file = try codec.encode(try scene(200, 100), quality: 0.5)
        #expect(throws: JPEGCodecError.tooLarge(width: 200, height: 100)) { try codec.decode(file) }
        #expect("\(JPEGCodecError.tooLarge(width: 2, height: 1))".contains("2 by 1"))
        #expect(
            Picture(width: 2, height: 1, pixels: [1, 2, 3]) == nil && Picture(width: .max, height: 9, pixels: []) == nil
        )
    }
}
