import MeshBluetoothHost
package import MeshCapture
import MeshWire

/// Follows the packets between hosts and their controllers: connections, fragments, and their content.
///
/// Each adapter has its own handles; two of one machine may be connected to each other. A connection that began before
/// the capture is found by its attribute packets.
package struct HostReader<Sink: CaptureSink>: HostPacketSink {
    private var links = HostLinks()
    private var adapters = HostAdapters()
    private var table = AdvertiserTable()
    private var reported = ReportedData()
    /// The numbers of packets by kind, for a report, unread ones included.
    package private(set) var counts = HostCounts()
    private var lastRecord: RecordHeader?
    /// Gets the L2CAP packets of all connections, and has the sink.
    package var finder: FrameFinder<Sink>

    /// Makes a reader that delivers frames and events to `sink`.
    package init(_ sink: Sink) {
        finder = FrameFinder(sink)
    }

    /// The devices that advertised, in the order of their first report unless there were very many.
    package var advertisers: [Advertiser] { table.advertisers }

    /// Adapters and links that are known, and the bytes of data that is not whole: all of it is bounded.
    var footprint: (adapters: Int, links: Int, bytes: Int) {
        (adapters.count, links.links.count, adapters.footprint + reported.footprint)
    }

    package mutating func note(_ problem: CaptureProblem) {
        finder.sink.note(problem)
    }

    package mutating func take(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {
        switch header.kind {
        case .data: takeData(header, bytes)
        case .event:
            counts.events += 1
            takeEvent(header, bytes)
        case .command:
            counts.commands += 1
            takeCommand(header, bytes)
        case .adapter(let opcode):
            if header.kind.endsConnections { closeAll(header.adapter, header.record) }
            learn(opcode, header.adapter, bytes)
        case .note, .other: counts.others += 1
        }
    }

    /// The capture ends: what waits is reported as it stands.
    package mutating func finish() {
        for index in links.links.indices {
            guard let record = lastRecord else { break }
            reportLost(index, isPending: links[index].isPending, record)
            links[index].reset()
        }
        finder.finish()
    }

    // MARK: Data

    private mutating func takeData(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {
        counts.data += 1
        lastRecord = header.record
        guard let data = HCI.DataHeader(bytes) else {
            return problem(header, "a data packet of \(bytes.count) bytes has no header")
        }
        let wireLength = Int(data.length)
        let behind = bytes.extracting(droppingFirst: HCI.DataHeader.size)
        let fragment = behind.extracting(first: min(wireLength, behind.count))
        let (index, evicted) = links.open(header.adapter, data.handle)
        if let evicted { close(evicted, nil, header.record, lost: "too many connections at once") }
        guard !links[index].isClassic else {
            counts.classic += 1
            return
        }
        guard let way = header.way ?? way(of: data.boundary, index) else {
            links[index].orphans += 1
            return
        }
        if data.boundary == .continuation {
            finish(links[index][way].append(fragment, wireLength: wireLength), index, way, header.record)
        } else {
            takeFirst(index, way, header.record, fragment, wireLength)
        }
    }

    /// Returns the direction of a fragment: hosts send non-flushable ones, and a continuation belongs to the
    /// pending one.
    private func way(of boundary: HCI.DataHeader.Boundary, _ index: Int) -> HostWay? {
        switch boundary {
        case .first: .sent
        case .continuation:
            switch (links[index][.sent].isPending, links[index][.received].isPending) {
            case (true, false): .sent
            case (false, true): .received
            default: nil
            }
        case .firstFlushable, .whole: .received
        }
    }

    /// Handles a first fragment; a packet in one fragment is delivered without a copy.
    private mutating func takeFirst(
        _ index: Int, _ way: HostWay, _ record: RecordHeader, _ fragment: Span<UInt8>, _ wireLength: Int
    ) {
        let isPending = links[index][way].isPending
        if isPending || links[index].orphans > 0 { reportLost(index, isPending: isPending, record) }
        if isPending { links[index][way].reset() }
        if let packet = L2CAP.Header(fragment), L2CAP.Header.size + Int(packet.length) == wireLength {
            return deliver(index, way, record, packet, fragment.extracting(droppingFirst: L2CAP.Header.size))
        }
        finish(links[index][way].begin(fragment, wireLength: wireLength), index, way, record)
    }

    private mutating func finish(_ step: L2CAP.Assembler.Step, _ index: Int, _ way: HostWay, _ record: RecordHeader) {
        switch step {
        case .more: break
        case .orphan: links[index].orphans += 1
        case .unreadable: lost(index, "a packet whose header the capture cut", record)
        case .whole(let excess):
            // Taken out for the call, so that the reader may be changed while the payload is lent.
            var assembler = L2CAP.Assembler()
            swap(&assembler, &links[index][way])
            let packet = assembler.header
            assembler.withPayload { deliver(index, way, record, packet, $0) }
            assembler.reset()
            swap(&assembler, &links[index][way])
            if excess > 0 { lost(index, "\(excess) bytes behind the end of a packet", record) }
        }
    }

    private mutating func deliver(
        _ index: Int, _ way: HostWay, _ record: RecordHeader, _ packet: L2CAP.Header, _ payload: Span<UInt8>
    ) {
        guard packet.channel == L2CAP.Channel.attributes else {
            counts.otherChannels += 1
            return
        }
        counts.attributes += 1
        let connection = links[index].connection ?? openInTheMiddle(index, record)
        finder.takeL2CAP(
            connection, from: links[index].side(way), channel: packet.channel, record, payload,
            length: Int(packet.length))
    }

    private mutating func openInTheMiddle(_ index: Int, _ record: RecordHeader) -> Int {
        let opened = OpenedConnection(
            isLoggedByCentral: nil, peer: nil, handle: links[index].handle, isInTheMiddle: true)
        let key = finder.open(opened, record, areRolesKnown: false)
        links[index].connection = key
        return key
    }

    // MARK: Losses

    private mutating func reportLost(_ index: Int, isPending: Bool, _ record: RecordHeader) {
        if isPending { lost(index, "a packet whose end is missing", record) }
        let orphans = links[index].orphans
        links[index].orphans = 0
        if orphans > 0 { lost(index, Self.words(orphans: orphans), record) }
    }

    private static func words(orphans count: Int) -> String {
        count == 1 ? "a fragment without a beginning" : "\(count) fragments without a beginning"
    }

    private mutating func lost(_ index: Int, _ what: String, _ record: RecordHeader) {
        counts.lost += 1
        if let connection = links[index].connection { finder.lost(connection, what, record) }
    }

    private mutating func problem(_ header: HostPacketHeader, _ reason: String) {
        counts.malformed += 1
        finder.sink.note(CaptureProblem(offset: header.record.offset, number: header.record.number, reason))
    }
}

// MARK: - Connections

extension HostReader {
    private mutating func takeEvent(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {
        let event: HCI.Event
        do {
            event = try HCI.Event(decoding: bytes)
        } catch {
            return problem(header, "an event cannot be read: \(error)")
        }
        switch event {
        case .connected(let event) where event.status == 0: connected(event, header)
        case .connectedClassic(let event) where event.status == 0:
            reuse(header.adapter, event.handle, header.record)
            let (index, evicted) = links.open(header.adapter, event.handle & 0x0FFF)
            if let evicted { close(evicted, nil, header.record, lost: "too many connections at once") }
            links[index].isClassic = true
        case .disconnected(let event) where event.status == 0:
            if let link = links.remove(header.adapter, event.handle & 0x0FFF) {
                close(link, event.reason, header.record)
            }
        case .encryption(let event) where event.status == 0:
            encrypted(header, event.handle & 0x0FFF, event.enabled != 0)
        case .newKey(let event) where event.status == 0: encrypted(header, event.handle & 0x0FFF, true)
        case .advertising(let event): for report in event.reports { heard(report, header.record) }
        case .extendedAdvertising(let event): for report in event.reports { heard(report, header.record) }
        case .commandComplete(let event) where event.opcode == HCI.CommandCode.readAddress:
            // The status, and the address.
            guard event.returned.count >= 7, event.returned[0] == 0 else { return }
            adapters[header.adapter].learn(publicAddress: FixedBytes(event.returned[1...]))
        default: break
        }
    }

    private mutating func connected(_ event: HCI.ConnectionComplete, _ header: HostPacketHeader) {
        let handle = event.handle & 0x0FFF
        reuse(header.adapter, handle, header.record)
        let (index, evicted) = links.open(header.adapter, handle)
        if let evicted { close(evicted, nil, header.record, lost: "too many connections at once") }
        links[index].host = event.role == 0 ? .central : .peripheral
        let peer = BluetoothAddress(event.peer, type: event.peerType)
        // A device that is known by the identity of a bond may have been heard under a private address.
        let onAir = event.privateAddresses.flatMap { table[BluetoothAddress($0.peer, type: 1)] }
        let adapter = adapters[header.adapter]
        let opened = OpenedConnection(
            isLoggedByCentral: event.role == 0, peer: peer, peerName: table[peer]?.name ?? onAir?.name,
            own: adapter.address(of: links[index].host), ownName: adapter.name(of: links[index].host), handle: handle,
            isInTheMiddle: false)
        links[index].connection = finder.open(opened, header.record)
    }

    /// Ends the connection before the present one on a reused handle: its end was missed.
    private mutating func reuse(_ adapter: UInt16, _ handle: UInt16, _ record: RecordHeader) {
        if let link = links.remove(adapter, handle & 0x0FFF) { close(link, nil, record) }
    }

    private mutating func encrypted(_ header: HostPacketHeader, _ handle: UInt16, _ isOn: Bool) {
        guard let index = links.index(header.adapter, handle), links[index].isEncrypted != isOn else { return }
        links[index].isEncrypted = isOn
        // Encryption is the controller's business: the host sees everything.
        if isOn, let connection = links[index].connection {
            finder.encrypted(connection, isReadable: true, header.record)
        }
    }

    private mutating func takeCommand(_ header: HostPacketHeader, _ bytes: Span<UInt8>) {
        guard bytes.count >= 3 else {
            return problem(header, "a command of \(bytes.count) bytes has no header")
        }
        let command: HCI.Command
        do {
            command = try HCI.Command(decoding: bytes)
        } catch {
            return problem(header, "a command cannot be read: \(error)")
        }
        if case .other = command { return }
        if case .reset = command { closeAll(header.adapter, header.record) }
        adapters[header.adapter].take(command)
    }

    private mutating func closeAll(_ adapter: UInt16, _ record: RecordHeader) {
        for link in links.removeAll(adapter) { close(link, nil, record) }
    }

    private mutating func close(
        _ link: HostLink, _ reason: UInt8?, _ record: RecordHeader, lost what: String? = nil
    ) {
        guard let connection = link.connection else { return }
        if link.isPending {
            counts.lost += 1
            finder.lost(connection, "a packet whose end is missing", record)
        }
        if link.orphans > 0 {
            counts.lost += 1
            finder.lost(connection, Self.words(orphans: link.orphans), record)
        }
        if let what { finder.lost(connection, what, record) }
        finder.close(connection, reason: reason, record)
    }
}

// MARK: - Who there is

extension HostReader {
    private mutating func heard(_ report: HCI.AdvertisingReport, _ record: RecordHeader) {
        counts.advertisements += 1
        table.hear(BluetoothAddress(report.address, type: report.addressType), report.data.span, record: record.number)
    }

    private mutating func heard(_ report: HCI.ExtendedAdvertisingReport, _ record: RecordHeader) {
        counts.advertisements += 1
        // Some advertise without an address.
        guard report.addressType != 0xFF else { return }
        let data = reported.take(report)
        table.hear(BluetoothAddress(report.address, type: report.addressType), data.span, record: record.number)
    }

    /// The monitor's reports: an adapter is new, gone, opened, closed, and which address it has.
    private mutating func learn(_ opcode: UInt16, _ adapter: UInt16, _ bytes: Span<UInt8>) {
        switch opcode {
        case 1: adapters.remove(adapter)
        case 8, 9: adapters[adapter].take(.reset)
        // Behind the type of the controller and its bus; or in front.
        case 0, 10:
            let start = opcode == 0 ? 2 : 0
            guard bytes.count >= start + 6 else { return }
            let address = bytes.extracting(start..<start + 6).array
            adapters[adapter].learn(publicAddress: FixedBytes(address))
        default: break
        }
    }
}
