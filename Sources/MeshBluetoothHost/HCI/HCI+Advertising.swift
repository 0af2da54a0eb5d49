package import MeshWire

// What a controller says of devices that advertise.

extension HCI {
    /// Devices were heard advertising, or answering a scan.
    package struct AdvertisingReports: FieldGroup, Hashable {
        /// At most 25 in one event (Num_Reports).
        package var reports: [AdvertisingReport] = []

        package init() {}

        package init(_ reports: [AdvertisingReport]) {
            self.reports = reports
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            var count = UInt8(clamping: reports.count)
            w.u8("num_reports", &count)
            w.list("reports", &reports, size: 10, count: Int(count))
        }
    }

    /// One advertisement or answer to a scan, of `HCI_LE_Advertising_Report`.
    package struct AdvertisingReport: FieldGroup, Hashable {
        /// As the types of packets on the air: 0 connectable, 4 the answer to a scan.
        package var eventType: UInt8 = 0
        /// 0 public, 1 random; 2 and 3 the same, known by the identity of a bond.
        package var addressType: UInt8 = 0
        /// The lowest byte first.
        package var address = FixedBytes<6>()
        /// Structures: length, type, data. At most 255 bytes.
        package var data: [UInt8] = []
        /// In dBm; 127 where there is none.
        package var rssi: Int8 = 127

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("event_type", &eventType, unit: .hex)
            w.u8("address_type", &addressType)
            w.fixed("address", &address)
            var count = UInt8(clamping: data.count)
            w.u8("data_length", &count)
            w.bytes("data", &data, count: Int(count))
            w.i8("rssi", &rssi)
        }
    }

    /// The same from a controller that knows extended advertising.
    package struct ExtendedAdvertisingReports: FieldGroup, Hashable {
        /// At most 10 in one event (Num_Reports).
        package var reports: [ExtendedAdvertisingReport] = []

        package init() {}

        package init(_ reports: [ExtendedAdvertisingReport]) {
            self.reports = reports
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            var count = UInt8(clamping: reports.count)
            w.u8("num_reports", &count)
            w.list("reports", &reports, size: 24, count: Int(count))
        }
    }

    /// One advertisement, or a part of one, of `HCI_LE_Extended_Advertising_Report`.
    package struct ExtendedAdvertisingReport: FieldGroup, Hashable {
        /// Bit 3: the answer to a scan; bit 4: in the old way; bits 5 and 6: whether the data is whole.
        package var eventType: UInt16 = 0
        /// 0 public, 1 random; 2 and 3 the same, known by the identity of a bond; 0xFF without an address.
        package var addressType: UInt8 = 0
        /// The lowest byte first.
        package var address = FixedBytes<6>()
        /// Of the primary advertising channel: 1 LE 1M, 3 LE Coded.
        package var primaryPHY: UInt8 = 1
        /// Of the secondary advertising channel: 0 without one, 1 LE 1M, 2 LE 2M, 3 LE Coded.
        package var secondaryPHY: UInt8 = 0
        /// The number of the set, 0xFF where there is none.
        package var set: UInt8 = 0xFF
        /// In dBm; 127 where there is none.
        package var txPower: Int8 = 127
        /// In dBm; 127 where there is none.
        package var rssi: Int8 = 127
        /// Of periodic advertising, in units of 1.25 ms; 0 where there is none.
        package var periodicInterval: UInt16 = 0
        /// Of a directed advertisement's target: as `addressType`, and 0xFE for one that was not resolved.
        package var directAddressType: UInt8 = 0
        /// The target of a directed advertisement, the lowest byte first; else without meaning.
        package var directAddress = FixedBytes<6>()
        /// Structures, or a part of them. At most 255 bytes.
        package var data: [UInt8] = []

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("event_type", &eventType, unit: .hex)
            w.u8("address_type", &addressType)
            w.fixed("address", &address)
            w.u8("primary_phy", &primaryPHY)
            w.u8("secondary_phy", &secondaryPHY)
            w.u8("advertising_sid", &set)
            w.i8("tx_power", &txPower)
            w.i8("rssi", &rssi)
            w.u16("periodic_interval", &periodicInterval)
            w.u8("direct_address_type", &directAddressType)
            w.fixed("direct_address", &directAddress)
            var count = UInt8(clamping: data.count)
            w.u8("data_length", &count)
            w.bytes("data", &data, count: Int(count))
        }

        /// It answers a scan (bit 3 of `eventType`).
        package var isScanResponse: Bool { eventType & 0x08 != 0 }
        /// The next report of the set goes on with the data.
        package var hasMore: Bool { eventType >> 5 & 3 == 1 }
    }
}
