import MeshCompanion
import MeshPacket
import MeshWire

/// Nanoseconds that the codec needs for the frames that matter, measured on the machine at hand.
///
/// Not a test: a time says something only beside another time of the same run. Each row therefore carries the time that
/// copying the same bytes into a new array takes, the least that anything returning bytes can need.
package struct CodecBenchmark: Sendable {
    /// One frame, with the times of encoding and decoding it once.
    package struct Row: Hashable, Sendable, Codable {
        package let name: String
        /// Length of the frame in bytes.
        package let bytes: Int
        package let encodeNanoseconds: Double
        package let decodeNanoseconds: Double
        /// The time of copying the frame into a new array.
        package let copyNanoseconds: Double
    }

    /// The number of times that each frame is encoded and decoded in a round.
    package var iterations: Int
    /// The best of so many rounds counts: the one that was disturbed least.
    package var rounds: Int

    package init(iterations: Int = 100_000, rounds: Int = 7) {
        self.iterations = iterations
        self.rounds = rounds
    }

    /// Measures SEND_TXT_MSG, CONTACT, CONTACT_MSG_RECV_V3, SELF_INFO and an on-air text packet.
    package func run() -> [Row] {
        [
            row("SEND_TXT_MSG", Self.sendText),
            row("CONTACT", Self.contact),
            row("CONTACT_MSG_RECV_V3", Self.received),
            row("SELF_INFO", Self.selfInfo),
            packetRow(),
        ]
    }

    private func row<F: CodedFrame>(_ name: String, _ frame: F) -> Row {
        let bytes = frame.encoded()
        return Row(
            name: name, bytes: bytes.count,
            encodeNanoseconds: measure { frame.encoded().count },
            decodeNanoseconds: measure { (try? F(decoding: bytes)) == nil ? 0 : 1 },
            copyNanoseconds: measure { Self.copy(bytes).count })
    }

    private func packetRow() -> Row {
        let payload: [UInt8] = [0x81, 0x8A, 0xEF, 0x3F] + [UInt8](repeating: 0x5A, count: 48)
        let path: [UInt8] = [0xCA, 0x6E, 0x11]
        let view = PacketView(
            type: .txtMsg, route: .direct, pathLength: PathLength(hashSize: 1, hops: 3), path: path, payload: payload)
        let bytes = view?.bytes ?? []
        return Row(
            name: "on-air TXT_MSG, 3 hops", bytes: bytes.count,
            encodeNanoseconds: measure {
                PacketView(
                    type: .txtMsg, route: .direct, pathLength: PathLength(hashSize: 1, hops: 3), path: path,
                    payload: payload)?.count ?? 0
            },
            decodeNanoseconds: measure { bytes.withUnsafeBytes { PacketView(radio: $0)?.payloadCount ?? 0 } },
            copyNanoseconds: measure { Self.copy(bytes).count })
    }

    /// Nanoseconds a call; the results are summed so that no call can be left out.
    private func measure(_ work: () -> Int) -> Double {
        let clock = ContinuousClock()
        var best = Double.infinity
        var sum = 0
        for _ in 0..<rounds {
            let elapsed = clock.measure {
                for _ in 0..<iterations { sum &+= work() }
            }
            let (seconds, attoseconds) = elapsed.components
            best = min(best, (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(iterations))
        }
        precondition(sum != 0, "a benchmark that does nothing measures nothing")
        return best
    }

    @inline(never)
    private static func copy(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { [UInt8]($0) }
    }

    private static let text: ByteText = "Meet at the north ridge repeater at 18:30, bring the antenna."

    private static let sendText: SendTxtMsg = {
        var frame = SendTxtMsg()
        frame.timestamp = 1_800_000_000
        frame.publicKeyPrefix = FixedBytes([0x8A, 0x88, 0xE3, 0xDD, 0x74, 0x09])
        frame.text = text
        return frame
    }()

    private static let contact: Resp.Contact = {
        var record = ContactRecord()
        record.publicKey = FixedBytes((0..<32).map { UInt8($0 * 7 + 3) })
        record.type = .chat
        record.outPathLength = PathLength(rawValue: 3)
        record.outPath = FixedBytes([0xCA, 0x6E, 0x11])
        record.name = FixedBytes(text: "North ridge")
        record.lastAdvert = 1_800_000_000
        record.latitude = 52_520_008
        record.longitude = 13_404_954
        record.lastModified = 1_800_000_100
        return Resp.Contact(record: record)
    }()

    private static let received: Resp.ContactMsgRecvV3 = {
        var frame = Resp.ContactMsgRecvV3()
        frame.snr = 25
        frame.message.publicKeyPrefix = FixedBytes([0x8A, 0x88, 0xE3, 0xDD, 0x74, 0x09])
        frame.message.pathLength = PathLength(rawValue: 2)
        frame.message.timestamp = 1_800_000_000
        frame.message.text = text
        return frame
    }()

    private static let selfInfo: Resp.SelfInfo = {
        var frame = Resp.SelfInfo()
        frame.txPower = 22
        frame.maxTxPower = 22
        frame.publicKey = FixedBytes((0..<32).map { UInt8($0 * 5 + 1) })
        frame.frequency = 869_618
        frame.bandwidth = 62_500
        frame.spreadingFactor = 8
        frame.codingRate = 5
        frame.name = "Meshbed"
        return frame
    }()
}
