public import Foundation

/// A file of known answers in the `Resources` of a test target.
public enum VectorFile {
    /// Decodes `Resources/<name>.json`; its snake-case keys become camel case, except those of dictionaries.
    public static func decode<T: Decodable>(_ type: T.Type, _ name: String, in bundle: Bundle) -> T {
        do {
            let file = bundle.bundleURL.appendingPathComponent("Resources/\(name).json")
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(type, from: Data(contentsOf: file))
        } catch {
            fatalError("the vectors of \(name) cannot be read: \(error)")
        }
    }
}
