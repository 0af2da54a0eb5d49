import MeshWire

/// Puts the data of extended advertisements together, whose reports hold a part each.
package struct ReportedData {
    private struct Part {
        var address: BluetoothAddress
        var set: UInt8
        var isScanResponse: Bool
        var data: [UInt8]
    }

    private var parts: [Part] = []

    /// Devices whose data is not whole yet; the one that began first makes room.
    package static let limit = 64

    package init() {}

    /// Bytes that are held, for the bound.
    package var footprint: Int { parts.reduce(0) { $0 + $1.data.count } }

    /// Returns what there is of the advertisement as far as this report; its end where no more will come.
    package mutating func take(_ report: HCI.ExtendedAdvertisingReport) -> [UInt8] {
        let address = BluetoothAddress(report.address, type: report.addressType)
        let known = parts.firstIndex {
            $0.address == address && $0.set == report.set && $0.isScanResponse == report.isScanResponse
        }
        guard known != nil || report.hasMore else { return report.data }
        var part =
            known.map { parts.remove(at: $0) }
            ?? Part(address: address, set: report.set, isScanResponse: report.isScanResponse, data: [])
        part.data += report.data.prefix(AdvertisedFacts.longestData - part.data.count)
        if report.hasMore {
            if parts.count == Self.limit { parts.removeFirst() }
            parts.append(part)
        }
        return part.data
    }
}
