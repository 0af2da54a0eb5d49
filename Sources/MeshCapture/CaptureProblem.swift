/// A part of a capture that could not be read, and its place.
public struct CaptureProblem: Error, Hashable, Sendable {
    /// Bytes from the start of the file, unpacked if it is compressed; of an own capture, of the line.
    public var offset: UInt64
    /// The record or the line, counted from 1, where there is one.
    public var number: Int?
    /// A sentence without its full stop.
    public var reason: String

    public init(offset: UInt64, number: Int? = nil, _ reason: String) {
        self.offset = offset
        self.number = number
        self.reason = reason
    }
}

extension CaptureProblem: CustomStringConvertible {
    public var description: String {
        "\(number.map { "\($0), " } ?? "")offset \(offset): \(reason)"
    }
}
