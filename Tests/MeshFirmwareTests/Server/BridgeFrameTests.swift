import MeshTime
import MeshWire
import Testing

@testable import MeshPacket

@Suite struct BridgeFrameTests {
    private struct Vector: Decodable {
        let packet: String
        let frame: String
        let secret: String?
    }

    private let serial = InfrastructureVectors.read("BRIDGE-UART", as: Vector.self)
    private let espNow = InfrastructureVectors.read("BRIDGE-ESPNOW", as: Vector.self)

    @Test func `BRIDGE-UART a packet travels over the wire between magic, length and checksum`() throws {
        let packet = try #require([UInt8](hex: serial.packet))

        #expect(BridgeFrame.serial(packet).hex == serial.frame)
        var receiver = BridgeReceiver()
        #expect(receiver.receive(try #require([UInt8](hex: serial.frame))) == [packet])
    }

    @Test func `BRIDGE-ESPNOW a packet travels disguised by the secret`() throws {
        let packet = try #require([UInt8](hex: espNow.packet))
        let frame = try #require([UInt8](hex: espNow.frame))
        let secret = [UInt8](try #require(espNow.secret).utf8)

        #expect(BridgeFrame.espNow(packet, secret: secret) == frame)
        #expect(BridgeFrame.packet(espNow: frame, secret: secret) == packet)
        #expect(BridgeFrame.packet(espNow: frame, secret: [UInt8]("another".utf8)) == nil)
    }

    @Test func `frames are found byte by byte, several at once and between noise`() throws {
        let frame = try #require([UInt8](hex: serial.frame))
        let packet = try #require([UInt8](hex: serial.packet))
        let stream = [0x00, 0xC0, 0xC0] + frame.dropFirst() + frame + [0xC0, 0x00] + frame

        var whole = BridgeReceiver()
        #expect(whole.receive(stream) == [packet, packet, packet])
        var bytewise = BridgeReceiver()
        #expect(stream.flatMap { bytewise.receive([$0]) } == [packet, packet, packet])
    }

    @Test func `a frame with one wrong bit is lost, and the next one is not`() throws {
        let frame = try #require([UInt8](hex: serial.frame))
        for bit in 32..<(frame.count * 8) {
            var spoilt = frame
            spoilt[bit / 8] ^= 1 << UInt8(bit % 8)
            var receiver = BridgeReceiver()
            #expect(receiver.receive(spoilt) == [], "bit \(bit)")
            #expect(receiver.receive(frame).count == 1)
        }
    }

    @Test func `a length above 256 ends a frame at once, and no bytes make the receiver hold more than one`() {
        var receiver = BridgeReceiver()
        #expect(receiver.receive([0xC0, 0x3E, 0x01, 0x01]).isEmpty)
        #expect(receiver.receive(BridgeFrame.serial([1, 2, 3])) == [[1, 2, 3]])

        var random = Seed(5).stream("bridge")
        for _ in 0..<20_000 { _ = receiver.receive([random.nextByte() < 64 ? 0xC0 : random.nextByte()]) }
        _ = receiver.receive([UInt8](repeating: 0, count: 262))
        #expect(receiver.receive(BridgeFrame.serial([7])) == [[7]])
    }

    @Test func `an ESP-NOW frame of any bytes is a packet or nothing`() {
        #expect(BridgeFrame.espNow([UInt8](repeating: 1, count: 247), secret: [1]) == nil)
        #expect(BridgeFrame.espNow([UInt8](repeating: 1, count: 246), secret: [])?.count == 250)
        for length in 0...260 {
            let frame = [UInt8](repeating: 0, count: length)
            #expect(BridgeFrame.packet(espNow: frame, secret: []) == nil)
            let marked = BridgeFrame.magic + frame
            let isPacket = (2...248).contains(length)
            #expect((BridgeFrame.packet(espNow: marked, secret: []) != nil) == isPacket, "\(length)")
        }
    }
}
