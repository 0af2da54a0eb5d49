import FoundationEssentials

/// The attempt of the user to connect, and its failure as it is shown.
///
/// It governs the text about a failure and the radio to which "try again" leads. It does not open a connection, which
/// `ConnectionManager` does.
///
/// ```
/// none --begin--> trying --connected--> none
///                  |  ^ \
///          failed  |  |  \--called off--> the failure before, not shown
///                  v  |
///                failed            with its text, shown until the user has read it
/// ```
struct ConnectAttempt: ~Copyable {
    /// A failure that a page may show.
    private struct Failure {
        var message: ErrorPresentation
        var isShown: Bool
    }

    private enum State: ~Copyable {
        case none
        /// The radio, where it is a known one, and the failure before.
        case trying(UUID?, Failure?)
        /// The user has ended the attempt, before which nothing had failed.
        case calledOff(UUID?)
        case failed(UUID?, Failure)
    }

    private var state = State.none

    init() {}

    private init(_ state: consuming State) { self.state = state }

    /// The radio to which "try again" leads.
    var deviceID: UUID? {
        switch state {
        case .none: nil
        case .trying(let deviceID, _): deviceID
        case .calledOff(let deviceID): deviceID
        case .failed(let deviceID, _): deviceID
        }
    }

    /// The text about the last failure; an attempt that succeeds clears it.
    var message: ErrorPresentation? {
        switch state {
        case .none: nil
        case .trying(_, let failure): failure?.message
        case .calledOff: nil
        case .failed(_, let failure): failure.message
        }
    }

    /// True when the failure is to be shown.
    var isShown: Bool {
        switch state {
        case .none: false
        case .trying(_, let failure): failure?.isShown ?? false
        case .calledOff: false
        case .failed(_, let failure): failure.isShown
        }
    }

    /// Begins an attempt; without a known radio the earlier one stays for "try again".
    mutating func begin(_ deviceID: UUID?) {
        var failure: Failure?
        let earlier: UUID?
        switch consume state {
        case .none: earlier = nil
        case .trying(let id, let before): (earlier, failure) = (id, before)
        case .calledOff(let id): earlier = id
        case .failed(let id, let before): (earlier, failure) = (id, before)
        }
        failure?.isShown = false
        self = Self(.trying(deviceID ?? earlier, failure))
    }

    /// The radio is connected: nothing is left to show.
    mutating func succeed() { self = Self(.none) }

    /// The attempt has failed; also one that a later attempt has overtaken.
    mutating func fail(_ message: ErrorPresentation) {
        let failure = Failure(message: message, isShown: true)
        switch consume state {
        case .none: self = Self(.failed(nil, failure))
        case .trying(let id, _): self = Self(.failed(id, failure))
        case .calledOff(let id): self = Self(.failed(id, failure))
        case .failed(let id, _): self = Self(.failed(id, failure))
        }
    }

    /// The user has ended the attempt; has no effect when none is made.
    mutating func callOff() {
        switch consume state {
        case .trying(let id, nil): self = Self(.calledOff(id))
        case .trying(let id, let failure?): self = Self(.failed(id, failure))
        case .none: self = Self(.none)
        case .calledOff(let id): self = Self(.calledOff(id))
        case .failed(let id, let failure): self = Self(.failed(id, failure))
        }
    }

    /// Shows the failure or hides it; has no effect without one.
    mutating func show(_ isShown: Bool) {
        switch consume state {
        case .trying(let id, var failure):
            failure?.isShown = isShown
            self = Self(.trying(id, failure))
        case .failed(let id, var failure):
            failure.isShown = isShown
            self = Self(.failed(id, failure))
        case .none: self = Self(.none)
        case .calledOff(let id): self = Self(.calledOff(id))
        }
    }
}
