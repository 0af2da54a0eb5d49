public import MeshCore

/// Why a radio is not connected.
public enum ConnectionError: Error, Hashable, Sendable {
    /// The link could not be opened.
    case connectionFailed(String)
    /// No address is known for the radio, or the address makes no sense.
    case deviceNotFound(String)
    case notConnected
    /// The link was open, and the radio did not introduce itself.
    case initializationFailed(String)
    /// The link went before the connection was ready.
    case sessionError(SessionError)
    /// Somebody asked for another radio, or for none, in the meantime.
    case superseded
    /// The radio is forgotten here, and the system keeps its pairing.
    case bondKept(String)
    /// What the connection needs of the store could not be read or written.
    case storeError(PersistenceStoreError)
}

extension ConnectionError {
    /// A word for programs, which stays when the text changes.
    public var code: String {
        switch self {
        case .connectionFailed: "connection-failed"
        case .deviceNotFound: "device-not-found"
        case .notConnected: "not-connected"
        case .initializationFailed: "initialization-failed"
        case .sessionError(let error): error.code
        case .superseded: "superseded"
        case .bondKept: "bond-kept"
        case .storeError: "store"
        }
    }

    /// What a user can do about it.
    public var recovery: String {
        switch self {
        case .connectionFailed: "Check that the radio is on and in reach, and connect again."
        case .deviceNotFound: "Check the address, or add the radio again."
        case .notConnected: "Connect to the radio first."
        case .initializationFailed: "Restart the radio, and connect again."
        case .sessionError(let error): error.recovery
        case .superseded: "Nothing; the later wish counts."
        case .bondKept: "Remove the pairing in the system's Bluetooth settings."
        case .storeError: "Check that there is room on the disk and that nobody else uses the database."
        }
    }
}

extension ConnectionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .connectionFailed(let why): "the radio was not reached: \(why)"
        case .deviceNotFound(let what): "no radio is known at \(what)"
        case .notConnected: "there is no connection to a radio"
        case .initializationFailed(let why): "the radio was reached and could not be set up: \(why)"
        case .sessionError(let error): "\(error)"
        case .superseded: "another connection was asked for, or none"
        case .bondKept(let why): "the radio is forgotten, and its pairing is kept: \(why)"
        case .storeError(let error): "\(error)"
        }
    }
}

extension ConnectionError {
    /// What failed while the link was opened.
    static func opening(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError, is ConnectionError: error
        case MeshTransportError.connectionFailed(let why): ConnectionError.connectionFailed(why)
        default: ConnectionError.connectionFailed("\(error)")
        }
    }

    /// What failed behind the open link.
    static func settingUp(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError, is ConnectionError: error
        case SessionError.connectionLost(let why): ConnectionError.sessionError(.connectionLost(why))
        // No fault of the radio.
        case let error as PersistenceStoreError: ConnectionError.storeError(error)
        default: ConnectionError.initializationFailed("\(error)")
        }
    }
}
