import MeshBluetoothHost
package import MeshCapture

/// Reads packets of the air: devices that advertise, connections, and their content where it can be read.
///
/// Packets whose check sum is bad are counted and left out. A connection is named by its access address. Where its
/// beginning was missed and the sniffer checked nothing, two packets must agree on the start of their check sums.
/// Only then does it count as one. Call `finish` when the capture ends.
package struct AirReader<Sink: AirLinkSink>: AirPacketSink {
    private var world: AirWorld<Sink>
    private var connections: [FollowedConnection] = []
    private var unproven: [Unproven] = []
    private var table = AdvertiserTable()
    private var chains = AdvertisingChains()

    /// A packet of an access address that nothing speaks for yet.
    private struct Unproven {
        var accessAddress: UInt32
        var checkSumStart: UInt32
        var header: AirPacketHeader
        var pdu: [UInt8]
    }

    /// Makes a reader that delivers to `sink`; `options` has the keys and the PIN that open encrypted links.
    package init(_ sink: Sink, _ options: AirOptions = AirOptions()) {
        world = AirWorld(sink: sink, keys: KeyRing(options))
    }

    /// The receiver of connections and their L2CAP packets.
    package var sink: Sink {
        get { world.sink }
        set { world.sink = newValue }
    }
    /// Packets so far, by what became of them.
    package var counts: AirCounts { world.counts }
    /// The advertisers, in the order of their first packet unless there were very many.
    package var advertisers: [Advertiser] { table.advertisers }
    /// The pairings of the old kind, for a search of their PIN.
    package var pairings: [LegacyPairing] { world.pairings }

    /// Packets of extended advertising that are waited for, and the bytes of those before.
    var waiting: (packets: Int, bytes: Int) { (chains.waiting, chains.footprint) }
    /// The connections that are followed at once.
    var connectionCount: Int { connections.count }

    package mutating func note(_ problem: CaptureProblem) { world.sink.note(problem) }

    package mutating func take(_ header: AirPacketHeader, _ bytes: Span<UInt8>) {
        world.counts.packets += 1
        guard bytes.count >= 6, bytes.count >= 6 + Int(bytes[5]) else {
            world.counts.cut += 1
            return
        }
        guard header.isCRCGood != false else {
            world.counts.badCheckSums += 1
            return
        }
        let accessAddress = UInt32(bytes.number(at: 0, count: 4))
        let packet = LinkLayerPacket(header, bytes)
        if accessAddress == LinkLayerPacket.advertisingAccessAddress {
            advertise(packet, bytes, accessAddress, checkSumStart: AirCheckSum.advertising)
        } else if let start = chains.checkSumStart(of: accessAddress),
            !connections.contains(where: { $0.accessAddress == accessAddress })
        {
            advertise(packet, bytes, accessAddress, checkSumStart: start)
        } else {
            carry(accessAddress, packet, bytes)
        }
    }

    /// Ends the capture: reports what is still open.
    package mutating func finish() {
        world.counts.unproven += unproven.count
        unproven = []
        for index in connections.indices { connections[index].finish(&world) }
        world.sink.finish()
    }
}

// Advertising channels
extension AirReader {
    private mutating func advertise(
        _ packet: LinkLayerPacket, _ bytes: Span<UInt8>, _ accessAddress: UInt32, checkSumStart: UInt32
    ) {
        guard packet.isGood(bytes, start: checkSumStart) else {
            world.counts.badCheckSums += 1
            return
        }
        world.counts.advertising += 1
        let (first, body) = (bytes[4], bytes.extracting(packet.body))
        switch first & 0x0F {
        // ADV_IND, ADV_NONCONN_IND, SCAN_RSP and ADV_SCAN_IND: an address, then structures.
        case 0, 2, 4, 6:
            guard body.count >= 6 else { return }
            let address = BluetoothAddress(body, at: 0, isRandom: first & 0x40 != 0)
            table.hear(address, body.extracting(droppingFirst: 6), record: packet.header.record.number)
        // ADV_DIRECT_IND: two addresses, nothing else.
        case 1:
            guard body.count >= 12 else { return }
            let address = BluetoothAddress(body, at: 0, isRandom: first & 0x40 != 0)
            table.hear(address, body.extracting(first: 0), record: packet.header.record.number)
        // ADV_EXT_IND, AUX_ADV_IND, AUX_SCAN_RSP, AUX_SYNC_IND and AUX_CHAIN_IND.
        case 7:
            guard let extended = ExtendedAdvertisement(header: first, body) else {
                world.counts.cut += 1
                return
            }
            let heard = chains.take(extended, body, accessAddress: accessAddress, packet.header)
            guard let heard else { return }
            table.hear(heard.address, heard.data.span, record: packet.header.record.number)
        // CONNECT_IND, and AUX_CONNECT_REQ, which is the same on another channel.
        case 5:
            guard let indication = ConnectIndication(header: first, body) else { return }
            connect(indication, packet.header.record)
        default: break
        }
    }

    private mutating func connect(_ indication: ConnectIndication, _ record: RecordHeader) {
        // A device has one connection to another at most: an older one ended unheard.
        for index in connections.indices
        where connections[index].accessAddress == indication.accessAddress
            || connections[index].isBetween(indication.initiator, indication.advertiser)
        {
            connections[index].close(reason: nil, record, &world)
        }
        connections.removeAll { $0.isClosed && $0.accessAddress == indication.accessAddress }
        unproven.removeAll { $0.accessAddress == indication.accessAddress }
        chains.forget(indication.accessAddress)
        open(indication.accessAddress, indication, checkSumStart: indication.checkSumStart, record)
    }
}

// Data channels
extension AirReader {
    private mutating func carry(_ accessAddress: UInt32, _ packet: LinkLayerPacket, _ bytes: Span<UInt8>) {
        if let index = connections.firstIndex(where: { $0.accessAddress == accessAddress }) {
            deliver(packet, bytes, to: index)
        } else if packet.header.isCRCGood == true {
            open(accessAddress, nil, checkSumStart: nil, packet.header.record)
            deliver(packet, bytes, to: connections.count - 1)
        } else if let sum = packet.sum(bytes) {
            prove(accessAddress, AirCheckSum.start(of: bytes.extracting(packet.covered), sum: sum), packet, bytes)
        } else {
            world.counts.unproven += 1
        }
    }

    private mutating func deliver(_ packet: LinkLayerPacket, _ bytes: Span<UInt8>, to index: Int) {
        if let start = connections[index].checkSumStart, !packet.isGood(bytes, start: start) {
            world.counts.badCheckSums += 1
            return
        }
        world.counts.data += 1
        connections[index].take(packet.header, bytes[4], bytes.extracting(packet.body), &world)
    }

    /// Waits for a second packet of the access address whose check sum starts from the same.
    private mutating func prove(
        _ accessAddress: UInt32, _ start: UInt32, _ packet: LinkLayerPacket, _ bytes: Span<UInt8>
    ) {
        let witness = unproven.firstIndex { $0.accessAddress == accessAddress && $0.checkSumStart == start }
        guard let witness else {
            if unproven.count >= AirLimits.unproven {
                unproven.removeFirst()
                world.counts.unproven += 1
            }
            unproven.append(
                Unproven(
                    accessAddress: accessAddress, checkSumStart: start, header: packet.header,
                    pdu: bytes.array))
            return
        }
        let first = unproven.remove(at: witness)
        open(accessAddress, nil, checkSumStart: start, first.header.record)
        let index = connections.count - 1
        deliver(LinkLayerPacket(first.header, first.pdu.span), first.pdu.span, to: index)
        deliver(packet, bytes, to: index)
    }

    /// Adds a connection as the last one.
    private mutating func open(
        _ accessAddress: UInt32, _ indication: ConnectIndication?, checkSumStart: UInt32?, _ record: RecordHeader
    ) {
        makeRoom(record)
        let opened = OpenedConnection(
            isLoggedByCentral: nil, peer: indication?.advertiser,
            peerName: indication.flatMap { table[$0.advertiser]?.name }, own: indication?.initiator, handle: 0,
            isInTheMiddle: indication == nil)
        let key = world.sink.open(opened, record, areRolesKnown: true)
        connections.append(
            FollowedConnection(
                accessAddress: accessAddress, indication, checkSumStart: checkSumStart, key: key, record))
    }

    private mutating func makeRoom(_ record: RecordHeader) {
        guard connections.count >= AirLimits.connections else { return }
        let order = connections.indices.sorted {
            (connections[$0].isClosed ? 0 : 1, connections[$0].lastRecord.number)
                < (connections[$1].isClosed ? 0 : 1, connections[$1].lastRecord.number)
        }
        guard let silent = order.first else { return }
        if !connections[silent].isClosed {
            world.counts.forgottenConnections += 1
            connections[silent].close(reason: nil, record, &world)
        }
        connections.remove(at: silent)
    }
}

extension FollowedConnection {
    fileprivate func isBetween(_ initiator: BluetoothAddress, _ advertiser: BluetoothAddress) -> Bool {
        indication?.initiator == initiator && indication?.advertiser == advertiser
    }
}
