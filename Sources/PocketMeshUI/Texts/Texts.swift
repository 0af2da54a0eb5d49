import MeshFiles
import Synchronization

/// The texts for users, from one table for each language: `Texts/en.json` and its neighbours.
public enum Texts {
    /// The language of the present request, and of the work that it starts; `nil` for that of the program.
    @TaskLocal public static var language: TextLanguage?

    private static let chosen = Mutex<[String: String]>([:])

    /// Uses another language's table; a key that it has not stays English. Keys are those of `Texts/en.json`.
    ///
    /// Work with a `language` of its own uses that.
    public static func use(_ table: [String: String]) { chosen.withLock { $0 = table } }

    /// Every key with its text in the language in use, for pages.
    public static var table: [String: String] {
        let english = TextLanguage.english.table
        let table = language?.table ?? chosen.withLock { $0 }
        return english.merging(table.filter { english[$0.key] != nil }) { _, chosen in chosen }
    }

    /// The text of a key; `%1`, `%2` and so on in it become the arguments.
    public static func string(_ key: TextKey, _ arguments: String...) -> String {
        filled(text(key.rawValue), arguments)
    }

    /// The text for a number of things, which is the argument `%1`.
    ///
    /// One and more have forms of their own; a language with more forms needs its rule here.
    static func counted(_ count: Int, _ text: CountedText) -> String {
        filled(self.text(text.rawValue + (count == 1 ? "One" : "Other")), ["\(count)"])
    }

    /// A number that is written with a point, with the mark of the language in use in its place.
    static func number(_ written: String) -> String {
        let mark = string(.decimalMark)
        return written.map { $0 == "." ? mark : String($0) }.joined()
    }

    private static func text(_ name: String) -> String {
        let found = language.map { $0.table[name] } ?? chosen.withLock { $0[name] }
        return found ?? TextLanguage.english.table[name] ?? name
    }

    /// Fills in the arguments in one pass, so that an argument with a percent sign stays as it is.
    static func filled(_ text: String, _ arguments: [String]) -> String {
        guard !arguments.isEmpty else { return text }
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
