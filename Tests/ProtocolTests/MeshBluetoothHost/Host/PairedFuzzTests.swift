import Foundation
import MeshTime
import MeshWire
import Testing

@testable import MeshBluetoothHost

/// Packets behind a correct framing, from a peer that has paired: whatever they hold, both hosts go on, and serve the
/// next.
@Suite struct PairedFuzzTests {
    /// Packets for each seed; `MESHBED_FUZZ_PACKETS` of the environment names more, for a run by hand.
    private static let count =
        ProcessInfo.processInfo.environment["MESHBED_FUZZ_PACKETS"].flatMap { Int($0) } ?? 800

    @Test(arguments: HostPairingTests.Build.allCases, 1...3 as ClosedRange<UInt64>)
    func `whatever a paired peer says, nothing stops and nothing is written without encryption`(
        build: HostPairingTests.Build, seed: UInt64
    ) throws {
        var stream = Seed(seed).stream("paired")
        var air = try Self.paired(build)
        var (written, ended) = (0, 0)
        for number in 0..<Self.count {
            if !air.isConnected || number % 500 == 499 {
                ended += 1
                air = try Self.paired(build)
            }
            let side = stream.draw(0, 4) == 0 ? 1 : 0
            for fragment in Self.packet(&stream) { air.say(side, fragment) }
            if stream.draw(0, 64) == 0 { air.pass(.seconds(40)) }
            for event in air.told(0) {
                guard case .written(let link, let handle, let value) = event else { continue }
                written += 1
                #expect(handle == HostTimelineTests.rx && value.count <= 512)
                // After its end a link has no level.
                if air.sides[0].host.openLinks.contains(link) {
                    #expect(
                        air.sides[0].host.level(of: link) ?? SecurityLevel.none >= .authenticated, "packet \(number)")
                }
            }
            _ = air.told(1)
            for side in air.sides { #expect(side.host.isReady && side.host.openLinks.count <= 1) }
        }

        // The walk reached what only a paired peer does, and links that were ended for what was said on them.
        #expect(written > 0 && ended > 0)
        air = try Self.paired(build)
        try air.ask(0, .notify(try air.link(0), handle: HostTimelineTests.tx, value: [9]))
        #expect(air.told(1).contains(.notified(try air.link(1), handle: HostTimelineTests.tx, value: [9])))
    }

    /// A radio and an app that has paired with it, subscribed and written.
    private static func paired(_ build: HostPairingTests.Build) throws -> TestAir {
        var app = BluetoothHost.Settings()
        app.security.passkey = 123_456
        var air = TestAir(peripheral: build.settings, central: app)
        air.start()
        try air.ask(0, .advertise(HostTimelineTests.advertisement))
        try air.ask(1, .connect(air.sides[0].address))
        let link = try air.link(1)
        try air.ask(1, .discover(link, service: nil))
        try air.ask(1, .subscribe(link, value: HostTimelineTests.tx, .notifications))
        try air.ask(1, .write(link, handle: HostTimelineTests.rx, value: [1], withResponse: true))
        #expect(air.told(1).contains(.accepted(link, handle: HostTimelineTests.rx)))
        _ = air.told(0)
        return air
    }

    // MARK: Packets

    /// One message of a channel in the fragments that a controller delivers, now and then with one missing.
    private static func packet(_ stream: inout RandomStream) -> [[UInt8]] {
        let (channel, payload) = message(&stream)
        let wrong = stream.draw(0, 40) == 0 ? UInt16(stream.draw(0, 4)) : 0
        let length = UInt16(payload.count) &+ wrong
        let bytes = [UInt8(truncatingIfNeeded: length), UInt8(length >> 8), channel, 0] + payload
        let size = Int(stream.draw(1, 28))
        var fragments = stride(from: 0, to: bytes.count, by: size).map { start in
            let part = bytes[start..<min(start + size, bytes.count)]
            let flags: UInt8 = start == 0 ? 0x20 : 0x10
            return [2, UInt8(truncatingIfNeeded: TestAir.handle), flags, UInt8(part.count), 0] + part
        }
        if stream.draw(0, 20) == 0 { fragments.remove(at: Int(stream.draw(0, UInt32(fragments.count)))) }
        return fragments
    }

    private static func message(_ stream: inout RandomStream) -> (channel: UInt8, payload: [UInt8]) {
        let random = { (stream: inout RandomStream, count: UInt32) in (0..<count).map { _ in stream.nextByte() } }
        switch stream.draw(0, 8) {
        case 0:
            // Codes, and how long each is; one in eight is a byte too long or too short.
            let sizes: [UInt32] = [1, 6, 6, 16, 16, 1, 16, 10, 16, 7, 16, 1, 64, 16, 1]
            let code = stream.draw(1, UInt32(sizes.count))
            let change = stream.draw(0, 16)
            let size = change == 0 ? sizes[Int(code)] + 1 : change == 1 ? sizes[Int(code)] - 1 : sizes[Int(code)]
            return (6, [UInt8(code)] + random(&stream, size))
        case 1:
            let data = random(&stream, stream.draw(0, 12))
            return (5, [UInt8(stream.draw(1, 0x1B)), stream.nextByte(), UInt8(data.count), 0] + data)
        case 2:
            // To the place where frames go, long and short, in one piece or in prepared ones.
            let value = random(&stream, stream.draw(0, 180))
            let offset: [UInt8] = [stream.nextByte(), UInt8(stream.draw(0, 3))]
            switch stream.draw(0, 4) {
            case 0: return (4, [0x16, UInt8(HostTimelineTests.rx), 0] + offset + value.prefix(18))
            case 1: return (4, [0x18, UInt8(stream.draw(0, 3))])
            case 2: return (4, [0x52, UInt8(HostTimelineTests.rx), 0] + value)
            default: return (4, [0x12, UInt8(HostTimelineTests.rx), 0] + value)
            }
        case 3:
            // A range of handles, and what is looked for.
            let codes: [UInt8] = [0x04, 0x06, 0x08, 0x10]
            let range = [UInt8(stream.draw(0, 0x19)), 0, stream.nextByte(), stream.draw(0, 2) == 0 ? 0 : 0xFF]
            let kind: [UInt8] = stream.draw(0, 2) == 0 ? [0x03, 0x28] : random(&stream, stream.draw(0, 19))
            return (4, [codes[Int(stream.draw(0, 4))]] + range + kind)
        case 4: return (4, [0x02] + random(&stream, 2))
        default:
            let opcode = ATT.messages[Int(stream.draw(0, UInt32(ATT.messages.count)))].opcode.rawValue
            return (4, [opcode, UInt8(stream.draw(0, 0x19)), 0] + random(&stream, stream.draw(0, 40)))
        }
    }
}
