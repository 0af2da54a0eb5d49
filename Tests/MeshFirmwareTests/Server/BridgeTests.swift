import MeshPacket
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshFirmware

/// Bridges between repeaters. Source: InfrastructureNodes, "Bridge".
@Suite struct BridgeTests {
    /// The frames of a host build of the firmware (serial), and of an independent implementation (ESP-NOW).
    private static let packet = "150201aa000102030405060708090a0b0c0d0e0f10111213"
    private static let serial = "c03e0018150201aa000102030405060708090a0b0c0d0e0f101112137581"
    private static let radio = "c03e39d7464b55eb4e4e514f52564f5349474558405b5d4644505c5c"

    private static func bytes(_ hex: String) -> [UInt8] { [UInt8](hex: hex) ?? [] }

    /// A repeater whose build has this bridge, and which adverts only when asked to.
    private static func bench(_ kind: BridgeKind) -> Bench<RepeaterNode> {
        var board = BoardProfile.vectors
        board.bridge = kind
        var setup = ServerSetup(.repeater, board: board)
        setup.silenceAdverts()
        var bench = Bench(
            RepeaterNode(
                identity: .named(.repeater1), board: board, setup: setup, random: Seed(1).stream("end"),
                clock: RealTimeClock(unixSeconds: 1_700_000_000, at: .start)))
        bench.handle()
        return bench
    }

    @Test func `frames are those of the firmware`() {
        let packet = Self.bytes(Self.packet)
        let secret = [UInt8]("LVSITANOS".utf8)

        #expect(BridgeFrame.serial(packet).hex == Self.serial)
        #expect(BridgeFrame.radio(packet, secret: secret)?.hex == Self.radio)
        #expect(BridgeFrame.packet(inRadio: Self.bytes(Self.radio), secret: secret) == packet)
        #expect(BridgeFrame.packet(inRadio: Self.bytes(Self.radio), secret: [1, 2]) == nil)
        #expect(BridgeFrame.radio([UInt8](repeating: 1, count: 247), secret: secret) == nil)
    }

    @Test func `a serial reader finds frames among noise, byte by byte`() {
        let frame = Self.bytes(Self.serial)
        var broken = frame
        broken[10] ^= 1
        var reader = SerialBridgeReader()
        let noise: [UInt8] = [0xC0, 0xC0, 0x00, 0x3E, 0xC0, 0x3E, 0xFF, 0xFF]
        var packets: [[UInt8]] = []
        for byte in noise + broken + frame + frame { if let packet = reader.take(byte) { packets.append(packet) } }

        #expect(packets == [Self.bytes(Self.packet), Self.bytes(Self.packet)])
    }

    @Test func `a received packet crosses once when the source is what is received`() throws {
        var bench = Self.bench(.rs232)
        #expect(bench.type("set bridge.source rx").hasSuffix("OK"))
        try bench.hear(Self.packet)
        try bench.hear(Self.packet)
        bench.settle()

        #expect(bench.bridged.map(\.bytes.hex) == [Self.serial])
        #expect(bench.bridged.map(\.tuning) == [115_200])
    }

    @Test func `a sent packet crosses when its transmission has ended`() throws {
        var bench = Self.bench(.espNow)
        try bench.hear(Self.packet)
        #expect(bench.bridged.isEmpty)

        bench.settle()

        let sent = Self.bytes(try #require(bench.frames.first))
        #expect(bench.frames.count == 1)
        #expect(bench.bridged.map(\.bytes) == [BridgeFrame.radio(sent, secret: [UInt8]("LVSITANOS".utf8))])
        #expect(bench.bridged.map(\.tuning) == [1])
    }

    @Test func `what comes over the bridge is delayed, then relayed, and does not go back`() throws {
        var bench = Self.bench(.rs232)
        bench.handle(.bridge(Self.bytes(Self.serial), tuning: 115_200))
        bench.run(.milliseconds(400))
        #expect(bench.frames.isEmpty)

        bench.run(.seconds(5))

        let frame = try #require(bench.frames.first)
        #expect(try PacketView(Self.bytes(frame)).payload.hex == PacketView(Self.bytes(Self.packet)).payload.hex)
        #expect(bench.frames.count == 1)
        #expect(bench.node.core.statistics.framesReceived == 0)
        #expect(bench.bridged.isEmpty)
    }

    @Test func `another speed, another channel, another secret and a bridge that is off let nothing through`() {
        var serial = Self.bench(.rs232)
        serial.handle(.bridge(Self.bytes(Self.serial), tuning: 9600))
        var radio = Self.bench(.espNow)
        radio.handle(.bridge(Self.bytes(Self.radio), tuning: 2))
        var secret = Self.bench(.espNow)
        #expect(secret.type("set bridge.secret other").hasSuffix("OK"))
        secret.handle(.bridge(Self.bytes(Self.radio), tuning: 1))
        var off = Self.bench(.rs232)
        #expect(off.type("set bridge.enabled off").hasSuffix("OK"))
        off.handle(.bridge(Self.bytes(Self.serial), tuning: 115_200))

        for var bench in [serial, radio, secret, off] {
            bench.run(.seconds(5))
            #expect(bench.frames.isEmpty)
        }
        #expect(off.type("set bridge.enabled on").hasSuffix("OK"))
        off.handle(.bridge(Self.bytes(Self.serial), tuning: 115_200))
        off.run(.seconds(5))
        #expect(off.frames.count == 1)
    }

    @Test func `bytes from the other end never trap`() {
        var random = Seed(3).stream("bridge")
        for kind in [BridgeKind.rs232, .espNow] {
            var bench = Self.bench(kind)
            let frame = Self.bytes(kind == .rs232 ? Self.serial : Self.radio)
            for count in 0...frame.count { bench.handle(.bridge(Array(frame.prefix(count)), tuning: 115_200)) }
            for _ in 0..<500 {
                var bytes = frame
                for _ in 0..<3 { bytes[Int(random.draw(0, UInt32(bytes.count)))] = random.nextByte() }
                bench.handle(.bridge(bytes, tuning: kind == .rs232 ? 115_200 : 1))
                bench.run(.seconds(2))
            }
            #expect(bench.node.core.pool.inUse <= bench.node.core.pool.capacity)
        }
    }

    @Test func `a repeater states its bridge in the answer about its features`() {
        #expect([BridgeKind.none, .rs232, .espNow].map(\.features) == [0, 1, 3])
    }
}
