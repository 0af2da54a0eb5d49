import Foundation
import MeshBus
import MeshTestSupport
import PocketMeshServices
import Synchronization
import Testing

@testable import MeshDesktop

/// Passwords in a keyring that the test plays, on a bus of its own.
@Suite(.serialized) struct SecretServiceSystemTests {
    /// A keyring with one collection.
    private final class Keyring: Sendable {
        struct State {
            var items: [(path: String, attributes: BusValue, secret: [UInt8])] = []
            var isLocked = false
            var prompts = false
            var created = 0
        }

        let state = Mutex(State())
        private static let collection = "/org/freedesktop/secrets/collection/login"

        @Sendable func answer(_ path: String, _ method: String, _ arguments: [BusValue]) -> [BusValue]? {
            state.withLock { state in
                switch method {
                case "ReadAlias": return [.objectPath(Self.collection)]
                case "Get": return [.variant(.boolean(state.isLocked))]
                case "OpenSession": return [.variant(.string("")), .objectPath("/session/1")]
                case "CreateItem": return Self.create(arguments, in: &state)
                case "SearchItems":
                    let found = state.items.filter { $0.attributes == arguments[0] }.map {
                        BusValue.objectPath($0.path)
                    }
                    return [.array(of: "o", state.isLocked ? [] : found), .array(of: "o", state.isLocked ? found : [])]
                case "GetSecret":
                    guard let item = state.items.first(where: { $0.path == path }) else { return nil }
                    return [.structure([arguments[0], .bytes([]), .bytes(item.secret), .string("text/plain")])]
                case "Delete":
                    state.items.removeAll { $0.path == path }
                    return [.objectPath("/")]
                default: return nil
                }
            }
        }

        private static func create(_ arguments: [BusValue], in state: inout State) -> [BusValue] {
            if state.prompts { return [.objectPath("/"), .objectPath("/prompt/1")] }
            let attributes = arguments[0].parts.compactMap { entry -> BusValue? in
                guard case .entry(.string(let name), .variant(let value)) = entry else { return nil }
                return name.hasSuffix("Attributes") ? value : nil
            }
            guard let attributes = attributes.first else { return [.objectPath("/"), .objectPath("/")] }
            if arguments[2] == .boolean(true) { state.items.removeAll { $0.attributes == attributes } }
            state.created += 1
            let path = "\(collection)/\(state.created)"
            state.items.append((path, attributes, arguments[1].parts[2].octets))
            return [.objectPath(path), .objectPath("/")]
        }
    }

    private func withKeyring(
        _ body: (SecretServiceCredentialStore, Keyring) async throws -> Void
    ) async throws {
        let bus = try PrivateBus()
        let keyring = Keyring()
        let player = try bus.play("org.freedesktop.secrets", keyring.answer)
        defer { player.stop() }
        try await body(SecretServiceCredentialStore(busAddress: bus.address), keyring)
    }

    private static let key = Data(repeating: 7, count: 32)
    private static let other = Data(repeating: 8, count: 32)

    @Test func `a password is kept by the whole key, replaced and forgotten`() async throws {
        try await withKeyring { store, keyring in
            #expect(await store.isAvailable())
            #expect(try await store.retrievePassword(forNodeKey: Self.key) == nil)
            try await store.storePassword("geheim ß", forNodeKey: Self.key)
            try await store.storePassword("other", forNodeKey: Self.other)
            try await store.storePassword("geheim 2", forNodeKey: Self.key)

            #expect(try await store.retrievePassword(forNodeKey: Self.key) == "geheim 2")
            #expect(try await store.hasPassword(forNodeKey: Self.other))
            #expect(keyring.state.withLock { $0.items.count } == 2)
            try await store.deletePassword(forNodeKey: Self.key)
            #expect(try await !store.hasPassword(forNodeKey: Self.key))
            #expect(try await store.retrievePassword(forNodeKey: Self.other) == "other")
        }
    }

    @Test func `a locked keyring, and one that wants to ask its user, keep nothing`() async throws {
        try await withKeyring { store, keyring in
            try await store.storePassword("geheim", forNodeKey: Self.key)
            keyring.state.withLock { $0.isLocked = true }
            #expect(await !store.isAvailable())
            await #expect(throws: StackError(.credentials, .passwordsLocked)) {
                try await store.retrievePassword(forNodeKey: Self.key)
            }
            await #expect(throws: StackError(.credentials, .passwordsLocked)) {
                try await store.storePassword("x", forNodeKey: Self.other)
            }
            keyring.state.withLock { ($0.isLocked, $0.prompts) = (false, true) }
            await #expect(throws: StackError(.credentials, .passwordsLocked)) {
                try await store.storePassword("x", forNodeKey: Self.other)
            }
        }
    }

    @Test func `a key of the wrong length, and a bus without a keyring, are errors`() async throws {
        let bus = try PrivateBus()
        let store = SecretServiceCredentialStore(busAddress: bus.address)

        #expect(await !store.isAvailable())
        await #expect(throws: StackError(.credentials, .invalidKey(count: 1))) {
            try await store.storePassword("x", forNodeKey: Data([1]))
        }
        await #expect(throws: StackError(.credentials, .storageFailed(ECONNREFUSED), underlying: .system(ECONNREFUSED)))
        {
            try await store.storePassword("x", forNodeKey: Self.key)
        }
    }
}
