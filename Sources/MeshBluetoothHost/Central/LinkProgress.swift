package import MeshTime

/// The state that a central has of its radio in one phase of their link.
package protocol LinkStage: Sendable {
    /// The time at which something has to be done about it; `nil` while nothing waits for time.
    var deadline: Instant? { get }
}

/// The phase of a central's link, and the state that each phase owns; it ends with the phase.
///
/// Phases are the same over a controller (``BluetoothCentral``) and over bluetoothd. The states of an attempt, of a
/// connection on its way to frames, and of one that passes them differ.
package enum LinkProgress<Attempt: LinkStage, Setup: LinkStage, Session: LinkStage>: Sendable {
    case idle
    case waitingForBluetooth
    case scanning(until: Instant)
    case connecting(Attempt)
    case discovering(Setup)
    case subscribing(Setup)
    case connected(Session)
    case disconnecting(BluetoothCentral.Failure, until: Instant)

    package var phase: BluetoothCentral.Phase {
        switch self {
        case .idle: .idle
        case .waitingForBluetooth: .waitingForBluetooth
        case .scanning: .scanning
        case .connecting: .connecting
        case .discovering: .discoveringServices
        case .subscribing: .subscribingToNotifications
        case .connected: .connected
        case .disconnecting: .disconnecting
        }
    }

    /// The time at which the phase has to be looked at.
    package var deadline: Instant? {
        switch self {
        // What is waited for answers in any case.
        case .idle, .waitingForBluetooth: nil
        case .scanning(let until), .disconnecting(_, let until): until
        case .connecting(let attempt): attempt.deadline
        case .discovering(let setup), .subscribing(let setup): setup.deadline
        case .connected(let session): session.deadline
        }
    }

    /// Of the phases before frames pass; others take none.
    package var setup: Setup? {
        get {
            switch self {
            case .discovering(let setup), .subscribing(let setup): setup
            default: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .discovering: self = .discovering(newValue)
            case .subscribing: self = .subscribing(newValue)
            default: break
            }
        }
    }
}
