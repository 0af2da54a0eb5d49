import Foundation
import MeshCompanion
import MeshCore
import MeshPacket
import MeshSimulator
import MeshTime
import MeshVirtualTime
import MeshWire
import PocketMeshServices
import StackTestSupport
import Testing

/// Sensors in an emulated mesh: login, command lines, what they measure.
@Suite struct SensorTests {
    @Test(arguments: [VirtualTime.Order.arrival, .drawn(Seed(1)), .drawn(Seed(2))])
    func `a sensor lets its administrator in, answers command lines and tells what it measures`(
        order: VirtualTime.Order
    ) throws {
        try withMesh(order: order) { mesh in
            let alice = try await mesh.user("alice")
            try await mesh.sleep(20)
            let contact = try await alice.meet("sens1", in: mesh)
            let session = try await alice.remote.createSession(
                deviceID: alice.deviceID, contact: contact, password: "password")
            let login = try await mesh.persist { try await alice.remote.login(sessionID: session.id) }
            try await mesh.sleep(5)
            let role = try await mesh.persist {
                try await alice.remote.sendCLICommand(sessionID: session.id, command: "get role")
            }
            try await mesh.sleep(5)
            let points = try await mesh.persist { try await alice.remote.requestTelemetry(sessionID: session.id) }
            try await mesh.sleep(310)
            let series = try await mesh.persist {
                try await alice.binary.requestMMA(key: contact.publicKey, start: 600, end: 0)
            }

            #expect(login.isAdmin)
            #expect(try await alice.row(session.id).role == .sensor)
            #expect(role == "> sensor")
            #expect(points.first?.type == .voltage)
            #expect(series.map(\.average.type) == [.voltage])
            // Values are cut to hundredths.
            let (most, now) = (series.first?.maximum.values.first ?? 0, points.first?.values.first ?? 0)
            #expect(abs(most - now) < 0.02)
            #expect(abs((series.first?.minimum.values.first ?? 0) - now) < 0.02)
            await alice.stop()
        }
    }

    @Test func `a discovery finds the sensor and the repeater in reach, each time with a tag of its own`() throws {
        try withMesh(.around) { mesh in
            let alice = try await mesh.user("alice")
            let heard = Notes<NodeDiscovery>()
            alice.services.events.note(in: heard) { if case .nodeDiscovered(let node) = $0 { node } else { nil } }
            try await mesh.sleep(20)

            var tags: [UInt32] = []
            // Those who do not hear each other may answer at once.
            for _ in 0..<7 {
                tags.append(try await alice.services.advertisementService.requestDiscovery(of: [.repeater, .sensor]))
                try await mesh.sleep(20)
            }

            let types = Set(heard.all.map(\.type.rawValue))
            #expect(types == [NodeType.repeater.rawValue, NodeType.sensor.rawValue])
            #expect(heard.all.allSatisfy { tags.contains($0.tag) && $0.publicKey.count == 32 })
            #expect(Set(tags).count == 7)
            await alice.stop()
        }
    }
}

extension WorldDescription {
    /// Alice with a repeater, a room and a sensor that hear her, and not each other.
    fileprivate static let around = WorldDescription(
        name: "around", summary: "alice among nodes",
        nodes: [
            NodeDescription("alice", .companion(.wifi)), NodeDescription("rep1", .repeater),
            NodeDescription("room1", .roomServer),
            NodeDescription("sens1", .sensor),
        ],
        links: [Link("alice", "rep1"), Link("alice", "room1"), Link("alice", "sens1")])
}
