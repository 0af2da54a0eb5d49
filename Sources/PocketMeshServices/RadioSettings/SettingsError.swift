public import MeshCore
import MeshWire

/// Why a setting was not changed, or not read.
public enum SettingsError: Error, Hashable, Sendable {
    case notConnected
    /// The link did not take the frame.
    case sendFailed(String)
    /// The radio's answer cannot be read.
    case invalidResponse
    case sessionError(SessionError)
    /// The radio took the value and says another one when it is asked.
    case verificationFailed(expected: String, actual: String)
    /// The value is none that a radio takes; nothing was written.
    case outOfRange(field: String)
    case storeFailed(PersistenceStoreError)
}

extension SettingsError: ServiceFailure {
    init(_ error: SessionError) {
        self =
            switch error {
            case .notStarted, .notConnected, .connectionLost: .notConnected
            case .transport(.notConnected), .transport(.connectionLost): .notConnected
            case .transport(let why): .sendFailed("\(why)")
            case .unreadableReply: .invalidResponse
            case .invalidInput(_, let why): .outOfRange(field: why.field)
            default: .sessionError(error)
            }
    }

    init(_ error: PersistenceStoreError) { self = .storeFailed(error) }
}

extension SettingsError {
    /// A word for programs, which stays when the text changes.
    public var code: String {
        switch self {
        case .notConnected: "settings-not-connected"
        case .sendFailed: "settings-send-failed"
        case .invalidResponse: "settings-invalid-response"
        case .sessionError(let error): "settings-\(error.code)"
        case .storeFailed: "settings-store-failed"
        case .verificationFailed: "settings-not-taken"
        case .outOfRange: "settings-out-of-range"
        }
    }

    /// What a user can do about it.
    public var recovery: String {
        switch self {
        case .notConnected: "Connect to the radio first."
        case .sendFailed: "Check that the radio is in reach, and try again."
        case .invalidResponse: "Try again; if it stays so, restart the radio."
        case .sessionError(let error): error.recovery
        case .storeFailed: "Check the disk, and try again."
        case .verificationFailed: "Look at the setting again; another app or the radio itself may have changed it."
        case .outOfRange: "Correct what was entered."
        }
    }
}

extension SettingsError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notConnected: "there is no connection to the radio"
        case .sendFailed(let why): "the setting was not sent: \(why)"
        case .invalidResponse: "the radio's answer cannot be read"
        case .sessionError(let error): "\(error)"
        case .storeFailed(let error): "\(error)"
        case .verificationFailed(let expected, let actual):
            "the radio was to have \(expected), and says \(actual)"
        case .outOfRange(let field): "\(field) is outside what the radio takes"
        }
    }
}
