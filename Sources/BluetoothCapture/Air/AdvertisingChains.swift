import MeshBluetoothHost

/// Puts extended advertisements together from packets that point to each other.
///
/// A packet on an advertising channel points to one on another channel. That one has the data or its beginning, and
/// may point to a next one.
///
/// The packets behind the first name their set, and not always the advertiser. One that nothing pointed to belongs
/// to no advertiser.
struct AdvertisingChains: Sendable {
    private struct Announced {
        var address: BluetoothAddress?
        var set: UInt16?
        var channelIndex: UInt8
        var nanoseconds: Int64?
        /// The time at which it should come, counted from there.
        var offset: Int64
        var data: [UInt8]
        /// True when the packet that points has data already: the next one continues it, and has no address.
        var isChained: Bool
    }

    private struct Train {
        var address: BluetoothAddress
        var accessAddress: UInt32
        var checkSumStart: UInt32
    }

    private var announced: [Announced] = []
    private var trains: [Train] = []

    /// Packets that are waited for, and trains; the oldest make room.
    static let limit = 64
    /// The largest error of a sniffer's clock, in nanoseconds.
    private static let tolerance: Int64 = 100_000_000

    /// Bytes that are held, for the bound.
    var footprint: Int { announced.reduce(0) { $0 + $1.data.count } }
    var waiting: Int { announced.count + trains.count }

    /// Returns the start value of a train's check sums, for the packets under its access address.
    func checkSumStart(of accessAddress: UInt32) -> UInt32? {
        trains.last { $0.accessAddress == accessAddress }?.checkSumStart
    }

    /// A connection has the access address now.
    mutating func forget(_ accessAddress: UInt32) { trains.removeAll { $0.accessAddress == accessAddress } }

    /// Handles a packet, and returns its advertiser and the data so far, where they are known.
    mutating func take(
        _ packet: ExtendedAdvertisement, _ body: Span<UInt8>, accessAddress: UInt32, _ header: AirPacketHeader
    ) -> (address: BluetoothAddress, data: [UInt8])? {
        let before = claim(packet, header)
        let address = packet.address ?? before?.address ?? trains.last { $0.accessAddress == accessAddress }?.address
        var data = before?.data ?? []
        let part = body.extracting(packet.data)
        data += part.extracting(first: min(part.count, AdvertisedFacts.longestData - data.count)).array
        if let pointer = packet.pointer {
            announce(
                Announced(
                    address: address, set: packet.set, channelIndex: pointer.channelIndex,
                    nanoseconds: header.record.nanoseconds, offset: Int64(pointer.offset) * 1000, data: data,
                    isChained: !data.isEmpty))
        }
        guard let address else { return nil }
        if let train = packet.train, train.accessAddress != LinkLayerPacket.advertisingAccessAddress {
            forget(train.accessAddress)
            if trains.count == Self.limit { trains.removeFirst() }
            trains.append(
                Train(
                    address: address, accessAddress: train.accessAddress, checkSumStart: train.checkSumStart))
        }
        return (address, data)
    }

    /// The packet is sent once on each advertising channel, and each points to the same one.
    private mutating func announce(_ next: Announced) {
        announced.removeAll {
            $0.address == next.address && $0.set == next.set && $0.channelIndex == next.channelIndex
        }
        if announced.count == Self.limit { announced.removeFirst() }
        announced.append(next)
    }

    private mutating func claim(_ packet: ExtendedAdvertisement, _ header: AirPacketHeader) -> Announced? {
        let index = announced.lastIndex { before in
            guard before.set == packet.set, header.channelIndex ?? before.channelIndex == before.channelIndex else {
                return false
            }
            // What goes on has no address; what is pointed to first has that of the pointer, if any.
            if let address = packet.address, before.isChained || before.address ?? address != address { return false }
            guard let now = header.record.nanoseconds, let then = before.nanoseconds else { return true }
            let (distance, overflow) = now.subtractingReportingOverflow(then)
            return !overflow && -Self.tolerance...before.offset + Self.tolerance ~= distance
        }
        return index.map { announced.remove(at: $0) }
    }
}
