import Foundation
import MeshTestSupport
import MeshTime
import Synchronization
import Testing

@testable import MeshStore

/// The separation of radios: no operation on one of them touches rows of another.
@Suite struct IsolationTests {
    @Test(.proves("SVC-164"), arguments: Array(UInt64(1)...10))
    func `no operation on one radio reads or changes a row of another`(seed: UInt64) async throws {
        let (store, devices) = try await PersistenceStore.fixture(devices: 2, contacts: 4)
        let seeds = Seed(seed)
        var there = OperationDraw(device: devices[1], stream: seeds.stream("there"), base: 1_000_000)
        for _ in 0..<150 { try await there.perform(on: store) }
        let before = try await store.dump(ofDevice: devices[1].id)
        var here = OperationDraw(device: devices[0], stream: seeds.stream("here"), base: 0)

        for _ in 0..<300 {
            try await here.perform(on: store)
            try await expectOwnRows(store, devices[0])
        }

        #expect(try await store.dump(ofDevice: devices[1].id) == before)
        #expect(try await store.inconsistencies() == [])
    }

    /// Every list of the store, asked for one radio.
    private func expectOwnRows(_ store: PersistenceStore, _ device: DeviceDTO) async throws {
        let id = device.id
        var owners = try await store.fetchContacts(deviceID: id).map(\.deviceID)
        owners += try await store.fetchConversations(deviceID: id).map(\.deviceID)
        owners += try await store.fetchDiscoveredContacts(deviceID: id).map(\.deviceID)
        owners += try await store.fetchChannels(deviceID: id).map(\.deviceID)
        owners += try await store.fetchArchivedChannels(deviceID: id).map(\.deviceID)
        owners += try await store.fetchRemoteNodeSessions(deviceID: id).map(\.deviceID)
        owners += try await store.fetchPendingSends(deviceID: id).map(\.deviceID)
        for number in 0..<6 {
            let contact = ContactDTO.numbered(number, of: device)
            owners += try await store.fetchMessages(deviceID: id, thread: .contact(contact.id)).map(\.deviceID)
            owners += try await store.fetchMessages(deviceID: id, thread: .unknownSender(contact.publicKeyPrefix))
                .map(\.deviceID)
            owners += try await store.fetchMessages(deviceID: id, channelIndex: UInt8(number)).map(\.deviceID)
            let found = try await store.fetchContact(deviceID: id, publicKeyPrefix: contact.publicKeyPrefix)
            owners += found.map { [$0.contact.deviceID] } ?? []
        }
        owners += try await store.fetchMessage(deviceID: id, ackCode: 7).map { [$0.deviceID] } ?? []
        #expect(owners.allSatisfy { $0 == id })
    }

    @Test(.proves("SVC-165", "SVC-164"), arguments: Array(UInt64(1)...5))
    func `deleting a radio takes all that is its own and leaves the other byte for byte`(seed: UInt64) async throws {
        let (store, devices) = try await PersistenceStore.fixture(devices: 2, contacts: 4)
        for (number, device) in devices.enumerated() {
            var draw = OperationDraw(device: device, stream: Seed(seed).stream("\(number)"), base: number * 1_000_000)
            for _ in 0..<300 { try await draw.perform(on: store) }
        }
        let before = try await store.dump(ofDevice: devices[1].id)
        #expect(try await store.dump(ofDevice: devices[0].id).count > 50)

        try await store.deleteDevice(id: devices[0].id)

        #expect(try await store.dump(ofDevice: devices[0].id).isEmpty)
        #expect(try await store.dump(ofDevice: devices[1].id) == before)
        let left = try await store.number(
            "SELECT (SELECT count(*) FROM roomMessage) + (SELECT count(*) FROM pendingSend) + (SELECT count(*) FROM message)"
        )
        let own = before.count { ["roomMessage", "pendingSend", "message:"].contains(where: $0.hasPrefix) }
        #expect(left == own, "no orphans")
    }

    @Test(.proves("SVC-168"))
    func `eight tasks writing ten thousand mixed operations leave the store consistent`() async throws {
        let scratch = Scratch()
        let store = try PersistenceStore(path: scratch.file("store.sqlite"))
        for number in 0..<4 { try await store.addRadio(number, contacts: 4) }

        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var draw = OperationDraw(
                        device: .numbered(task % 4), stream: Seed(5).stream("task \(task)"), base: task * 1_000_000)
                    for _ in 0..<1250 {
                        do { try await draw.perform(on: store) } catch { Issue.record("\(error)") }
                    }
                }
            }
        }

        #expect(try await store.inconsistencies() == [])
        #expect(try await store.number("SELECT count(*) FROM message") > 500)
    }

    @Test(arguments: Array(UInt64(1)...3))
    func `the same operations make the same rows`(seed: UInt64) async throws {
        var dumps: [[String]] = []
        for _ in 0..<2 {
            let (store, devices) = try await PersistenceStore.fixture()
            var draw = OperationDraw(device: devices[0], stream: Seed(seed).stream("twice"), base: 0)
            for _ in 0..<300 { try await draw.perform(on: store) }
            dumps.append(try await store.dump(ofDevice: devices[0].id))
        }

        #expect(dumps[0] == dumps[1] && dumps[0].count > 50)
    }
}
