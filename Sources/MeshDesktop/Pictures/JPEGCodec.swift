import CTurboJPEG
public import FoundationEssentials
public import PocketMeshServices

/// Reads and writes JPEG files with libjpeg-turbo.
///
/// A file that the library reads with a warning (bytes too many, an end too early) is read as far as it goes. A written
/// file has the picture and nothing else: no text, no place, no preview.
public struct JPEGCodec: ImageCodec {
    /// The greatest number of pixels of a picture that is read: each needs three bytes.
    public var pixelLimit = 50_000_000

    public init() {}

    public func decode(_ data: Data) throws -> Picture {
        guard let handle = tjInitDecompress() else { throw JPEGCodecError.noMemory }
        defer { tjDestroy(handle) }
        let (width, height) = try size(of: data, handle)
        guard width > 0, height > 0, width <= pixelLimit / height else {
            throw JPEGCodecError.tooLarge(width: width, height: height)
        }
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        let result = data.withUnsafeBytes { file in
            tjDecompress2(
                handle, file.bindMemory(to: UInt8.self).baseAddress, UInt(file.count), &pixels, Int32(width), 0,
                Int32(height), Int32(TJPF_RGB.rawValue), 0)
        }
        try Self.check(result, handle)
        guard let picture = Picture(width: width, height: height, pixels: pixels) else {
            throw JPEGCodecError.tooLarge(width: width, height: height)
        }
        return picture
    }

    private func size(of data: Data, _ handle: tjhandle) throws -> (width: Int, height: Int) {
        var (width, height): (Int32, Int32) = (0, 0)
        var (subsampling, colours): (Int32, Int32) = (0, 0)
        let result = data.withUnsafeBytes { file in
            tjDecompressHeader3(
                handle, file.bindMemory(to: UInt8.self).baseAddress, UInt(file.count), &width, &height, &subsampling,
                &colours)
        }
        try Self.check(result, handle)
        return (Int(width), Int(height))
    }

    public func encode(_ picture: Picture, quality: Double) throws -> Data {
        guard let handle = tjInitCompress() else { throw JPEGCodecError.noMemory }
        defer { tjDestroy(handle) }
        var file: UnsafeMutablePointer<UInt8>?
        defer { tjFree(file) }
        var count: UInt = 0
        // From 1 to 100 in the library; what is no number is the least.
        let percent = Int32(exactly: min(max((quality * 100).rounded(), 1), 100)) ?? 100
        let result = tjCompress2(
            handle, picture.pixels, Int32(picture.width), 0, Int32(picture.height), Int32(TJPF_RGB.rawValue), &file,
            &count, Int32(TJSAMP_420.rawValue), percent, 0)
        try Self.check(result, handle)
        guard let file else { throw JPEGCodecError.noMemory }
        return Data(bytes: file, count: Int(count))
    }

    private static func check(_ result: Int32, _ handle: tjhandle) throws {
        guard result != 0, tjGetErrorCode(handle) != Int32(TJERR_WARNING.rawValue) else { return }
        throw JPEGCodecError.library(String(cString: tjGetErrorStr2(handle)))
    }
}

/// The reason why a picture was not read or written.
public enum JPEGCodecError: Error, Hashable, Sendable, CustomStringConvertible {
    case noMemory
    /// The picture has more pixels than are read.
    case tooLarge(width: Int, height: Int)
    /// The library's own description of the error.
    case library(String)

    public var description: String {
        switch self {
        case .noMemory: "there is no memory for the JPEG library"
        case .tooLarge(let width, let height): "the picture has \(width) by \(height) pixels, which are too many"
        case .library(let text): text
        }
    }
}
