public import FoundationEssentials
import Glibc
import MeshCrypto
import MeshFiles
import MeshWire

/// Passwords in one sealed file (mode 0600) in a directory of the user's own (0700).
///
/// The seal protects against readers of the file alone, as in a backup. It does not protect against the same user, who
/// can read the key as well. Each change replaces the whole file in one step, under a lock that other processes
/// respect. Nothing is read or written while others may reach the directory or a file in it.
public actor FileCredentialStore: CredentialStore {
    /// The source of the key that seals the file.
    public enum Key: Sendable {
        /// A file of 32 bytes, mode 0600 or less; made from the generator where there is none.
        case file(path: String)
        /// 32 bytes from elsewhere, a credential of the service manager for instance.
        case bytes(Data)
    }

    /// Larger than any list of passwords.
    private static let sizeLimit = 16 << 20
    private static let header = Array("PMCRED1\n".utf8)

    private let directory: String
    private let key: Key
    private let clock: any Clock<Duration>
    private let lockPatience: Duration
    private var generator: any RandomNumberGenerator & Sendable

    private var file: String { directory + "/" + CredentialName.service }

    /// - Parameters:
    ///   - directory: Made for the user alone where it is not there.
    ///   - key: The file `key` in the directory, unless something else is said.
    ///   - clock: By which it is waited for the lock.
    ///   - lockPatience: How long another process may hold the lock; then an operation fails with `EBUSY`.
    ///   - generator: Draws the key and, at each change, the nonce of the seal; must not be predictable.
    public init(
        directory: String, key: Key? = nil, clock: any Clock<Duration> = ContinuousClock(),
        lockPatience: Duration = .seconds(5),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.directory = directory
        self.key = key ?? .file(path: directory + "/key")
        self.clock = clock
        self.lockPatience = lockPatience
        self.generator = generator
    }

    public func storePassword(_ password: String, forNodeKey publicKey: Data) async throws(StackError) {
        let account = try CredentialName.account(publicKey)
        try await perform(StackError.Reason.storageFailed) {
            var passwords = try load()
            guard passwords[account] != password else { return }
            passwords[account] = password
            try save(passwords)
        }
    }

    public func retrievePassword(forNodeKey publicKey: Data) async throws(StackError) -> String? {
        let account = try CredentialName.account(publicKey)
        return try await perform(StackError.Reason.retrievalFailed) { try load()[account] }
    }

    public func deletePassword(forNodeKey publicKey: Data) async throws(StackError) {
        let account = try CredentialName.account(publicKey)
        try await perform(StackError.Reason.deletionFailed) {
            var passwords = try load()
            guard passwords.removeValue(forKey: account) != nil else { return }
            try save(passwords)
        }
    }

    public func hasPassword(forNodeKey publicKey: Data) async throws(StackError) -> Bool {
        try await retrievePassword(forNodeKey: publicKey) != nil
    }

    /// The pause between two looks at a lock that another process or task holds.
    private static let lockPause = Duration.milliseconds(10)

    /// Does one piece of work while no other process works on the directory; waits for one that does.
    private func perform<T>(
        _ reason: (Int32) -> StackError.Reason, _ work: () throws -> T
    ) async throws(StackError) -> T {
        func failed(_ code: Int32) -> StackError {
            StackError(.credentials, reason(code), underlying: .system(code))
        }
        var left = lockPatience
        while true {
            do {
                return try locked(work)
            } catch let error as StackError {
                throw error
            } catch let error as FileSystem.Failure {
                guard error.code == EBUSY, left > .zero else { throw failed(error.code) }
                left -= Self.lockPause
                do { try await clock.sleep(for: Self.lockPause) } catch { throw failed(ECANCELED) }
            } catch {
                throw failed(EIO)
            }
        }
    }

    private func locked<T>(_ work: () throws -> T) throws -> T {
        try FileSystem.makeDirectory(directory)
        try checkOwnership(of: directory)
        return try FileSystem.locking(directory + "/lock", work)
    }

    private func checkOwnership(of path: String) throws {
        guard try FileSystem.isPrivate(path) else { throw StackError(.credentials, .insecurePermissions(path: path)) }
    }

    // MARK: The file

    private func load() throws -> [String: String] {
        guard try FileSystem.kind(of: file) != nil else { return [:] }
        try checkOwnership(of: file)
        let content = try FileSystem.read(file, atMost: Self.sizeLimit)
        let body = content.dropFirst(Self.header.count)
        guard content.starts(with: Self.header), body.count >= 12 else {
            throw StackError(.credentials, .unexpectedPasswordData)
        }
        let plaintext = AES256GCM.open(
            Array(body.dropFirst(12)), key: try sealKey(), nonce: FixedBytes(body.prefix(12)),
            authenticating: Self.header)
        guard let plaintext,
            let passwords = try? [String: String](json: plaintext)
        else { throw StackError(.credentials, .unexpectedPasswordData) }
        return passwords
    }

    private func save(_ passwords: [String: String]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let plaintext = Array(try encoder.encode(passwords))
        let nonce = FixedBytes<12>(draw(12))
        let sealed = AES256GCM.seal(plaintext, key: try sealKey(), nonce: nonce, authenticating: Self.header)
        try FileSystem.replace(file, with: Self.header + nonce.array + sealed)
    }

    // MARK: The key

    private func sealKey() throws -> FixedBytes<32> {
        switch key {
        case .bytes(let bytes):
            guard bytes.count == 32 else { throw StackError(.credentials, .invalidKey(count: bytes.count)) }
            return FixedBytes(bytes)
        case .file(let path):
            if try FileSystem.kind(of: path) == nil {
                // With the key gone, what was sealed with it is lost; a new key must not hide that.
                guard try FileSystem.kind(of: file) == nil else {
                    throw StackError(.credentials, .unexpectedPasswordData)
                }
                try FileSystem.replace(path, with: draw(32))
            }
            try checkOwnership(of: path)
            let bytes = try FileSystem.read(path, atMost: 32)
            guard bytes.count == 32 else { throw StackError(.credentials, .unexpectedPasswordData) }
            return FixedBytes(bytes)
        }
    }

    private func draw(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }
}
