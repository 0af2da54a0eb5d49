/// Builds what a device says of itself in advertisements, and finds a service in it.
///
/// ```swift
/// let data = AdvertisedData.flags() + AdvertisedData.services([.nordicUART])
/// ```
///
/// Source: Bluetooth, Supplement to the Core Specification, Part A, 1; Assigned Numbers, 2.3.
package enum AdvertisedData {
    /// The longest data of one advertisement, and of one answer to a scan.
    package static let limit = 31

    /// One structure: its length, type and value, of which the first 254 bytes count.
    package static func structure(_ type: UInt8, _ value: some Collection<UInt8>) -> [UInt8] {
        let value = value.prefix(254)
        return [UInt8(value.count + 1), type] + value
    }

    /// Flags; unless set, that anybody may find the device, which knows low energy only.
    package static func flags(_ flags: UInt8 = 0x06) -> [UInt8] { structure(0x01, [flags]) }

    /// All services of one length: those of 16 bits, or those of 128.
    package static func services(_ services: [BluetoothUUID]) -> [UInt8] {
        let short = services.filter { $0.short != nil }.flatMap(\.bytes)
        let long = services.filter { $0.short == nil }.flatMap(\.bytes)
        return (short.isEmpty ? [] : structure(0x03, short)) + (long.isEmpty ? [] : structure(0x07, long))
    }

    /// The name; what does not fit into the room is left out, and the name then called a shortened one.
    package static func name(_ name: some Collection<UInt8>, room: Int = limit) -> [UInt8] {
        let fits = name.prefix(max(0, room - 2))
        return structure(fits.count == name.count ? 0x09 : 0x08, fits)
    }

    /// Tells whether the data names this service. The search ends at an empty or broken structure.
    package static func names(_ service: BluetoothUUID, in data: [UInt8]) -> Bool {
        var rest = data[...]
        while let length = rest.first, length > 0, rest.count > Int(length) {
            let value = rest.dropFirst(2).prefix(Int(length) - 1)
            if let size = sizes[rest[rest.startIndex + 1]] {
                var uuids = value
                while uuids.count >= size {
                    if BluetoothUUID(uuids.prefix(size)) == service { return true }
                    uuids = uuids.dropFirst(size)
                }
            }
            rest = rest.dropFirst(1 + Int(length))
        }
        return false
    }

    /// The types of lists of services, and the size of their items.
    private static let sizes: [UInt8: Int] = [0x02: 2, 0x03: 2, 0x04: 4, 0x05: 4, 0x06: 16, 0x07: 16]
}
