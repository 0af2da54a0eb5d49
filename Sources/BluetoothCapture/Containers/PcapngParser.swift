/// pcapng: blocks that carry their length in front and behind, so that damage inside of one does not end the file.
struct PcapngParser: Sendable {
    /// A packet and its comments are far smaller.
    static let longestBlock = 1 << 20
    /// Of one section.
    static let mostInterfaces = 4096

    private enum Block: UInt32 {
        case section = 0x0A0D_0D0A
        case interface = 1
        case obsoletePacket = 2
        case simplePacket = 3
        case packet = 6

        /// With both lengths, without options and data.
        var shortest: Int {
            switch self {
            case .section: 28
            case .interface: 20
            case .simplePacket: 16
            case .obsoletePacket, .packet: 32
            }
        }
    }

    private var order = ByteOrder.little
    private var interfaces: [PcapngInterface] = []
    private var interfacesLeftOut = 0

    mutating func step(
        _ bytes: Span<UInt8>, at offset: UInt64, _ log: inout ReadingLog, into sink: inout some RecordSink
    ) -> ReadingStep {
        guard bytes.count >= 12 else { return .need(12) }
        var order = self.order
        // The type of a section reads the same either way; all that follows is in the order of its magic.
        if bytes.word32(0, .little) == Block.section.rawValue {
            switch bytes.word32(8, .little) {
            case 0x1A2B_3C4D: order = .little
            case 0x4D3C_2B1A: order = .big
            default:
                log.note(offset, "a section without its byte order; the rest is left", into: &sink)
                return .end
            }
        }
        let length = Int(bytes.word32(4, order))
        guard length >= 12, length % 4 == 0 else {
            log.note(offset, "a block of \(length) bytes is damage; the rest is left", into: &sink)
            return .end
        }
        guard let type = Block(rawValue: bytes.word32(0, order)) else { return .skip(UInt64(length)) }
        guard length >= type.shortest, length <= Self.longestBlock else {
            self.order = order
            leaveOut(type)
            let number = isPacket(type) ? log.next() : nil
            log.note(offset, number: number, "a \(type) block of \(length) bytes is left out", into: &sink)
            return .skip(UInt64(length))
        }
        guard bytes.count >= length else { return .need(length) }
        self.order = order
        if Int(bytes.word32(length - 4, order)) != length {
            log.note(offset, "the lengths in front of a \(type) block and behind it differ", into: &sink)
        }
        read(type, bytes.extracting(..<length), at: offset, &log, into: &sink)
        return .took(length)
    }

    private func isPacket(_ type: Block) -> Bool {
        switch type {
        case .section, .interface: false
        case .packet, .simplePacket, .obsoletePacket: true
        }
    }

    /// Keeps the numbering of interfaces through blocks that cannot be read.
    private mutating func leaveOut(_ type: Block) {
        if type == .section { begin() }
        if type == .interface { add(PcapngInterface(link: .other(.max))) }
    }

    private mutating func begin() {
        interfaces.removeAll(keepingCapacity: true)
        interfacesLeftOut = 0
    }

    private mutating func add(_ interface: PcapngInterface) {
        if interfaces.count < Self.mostInterfaces { interfaces.append(interface) } else { interfacesLeftOut += 1 }
    }

    private mutating func read(
        _ type: Block, _ block: Span<UInt8>, at offset: UInt64, _ log: inout ReadingLog,
        into sink: inout some RecordSink
    ) {
        switch type {
        case .section:
            begin()
            let version = block.word16(12, order)
            if version != 1 {
                log.note(offset, "pcapng of version \(version) is read as version 1", into: &sink)
            }
        case .interface:
            readInterface(block)
            if interfacesLeftOut == 1 {
                log.note(offset, "a section has more interfaces than \(Self.mostInterfaces)", into: &sink)
            }
        case .packet:
            let packet = Packet(
                interface: Int(block.word32(8, order)), time: 12, captured: Int(block.word32(20, order)),
                original: Int(block.word32(24, order)), data: 28)
            read(packet, block, at: offset, &log, into: &sink)
        case .obsoletePacket:
            let packet = Packet(
                interface: Int(block.word16(8, order)), time: 12, captured: Int(block.word32(20, order)),
                original: Int(block.word32(24, order)), data: 28)
            read(packet, block, at: offset, &log, into: &sink)
        case .simplePacket:
            let original = Int(block.word32(8, order))
            let snapLength = interfaces.first.map { $0.snapLength } ?? 0
            let kept = snapLength == 0 ? original : min(original, snapLength)
            // Without a length of its own: what is there.
            let packet = Packet(
                interface: 0, time: nil, captured: min(kept, block.count - 16), original: original, data: 12)
            read(packet, block, at: offset, &log, into: &sink)
        }
    }

    private mutating func readInterface(_ block: Span<UInt8>) {
        var interface = PcapngInterface(link: LinkType(pcap: UInt32(block.word16(8, order))))
        interface.snapLength = Int(block.word32(12, order))
        var options = PcapngOptions(in: 16..<block.count - 4, order)
        while let (code, value) = options.next(block) {
            switch (code, value.count) {
            case (9, 1...): interface.resolution = block[value.lowerBound]
            case (14, 8...): interface.offsetSeconds = Int64(bitPattern: block.word64(value.lowerBound, order))
            default: break
            }
        }
        add(interface)
    }

    /// The common parts of the three kinds of packet blocks.
    private struct Packet {
        var interface: Int
        /// The place of the time in the block.
        var time: Int?
        var captured: Int
        var original: Int
        /// The place of the bytes in the block.
        var data: Int
    }

    private mutating func read(
        _ packet: Packet, _ block: Span<UInt8>, at offset: UInt64, _ log: inout ReadingLog,
        into sink: inout some RecordSink
    ) {
        let number = log.next()
        guard packet.captured <= block.count - packet.data - 4, packet.captured <= ContainerReader.longestRecord else {
            log.note(offset, number: number, "a packet of \(packet.captured) bytes is damage", into: &sink)
            return
        }
        guard packet.interface < interfaces.count else {
            log.note(offset, number: number, "there is no interface \(packet.interface)", into: &sink)
            return
        }
        let interface = interfaces[packet.interface]
        var time: Int64?
        if let place = packet.time {
            time = interface.nanoseconds(high: block.word32(place, order), low: block.word32(place + 4, order))
            if time == nil { log.note(offset, number: number, "the time is out of range", into: &sink) }
        }
        let end = packet.data + packet.captured
        sink.take(
            RecordHeader(
                number: number, offset: offset, nanoseconds: time, link: interface.link,
                originalLength: max(packet.captured, packet.original),
                way: packet.time == nil ? nil : way(block, from: packet.data + (packet.captured + 3) & ~3),
                interface: UInt16(packet.interface)),
            block.extracting(packet.data..<end))
    }

    /// The direction in the flags of a packet, among the options from `start` on.
    private func way(_ block: Span<UInt8>, from start: Int) -> HostWay? {
        // Damaged blocks may have no room for the padding.
        guard start < block.count - 4 else { return nil }
        var options = PcapngOptions(in: start..<block.count - 4, order)
        while let (code, value) = options.next(block) {
            guard code == 2, value.count >= 4 else { continue }
            switch block.word32(value.lowerBound, order) & 3 {
            case 1: return .received
            case 2: return .sent
            default: return nil
            }
        }
        return nil
    }
}
