import CQRCode

/// A QR code: a square of dark and light modules that a camera reads as a text.
///
/// ```swift
/// let code = try QRCode("meshcore://contact/add?name=Ann&public_key=…")
/// let isDark = code[0, 0]
/// ```
///
/// The same text gives the same modules everywhere. A reader needs light modules around them (`quietZone`).
public struct QRCode: Hashable, Sendable {
    /// The error for a text that no code holds.
    public struct TooLong: Error, Hashable, Sendable, CustomStringConvertible {
        /// The length of the text in UTF-8, in bytes.
        public let bytes: Int

        public var description: String {
            "the text has \(bytes) bytes in UTF-8, and a QR code holds \(QRCode.byteLimit) at most"
        }
    }

    /// The longest text in UTF-8, in bytes: the room of version 40 with the lowest error correction.
    public static let byteLimit = 2953

    /// The light modules that a drawing has on each side, as the standard asks.
    public static let quietZone = 4

    /// The modules of a side, 21 to 177.
    public let size: Int
    /// The modules row by row; `true` is dark.
    private let modules: [Bool]

    /// Encodes a text as bytes of UTF-8, in the smallest code that holds it.
    ///
    /// The error correction is the highest one for which a code of that size has room: a screen gets no scratches, and
    /// fewer modules are larger ones.
    public init(_ text: String) throws(TooLong) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.byteLimit else { throw TooLong(bytes: bytes.count) }
        // Bytes and not the library's text, which ends at the first NUL.
        var data = bytes + [UInt8](repeating: 0, count: Self.bufferLength - bytes.count)
        var code = [UInt8](repeating: 0, count: Self.bufferLength)
        let isEncoded = qrcodegen_encodeBinary(
            &data, bytes.count, &code, qrcodegen_Ecc_LOW, qrcodegen_VERSION_MIN, qrcodegen_VERSION_MAX,
            qrcodegen_Mask_AUTO, true)
        guard isEncoded else { throw TooLong(bytes: bytes.count) }
        let side = qrcodegen_getSize(code)
        size = Int(side)
        modules = (0..<side).flatMap { y in (0..<side).map { x in qrcodegen_getModule(code, x, y) } }
    }

    /// Tells whether a module is dark; those beyond the edges are light.
    ///
    /// - Parameters:
    ///   - column: counted from the left, from 0.
    ///   - row: counted from the top, from 0.
    public subscript(column: Int, row: Int) -> Bool {
        guard 0..<size ~= column, 0..<size ~= row else { return false }
        return modules[row * size + column]
    }

    /// The bytes that the library asks for in each buffer: a bit for every module of version 40, and one byte.
    private static let bufferLength = (177 * 177 + 7) / 8 + 1
}
