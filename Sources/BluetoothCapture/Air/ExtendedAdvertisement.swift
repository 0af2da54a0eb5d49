import MeshBluetoothHost

/// The header of every packet of extended advertising (Bluetooth Core, Vol 6 Part B, 2.3.4).
struct ExtendedAdvertisement {
    /// The pointer to another packet that continues this one.
    struct Pointer {
        /// The index of its channel.
        var channelIndex: UInt8
        /// From this packet to that one, in microseconds.
        var offset: Int
    }

    /// Packets of the same device that come at intervals, under an access address of their own.
    struct Train {
        var accessAddress: UInt32
        var checkSumStart: UInt32
    }

    /// Of the advertiser; the packets behind the first ones leave it out.
    private(set) var address: BluetoothAddress?
    /// The number that distinguishes the sets of an advertiser, and its former data from the present.
    private(set) var set: UInt16?
    private(set) var pointer: Pointer?
    private(set) var train: Train?
    /// The place in the body of the structures, or of the part of them that this packet has.
    private(set) var data: Range<Int>

    /// Reads the body of a packet behind its header of two bytes; `nil` when its fields are not whole.
    init?(header: UInt8, _ body: Span<UInt8>) {
        guard body.count >= 1, body.count >= 1 + Int(body[0] & 0x3F) else { return nil }
        let end = 1 + Int(body[0] & 0x3F)
        data = end..<body.count
        // Without fields there are no flags either.
        guard end > 1 else { return }
        var offset = 2
        for bit in 0..<Self.sizes.count where body[1] & 1 << bit != 0 {
            guard offset + Self.sizes[bit] <= end else { return nil }
            take(bit, body, at: offset, isRandom: header & 0x40 != 0)
            offset += Self.sizes[bit]
        }
    }

    /// The fields in their order, one for each flag: AdvA, TargetA, CTEInfo, ADI, AuxPtr, SyncInfo, TxPower.
    private static let sizes = [6, 6, 1, 2, 3, 18, 1]

    private mutating func take(_ bit: Int, _ body: Span<UInt8>, at offset: Int, isRandom: Bool) {
        switch bit {
        case 0: address = BluetoothAddress(body, at: offset, isRandom: isRandom)
        case 3: set = UInt16(body.number(at: offset, count: 2))
        case 4:
            // Six bits of channel, the clock's accuracy, the unit of the offset, 13 bits of it, the physical layer.
            let word = Int(body.number(at: offset, count: 3))
            let distance = (word >> 8 & 0x1FFF) * (word & 0x80 == 0 ? 30 : 300)
            if distance > 0 { pointer = Pointer(channelIndex: UInt8(word & 0x3F), offset: distance) }
        case 5:
            // Offset, interval, channels, then access address and check sum start, then a counter.
            train = Train(
                accessAddress: UInt32(body.number(at: offset + 9, count: 4)),
                checkSumStart: UInt32(body.number(at: offset + 13, count: 3)))
        default: break
        }
    }
}
