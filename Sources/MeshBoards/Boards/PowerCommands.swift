/// The commands of a user that switch the power of a board, one for each verb.
///
/// They are programs with their arguments; no shell reads them.
package struct PowerCommands: Hashable, Sendable {
    /// The actions on the power of a board.
    package enum Verb: String, Hashable, Sendable, CaseIterable {
        case on, off, cycle
    }

    /// The program and its arguments, `nil` where there is no command for the verb.
    var on: [String]?
    var off: [String]?
    var cycle: [String]?
    /// The time within which a command must end, in seconds.
    var limitSeconds = PowerCommands.defaultLimit

    /// The limit of commands whose file states none, in seconds.
    static let defaultLimit = 15

    /// The command of a verb.
    subscript(_ verb: Verb) -> [String]? {
        get {
            switch verb {
            case .on: on
            case .off: off
            case .cycle: cycle
            }
        }
        set {
            switch verb {
            case .on: on = newValue
            case .off: off = newValue
            case .cycle: cycle = newValue
            }
        }
    }

    /// The commands that switch the power off and on again, in their order; `nil` where the user has none for that.
    var cycling: [[String]]? {
        if let cycle { return [cycle] }
        guard let off, let on else { return nil }
        return [off, on]
    }
}
