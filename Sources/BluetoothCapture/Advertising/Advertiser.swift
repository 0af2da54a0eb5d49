package import MeshBluetoothHost

/// A device that was received advertising.
package struct Advertiser: Hashable, Sendable {
    /// As the advertising packets carry it: the public address, or the random one of the time.
    package var address: BluetoothAddress
    /// The facts that it advertised.
    package var facts = AdvertisedFacts()
    /// The number of the first record.
    package var firstRecord: Int
    /// The number of the last record, counted from 1 like `firstRecord`.
    package var lastRecord: Int
    /// Advertisements and answers to scans.
    package var packets = 0

    /// Its complete or shortened local name; `nil` while no packet had one.
    package var name: String? { facts.name }
    /// It named the Nordic UART service.
    package var hasNordicUART: Bool { facts.hasNordicUART }
}

/// The devices that advertised, newest kept.
struct AdvertiserTable: Sendable {
    private(set) var advertisers: [Advertiser] = []

    /// Devices that are kept; the one that was silent for the longest time makes room.
    static let limit = 512

    subscript(address: BluetoothAddress) -> Advertiser? { advertisers.first { $0.address == address } }

    mutating func hear(_ address: BluetoothAddress, _ data: Span<UInt8>, record: Int) {
        let index = place(of: address, record: record)
        advertisers[index].packets += 1
        advertisers[index].lastRecord = record
        advertisers[index].facts.read(data)
    }

    private mutating func place(of address: BluetoothAddress, record: Int) -> Int {
        if let index = advertisers.firstIndex(where: { $0.address == address }) { return index }
        let new = Advertiser(address: address, firstRecord: record, lastRecord: record)
        guard advertisers.count >= Self.limit else {
            advertisers.append(new)
            return advertisers.count - 1
        }
        let oldest = advertisers.indices.min { advertisers[$0].lastRecord < advertisers[$1].lastRecord } ?? 0
        advertisers[oldest] = new
        return oldest
    }
}
