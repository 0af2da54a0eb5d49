import BluetoothCapture
import MeshTime

/// A companion radio's Bluetooth traffic as the app's host logs it, as pcap of link type 201 without an end. A
/// connection is opened and handles are discovered. Then commands go out, and responses and pushes come in.
struct CaptureTraffic {
    /// Bytes so far, the file's header included.
    private(set) var size = 0
    private(set) var records = 0
    private(set) var frames = 0
    private var random: RandomStream
    private var writer = PcapWriter(link: .h4WithDirection)
    private var file: [UInt8] = []
    private var nanoseconds: Int64 = 1_700_000_000_000_000_000

    private static let handle: UInt16 = 0x40
    private static let rx: UInt16 = 0x0010
    private static let tx: UInt16 = 0x0012

    init(seed: Seed) {
        random = seed.stream("capture")
    }

    /// The next bytes of the file, at least as many.
    mutating func next(_ least: Int) -> [UInt8] {
        file.removeAll(keepingCapacity: true)
        if size == 0 {
            writer?.begin(into: &file)
            connect()
        }
        while file.count < least { exchange() }
        size += file.count
        return file
    }

    private mutating func connect() {
        // LE connection complete: handle 0x40, the logging host is the central.
        record(.received, [4, 0x3E, 19, 1, 0, 0x40, 0, 0, 1, 6, 5, 4, 3, 2, 0xC1, 24, 0, 0, 0, 0xF4, 1, 0])
        attribute(.sent, [0x02, 0x05, 0x02])
        attribute(.received, [0x03, 0xB0, 0x00])
        for (declaration, properties, kind) in [(Self.rx - 1, UInt8(0x0C), UInt8(2)), (Self.tx - 1, 0x10, 3)] {
            attribute(.sent, [0x08] + Self.word(declaration) + [0xFF, 0xFF, 0x03, 0x28])
            let uuid: [UInt8] = [
                0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5, kind, 0, 0x40, 0x6E,
            ]
            attribute(
                .received, [0x09, 21] + Self.word(declaration) + [properties] + Self.word(declaration + 1) + uuid)
        }
        attribute(.sent, [0x12] + Self.word(Self.tx + 1) + [1, 0])
        attribute(.received, [0x13])
    }

    /// A command and its response, or something that the radio says unasked.
    private mutating func exchange() {
        switch random.draw(0, 8) {
        case 0:
            // SEND_TXT_MSG and SENT
            command([2, 0, 0], text: Int(random.draw(60, 160)))
            answer([6, 0], length: 10)
        case 1, 2:
            // SYNC_NEXT_MESSAGE and CONTACT_MSG_RECV_V3
            command([10], text: 0)
            answer([16], length: Int(random.draw(60, 170)))
        case 3:
            // CONTACT
            answer([3], length: 148)
        default:
            // LOG_RX_DATA
            answer([0x88], length: Int(random.draw(60, 170)))
        }
    }

    private mutating func command(_ head: [UInt8], text: Int) {
        let frame = head + letters(text)
        attribute(.sent, [0x12] + Self.word(Self.rx) + frame)
        // The host's packet was completed.
        record(.received, [4, 0x13, 5, 1, 0x40, 0, 1, 0])
        attribute(.received, [0x13])
        frames += 1
    }

    private mutating func answer(_ head: [UInt8], length: Int) {
        attribute(.received, [0x1B] + Self.word(Self.tx) + head + letters(length - head.count))
        frames += 1
    }

    private mutating func letters(_ count: Int) -> [UInt8] {
        let first = random.nextByte()
        return (0..<count).map { 0x61 + (first &+ UInt8(truncatingIfNeeded: $0)) % 26 }
    }

    /// An attribute packet in L2CAP; now and then in fragments, as small controllers send it.
    private mutating func attribute(_ way: HostWay, _ packet: [UInt8]) {
        var rest = (Self.word(UInt16(packet.count)) + [4, 0] + packet)[...]
        let longest = random.draw(0, 16) == 0 ? 27 : 251
        var boundary: UInt16 = way == .sent ? 0 : 0x2000
        while !rest.isEmpty {
            let part = rest.prefix(longest)
            rest = rest.dropFirst(longest)
            record(way, [2] + Self.word(Self.handle | boundary) + Self.word(UInt16(part.count)) + part)
            boundary = 0x1000
        }
    }

    private mutating func record(_ way: HostWay, _ bytes: [UInt8]) {
        records += 1
        nanoseconds += Int64(random.draw(100_000, 30_000_000))
        let header = RecordHeader(
            number: records, offset: 0, nanoseconds: nanoseconds, link: .h4WithDirection,
            originalLength: bytes.count + 4, way: way)
        let whole = [0, 0, 0, way == .received ? 1 : 0] + bytes
        // Seventy thousand million such steps fit into the times of pcap.
        try? writer?.write(header, whole.span, into: &file)
    }

    private static func word(_ value: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
}
