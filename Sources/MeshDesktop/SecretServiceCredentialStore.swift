public import FoundationEssentials
import Glibc
import MeshBus
public import PocketMeshServices

/// Keeps passwords in the desktop's keyring, through `org.freedesktop.secrets` on the session bus.
///
/// Passwords cross the bus in the clear, in the service's plain session: the bus belongs to the user alone. A keyring
/// that is locked stays so; the user is not asked to unlock it.
public actor SecretServiceCredentialStore: CredentialStore {
    private static let service = "org.freedesktop.secrets"
    private static let root = "/org/freedesktop/secrets"
    private static let interface = "org.freedesktop.Secret."

    private let address: String?
    private var bus: Bus?
    private var session: String?

    /// `busAddress` as in `unix:path=…`; the session's bus without one.
    public init(busAddress: String? = nil) {
        address = busAddress
    }

    /// Returns whether there is an open keyring: without one, a file stores passwords.
    public func isAvailable() -> Bool {
        guard let collection = try? defaultCollection() else { return false }
        return (try? isLocked(collection)) == false
    }

    public func storePassword(_ password: String, forNodeKey publicKey: Data) throws(StackError) {
        let account = try CredentialName.account(publicKey)
        try perform(StackError.Reason.storageFailed) {
            let collection = try defaultCollection()
            if try isLocked(collection) { throw StackError(.credentials, .passwordsLocked) }
            let secret = BusValue.structure([
                .objectPath(try openSession()), .bytes([]), .bytes(password.utf8), .string("text/plain"),
            ])
            let answer = try call(
                collection, "Collection", "CreateItem",
                .variants([
                    "\(Self.interface)Item.Label": .string("Meshbed node \(account.prefix(8))"),
                    "\(Self.interface)Item.Attributes": Self.attributes(account),
                ]), secret, .boolean(true))
            try Self.refusePrompt(answer.last)
        }
    }

    public func retrievePassword(forNodeKey publicKey: Data) throws(StackError) -> String? {
        let account = try CredentialName.account(publicKey)
        return try perform(StackError.Reason.retrievalFailed) {
            guard let item = try find(account).first else { return nil }
            let answer = try call(item, "Item", "GetSecret", .objectPath(try openSession()))
            guard let parts = answer.first?.parts, parts.count == 4 else {
                throw StackError(.credentials, .unexpectedPasswordData)
            }
            guard let password = String(validating: parts[2].octets, as: UTF8.self) else {
                throw StackError(.credentials, .unexpectedPasswordData)
            }
            return password
        }
    }

    public func deletePassword(forNodeKey publicKey: Data) throws(StackError) {
        let account = try CredentialName.account(publicKey)
        try perform(StackError.Reason.deletionFailed) {
            for item in try find(account) {
                try Self.refusePrompt(try call(item, "Item", "Delete").first)
            }
        }
    }

    public func hasPassword(forNodeKey publicKey: Data) throws(StackError) -> Bool {
        let account = try CredentialName.account(publicKey)
        return try perform(StackError.Reason.retrievalFailed) { try !find(account).isEmpty }
    }

    // MARK: The keyring

    private static func attributes(_ account: String) -> BusValue {
        .texts(["service": CredentialName.service, "account": account])
    }

    /// The items of an account; throws `locked` when there are only locked ones.
    private func find(_ account: String) throws -> [String] {
        let answer = try call(Self.root, "Service", "SearchItems", Self.attributes(account))
        let open = answer.first?.parts.compactMap(\.text) ?? []
        if open.isEmpty, answer.count > 1, !answer[1].parts.isEmpty { throw StackError(.credentials, .passwordsLocked) }
        return open
    }

    private func defaultCollection() throws -> String {
        let answer = try call(Self.root, "Service", "ReadAlias", .string("default"))
        guard let path = answer.first?.text, path != "/" else { throw StackError(.credentials, .passwordsLocked) }
        return path
    }

    private func isLocked(_ collection: String) throws -> Bool {
        let answer = try connect().call(
            Self.service, collection, "org.freedesktop.DBus.Properties", "Get",
            .string("\(Self.interface)Collection"), .string("Locked"))
        return answer.first?.flag ?? true
    }

    private func openSession() throws -> String {
        if let session { return session }
        let answer = try call(Self.root, "Service", "OpenSession", .string("plain"), .variant(.string("")))
        guard let path = answer.last?.text else { throw StackError(.credentials, .unexpectedPasswordData) }
        session = path
        return path
    }

    /// Throws when the service wants to ask the user first: the operation was not done.
    private static func refusePrompt(_ prompt: BusValue?) throws {
        if let path = prompt?.text, path != "/" { throw StackError(.credentials, .passwordsLocked) }
    }

    // MARK: The bus

    private func connect() throws(BusError) -> Bus {
        if let bus { return bus }
        let opened = try Bus(address.map(Bus.Place.address) ?? .session)
        bus = opened
        return opened
    }

    private func call(_ path: String, _ part: String, _ method: String, _ arguments: BusValue...) throws(BusError)
        -> [BusValue]
    {
        try connect().call(BusRequest(Self.service, path, Self.interface + part, method, arguments))
    }

    private func perform<T>(
        _ failure: (Int32) -> StackError.Reason, _ body: () throws -> T
    ) throws(StackError) -> T {
        do {
            return try body()
        } catch let error as StackError {
            throw error
        } catch let error as BusError {
            // A keyring that was restarted knows nothing of our session.
            (bus, session) = (nil, nil)
            if case .refused(let name, _) = error, name == "\(Self.interface)Error.IsLocked" {
                throw StackError(.credentials, .passwordsLocked)
            }
            throw StackError(.credentials, failure(ECONNREFUSED), underlying: .system(ECONNREFUSED))
        } catch {
            throw StackError(.credentials, failure(EIO), underlying: .system(EIO))
        }
    }
}
