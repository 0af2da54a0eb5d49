import MeshTime
import MeshWire

// Devices that advertise, and those who hear them. Whoever listens hears everything: windows and channels have no part
// in it.

extension VirtualAir {
    /// The sizes of a scan request and of a connection request.
    ///
    /// Source: Bluetooth Core 5.4, Vol 6 Part B, 2.3.2 and 2.3.3.
    private static let (scanRequest, connectRequest) = (12, 34)
    /// The address in front of advertised data.
    private static let addressSize = 6
    /// From the connection request to the first event. Source: Core, Vol 6 Part B, 4.5.3.
    private static let windowDelay: TimeSpan = .microseconds(1250)
    /// The longest time that is added to each interval at random.
    ///
    /// Source: Core, Vol 6 Part B, 4.4.2.2.1.
    private static let longestDelay: UInt32 = 10_000
    /// Devices that a scan without duplicates remembers.
    private static let heardLimit = 256
    static let rssi: Int8 = -60

    /// Restarts advertising for changed listeners or advertisers: events without a listener were not played.
    mutating func listenersChanged(at now: Instant) {
        for index in controllers.indices {
            guard let advertising = controllers[index].advertising else { continue }
            let isHeard = controllers.indices.contains { $0 != index && controllers[$0].isListening }
            if !isHeard {
                controllers[index].advertising?.next = nil
            } else if advertising.next == nil {
                let span = UInt32(advertisingInterval(index).microseconds)
                controllers[index].advertising?.next = now + .microseconds(delays.draw(0, span))
            }
        }
    }

    private func advertisingInterval(_ index: Int) -> TimeSpan {
        .microseconds(Int64(max(0x20, controllers[index].parameters.shortestInterval)) * 625)
    }

    /// One event of advertising, on the channel on which all listen.
    mutating func advertise(_ index: Int, at now: Instant) {
        guard let advertising = controllers[index].advertising else { return }
        let delay = TimeSpan.microseconds(delays.draw(0, Self.longestDelay))
        let following = now + advertisingInterval(index) + delay
        controllers[index].advertising?.next = following
        let end = now + airTime(Self.addressSize + controllers[index].data.count)
        for other in controllers.indices where other != index {
            hear(advertising.address, of: index, by: other, at: end)
            guard connects(other, to: advertising.address, of: index) else { continue }
            return connect(other, to: index, at: end + PhysicalLayer.gap + airTime(Self.connectRequest))
        }
    }

    private func airTime(_ payload: Int) -> TimeSpan {
        PhysicalLayer.le1M.airTime(payload: payload, isEncrypted: false)
    }

    private mutating func hear(_ address: BluetoothAddress, of index: Int, by other: Int, at end: Instant) {
        guard controllers[other].isScanning else { return }
        if let heard = controllers[other].heard {
            guard !heard.contains(address), heard.count < Self.heardLimit else { return }
            controllers[other].heard?.append(address)
        }
        let type = controllers[index].parameters.type
        report(address, type, controllers[index].data, to: other, at: end)
        // `ADV_IND` and `ADV_SCAN_IND` answer scans.
        guard controllers[other].scanParameters.type == 1, type == 0 || type == 2 else { return }
        let answer = controllers[index].scanResponse
        let answered =
            end + PhysicalLayer.gap * 2 + airTime(Self.scanRequest) + airTime(Self.addressSize + answer.count)
        report(address, 4, answer, to: other, at: answered)
    }

    private mutating func report(
        _ address: BluetoothAddress, _ type: UInt8, _ data: [UInt8], to other: Int, at now: Instant
    ) {
        var report = HCI.AdvertisingReport()
        (report.eventType, report.data, report.rssi) = (type, data, Self.rssi)
        report.addressType = address.isRandom ? 1 : 0
        report.address = FixedBytes(address.bytes.reversed())
        tell(other, .advertising(.init([report])), at: now)
    }

    // MARK: Connections

    private func connects(_ other: Int, to address: BluetoothAddress, of index: Int) -> Bool {
        guard let create = controllers[other].initiating, controllers[index].parameters.type == 0 else { return false }
        return BluetoothAddress(create.peer, type: create.peerType) == address && !isFull(index)
    }

    func isFull(_ controller: Int) -> Bool {
        connections.count { $0.side(of: controller) != nil } >= Self.connectionLimit
    }

    /// The initiator's request has reached the advertiser, and both are connected.
    private mutating func connect(_ central: Int, to peripheral: Int, at now: Instant) {
        guard let create = controllers[central].initiating, let own = controllers[central].address(create.ownType),
            let address = controllers[peripheral].advertising?.address
        else { return }
        controllers[central].initiating = nil
        controllers[peripheral].advertising = nil
        let parameters = create.parameters
        let interval = settings.interval ?? parameters.longestInterval
        let sides = [central, peripheral].map { AirConnection.Side(controller: $0, handle: freeHandle($0)) }
        connections.append(
            AirConnection(
                central: sides[0], peripheral: sides[1], interval: interval, latency: parameters.latency,
                timeout: parameters.timeout, at: now + Self.windowDelay))
        for (role, peer) in [address, own].enumerated() {
            var complete = HCI.ConnectionComplete()
            (complete.handle, complete.role) = (sides[role].handle, UInt8(role))
            complete.peerType = peer.isRandom ? 1 : 0
            complete.peer = FixedBytes(peer.bytes.reversed())
            (complete.interval, complete.latency, complete.timeout) = (interval, parameters.latency, parameters.timeout)
            tell(sides[role].controller, .connected(complete), at: now)
        }
        listenersChanged(at: now)
    }

    private func freeHandle(_ controller: Int) -> UInt16 {
        let used = connections.flatMap(\.sides).filter { $0.controller == controller }.map(\.handle)
        // As many as there may be connections, and the ones that peers have not missed yet.
        return (0x40...0x0EFF).first { !used.contains($0) } ?? 0x0EFF
    }
}
