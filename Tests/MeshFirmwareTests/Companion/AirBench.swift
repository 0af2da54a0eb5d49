import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshTime
import MeshWire
import Testing

extension Peer {
    static let vectorAlice = Peer("Alice", identity: .named(.alice))
    static let vectorBob = Peer("Bob", identity: .named(.bob))
    static let vectorCarol = Peer("Carol", identity: .named(.carol))
    static let vectorRoom = Peer("Room", type: .room, identity: .named(.room))
    static let vectorRepeater = Peer("R1", type: .repeater, identity: .named(.repeater1))
}

// The people of the over-the-air vectors on the companion's bench.
extension CompanionBench {
    /// The time at which the vectors' messages are written.
    static let vectorTime: UInt32 = 1_700_000_000

    /// A radio with the identity of the vectors, its clock at their time, that knows these nodes without a path.
    static func being(_ person: Person, knowing peers: Peer..., board: BoardProfile = .vectors) -> CompanionBench {
        var bench = CompanionBench(board: board, flash: .holding(.named(person)))
        bench.withRadio { $0.setClock(vectorTime) }
        bench.send(DeviceQuery(appTargetVersion: 8))
        for peer in peers { bench.add(peer, lastModified: 1) }
        bench.toApp = []
        return bench
    }

    /// Makes the radio forward, on a frequency where it may.
    mutating func forward() {
        send(SetRadioParams(frequency: 869_495, bandwidth: 62_500, spreadingFactor: 8, codingRate: 5, clientRepeat: 1))
        toApp = []
    }

    /// Hears a frame given as hex.
    mutating func hear(hex: String, snr: Double = 5) throws {
        hear(try #require([UInt8](hex: hex)), snr: snr)
    }

    /// Returns the transmissions within a time, as hex.
    mutating func air(within milliseconds: Int) -> [String] {
        wait(milliseconds: milliseconds)
        return takeTransmissions().map(\.hex)
    }

    /// Returns the transmissions with their beginnings, in milliseconds from now.
    mutating func timedAir(within milliseconds: Int) -> [(at: Int, packet: PacketView)] {
        (0...milliseconds).flatMap { millisecond in
            if millisecond > 0 { wait(milliseconds: 1) }
            return takeTransmissions().compactMap { try? PacketView($0) }.map { (millisecond, $0) }
        }
    }

    /// Writes the vectors' text to bob.
    mutating func writeHello(attempt: UInt8 = 0, text: String = "Hello Bob", type: TextType = .plain) -> [[UInt8]] {
        ask(
            SendTxtMsg(
                textType: type, attempt: attempt, timestamp: Self.vectorTime,
                publicKeyPrefix: FixedBytes(Peer.vectorBob.prefix), text: ByteText(text)))
    }

    /// Writes the vectors' text, and gives the SENT that answers it.
    mutating func mustWriteHello(attempt: UInt8 = 0) throws -> Resp.Sent {
        let answer = writeHello(attempt: attempt).first
        return try Resp.Sent(decoding: try #require(answer))
    }
}
