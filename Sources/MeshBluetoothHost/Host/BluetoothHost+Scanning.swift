import MeshWire

// Devices that are heard while scanning.

extension BluetoothHost {
    /// A device that was heard, and whether the program knows of it.
    struct Heard: Sendable {
        var advertiser: Advertiser
        var isTold = false
    }

    /// Devices that are remembered at most; the one that was heard first makes room.
    static let heardLimit = 64

    mutating func hear(_ report: HCI.AdvertisingReport) {
        hear(
            BluetoothAddress(report.address, type: report.addressType), report.data, rssi: report.rssi,
            isScanResponse: report.eventType == 4, isConnectable: report.eventType <= 1)
    }

    /// Some controllers report in the longer form, whichever way they were asked.
    mutating func hear(_ report: HCI.ExtendedAdvertisingReport) {
        let data = parts.take(report)
        guard !report.hasMore else { return }
        hear(
            BluetoothAddress(report.address, type: report.addressType), data, rssi: report.rssi,
            isScanResponse: report.isScanResponse, isConnectable: report.eventType & 1 != 0)
    }

    /// Puts an advertisement and the answer to a scan together, which come apart.
    private mutating func hear(
        _ address: BluetoothAddress, _ data: [UInt8], rssi: Int8, isScanResponse: Bool, isConnectable: Bool
    ) {
        guard let scan else { return }
        let place = heard.firstIndex { $0.advertiser.address == address }
        var device =
            place.map { heard[$0] }
            ?? Heard(
                advertiser: Advertiser(
                    address: address, isConnectable: false, data: [], scanResponse: [], rssi: 127,
                    facts: AdvertisedFacts()))
        let before = device.advertiser
        device.advertiser.rssi = rssi
        if isScanResponse {
            device.advertiser.scanResponse = data
        } else {
            device.advertiser.data = data
            device.advertiser.isConnectable = isConnectable
        }
        var facts = AdvertisedFacts(device.advertiser.data.span)
        facts.read(device.advertiser.scanResponse.span)
        device.advertiser.facts = facts
        tell(&device, before, scan)
        if let place {
            heard[place] = device
        } else {
            if heard.count == Self.heardLimit { heard.removeFirst() }
            heard.append(device)
        }
    }

    /// A device that fits is reported once, and again when it advertises something else.
    private mutating func tell(_ device: inout Heard, _ before: Advertiser, _ scan: Scan) {
        let now = device.advertiser
        let fits =
            scan.service.map {
                AdvertisedData.names($0, in: now.data) || AdvertisedData.names($0, in: now.scanResponse)
            } ?? true
        var same = before
        same.rssi = now.rssi
        guard fits, !device.isTold || same != now else { return }
        device.isTold = true
        tell(.found(now))
    }
}
