public import FoundationEssentials

/// A reader and writer of pictures. The stack has none of its own: an app with a library provides it.
public protocol ImageCodec: Sendable {
    /// Returns the pixels of a picture; throws an error that says why it cannot be read.
    func decode(_ data: Data) throws -> Picture
    /// A JPEG file without anything but the picture; `quality` is from 0 to 1.
    func encode(_ picture: Picture, quality: Double) throws -> Data
}

/// Pixels, row by row from the top, each as red, green and blue.
public struct Picture: Hashable, Sendable {
    /// The width in pixels, 1 or more.
    public let width: Int
    /// The height in pixels, 1 or more.
    public let height: Int
    /// Three bytes a pixel.
    public let pixels: [UInt8]

    /// `nil` unless there are as many bytes as the pixels need, and at least one pixel.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        let (count, overflows) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflows, count <= Int.max / 3, pixels.count == count * 3 else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// The picture made smaller so that no side is longer, its shape kept; as it is when it fits.
    ///
    /// Each pixel is the mean of those that it replaces.
    public func fitted(in side: Int) -> Picture {
        let longest = max(width, height)
        guard longest > side, side > 0 else { return self }
        let newWidth = max(1, (width * side + longest / 2) / longest)
        let newHeight = max(1, (height * side + longest / 2) / longest)
        var result: [UInt8] = []
        result.reserveCapacity(newWidth * newHeight * 3)
        for row in 0..<newHeight {
            let rows = Self.span(row, of: newHeight, in: height)
            for column in 0..<newWidth {
                result += mean(rows: rows, columns: Self.span(column, of: newWidth, in: width))
            }
        }
        return Picture(width: newWidth, height: newHeight, pixels: result) ?? self
    }

    /// Returns the old lines that a new one replaces; never none.
    private static func span(_ index: Int, of count: Int, in oldCount: Int) -> Range<Int> {
        let start = index * oldCount / count
        return start..<max(start + 1, (index + 1) * oldCount / count)
    }

    private func mean(rows: Range<Int>, columns: Range<Int>) -> [UInt8] {
        var (red, green, blue) = (0, 0, 0)
        for row in rows {
            for column in columns {
                let start = (row * width + column) * 3
                red += Int(pixels[start])
                green += Int(pixels[start + 1])
                blue += Int(pixels[start + 2])
            }
        }
        let count = rows.count * columns.count
        return [red, green, blue].map { UInt8(($0 + count / 2) / count) }
    }
}

/// The kinds of picture that their first bytes distinguish.
enum PictureFormat {
    static let jpegMime = "image/jpeg"

    static func isJPEG(_ data: some Collection<UInt8>) -> Bool { data.starts(with: [0xFF, 0xD8, 0xFF]) }
}
