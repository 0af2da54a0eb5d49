// Test support
public import Foundation

/// The examples of files that other tools write, with content of our own, in `Resources/field`.
public enum FieldExample {
    /// The bytes of an example.
    public static func bytes(_ name: String) -> [UInt8] {
        do { return [UInt8](try Data(contentsOf: url(name))) } catch {
            fatalError("the example \(name) cannot be read: \(error)")
        }
    }

    /// The text of an example.
    public static func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }

    /// The place of an example.
    public static func url(_ name: String) -> URL {
        VectorFile.shared.bundleURL.appendingPathComponent("Resources/field/\(name)")
    }
}
