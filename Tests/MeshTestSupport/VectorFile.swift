// Test support
public import Foundation

/// A file of known answers. Those that several test targets read are in the `Resources` of this one, once.
public enum VectorFile {
    /// The resources of this target: `companion`, `ota` and `infrastructure`.
    public static var shared: Bundle { .module }

    /// Decodes `Resources/<name>.json`; its snake-case keys become camel case, except those of dictionaries.
    public static func decode<T: Decodable>(_ type: T.Type, _ name: String, in bundle: Bundle = VectorFile.shared) -> T
    {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decode(type, name, in: bundle, by: decoder)
    }

    /// Decodes `Resources/<name>.json` as this decoder does.
    public static func decode<T: Decodable>(
        _ type: T.Type, _ name: String, in bundle: Bundle = VectorFile.shared, by decoder: JSONDecoder
    ) -> T {
        do {
            let file = bundle.bundleURL.appendingPathComponent("Resources/\(name).json")
            return try decoder.decode(type, from: Data(contentsOf: file))
        } catch {
            fatalError("the vectors of \(name) cannot be read: \(error)")
        }
    }
}
