import MeshFirmware
import MeshSimulator
import MeshTime
import Testing

/// The frame that counts as the cause of a loss.
@Suite struct `Frames in the way` {
    /// One listener that two senders reach, who do not hear each other.
    private struct Corner {
        var world: World
        let one = NodeID(index: 0)
        let other = NodeID(index: 1)
        let listener = NodeID(index: 2)

        init(_ air: AirModel) {
            world = World(seed: Seed(1), air: air, traceCapacity: .max)
            for label in ["one", "other", "listener"] { world.add(NodeDescription(label, .guest { Parrot($0) })) }
            world.links[one, listener] = .good
            world.links[other, listener] = .good
        }

        mutating func send(_ node: NodeID, bytes: UInt8, after span: TimeSpan = .zero) {
            world.run(until: world.now + span)
            world.inject(.appBytes([0] + [UInt8](repeating: bytes, count: 20)), into: node)
        }

        /// The losses at the listener: frame, reason, and the frame in the way.
        mutating func losses() -> [String] {
            world.run(until: world.now + .seconds(10))
            return world.takeTrace().compactMap { record in
                guard record.node == listener, case .rxDrop(let frame, let reason, let other) = record.event else {
                    return nil
                }
                return "\(frame) \(reason) \(other.map { "\($0)" } ?? "-")"
            }
        }
    }

    @Test(arguments: ["step", "chip", "field"])
    func `two frames that meet at a listener are each lost to the other`(_ model: String) throws {
        var corner = Corner(try #require(AirModel(named: model)))

        corner.send(corner.one, bytes: 1)
        corner.send(corner.other, bytes: 2, after: .milliseconds(60))

        #expect(corner.losses() == ["0 collision 1", "1 collision 0"])
    }

    @Test
    func `a frame that comes while the listener sends is lost to that frame, and one that was there before as well`() {
        var corner = Corner(AirModel())
        corner.send(corner.listener, bytes: 3)
        corner.send(corner.one, bytes: 1, after: .milliseconds(60))
        #expect(corner.losses() == ["1 halfDuplex 0"])

        corner.send(corner.other, bytes: 2)
        corner.send(corner.listener, bytes: 3, after: .milliseconds(60))
        #expect(corner.losses() == ["2 halfDuplex 3"])
    }

    @Test func `a stronger frame behind the one that a modem follows is missed for it`() {
        var air = AirModel()
        air.relock = .never
        var corner = Corner(air)
        corner.world.links[corner.other, corner.listener] = Signal(snrHundredths: 3000, rssiHundredths: -6000)

        corner.send(corner.one, bytes: 1)
        corner.send(corner.other, bytes: 2, after: .milliseconds(100))

        #expect(corner.losses().contains("1 missed 0"))
    }

    @Test func `a loss without another frame names none`() {
        var corner = Corner(AirModel())
        corner.world.links[corner.one, corner.listener] = Signal(snrHundredths: -3000, rssiHundredths: -15_000)

        corner.send(corner.one, bytes: 1)

        #expect(corner.losses() == ["0 tooWeak -"])
    }
}
