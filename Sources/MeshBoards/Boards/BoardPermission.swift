/// A permission that a bench file gives for a board. Everything that it does not name is refused.
package enum BoardPermission: String, Hashable, Sendable, CaseIterable {
    /// The radio may be restarted by command or by a line of its port.
    case restart
    /// The identity may be replaced, and the radio be put back to factory settings.
    case erase
    /// The clock may be set far ahead.
    case clock
    /// The radio may be given bytes on which its firmware is undefined.
    case crash
    /// The radio may be told to send: there is an antenna.
    case transmit
    /// The user's commands for the power may be run.
    case power

    /// The ability that the permission gives a target.
    var ability: Abilities {
        switch self {
        case .restart: .restart
        case .erase: .identity
        case .clock: .clock
        case .crash: .crash
        case .power, .transmit: []
        }
    }

    /// All words, in a sentence.
    static let words = allCases.map(\.rawValue).joined(separator: ", ")
}
