import MeshPacket
import Testing

@testable import MeshFirmware

@Suite struct `Packet pools and tables` {
    private func packet(_ count: Int, _ byte: UInt8) throws -> PacketView {
        try #require(
            PacketView(
                type: .grpTxt, route: .flood, pathLength: PathLength(rawValue: UInt8(count / 20)),
                path: [UInt8](repeating: 0x55, count: count / 20), payload: [UInt8](repeating: byte, count: count)))
    }

    @Test func `a slot holds the packet that was stored last, shorter or longer than the one before`() throws {
        var pool = PacketPool(capacity: 1)

        for (count, byte) in [(180, 0xAA), (20, 0xBB), (100, 0xCC)] as [(Int, UInt8)] {
            var stored = try packet(count, byte)
            stored.snr = Int8(count / 10)
            stored.learn()
            let place = pool.store(stored)
            let slot = try #require(place)

            #expect(pool.withPacket(in: slot) { RadioFrame($0) } == RadioFrame(stored))
            let taken = pool.withdraw(slot)
            #expect(taken == stored)
            #expect(taken.snr == stored.snr)
            #expect(taken.packetHash == stored.packetHash)
            #expect(taken.payload == stored.payload)
        }
    }

    @Test(arguments: 0..<8) func `any of eight hashes is found, and nothing else`(place: Int) {
        var newest = NewestHashes()
        for index in 0..<8 { newest.hashes[index] = 0x1_0000_0001 << UInt64(index) }

        #expect(newest.contains(0x1_0000_0001 << UInt64(place)))
        #expect(!newest.contains(1 << UInt64(place)))
        #expect(!newest.contains(1 << UInt64(place + 32)))
    }
}
