/// A Bluetooth device address, as packets carry it.
public struct AirAddress: Hashable, Sendable {
    /// Most significant byte first in the number's order: `aa:bb:cc:dd:ee:ff` is 0xaabbccddeeff.
    public var number: UInt64
    public var isRandom: Bool

    public init(number: UInt64, isRandom: Bool) {
        self.number = number & 0xFFFF_FFFF_FFFF
        self.isRandom = isRandom
    }

    /// Reads six bytes, lowest first; the caller has checked that they are there.
    init(_ bytes: Span<UInt8>, at offset: Int, isRandom: Bool) {
        self.init(number: AirBytes.number(bytes, at: offset, count: 6), isRandom: isRandom)
    }

    /// As people write it, most significant first.
    public var bytes: [UInt8] { (0..<6).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) } }
}

/// A device that was heard advertising.
public struct Advertiser: Hashable, Sendable {
    public var address: AirAddress
    /// The longest name that it gave.
    public var name: String?
    /// It named the Nordic UART service.
    public var hasNordicUART = false
    /// The record that was heard first.
    public var firstRecord: Int
    public var lastRecord: Int
    public var packets = 0
}

/// The devices that advertised, newest kept.
struct AdvertiserTable: Sendable {
    private(set) var advertisers: [Advertiser] = []
    private(set) var forgotten = 0

    subscript(address: AirAddress) -> Advertiser? { advertisers.first { $0.address == address } }

    mutating func hear(_ address: AirAddress, _ data: Span<UInt8>, record: Int) {
        let index = place(of: address, record: record)
        advertisers[index].packets += 1
        advertisers[index].lastRecord = record
        advertisers[index].read(data)
    }

    private mutating func place(of address: AirAddress, record: Int) -> Int {
        if let index = advertisers.firstIndex(where: { $0.address == address }) { return index }
        let new = Advertiser(address: address, firstRecord: record, lastRecord: record)
        guard advertisers.count >= AirLimits.advertisers else {
            advertisers.append(new)
            return advertisers.count - 1
        }
        forgotten += 1
        let oldest = advertisers.indices.min { advertisers[$0].lastRecord < advertisers[$1].lastRecord } ?? 0
        advertisers[oldest] = new
        return oldest
    }
}

extension Advertiser {
    /// The service's UUID, lowest byte first.
    private static let nordicUART: [UInt8] = [
        0x9E, 0xCA, 0xDC, 0x24, 0x0E, 0xE5, 0xA9, 0xE0, 0x93, 0xF3, 0xA3, 0xB5, 0x01, 0x00, 0x40, 0x6E,
    ]

    /// Walks the structures of an advertisement: length, type, data. A broken one ends the walk.
    fileprivate mutating func read(_ data: Span<UInt8>) {
        var offset = 0
        while offset + 1 < data.count {
            let length = Int(data[offset])
            guard length > 0, offset + 1 + length <= data.count else { return }
            take(type: data[offset + 1], data.extracting(offset + 2..<offset + 1 + length))
            offset += 1 + length
        }
    }

    private mutating func take(type: UInt8, _ value: Span<UInt8>) {
        switch type {
        case 0x06, 0x07:
            for start in stride(from: 0, through: value.count - 16, by: 16) where !hasNordicUART {
                hasNordicUART = Self.nordicUART.indices.allSatisfy { value[start + $0] == Self.nordicUART[$0] }
            }
        case 0x08, 0x09:
            guard value.count > name?.utf8.count ?? 0 else { return }
            name = String(decoding: AirBytes.array(value), as: UTF8.self)
        default: break
        }
    }
}
