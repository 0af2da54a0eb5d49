package import MeshTestbed

/// The needs of people in the field, and a story for each.
package enum FieldNeeds {
    /// All of them, in the order of the article.
    package static let all = AirNeeds.all + RadioNeeds.all + AppNeeds.all + MeshNeeds.all

    /// The address of an issue or a pull request of the firmware.
    static func firmware(_ kind: Thread, _ number: Int) -> String { address("meshcore-dev/MeshCore", kind, number) }

    /// The address of an issue or a pull request.
    static func address(_ repository: String, _ kind: Thread, _ number: Int) -> String {
        "https://github.com/\(repository)/\(kind.rawValue)/\(number)"
    }

    /// The kind of page that a thread is on.
    enum Thread: String {
        case issue = "issues"
        case pull
    }
}
