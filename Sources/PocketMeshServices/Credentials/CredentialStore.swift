public import Foundation

/// Passwords of rooms and repeaters, by the node's full key. They are kept nowhere else.
public protocol CredentialStore: Sendable {
    /// Keeps a password, in place of an earlier one.
    func storePassword(_ password: String, forNodeKey publicKey: Data) async throws(CredentialStoreError)
    /// The password, or nil when none is kept.
    func retrievePassword(forNodeKey publicKey: Data) async throws(CredentialStoreError) -> String?
    /// Forgets a password; one that is not kept is forgotten already.
    func deletePassword(forNodeKey publicKey: Data) async throws(CredentialStoreError)
    func hasPassword(forNodeKey publicKey: Data) async throws(CredentialStoreError) -> Bool
}

/// The name that apps written for PocketMesh expect.
public typealias KeychainService = CredentialStore

/// Under which names credentials are kept, whatever keeps them.
public enum CredentialName {
    public static let service = "com.pocketmesh.nodepasswords"

    /// The account of a node: its key in Base64. Throws `encodingFailed` for a key that has not 32 bytes.
    public static func account(_ publicKey: Data) throws(CredentialStoreError) -> String {
        guard publicKey.count == 32 else { throw .encodingFailed }
        return publicKey.base64EncodedString()
    }
}

/// Why a password could not be kept or had. No case holds a password.
public enum CredentialStoreError: Error, Hashable, Sendable {
    /// The node's key has not 32 bytes.
    case encodingFailed
    /// What was kept cannot be read: it was changed, or belongs to another key.
    case unexpectedPasswordData
    /// The system's error code.
    case storageFailed(Int32)
    case retrievalFailed(Int32)
    case deletionFailed(Int32)
    /// The store has to be unlocked by its user first.
    case locked
    /// Others may read or change what is kept; nothing was read from it and nothing written.
    case insecurePermissions(path: String)
}

extension CredentialStoreError: CustomStringConvertible, LocalizedError {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .encodingFailed: "a node's key has 32 bytes"
        case .unexpectedPasswordData: "the kept passwords cannot be read: they were changed, or sealed with another key"
        case .storageFailed(let code): "the password was not kept: \(Self.reason(code))"
        case .retrievalFailed(let code): "the kept passwords were not read: \(Self.reason(code))"
        case .deletionFailed(let code): "the password was not forgotten: \(Self.reason(code))"
        case .locked: "the kept passwords are locked"
        case .insecurePermissions(let path):
            "\(path) can be reached by other users or belongs to one; make it yours alone (chmod go-rwx)"
        }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
