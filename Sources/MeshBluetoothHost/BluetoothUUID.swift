import MeshWire

/// A UUID as Bluetooth uses it: 128 bits, of which assigned ones are written as 16.
package struct BluetoothUUID: Hashable, Sendable {
    /// The first eight bytes as people write it.
    package let high: UInt64
    /// The last eight.
    package let low: UInt64

    @inlinable
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An assigned number, within Bluetooth's base UUID.
    @inlinable
    package init(_ short: UInt16) {
        self.init(high: UInt64(short) << 32 | Self.baseHigh, low: Self.baseLow)
    }

    /// As it travels, lowest byte first: 2, 4 or 16 bytes; `nil` for another length.
    package init?(_ bytes: some BidirectionalCollection<UInt8>) {
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for byte in bytes.reversed() {
            words.high = words.high << 8 | words.low >> 56
            words.low = words.low << 8 | UInt64(byte)
        }
        switch bytes.count {
        case 2, 4: self.init(high: words.low << 32 | Self.baseHigh, low: Self.baseLow)
        case 16: self.init(high: words.high, low: words.low)
        default: return nil
        }
    }

    @usableFromInline static let baseHigh: UInt64 = 0x0000_1000
    @usableFromInline static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    /// The assigned number, if it is one.
    package var short: UInt16? {
        low == Self.baseLow && high & 0xFFFF_0000_FFFF_FFFF == Self.baseHigh
            ? UInt16(truncatingIfNeeded: high >> 32) : nil
    }

    /// As it travels: 2 bytes if it is assigned, else 16, lowest first.
    package var bytes: [UInt8] {
        if let short { return short.wireBytes }
        return [low, high].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    }
}

extension BluetoothUUID: CustomStringConvertible {
    /// `2902`, or `6e400001-b5a3-f393-e0a9-e50e24dcca9e`.
    package var description: String {
        let hex = [UInt8](bytes.reversed()).hex
        guard hex.utf8.count == 32 else { return hex }
        var text = ""
        for (index, digit) in hex.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        return text
    }
}

extension BluetoothUUID {
    package static let primaryService = BluetoothUUID(0x2800)
    package static let secondaryService = BluetoothUUID(0x2801)
    package static let characteristic = BluetoothUUID(0x2803)
    package static let userDescription = BluetoothUUID(0x2901)
    /// The switch for notifications: 1 on, 0 off.
    package static let clientConfiguration = BluetoothUUID(0x2902)
    /// The range of handles that have changed, which a server indicates.
    package static let serviceChanged = BluetoothUUID(0x2A05)

    /// The name that a device gives itself.
    package static let deviceName = BluetoothUUID(0x2A00)

    /// The Nordic UART service.
    package static let nordicUART = BluetoothUUID(high: 0x6E40_0001_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
    /// Its characteristic that the app writes to.
    package static let nordicRX = BluetoothUUID(high: 0x6E40_0002_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
    /// Its characteristic that notifies the app.
    package static let nordicTX = BluetoothUUID(high: 0x6E40_0003_B5A3_F393, low: 0xE0A9_E50E_24DC_CA9E)
}
