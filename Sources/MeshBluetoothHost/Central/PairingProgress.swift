/// The steps of a link towards a secure subscription, by what the radio refuses and accepts.
///
/// It governs when a central pairs, when it asks again, and when frames may pass. It does not govern how two sides
/// pair, which ``SecurityManager`` does. It is copied with its central, because snapshots of a world are copies.
///
/// ```
/// asking --refused: pair--> unsecured --secured: ask again--> secured --accepted--> frames pass
///   |  |                                                       ^  ^  |
///   |  +------------------------ secured ----------------------+  |  +--refused: wait--> refused
///   |                                                             +------ask again---------+
///   +--accepted: pair--> subscribed --secured--> frames pass
/// ```
enum PairingProgress: Hashable, Sendable, CaseIterable {
    /// The link is not secure, and the radio has refused nothing.
    case asking
    /// The radio refuses a link that is not secure.
    case unsecured
    /// The radio has accepted the subscription of a link that is not secure.
    case subscribed
    case secured
    /// The radio refuses although the link is secure.
    case refused

    /// The consequences of an event.
    enum Next: Hashable, Sendable {
        case nothing
        case pair
        /// Sends the refused request again at once.
        case askAgain
        /// Sends it again after a pause.
        case wait
        /// Lets frames pass.
        case begin
    }

    var isSecure: Bool { self == .secured || self == .refused }

    /// The radio refuses for security.
    mutating func refuse() -> Next {
        switch self {
        case .asking, .unsecured: self = .unsecured
        case .subscribed: break
        case .secured, .refused:
            self = .refused
            return .wait
        }
        return .pair
    }

    /// The radio has accepted the subscription.
    mutating func accept() -> Next {
        switch self {
        // Some radios accept any subscription, and notify over a secured link alone.
        case .asking, .unsecured, .subscribed:
            self = .subscribed
            return .pair
        case .secured, .refused: return .begin
        }
    }

    /// The link has become secure.
    mutating func secure() -> Next {
        switch self {
        case .asking, .secured:
            self = .secured
            return .nothing
        case .unsecured, .refused:
            self = .secured
            return .askAgain
        case .subscribed: return .begin
        }
    }

    /// Notes that the refused request is sent again.
    mutating func askAgain() {
        switch self {
        case .unsecured: self = .asking
        case .refused: self = .secured
        case .asking, .subscribed, .secured: break
        }
    }
}

/// The keys of the radio in one dial. They are dropped once: a radio that has other keys again has a fault.
package enum KeyTrust: Hashable, Sendable {
    case trusted
    /// The radio had other keys, and is paired with anew.
    case dropped
    /// The radio had ended the connection because of the keys, and was connected to once more.
    case reconnected
}
