/// Why nothing can be captured live.
public struct LiveCaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
