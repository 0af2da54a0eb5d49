import MeshCapture
import MeshCompanion
import MeshWire

/// The names that `--may-differ` accepts: classes of fields, fields, and pushes.
enum ComparedNames {
    static let classes = FieldClass.allCases.map(\.rawValue)

    private static let frames: [any CodedFrame.Type] =
        CommandCode.allCases.map { $0.row.frame } + ResponseCode.allCases.map { $0.row.frame }
        + PushCode.allCases.map { $0.row.frame }

    /// The fields of all frames, and what a comparison makes of a frame besides.
    static let fields: [String] = {
        let named = frames.flatMap { $0.layout(from: 1).flatMap(\.fields).map(\.name) }
        return Set(named + ["frame", "rest"]).sorted()
    }()

    static let pushes = PushCode.allCases.map(\.wireName)

    /// Parts of a packet that a field holds, as in `raw.path`.
    private static let parts = ["header", "path_len", "path", "payload_len", "payload"]

    /// Tells whether a difference can have this name.
    static func knows(_ word: String) -> Bool {
        if pushes.contains(word) { return true }
        let field = word.prefix { $0 != "." && $0 != "[" }
        guard fields.contains(String(field)) else { return false }
        let rest = word.dropFirst(field.count)
        if rest.isEmpty { return true }
        if rest.hasPrefix(".") { return parts.contains(String(rest.dropFirst())) }
        return rest.hasSuffix("]") && Int(rest.dropFirst().dropLast()) != nil
    }
}
