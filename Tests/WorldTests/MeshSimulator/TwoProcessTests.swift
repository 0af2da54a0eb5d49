import Foundation
import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

/// A conversation over the air, printed for `ci/digest`, which runs it in two processes and compares.
@Suite struct TwoProcessTests {
    /// Alice and bob with the world between them, driven as their clients would.
    private struct Conversation {
        var world = World(.village, seed: Seed(7), traceCapacity: 100_000)
        var received: [[UInt8]] = []
        let alice = NodeID(index: 0)
        let bob = NodeID(index: 2)

        mutating func send(_ frame: [UInt8], from node: NodeID, then wait: TimeSpan = .milliseconds(200)) {
            let header = [0x3C, UInt8(frame.count), 0]
            world.inject(.appBytes(header + frame), into: node)
            world.run(until: world.now + wait)
            for output in world.takeOutputs() {
                if case .appBytes(let bytes) = output.kind { received.append(bytes) }
            }
        }

        mutating func hold() {
            for node in [alice, bob] {
                world.inject(.appConnected, into: node)
                send([0x16, 3], from: node)
                send([0x01] + [UInt8](repeating: 0, count: 7) + Array("two".utf8), from: node)
            }
            // SELF_INFO behind the stream's header of three bytes: the key stands at offset 4.
            let bobsKey = received.last { $0.dropFirst(3).first == 5 }.map { Array($0[7..<39]) } ?? []
            for node in [alice, bob] { send([0x07, 1], from: node, then: .seconds(10)) }
            for number in 0..<4 {
                let text = [0x02, 0, 0, UInt8(number), 0, 0, 0x65] + bobsKey.prefix(6) + Array("number \(number)".utf8)
                send(text, from: alice, then: .seconds(20))
                send([0x0A], from: bob)
            }
            send([0x03, 0, 0, 9, 0, 0, 0x65] + Array("to all".utf8), from: bob, then: .seconds(10))
            send([0x0A], from: alice)
        }
    }

    @Test func `the same seed holds the same conversation, here and in every other process`() throws {
        var conversations = [Conversation(), Conversation()]

        for index in conversations.indices { conversations[index].hold() }

        let world = conversations[0].world
        #expect(world.digest == conversations[1].world.digest)
        let codes = conversations[0].received.compactMap { $0.dropFirst(3).first }
        #expect(codes.count { $0 == 0x10 } == 4, "four messages fetched by bob")
        #expect(codes.count { $0 == 0x82 } == 4, "four acknowledgements at alice")
        #expect(codes.contains(0x11), "the channel message fetched by alice")
        if let path = ProcessInfo.processInfo.environment["MESHBED_TRACE_FILE"] {
            let lines = world.trace.records.map { "\($0)" } + ["digest \(world.digest)"]
            try lines.joined(separator: "\n").appending("\n").write(toFile: path, atomically: true, encoding: .utf8)
        }
    }

    @Test func `another seed holds another conversation`() {
        var other = Conversation()
        other.world = World(.village, seed: Seed(8), traceCapacity: 100_000)
        var first = Conversation()

        other.hold()
        first.hold()

        #expect(other.world.digest != first.world.digest)
    }
}
