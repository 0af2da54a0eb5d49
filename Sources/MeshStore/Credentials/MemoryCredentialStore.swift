public import FoundationEssentials

/// Passwords that end with the process: for tests, and for users who want none stored.
public actor MemoryCredentialStore: CredentialStore {
    private var passwords: [String: String] = [:]

    public init() {}

    public func storePassword(_ password: String, forNodeKey publicKey: Data) throws(StackError) {
        passwords[try CredentialName.account(publicKey)] = password
    }

    public func retrievePassword(forNodeKey publicKey: Data) throws(StackError) -> String? {
        passwords[try CredentialName.account(publicKey)]
    }

    public func deletePassword(forNodeKey publicKey: Data) throws(StackError) {
        passwords[try CredentialName.account(publicKey)] = nil
    }

    public func hasPassword(forNodeKey publicKey: Data) throws(StackError) -> Bool {
        try passwords[CredentialName.account(publicKey)] != nil
    }
}
