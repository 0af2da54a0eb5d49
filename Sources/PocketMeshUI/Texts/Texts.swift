import MeshFiles
import Synchronization

/// The texts for users, from one table: `Texts/en.json`.
public enum Texts {
    /// The English table, by key.
    static let english: [String: String] = {
        guard let table = try? [String: String](json: PackageResources.en_json) else {
            preconditionFailure("the table of texts is no JSON object of texts")
        }
        return table
    }()

    private static let chosen = Mutex<[String: String]>([:])

    /// Uses another language's table; a key that it has not stays English. Keys are the names of `TextKey`.
    public static func use(_ table: [String: String]) { chosen.withLock { $0 = table } }

    /// Every key with its text in the language in use, for pages.
    public static var table: [String: String] {
        let table = chosen.withLock { $0 }
        return english.merging(table.filter { english[$0.key] != nil }) { _, chosen in chosen }
    }

    /// The text of a key; `%1`, `%2` and so on in it become the arguments.
    public static func string(_ key: TextKey, _ arguments: String...) -> String {
        let name = key.rawValue
        let text = chosen.withLock { $0[name] } ?? english[name] ?? name
        guard !arguments.isEmpty else { return text }
        return filled(text, arguments)
    }

    /// Fills in the arguments in one pass, so that an argument with a percent sign stays as it is.
    static func filled(_ text: String, _ arguments: [String]) -> String {
        var result = ""
        var rest = Substring(text)
        while let sign = rest.firstIndex(of: "%") {
            result += rest[..<sign]
            let next = rest.index(after: sign)
            if next < rest.endIndex, let number = rest[next].wholeNumberValue, (1...arguments.count).contains(number) {
                result += arguments[number - 1]
                rest = rest[rest.index(after: next)...]
            } else {
                result += "%"
                rest = rest[next...]
            }
        }
        return result + rest
    }
}
