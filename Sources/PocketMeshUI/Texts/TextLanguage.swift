import MeshFiles

/// A language of the texts for users: its tag, and its table `Texts/TAG.json`.
public struct TextLanguage: Sendable {
    /// The tag of the language as browsers and pages write it, such as `de`.
    public let tag: String
    /// The texts by their keys.
    let table: [String: String]

    private init(_ json: [UInt8]) {
        guard let table = try? [String: String](json: json), let tag = table[TextKey.language.rawValue] else {
            preconditionFailure("the table of texts is no JSON object of texts, or does not say its language")
        }
        (self.tag, self.table) = (tag, table)
    }

    /// The language of those who ask for none that is here, and of texts that another table does not have.
    static let english = TextLanguage(PackageResources.en_json)

    /// The languages that have a table.
    ///
    /// A test holds the list against the folder of tables.
    public static let all = [english, TextLanguage(PackageResources.de_json)]

    /// The name of the language in itself.
    public var name: String { table[TextKey.languageName.rawValue] ?? tag }

    /// The language of a tag; a tag with a region, such as `de-AT`, is of its language.
    public init?(tag: String) {
        let main = tag.lowercased().prefix { $0 != "-" }
        guard let found = Self.all.first(where: { $0.tag == main }) else { return nil }
        self = found
    }

    /// The language that fits a list in the form of `Accept-Language` best: `de-AT, en;q=0.8` is German.
    ///
    /// A list that names none of ours, or none at all, has no best one.
    public init?(acceptedBy list: String) {
        let wanted = list.split(separator: ",").compactMap { entry -> (tag: String, weight: Double)? in
            let members = entry.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let tag = members.first else { return nil }
            let weight = members.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return (tag, weight ?? 1)
        }
        // The first of those with one weight counts.
        let best = wanted.enumerated().filter { $0.element.weight > 0 && TextLanguage(tag: $0.element.tag) != nil }
            .max { ($0.element.weight, $1.offset) < ($1.element.weight, $0.offset) }
        guard let best, let found = TextLanguage(tag: best.element.tag) else { return nil }
        self = found
    }
}
