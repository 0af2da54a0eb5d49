/// An error in the content of a file in a node's flash: the file, the field and the reason.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path in the node's flash.
    public let file: String
    /// The key of a setting, or the record and its part.
    public let field: String
    /// The fault of the value, in words.
    public let reason: String

    public init(file: String, field: String, reason: String) {
        self.file = file
        self.field = field
        self.reason = reason
    }

    public var description: String {
        field.isEmpty ? "\(file): \(reason)" : "\(file), \(field): \(reason)"
    }
}
