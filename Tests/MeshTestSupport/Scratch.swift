import Foundation

/// A folder of its own that goes away with the value.
public final class Scratch: Sendable {
    /// The folder.
    public let path: String

    public init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("meshbed-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    public func file(_ name: String) -> String { path + "/" + name }
}
