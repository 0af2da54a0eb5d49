public import FoundationEssentials

/// Passwords of rooms and repeaters, by the node's full key. They are kept nowhere else.
public protocol CredentialStore: Sendable {
    /// Keeps a password, in place of an earlier one.
    func storePassword(_ password: String, forNodeKey publicKey: Data) async throws(StackError)
    /// The password, or nil when none is kept.
    func retrievePassword(forNodeKey publicKey: Data) async throws(StackError) -> String?
    /// Forgets a password; one that is not kept is forgotten already.
    func deletePassword(forNodeKey publicKey: Data) async throws(StackError)
    /// Returns whether a password is stored; throws where `retrievePassword` would.
    func hasPassword(forNodeKey publicKey: Data) async throws(StackError) -> Bool
}

/// The name that apps written for PocketMesh expect.
public typealias KeychainService = CredentialStore

/// The names under which every store keeps credentials.
public enum CredentialName {
    /// Under this all passwords of nodes are kept.
    public static let service = "com.pocketmesh.nodepasswords"

    /// The account of a node: its key in Base64. Throws `invalidKey` for a key that has not 32 bytes.
    public static func account(_ publicKey: Data) throws(StackError) -> String {
        guard publicKey.count == 32 else { throw StackError(.credentials, .invalidKey(count: publicKey.count)) }
        return publicKey.base64EncodedString()
    }
}
