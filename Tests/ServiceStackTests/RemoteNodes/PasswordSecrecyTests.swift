import Foundation
import Logging
import MeshCompanion
import MeshCore
import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Keeps what is logged.
private struct NotingLogHandler: LogHandler {
    let notes: Notes<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        notes.add("\(event.level) \(event.message) \(event.metadata ?? [:])")
    }
}

/// A store that can keep nothing.
private struct FullCredentialStore: CredentialStore {
    func storePassword(_ password: String, forNodeKey publicKey: Data) async throws(StackError) {
        throw StackError(.credentials, .storageFailed(28))
    }
    func retrievePassword(forNodeKey publicKey: Data) async throws(StackError) -> String? { nil }
    func deletePassword(forNodeKey publicKey: Data) async throws(StackError) {}
    func hasPassword(forNodeKey publicKey: Data) async throws(StackError) -> Bool { false }
}

/// The places that must hold no password.
@Suite struct PasswordSecrecyTests {
    private static let password = "hunter2hunter2"

    @Test(.proves("SVC-156")) func `a password stands in no log, no error and no row, however a login ends`() throws {
        let notes = Notes<String>()
        let ends: [@Sendable (Written) -> [[UInt8]]?] = [
            { $0.code == .sendLogin ? [Frames.sent(2), Frames.loginFail(2)] : nil },
            { $0.code == .sendLogin ? [Frames.sent(2)] : nil },
            { $0.code == .sendLogin ? [Frames.refusal(.tableFull)] : nil },
            { $0.code == .sendLogin ? [Frames.refusal(.notFound)] : nil },
            { $0.code == .sendLogin ? [Frames.sent(2), Frames.loginSuccess(2)] : nil },
        ]
        for script in ends {
            try withNodes(script: { script($0) }) { nodes in
                let bench = nodes.bench
                let log = Logger(label: "test") { _ in NotingLogHandler(notes: notes) }
                let dependencies = ServiceDependencies(
                    clock: bench.clock, random: RandomSource(Seed(1)), log: log, now: bench.dependencies.now)
                let remote = RemoteNodeService(
                    session: bench.session, store: bench.store, profile: .architectureV2, dependencies: dependencies,
                    credentials: FullCredentialStore(), contacts: nodes.contacts)
                let row = try await remote.createSession(
                    deviceID: nodes.deviceID, contact: try await nodes.contact(2), password: Self.password)
                let end = await ending(nodes.clock) { try await remote.login(sessionID: row.id) }
                if case .failure(let error) = end.result { notes.add("\(error)") }
                notes.add("\(try await nodes.row(row.id))")
                await remote.stop()
            }
        }

        #expect(notes.all.contains { $0.hasPrefix("warning the password of a node was not kept") })
        #expect(notes.all.contains("the login failed: the node refused the password"))
        #expect(!notes.all.contains { $0.contains("hunter2") })
    }

    @Test(.proves("SVC-156")) func `a password stands nowhere in the database`() throws {
        let path = NSTemporaryDirectory() + "meshbed-secrecy-\(ProcessInfo.processInfo.processIdentifier).sqlite"
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        try withNodes(script: { $0.code == .sendLogin ? [Frames.sent(2), Frames.loginSuccess(2)] : nil }) { nodes in
            let store = try PersistenceStore(path: path)
            try await store.saveDevice(nodes.bench.device)
            let contacts = ContactService(
                session: nodes.bench.session, store: store, profile: .architectureV2,
                dependencies: nodes.bench.dependencies)
            let remote = RemoteNodeService(
                session: nodes.bench.session, store: store, profile: .architectureV2,
                dependencies: nodes.bench.dependencies, credentials: nodes.credentials, contacts: contacts)
            let contact = try await nodes.contact(2)
            try await store.saveContact(contact)
            let row = try await remote.createSession(
                deviceID: nodes.deviceID, contact: contact, password: Self.password)
            try await remote.login(sessionID: row.id)
            await remote.stop()
            #expect(try await nodes.remote.hasPassword(forNodeKey: contact.publicKey))
        }

        for suffix in ["", "-wal"] {
            let bytes = FileManager.default.contents(atPath: path + suffix) ?? Data()
            #expect(bytes.range(of: Data("hunter2".utf8)) == nil)
        }
    }
}
