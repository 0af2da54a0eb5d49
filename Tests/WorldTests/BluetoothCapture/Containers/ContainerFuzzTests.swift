import MeshCapture
import MeshTime
import Testing

@testable import BluetoothCapture

/// Files that were damaged by chance, and files that come in pieces.
@Suite struct ContainerFuzzTests {
    /// The container and its content.
    enum Kind: CaseIterable {
        case pcap, bigPcap, nanoPcap, pcapng, bigPcapng, hciByFlags, h4, monitor, packetLogger, bigPacketLogger
    }

    private static let links: [UInt32] = [187, 201, 251, 254, 256, 272, 999]

    private static func payload(_ link: UInt32, _ random: inout RandomStream) -> [UInt8] {
        switch link {
        case 187: [2] + Example.data
        case 201: random.draw(0, 2) == 0 ? Example.sent : Example.received
        case 251: Example.air
        case 254: [0, UInt8(random.draw(0, 3)), 0, UInt8(random.draw(0, 21))] + Example.data
        case 256: random.draw(0, 3) == 0 ? Example.radio.map { $0 & 0xFE } : Example.radio
        case 272: random.draw(0, 2) == 0 ? Example.nordic1 : Example.nordic3
        default: (0..<Int(random.draw(0, 40))).map { _ in random.nextByte() }
        }
    }

    /// A good file of some thousand bytes.
    private static func file(_ kind: Kind, _ random: inout RandomStream) -> [UInt8] {
        let link = links[Int(random.draw(0, UInt32(links.count)))]
        switch kind {
        case .pcap: return pcap(link, false, 0xA1B2_C3D4, &random)
        case .bigPcap: return pcap(link, true, 0xA1B2_C3D4, &random)
        case .nanoPcap: return pcap(link, false, 0xA1B2_3C4D, &random)
        case .pcapng: return pcapng(false, &random)
        case .bigPcapng: return pcapng(true, &random)
        case .hciByFlags: return btsnoop(1001, &random)
        case .h4: return btsnoop(1002, &random)
        case .monitor: return btsnoop(2001, &random)
        case .packetLogger: return packetLogger(false, &random)
        case .bigPacketLogger: return packetLogger(true, &random)
        }
    }

    private static func pcap(_ link: UInt32, _ isBig: Bool, _ magic: UInt32, _ random: inout RandomStream) -> [UInt8] {
        var file = CaptureBytes.pcap(link, isBig: isBig, magic: magic)
        for second in 0..<random.draw(1, 60) { file.pcapRecord(second, 7, payload(link, &random)) }
        return file.file
    }

    private static func pcapng(_ isBig: Bool, _ random: inout RandomStream) -> [UInt8] {
        var file = CaptureBytes(isBig: isBig)
        for _ in 0..<random.draw(1, 4) {
            file.section()
            let some = links.shuffled(using: &random).prefix(3)
            for link in some { file.interface(UInt16(link)) { $0.option(9, [random.nextByte()]) } }
            for tick in 0..<random.draw(1, 20) {
                let interface = random.draw(0, 3)
                let bytes = payload(some[Int(interface)], &random)
                switch random.draw(0, 6) {
                case 0: file.simplePacket(payload(some[0], &random))
                case 1: file.obsoletePacket(UInt16(interface), ticks: UInt64(tick), bytes)
                case 2: file.block(5, [UInt8](repeating: 0, count: Int(random.draw(0, 30)) * 4))
                default: file.packet(interface, ticks: UInt64(tick), bytes, flags: random.draw(0, 3))
                }
            }
        }
        return file.file
    }

    private static func btsnoop(_ type: UInt32, _ random: inout RandomStream) -> [UInt8] {
        var file = CaptureBytes.btsnoop(type)
        let prefix: [UInt8] = type == 1002 ? [2] : []
        for time in 0..<random.draw(1, 50) {
            let flags = type == 2001 ? random.draw(0, 21) : random.draw(0, 4)
            file.btsnoopRecord(Int64(time), flags: flags, prefix + Example.data, drops: random.draw(0, 9) == 0 ? 1 : 0)
        }
        return file.file
    }

    private static func packetLogger(_ isBig: Bool, _ random: inout RandomStream) -> [UInt8] {
        var file = CaptureBytes(isBig: isBig)
        for second in 0..<random.draw(1, 60) {
            file.packetLoggerRecord(second, 7, [0, 1, 2, 3, 9, 0xFC][Int(random.draw(0, 6))], Example.data)
        }
        return file.file
    }

    /// Changes, doubles, moves, removes or cuts something; now and then nothing.
    private static func damage(_ file: inout [UInt8], _ random: inout RandomStream) {
        for _ in 0..<random.draw(0, 6) {
            guard file.count > 40 else { return }
            let place = Int(random.draw(0, UInt32(file.count)))
            let count = min(file.count - place, Int(random.draw(1, 40)))
            switch random.draw(0, 8) {
            case 0...2: file[place] ^= 1 << UInt8(random.draw(0, 8))
            case 3: file[place] = [0, 0xFF, 0x7F, 0x80][Int(random.draw(0, 4))]
            case 4: file.insert(contentsOf: file[place..<place + count], at: Int(random.draw(0, UInt32(file.count))))
            case 5: file.removeSubrange(place..<place + count)
            case 6: for index in place..<place + count { file[index] = random.nextByte() }
            default: file.removeLast(min(file.count - 40, count))
            }
        }
    }

    /// Ten kinds of a million bytes each.
    @Test(arguments: Kind.allCases)
    func `a million damaged bytes of each kind are read, however they are cut`(kind: Kind) {
        var random = Seed(0xF).stream("fuzz", "\(kind)")
        var total = 0
        var (records, problems, packets) = (0, 0, 0)
        while total < 1_000_000 {
            var file = Self.file(kind, &random)
            Self.damage(&file, &random)
            let pieces = [[1], [2, 1, 3], [7, 64, 1], [1000], [23, 16]][Int(random.draw(0, 5))]

            let whole = RecordLog.reading(file)
            let cut = RecordLog.reading(file, pieces: pieces)
            var decoder = LinkDecoder(PacketLog())
            _ = read(file, pieces: [1 << 20], into: &decoder)

            #expect(whole == cut, "pieces of \(pieces), at \(total)")
            let dropped = decoder.drops.counts.reduce(0) { $0 + $1.records }
            #expect(decoder.sink.hosts.count + decoder.sink.airs.count + dropped == whole.headers.count)
            total += file.count
            records += whole.headers.count
            problems += whole.problems.count
            packets += decoder.sink.hosts.count + decoder.sink.airs.count
        }
        // Most of it was good, and some was not.
        #expect(records > 5000 && packets > 2000 && problems > 30, "\(records) \(packets) \(problems)")
    }

    @Test(arguments: Kind.allCases)
    func `good files are read whole in pieces of any size`(kind: Kind) {
        var random = Seed(3).stream("pieces", "\(kind)")
        let file = Self.file(kind, &random)
        let whole = RecordLog.reading(file)

        #expect(!whole.headers.isEmpty)
        #expect(whole.problems.allSatisfy { $0.reason.hasPrefix("the recorder lost") })
        for size in 1...file.count { #expect(RecordLog.reading(file, pieces: [size]) == whole) }
    }

    @Test func `noise is no capture`() {
        var random = Seed(4).stream("noise")
        for _ in 0..<200 {
            var file = [UInt8](repeating: 0, count: 3000)
            file.withUnsafeMutableBytes { random.fill($0) }

            let log = RecordLog.reading(file, pieces: [17])

            #expect(log.headers.isEmpty)
            #expect(log.problems.count == 1)
        }
    }
}
