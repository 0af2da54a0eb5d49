import Foundation
import MeshCompanion
import MeshCore
import MeshEmulator
import MeshFirmware
import MeshPacket
import MeshSimulator
import MeshTestSupport
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Administration of a repeater in an emulated mesh.
@Suite struct RepeaterStoryTests {
    private static func connect(
        _ alice: MeshUser, _ mesh: MeshBench, _ label: String = "rep2", password: String = "password"
    ) async throws -> RemoteNodeSessionDTO {
        let contact = try await alice.meet(label, in: mesh)
        return try await mesh.persist {
            try await alice.repeaters.connectAsAdmin(
                deviceID: alice.deviceID, contact: contact, password: password, pathLength: 1)
        }
    }

    @Test(
        .proves("SVC-152", "SVC-153", "SVC-154"),
        arguments: [VirtualTime.Order.arrival, .drawn(Seed(21)), .drawn(Seed(22))])
    func `a repeater tells its administrator what it is asked`(_ order: VirtualTime.Order) throws {
        try withMesh(.town, order: order) { mesh in
            try await mesh.sleep(20)
            let alice = try await mesh.user("alice")
            // One that rep2 hears says who it is.
            let beside = try await Self.connect(alice, mesh, "rep1")
            try await mesh.sleep(5)
            #expect(
                try await alice.repeaters.sendCommand(sessionID: beside.id, command: "advert") == "OK - Advert sent")
            try await mesh.sleep(10)
            let node = try await Self.connect(alice, mesh)
            try await mesh.sleep(5)
            let status = try await alice.repeaters.requestStatus(sessionID: node.id)
            let row = try await alice.row(node.id)
            let page = try await alice.repeaters.requestNeighbors(sessionID: node.id, order: .strongest)
            let all = try await alice.repeaters.fetchAllNeighbors(sessionID: node.id)
            let telemetry = try await alice.repeaters.requestTelemetry(sessionID: node.id)
            let list = try await alice.repeaters.requestACL(sessionID: node.id)
            let name = try await alice.repeaters.sendCommand(sessionID: node.id, command: "get name")
            async let set = alice.repeaters.sendCommand(sessionID: node.id, command: "set name Market")
            try await mesh.sleep(0.1)
            async let newName = alice.repeaters.sendCommand(sessionID: node.id, command: "get name")

            #expect(node.isAdmin)
            #expect(row.lastBatteryMillivolts == status.server.batteryMillivolts)
            #expect(row.lastUptimeSeconds == status.server.uptime)
            #expect(row.lastNoiseFloor == status.server.noiseFloor)
            #expect(row.lastRxAirtimeSeconds == status.receiveAirtime)
            #expect(row.lastRxAirtimeSeconds != nil)
            // The repeaters on both sides, the other one since it was switched on.
            #expect(row.neighborCount == 2)
            #expect(page.total == 2)
            #expect(all.contains { Data($0.keyPrefix) == beside.publicKeyPrefix })
            #expect(telemetry.first?.type == .voltage)
            #expect(list.map { Data($0.keyPrefix.array) } == [alice.bench.device.publicKey.prefix(6)])
            #expect(list.map { $0.permissions & 3 } == [3])
            #expect(name == "> Town Hall")
            #expect(try await set == "OK")
            #expect(try await newName == "> Market")
            await alice.stop()
        }
    }

    @Test(.proves("SVC-155")) func `a repeater's guest sees what guests see, and gives no commands`() throws {
        try withMesh(.town) { mesh in
            try await mesh.sleep(20)
            let alice = try await mesh.user("alice")
            let node = try await Self.connect(alice, mesh, password: "")
            let status = await ending(mesh.clock) { try await alice.repeaters.requestStatus(sessionID: node.id) }
            let command = await ending(mesh.clock) {
                try await alice.repeaters.sendCommand(sessionID: node.id, command: "ver")
            }

            #expect(node.permissionLevel == .guest)
            #expect(status.value != nil)
            #expect(command.nodeError == .permissionDenied)
            await alice.stop()
        }
    }

    @Test(.proves("SVC-R-109")) func `a repeater that was dropped by the radio is added back at its login`() throws {
        try withMesh(.town) { mesh in
            try await mesh.sleep(20)
            let alice = try await mesh.user("alice")
            let node = try await Self.connect(alice, mesh)
            try await mesh.sleep(5)
            try await alice.session.removeContact(FixedBytes(node.publicKey))
            try await alice.remote.disconnect(sessionID: node.id)
            try await alice.remote.login(sessionID: node.id)
            let record = try await alice.session.getContact(publicKey: FixedBytes(node.publicKey))
            let row = try await alice.store.fetchContact(deviceID: alice.deviceID, publicKey: node.publicKey)

            #expect(record.type == .repeater)
            #expect(row?.onRadio == true)
            #expect(try await alice.row(node.id).isConnected)
            await alice.stop()
        }
    }

    @Test(.proves("SVC-145", "SVC-R-104")) func `a wrong password is met with silence, and nothing is kept`() throws {
        let (end, isKept) = try withMesh(.town) { mesh in
            try await mesh.sleep(20)
            let alice = try await mesh.user("alice")
            let contact = try await alice.meet("rep1", in: mesh)
            let end = await ending(mesh.clock) {
                try await alice.repeaters.connectAsAdmin(
                    deviceID: alice.deviceID, contact: contact, password: "guess", pathLength: 0)
            }
            let isKept = try await alice.remote.hasPassword(forNodeKey: contact.publicKey)
            await alice.stop()
            return (end, isKept)
        }

        #expect(end.nodeError == .noAnswer)
        #expect(!isKept)
    }

    @Test func `what nodes tell without a session: regions, owner, ways, telemetry`() throws {
        try withMesh(.town) { mesh in
            try await mesh.sleep(20)
            let alice = try await mesh.user("alice")
            let binary = alice.binary
            let node = try await Self.connect(alice, mesh, "rep1")
            let path = try await binary.sendPathDiscovery(key: node.publicKey)
            let owner = try await binary.requestOwnerInfo(key: node.publicKey)
            let regions = try await binary.requestRegions(key: node.publicKey)
            let status = try await binary.requestStatus(key: node.publicKey, type: .repeater)
            let list = try await binary.requestACL(key: node.publicKey)
            let neighbours = try await binary.requestNeighbours(key: node.publicKey)
            let own = try await binary.getSelfTelemetry()
            let trace = try await binary.sendTrace(path: node.publicKey.prefix(1))

            #expect(path.outPathLength.hopCount == 0)
            #expect(owner.contains("West Hill"))
            #expect(regions.contains("town"))
            #expect(status.server.packetsReceived > 0)
            #expect(list.count == 1)
            #expect(neighbours.total == neighbours.neighbours.count)
            #expect(own.first?.type == .voltage)
            #expect(trace.pathHashes.count == 1)
            await alice.stop()
        }
    }

    @Test func `a weather station says what it measured in a time`() throws {
        let list = try withMesh(.town) { mesh in
            try await mesh.sleep(20)
            let alice = try await mesh.user("alice")
            let contact = try await alice.meet("sens1", in: mesh)
            let login = try await alice.session.sendLogin(
                to: FixedBytes(contact.publicKey), password: "password", limit: .seconds(40))
            let now = try #require(login.serverTime)
            let list = try await alice.binary.requestMMA(
                key: contact.publicKey, start: now - 600, end: now + 600)
            await alice.stop()
            return list
        }

        #expect(list.allSatisfy { $0.minimum.type == $0.average.type })
    }
}
