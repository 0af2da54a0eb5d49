/// A mistake in a file of ours: its line, and its field as a path such as `nodes[3].radio`.
public struct FileProblem: Error, Hashable, Sendable {
    /// The file as the user named it; empty while only its bytes are known.
    public var file: String
    /// Counted from 1; 0 when the file as a whole is meant.
    public var line: Int
    /// Empty when no single field is meant.
    public var field: String
    /// The mistake in words, without the field.
    public var reason: String

    public init(file: String = "", line: Int, field: String = "", reason: String) {
        self.file = file
        self.line = line
        self.field = field
        self.reason = reason
    }
}

extension FileProblem: CustomStringConvertible {
    public var description: String {
        let place = [file, line > 0 ? (file.isEmpty ? "line \(line)" : "\(line)") : ""].filter { !$0.isEmpty }
        return ([place.joined(separator: ":"), field].filter { !$0.isEmpty } + [reason]).joined(separator: ": ")
    }
}
