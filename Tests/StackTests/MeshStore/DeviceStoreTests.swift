import Foundation
import MeshTestSupport
import Testing

@testable import MeshStore

/// Radios, their identities and addresses.
@Suite struct DeviceStoreTests {
    @Test(.proves("SVC-070", "SVC-R-050"))
    func `connecting again keeps watermark, regions and the active mark`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(devices: 2)
        let id = devices[0].id
        try await store.updateContactWatermark(deviceID: id, to: 777)
        try await store.updateContactWatermark(deviceID: id, to: 5)
        try await store.updateKnownRegions(deviceID: id, to: ["#de", "#at"])
        try await store.setActiveDevice(id: id)

        var again = devices[0]
        again.nodeName = "renamed"
        again.maxContacts = 350
        let saved = try await store.saveDevice(again)

        #expect(saved.nodeName == "renamed" && saved.maxContacts == 350)
        #expect(saved.lastContactSync == 777 && saved.knownRegions == ["#de", "#at"] && saved.isActive)
    }

    @Test(arguments: [33, 513])
    func `a list of names that is nested too deep is an error of the store`(levels: Int) async throws {
        let (store, _) = try await PersistenceStore.fixture()
        let deep = String(repeating: "[", count: levels)
        try await store.execute("UPDATE device SET knownRegions = '\(deep)'")

        await #expect(throws: StackError.self) { try await store.fetchDevices() }
    }

    @Test func `exactly one radio is active`() async throws {
        let (store, devices) = try await PersistenceStore.fixture(devices: 3)
        #expect(try await store.fetchActiveDevice() == nil)
        for device in devices {
            try await store.setActiveDevice(id: device.id)
            #expect(try await store.fetchActiveDevice()?.id == device.id)
        }
        var fourth = DeviceDTO.numbered(4)
        fourth.isActive = true
        try await store.saveDevice(fourth)

        #expect(try await store.fetchActiveDevice()?.id == fourth.id)
        #expect(try await store.fetchDevices().map(\.id) == [fourth.id] + devices.reversed().map(\.id))
        #expect(
            await failure(of: .store) {
                try await store.setActiveDevice(id: .numbered(1))
            } == .deviceNotFound)
        #expect(try await store.fetchActiveDevice()?.id == fourth.id, "a failed change changes nothing")
    }

    @Test(.proves("SVC-078"))
    func `a known address with a new identity is synchronised from the beginning`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        try await store.updateContactWatermark(deviceID: devices[0].id, to: 777)
        var reset = devices[0]
        reset.publicKey = .key(55)

        let saved = try await store.saveDevice(reset)

        #expect(saved.id == devices[0].id && saved.publicKey == .key(55) && saved.lastContactSync == 0)
    }

    @Test func `a known key keeps its id, whatever id it comes with`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        var byAddress = devices[0]
        byAddress.id = .numbered(8)

        let saved = try await store.saveDevice(byAddress)

        #expect(saved.id == devices[0].id)
        #expect(try await store.fetchDevice(publicKey: devices[0].publicKey)?.id == devices[0].id)
    }

    @Test func `identifiers follow from keys as UUIDs of version 8`() {
        let key = Data.key(7)

        let id = StableIdentifier.device(publicKey: key)

        #expect(id == StableIdentifier.device(publicKey: key))
        #expect(id.uuid.6 >> 4 == 8 && id.uuid.8 >> 6 == 0b10)
        // SHA-256 of 32 zero bytes is 66687aad f862bd77 6c8fc18b 8e9f8e20 …
        let zero = StableIdentifier.device(publicKey: Data(count: 32))
        #expect(zero.uuidString == "66687AAD-F862-8D77-AC8F-C18B8E9F8E20")
        let others = [
            StableIdentifier.contact(deviceID: id, publicKey: key),
            StableIdentifier.session(deviceID: id, publicKey: key),
            StableIdentifier.contact(deviceID: zero, publicKey: key), id,
        ]
        #expect(Set(others).count == 4)
    }

    @Test(.proves("SVC-063")) func `addresses outlast the radio and can be forgotten alone`() async throws {
        let (store, devices) = try await PersistenceStore.fixture()
        try await store.saveMessage(.received(1, from: .numbered(0, of: devices[0])))
        try await store.saveEndpoint(
            EndpointDTO(kind: "ble", address: "AA:BB", deviceID: devices[0].id, lastUsed: .at(1), bonded: true))
        try await store.saveEndpoint(EndpointDTO(kind: "tcp", address: "radio:5000", lastUsed: .at(2)))
        #expect(try await store.fetchEndpoints().map(\.id) == ["tcp:radio:5000", "ble:AA:BB"])
        #expect(try await store.fetchEndpoints(deviceID: devices[0].id).map(\.address) == ["AA:BB"])

        try await store.deleteEndpoint(kind: "tcp", address: "radio:5000")
        #expect(try await store.fetchMessage(id: .numbered(1)) != nil, "SVC-R-118")
        try await store.deleteDevice(id: devices[0].id)

        let left = try await store.fetchEndpoints()
        #expect(left.map(\.address) == ["AA:BB"] && left[0].deviceID == nil)
    }
}
