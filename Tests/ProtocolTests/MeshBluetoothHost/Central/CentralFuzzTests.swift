import MeshTime
import Testing

@testable import MeshBluetoothHost

/// Random packets never stop an app's side, never make it ready without the PIN, and never leave it without an end.
@Suite struct CentralFuzzTests {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `an app lives with whatever a controller says, in each phase`(seed: UInt64) throws {
        var stream = Seed(seed).stream("hostile")
        var spent = 0
        while spent < 30_000 {
            var app = try Self.app(&stream)
            var wasReady = app.phase == .connected
            var isOver = false
            for _ in 0..<200 where !isOver {
                let packet = HostFuzzTests.packet(&stream)
                spent += packet.count
                let now = Instant.seconds(1) + .microseconds(spent)
                var outputs = app.receive(packet, at: now, random: &stream)
                if stream.nextByte() < 8, let deadline = app.deadline {
                    outputs += app.expire(at: max(now, deadline), random: &stream)
                }
                if stream.nextByte() < 8 {
                    outputs += (try? app.send([1, 2], withResponse: true, at: now, random: &stream)) ?? []
                }
                for output in outputs {
                    if case .frame = output { #expect(wasReady) }
                    if case .ready = output { wasReady = true }
                    if case .ended = output { isOver = true }
                }
                #expect(app.unwritten <= app.limits.queue + 1)
            }
            // Whatever was said, a radio that is heard then is dialed.
            _ = app.close(at: .seconds(900), random: &stream)
            #expect(app.phase == .idle && app.deadline == nil)
        }
    }

    /// An app that has come as far as a random phase, on a link that is not secure before the last one.
    private static func app(_ stream: inout RandomStream) throws -> BluetoothCentral {
        let phases = BluetoothCentral.Phase.allCases
        let phase = phases[Int(stream.draw(1, UInt32(phases.count - 1)))]
        var air = CentralTimelineTests.air(passkey: nil)
        var caught: BluetoothCentral?
        air.turn = (phase, { caught = $0.sides[1].app })
        air.start()
        if phase == .connected { air.app { $0.enter(CentralTimelineTests.pin, at: $1, random: &$2) } }
        return try #require(caught ?? air.sides[1].app)
    }
}
