public import MeshCore

/// Why a picture was not sent, or not prepared.
public enum ImageError: Error, Hashable, Sendable {
    /// The recipient has no path, or one that raw data cannot take: it is never flooded. Nothing was written.
    case noDirectPath
    case tooManyChunks(count: Int, limit: Int)
    /// The data is no picture that can be read.
    case imageDecodeFailed
    /// There is nothing that reads and writes pictures, and the data is not ready to be sent.
    case noCodec
    /// The transfer was ended by `cancel`.
    case cancelled
    /// The radio never took this chunk.
    case gaveUp(chunk: Int)
    /// There is no link; a transfer that has begun goes on when there is one again.
    case notConnected
    /// The profile has no pictures.
    case featureOff
    case sessionError(SessionError)
    case storeFailed(PersistenceStoreError)
}

extension ImageError: ServiceFailure {
    init(_ error: SessionError) {
        self =
            switch error {
            case .notStarted, .notConnected, .connectionLost: .notConnected
            case .transport: .notConnected
            default: .sessionError(error)
            }
    }

    init(_ error: PersistenceStoreError) { self = .storeFailed(error) }
}

extension ImageError {
    /// A word for programs, which stays when the text changes.
    public var code: String {
        switch self {
        case .noDirectPath: "image-no-direct-path"
        case .tooManyChunks: "image-too-large"
        case .imageDecodeFailed: "image-unreadable"
        case .noCodec: "image-no-codec"
        case .cancelled: "image-cancelled"
        case .gaveUp: "image-gave-up"
        case .notConnected: "image-not-connected"
        case .featureOff: "image-feature-off"
        case .sessionError(let error): "image-\(error.code)"
        case .storeFailed: "image-store-failed"
        }
    }

    /// What a user can do about it.
    public var recovery: String {
        switch self {
        case .noDirectPath: "Find a path to the contact first; a message to it does."
        case .tooManyChunks: "Choose a smaller picture."
        case .imageDecodeFailed: "Choose a JPEG picture."
        case .noCodec: "Choose a small JPEG picture."
        case .cancelled: "Send the picture again if it is still wanted."
        case .gaveUp: "Wait until the mesh is quieter, and send the picture again."
        case .notConnected: "Connect to the radio; the transfer goes on by itself for ten minutes."
        case .featureOff: "Choose a profile with pictures."
        case .sessionError(let error): error.recovery
        case .storeFailed: "Check the disk, and try again."
        }
    }
}

extension ImageError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noDirectPath: "there is no path to the contact that pictures can take"
        case .tooManyChunks(let count, let limit): "the picture has \(count) chunks, \(limit) are possible"
        case .imageDecodeFailed: "the data is no picture that can be read"
        case .noCodec: "pictures cannot be made smaller here"
        case .cancelled: "the transfer was cancelled"
        case .gaveUp(let chunk): "the radio had no room for chunk \(chunk)"
        case .notConnected: "there is no connection to the radio"
        case .featureOff: "pictures are switched off"
        case .sessionError(let error): "\(error)"
        case .storeFailed(let error): "\(error)"
        }
    }
}
