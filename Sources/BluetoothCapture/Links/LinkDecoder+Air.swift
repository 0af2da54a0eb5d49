/// The link types of sniffers.
extension LinkDecoder {
    /// Access address, header and check sum.
    private static var shortestPacket: Int { 9 }

    /// Link type 256: a radio header of ten bytes.
    mutating func takeRadio(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        guard bytes.count >= 10 else { return drop(header, .tooShort) }
        let flags = bytes.word16(8, .little)
        var packet = AirPacketHeader(record: header)
        packet.channelIndex = Self.channelIndex(radioChannel: bytes[0])
        packet.rssi = flags & 0x0002 != 0 ? Int8(bitPattern: bytes[1]) : nil
        packet.isDecrypted = flags & 0x0008 != 0
        packet.isCRCGood = flags & 0x0400 != 0 ? flags & 0x0800 != 0 : nil
        switch flags >> 7 & 7 {
        case 2: packet.way = .fromCentral
        case 3: packet.way = .fromPeripheral
        case 4...6: return drop(header, .isochronous)
        default: break
        }
        let isCoded = flags >> 14 == 2
        if flags & 0x0001 != 0 {
            takeAir(packet, bytes, from: 10, isCoded: isCoded)
        } else {
            takeWhitened(packet, bytes, from: 10, isCoded: isCoded)
        }
    }

    /// Channels are numbered by frequency here, and the three for advertising lie among the others.
    private static func channelIndex(radioChannel: UInt8) -> UInt8? {
        switch radioChannel {
        case 0: 37
        case 1...11: radioChannel - 1
        case 12: 38
        case 13...38: radioChannel - 2
        case 39: 39
        default: nil
        }
    }

    /// Link type 272: Nordic's sniffer, in three versions of its protocol.
    mutating func takeNordic(_ header: RecordHeader, _ bytes: Span<UInt8>) {
        guard bytes.count >= 7 else { return drop(header, .tooShort) }
        let version = bytes[3]
        guard (1...3).contains(version) else { return drop(header, .unknownType(UInt32(version))) }
        let isAdvertising = version == 3 && bytes[6] == 2
        guard bytes[6] == 6 || isAdvertising else { return drop(header, .snifferTalk) }
        guard bytes.count >= 17 else { return drop(header, .tooShort) }
        let length = version == 1 ? Int(bytes[2]) : Int(bytes.word16(1, .little))
        let inner = Int(bytes[7])
        guard inner >= 10, length >= inner, bytes.count >= 7 + inner else { return drop(header, .tooShort) }
        let end = min(bytes.count, 7 + length)
        var packet = AirPacketHeader(record: header)
        // What stands behind the packet is no part of it, and was not cut either.
        packet.record.originalLength -= max(0, bytes.count - (7 + length))
        let flags = bytes[8]
        packet.isCRCGood = flags & 0x01 != 0
        packet.way = isAdvertising ? nil : flags & 0x02 != 0 ? .fromCentral : .fromPeripheral
        packet.isDecrypted = flags & 0x0C == 0x0C
        packet.channelIndex = bytes[9] < 40 ? bytes[9] : nil
        packet.rssi = Int8(clamping: -Int(bytes[10]))
        takeAir(packet, bytes.extracting(..<end), from: 7 + inner, isCoded: flags >> 4 & 7 == 2)
    }

    /// A packet at `start`, from its access address on.
    mutating func takeAir(_ packet: AirPacketHeader, _ bytes: Span<UInt8>, from start: Int, isCoded: Bool) {
        var packet = packet
        packet.record.originalLength -= start
        guard bytes.count >= start + Self.shortestPacket + (isCoded ? 1 : 0) else {
            return drop(packet.record, .tooShort)
        }
        guard packet.isCRCGood != false else { return drop(packet.record, .badCheckSum) }
        if bytes.word32(start, .little) == LinkLayerPacket.advertisingAccessAddress { packet.way = nil }
        guard isCoded else { return sink.take(packet, bytes.extracting(start...)) }
        // How the rest was coded stands behind the access address, and is no part of the packet.
        packet.record.originalLength -= 1
        copy(bytes.extracting(start..<start + 4), bytes.extracting((start + 5)...))
        lendScratch { decoder, bytes in decoder.sink.take(packet, bytes) }
    }

    private mutating func takeWhitened(
        _ packet: AirPacketHeader, _ bytes: Span<UInt8>, from start: Int, isCoded: Bool
    ) {
        let rest = start + (isCoded ? 5 : 4)
        guard bytes.count >= rest + 5 else { return drop(packet.record, .tooShort) }
        guard let channel = packet.channelIndex else { return drop(packet.record, .whitened) }
        copy(bytes.extracting(start..<start + 4), bytes.extracting(rest...))
        var whitening = Whitening(channelIndex: channel)
        for index in 4..<scratch.count { scratch[index] ^= whitening.next() }
        var packet = packet
        packet.record.originalLength -= rest - 4
        lendScratch { decoder, bytes in decoder.takeAir(packet, bytes, from: 0, isCoded: false) }
    }

    /// Lent bytes and what they are lent to cannot both be the decoder's.
    private mutating func lendScratch(_ body: (inout Self, Span<UInt8>) -> Void) {
        var whole: [UInt8] = []
        swap(&whole, &scratch)
        body(&self, whole.span)
        swap(&whole, &scratch)
    }

    private mutating func copy(_ head: Span<UInt8>, _ tail: Span<UInt8>) {
        scratch.removeAll(keepingCapacity: true)
        head.withUnsafeBufferPointer { scratch.append(contentsOf: $0) }
        tail.withUnsafeBufferPointer { scratch.append(contentsOf: $0) }
    }
}
