/// The subject of a line, by which an expectation is tied to the action that it depends on.
///
/// An expectation that nothing was done for breaks just as one whose text was lost on the way. Reports and the shrinker
/// tell the two apart by what was done before.
public enum Subject: Hashable, Sendable {
    /// A text, whatever its sender and its recipient.
    case text(String)
    /// A picture from one node to another, by their names.
    case picture(from: String, to: String)
    /// The introduction of a node to others, by its name.
    case introduction(String)
    /// The name that a node gives itself.
    case name(String)
    /// The channel or room in which something is said, by its name.
    case place(String)
    /// A node's membership in a channel or room, by the names of both.
    case member(String, of: String)
}

extension Action { public var subjects: [Subject] { [] } }
extension Expectation { public var subjects: [Subject] { [] } }
