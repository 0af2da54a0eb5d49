import Foundation
import Glibc
import MeshTestSupport
import MeshTime
import Testing

@testable import MeshStore

/// Passwords: stored, found again, and out of reach for others.
@Suite struct CredentialStoreTests {
    private let scratch = Scratch()
    private var directory: String { scratch.file("secrets/credentials") }
    private var file: String { directory + "/" + CredentialName.service }

    private func store(key: FileCredentialStore.Key? = nil) -> FileCredentialStore {
        FileCredentialStore(directory: directory, key: key, generator: Seed(3).stream("seal"))
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func chmod(_ path: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Exercises the operations that every store has.
    private func exercise(_ store: some CredentialStore) async throws {
        #expect(try await store.retrievePassword(forNodeKey: .key(1)) == nil)
        try await store.storePassword("hello", forNodeKey: .key(1))
        try await store.storePassword("", forNodeKey: .key(2))
        try await store.storePassword("päss\u{0}wörd 🔑", forNodeKey: .key(1))
        #expect(try await store.retrievePassword(forNodeKey: .key(1)) == "päss\u{0}wörd 🔑")
        #expect(try await store.retrievePassword(forNodeKey: .key(2)) == "")
        try await store.deletePassword(forNodeKey: .key(1))
        try await store.deletePassword(forNodeKey: .key(1))
        #expect(try await !store.hasPassword(forNodeKey: .key(1)))
        #expect(try await store.hasPassword(forNodeKey: .key(2)))
        await #expect(throws: StackError(.credentials, .invalidKey(count: 2))) {
            try await store.storePassword("x", forNodeKey: Data([1, 2]))
        }
    }

    @Test(.proves("SVC-156")) func `a store keeps, replaces and forgets passwords by the full key`() async throws {
        try await exercise(MemoryCredentialStore())
        try await exercise(store())
        try await exercise(
            FileCredentialStore(directory: scratch.file("other"), key: .bytes(Data(repeating: 5, count: 32))))
    }

    @Test(.proves("SVC-156"))
    func `passwords survive a restart and stand in no file in the clear`() async throws {
        try await store().storePassword("open sesame", forNodeKey: .key(1))

        #expect(try await store().retrievePassword(forNodeKey: .key(1)) == "open sesame")

        let content = try Data(contentsOf: URL(filePath: file))
        #expect(content.range(of: Data("open sesame".utf8)) == nil)
        #expect(content.range(of: Data(Data.key(1).base64EncodedString().utf8)) == nil)
    }

    @Test(.proves("SVC-157")) func `directory, file, key and lock are for the user alone`() async throws {
        try await store().storePassword("x", forNodeKey: .key(1))

        #expect(try mode(directory) == 0o700)
        for name in ["key", "lock", CredentialName.service] { #expect(try mode(directory + "/" + name) == 0o600) }
    }

    @Test(.proves("SVC-157"))
    func `a lock that somebody holds for too long is an error, and no standstill`() async throws {
        let store = FileCredentialStore(directory: directory, lockPatience: .zero, generator: Seed(3).stream("seal"))
        try await store.storePassword("x", forNodeKey: .key(1))
        let other = Glibc.open(directory + "/lock", O_RDWR | O_CLOEXEC)
        do {
            defer { close(other) }
            try #require(flock(other, LOCK_EX) == 0)
            await #expect(throws: StackError(.credentials, .storageFailed(EBUSY), underlying: .system(EBUSY))) {
                try await store.storePassword("y", forNodeKey: .key(1))
            }
            await #expect(throws: StackError(.credentials, .retrievalFailed(EBUSY), underlying: .system(EBUSY))) {
                try await store.retrievePassword(forNodeKey: .key(1))
            }
        }
        #expect(try await store.retrievePassword(forNodeKey: .key(1)) == "x")
    }

    @Test(.proves("SVC-157"), arguments: ["", "/key", "/" + CredentialName.service])
    func `nothing is read or written while others may reach a part`(part: String) async throws {
        try await store().storePassword("x", forNodeKey: .key(1))
        let path = directory + part
        let before = try Data(contentsOf: URL(filePath: file))
        let right = try #require(try mode(path))

        for wrong in [0o040, 0o004, 0o020, 0o002, 0o001, 0o010] {
            try chmod(path, right | wrong)
            await #expect(throws: StackError(.credentials, .insecurePermissions(path: path))) {
                try await store().retrievePassword(forNodeKey: .key(1))
            }
            await #expect(throws: StackError(.credentials, .insecurePermissions(path: path))) {
                try await store().storePassword("y", forNodeKey: .key(1))
            }
            try chmod(path, right)
        }

        #expect(try Data(contentsOf: URL(filePath: file)) == before)
        #expect(try await store().retrievePassword(forNodeKey: .key(1)) == "x")
    }

    @Test func `a file that was changed or sealed with another key is refused, not replaced`() async throws {
        try await store().storePassword("x", forNodeKey: .key(1))
        let good = try Data(contentsOf: URL(filePath: file))
        var damaged: [Data] = [Data(), good.prefix(10), good.dropLast(), good + [0], Data(repeating: 0, count: 100)]
        for offset in good.indices {
            var changed = good
            changed[offset] ^= 1
            damaged.append(changed)
        }

        for content in damaged {
            try content.write(to: URL(filePath: file))
            try chmod(file, 0o600)
            await #expect(throws: StackError(.credentials, .unexpectedPasswordData)) {
                try await store().storePassword("y", forNodeKey: .key(2))
            }
            #expect(try Data(contentsOf: URL(filePath: file)) == content)
        }
        try good.write(to: URL(filePath: file))
        try chmod(file, 0o600)
        await #expect(throws: StackError(.credentials, .unexpectedPasswordData)) {
            try await store(key: .bytes(Data(count: 32))).retrievePassword(forNodeKey: .key(1))
        }
        try FileManager.default.removeItem(atPath: directory + "/key")
        await #expect(throws: StackError(.credentials, .unexpectedPasswordData)) {
            try await store().retrievePassword(forNodeKey: .key(1))
        }
        #expect(
            !FileManager.default.fileExists(atPath: directory + "/key"), "no new key hides that the old one is gone")
    }

    @Test func `a link is not followed, and a left-over of an interrupted change is none`() async throws {
        try await store().storePassword("x", forNodeKey: .key(1))
        try Data("half".utf8).write(to: URL(filePath: file + ".new"))
        #expect(try await store().retrievePassword(forNodeKey: .key(1)) == "x")
        let aside = scratch.file("aside")
        try FileManager.default.moveItem(atPath: file, toPath: aside)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: aside)

        await #expect(throws: StackError.self) {
            try await store().retrievePassword(forNodeKey: .key(1))
        }
        #expect(try Data(contentsOf: URL(filePath: aside)).count > 20)
    }

    @Test func `many stores on one directory lose no password`() async throws {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                let store = FileCredentialStore(directory: directory)
                group.addTask {
                    for round in 0..<10 {
                        do {
                            try await store.storePassword("\(round)", forNodeKey: .key(number * 10 + round))
                        } catch {
                            Issue.record("\(error)")
                        }
                    }
                }
            }
        }

        let store = store()
        for number in 0..<80 {
            #expect(try await store.retrievePassword(forNodeKey: .key(number)) == "\(number % 10)")
        }
    }

    @Test func `a place that cannot be is an error`() async throws {
        try Data().write(to: URL(filePath: scratch.file("secrets")))
        await #expect(throws: StackError(.credentials, .storageFailed(ENOTDIR), underlying: .system(ENOTDIR))) {
            try await store().storePassword("x", forNodeKey: .key(1))
        }
    }
}
