import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Random packets never stop a host, and never make it say more than it may.
@Suite struct HostFuzzTests {
    /// About as many bytes; MESHBED-independent, so that it can be run longer by hand.
    private static func fuzz(seed: UInt64, bytes: Int) throws {
        var stream = Seed(seed).stream("hostile")
        var air = try HostTimelineTests.connected(radio: HostTimelineTests.radio(.authenticated))
        var host = air.sides[0].host
        let before = host.attributes
        var spent = 0
        while spent < bytes {
            if !host.isReady || host.openLinks.isEmpty {
                air = try HostTimelineTests.connected(radio: HostTimelineTests.radio(.authenticated))
                host = air.sides[0].host
            }
            let packet = packet(&stream)
            spent += packet.count
            let now = Instant.microseconds(spent)
            for effect in host.receive(packet.span, at: now, random: &stream) {
                guard case .tell(let event) = effect else { continue }
                if case .written = event { Issue.record("written without pairing") }
                if case .subscribed = event { Issue.record("subscribed without pairing") }
            }
            if let deadline = host.deadline, stream.nextByte() == 0 { _ = host.expire(at: deadline) }
        }
        #expect(host.attributes == before)
    }

    /// Draws a packet of a controller: half of them are well formed down to a depth.
    static func packet(_ stream: inout RandomStream) -> [UInt8] {
        let random = (0..<stream.draw(0, 40)).map { _ in stream.nextByte() }
        switch stream.draw(0, 8) {
        case 0: return random
        case 1: return [4] + random
        case 2:
            let codes: [UInt8] = [0x05, 0x08, 0x0E, 0x0F, 0x13, 0x30]
            return [4, codes[Int(stream.draw(0, 6))], UInt8(random.count)] + [0, 0x40, 0] + random
        case 3: return [4, 0x3E, UInt8(random.count + 1), UInt8(stream.draw(1, 14))] + random
        case 4:
            return [2, 0x40, stream.nextByte() & 0x30, UInt8(random.count), 0] + random
        default:
            let channel = UInt8(stream.draw(4, 7))
            let kind =
                channel == 4 ? ATT.messages[Int(stream.draw(0, 31))].opcode.rawValue : UInt8(stream.draw(0, 0x1A))
            let payload = [kind, UInt8(stream.draw(0, 0x18)), 0] + random.prefix(18)
            let length = UInt8(payload.count)
            return [2, 0x40, 0x20, length + 4, 0, length, 0, channel, 0] + payload
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `a host lives with whatever a controller says`(seed: UInt64) throws {
        try Self.fuzz(seed: seed, bytes: 30_000)
    }

    @Test func `bytes of any kind make packets or an error`() {
        var stream = Seed(5).stream("bytes")
        for _ in 0..<300 {
            var reader = HCI.PacketReader()
            var isOver = false
            for _ in 0..<50 where !isOver {
                let bytes = (0..<stream.draw(0, 30)).map { _ in stream.nextByte() % 6 }
                reader.append(bytes.span)
                do {
                    while let packet = try reader.next() { #expect(packet.count >= 3) }
                } catch {
                    isOver = true
                }
            }
        }
    }
}
