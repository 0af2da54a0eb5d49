public import FoundationEssentials
import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import MeshWire

// The ways to contacts.
extension ContactService {
    /// Makes the radio forget the path to a contact: the next message to it is flooded.
    public func resetPath(deviceID: UUID, publicKey: Data) async throws {
        let key = try publicKey.publicKeyBytes()
        try await asking(about: publicKey, of: deviceID) { try await session.resetPath(key) }
        try await inTerms(of: .contacts) {
            guard let row = try await store.fetchContact(deviceID: deviceID, publicKey: publicKey) else { return }
            try await store.updateContactPath(id: row.id, lengthRaw: PathLength.unknown.rawValue, path: Data())
        }
        await changed(deviceID)
    }

    /// Gives a contact a path of hashes of 1 to 3 bytes, and keeps everything else of it.
    ///
    /// An empty path leads to a neighbour.
    public func setPath(deviceID: UUID, publicKey: Data, path: Data, hashSize: Int = 1) async throws {
        let key = try publicKey.publicKeyBytes()
        guard 1...3 ~= hashSize, path.count <= CompanionLimits.path, path.count % hashSize == 0,
            path.count / hashSize < 64
        else { throw StackError(.contacts, .invalidPath(count: path.count, hashSize: hashSize)) }
        let length = PathLength(hashSize: hashSize, hops: path.count / hashSize)
        try await write(length, [UInt8](path), to: key, publicKey, of: deviceID)
    }

    /// Asks a contact by flood for the paths there and back.
    ///
    /// Firmware delivers the answer and does not use it; with `applying` the path there is written to the radio.
    @discardableResult
    public func sendPathDiscovery(
        deviceID: UUID, publicKey: Data, applying: Bool = true, limit: Duration? = nil
    ) async throws -> DiscoveredPath {
        let key = try publicKey.publicKeyBytes()
        let answer = try await asking(about: publicKey, of: deviceID) {
            try await session.sendPathDiscovery(to: key, limit: limit)
        }
        let found = DiscoveredPath(answer, publicKey: publicKey)
        if applying, answer.outPathLength.isValid {
            try await write(answer.outPathLength, answer.outPath, to: key, publicKey, of: deviceID)
        }
        return found
    }

    private func write(
        _ length: PathLength, _ path: [UInt8], to key: FixedBytes<32>, _ publicKey: Data, of deviceID: UUID
    ) async throws {
        let written = try await asking(about: publicKey, of: deviceID) {
            var record = try await session.getContact(publicKey: key)
            try await session.changeContactPath(record, length: length, path: path)
            record.outPathLength = length
            record.outPath = FixedBytes(path)
            return record
        }
        try await inTerms(of: .contacts) {
            _ = try await store.saveContact(deviceID: deviceID, from: written)
        }
        await changed(deviceID)
    }

    /// The way that the last advert of a node came, if the radio remembers it.
    public func getAdvertPath(publicKey: Data) async throws -> AdvertPath {
        let key = try publicKey.publicKeyBytes()
        return try await inTerms(of: .contacts) { AdvertPath(try await session.getAdvertPath(key)) }
    }

    /// Runs an operation that the radio refuses for nodes that are no contacts; the row is marked so then.
    func asking<T>(about publicKey: Data, of deviceID: UUID, _ body: () async throws -> T) async throws -> T {
        do {
            return try await inTerms(of: .contacts, body)
        } catch let error where error.stackReason == .contactNotFound {
            await markOffRadio(publicKey, of: deviceID)
            throw StackError(.contacts, .contactNotFound)
        }
    }

    private func markOffRadio(_ publicKey: Data, of deviceID: UUID) async {
        do {
            try await store.markContactOffRadio(deviceID: deviceID, publicKey: publicKey)
        } catch {
            if error.stackReason != .contactNotFound {
                dependencies.log.warning("a contact's row was not changed: \(error)")
            }
        }
    }
}
