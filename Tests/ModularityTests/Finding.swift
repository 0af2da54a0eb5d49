/// One place that breaks a rule of the house, with what to do instead.
struct Finding: Equatable, CustomStringConvertible {
    /// Path from the root of the repository.
    var path: String
    /// Line, counted from 1; 0 when the finding is about the file as a whole.
    var line: Int
    /// The fault, and the text to write instead.
    var message: String

    var description: String { line == 0 ? "\(path): \(message)" : "\(path):\(line): \(message)" }
}

extension [Finding] {
    /// All findings, one a line, for the message of a failed expectation.
    var report: String { map(\.description).joined(separator: "\n") }
}
