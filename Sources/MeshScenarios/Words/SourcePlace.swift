/// Where something stands in the source of a package: what a test marks when a story is broken.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
    /// `MyStories/Stories.swift`.
    public var fileID: String
    public var filePath: String
    public var line: Int
    public var column: Int

    public init(fileID: String, filePath: String, line: Int, column: Int = 1) {
        (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
    }

    /// `MyStories/Stories.swift:17`.
    public var description: String { "\(fileID):\(line)" }
}
