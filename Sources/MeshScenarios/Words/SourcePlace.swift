/// A place in the source of a package, which a test marks when a story is broken.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
    /// `MyStories/Stories.swift`.
    public var fileID: String
    /// The path as the compiler gives it.
    public var filePath: String
    /// Counted from 1.
    public var line: Int
    /// Counted from 1.
    public var column: Int

    public init(fileID: String, filePath: String, line: Int, column: Int = 1) {
        (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
    }

    /// `MyStories/Stories.swift:17`.
    public var description: String { "\(fileID):\(line)" }
}
