import MeshBluetoothHost
import MeshTime
import MeshWire
import Testing

/// Random packets of a host never stop an air, and one run is as another.
@Suite struct AirFuzzTests {
    /// A connected air, one of whose hosts says what it likes; the sum of what is said to hosts.
    private static func fuzz(seed: UInt64, bytes: Int) throws -> UInt64 {
        var stream = Seed(seed).stream("hostile")
        var bench = try AirBench.subscribed()
        var (spent, digest, waiting) = (0, UInt64(14_695_981_039_346_656_037), 0)
        while spent < bytes {
            if bench.hosts[0].openLinks.isEmpty { bench = try AirBench.subscribed() }
            let packet = packet(&stream)
            spent += packet.count
            bench.air.receive(packet, from: Int(stream.draw(0, 2)), at: bench.now)
            waiting = 0
            if stream.draw(0, 4) == 0 { bench.now = max(bench.now, bench.air.deadline ?? bench.now) }
            while let delivery = bench.air.next(at: bench.now) {
                waiting += 1
                for byte in delivery.packet { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
                guard delivery.controller == 0 else { continue }
                _ = bench.hosts[0].receive(delivery.packet.span, at: bench.now, random: &bench.random)
            }
            // What one packet leads to is bounded: answers, and what was under way.
            #expect(waiting < 200)
        }
        return digest
    }

    /// Something that a host could say: half of it well formed down to a depth.
    private static func packet(_ stream: inout RandomStream) -> [UInt8] {
        let random = (0..<stream.draw(0, 40)).map { _ in stream.nextByte() }
        let codes: [UInt16] = [
            HCI.CommandCode.reset, HCI.CommandCode.disconnect, HCI.CommandCode.createConnection,
            HCI.CommandCode.createConnectionCancel, HCI.CommandCode.connectionUpdate, HCI.CommandCode.enableEncryption,
            HCI.CommandCode.longTermKeyReply, HCI.CommandCode.longTermKeyRefusal, HCI.CommandCode.setDataLength,
            HCI.CommandCode.setAdvertisingEnable, HCI.CommandCode.setAdvertisingParameters,
            HCI.CommandCode.setScanEnable, HCI.CommandCode.setScanParameters, HCI.CommandCode.setRandomAddress,
            HCI.CommandCode.setAdvertisingData, HCI.CommandCode.readLocalVersion,
        ]
        switch stream.draw(0, 6) {
        case 0: return random
        case 1: return [1] + random
        case 2: return [2, 0x40, stream.nextByte() & 0x30, UInt8(random.count), 0] + random
        default:
            let code = codes[Int(stream.draw(0, UInt32(codes.count)))]
            let parameters = [0x40, 0] + random
            return [1, UInt8(truncatingIfNeeded: code), UInt8(code >> 8), UInt8(parameters.count)] + parameters
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `an air lives with whatever a host says, and does the same again`(seed: UInt64) throws {
        let first = try Self.fuzz(seed: seed, bytes: 30_000)
        #expect(try Self.fuzz(seed: seed, bytes: 30_000) == first)
    }
}
