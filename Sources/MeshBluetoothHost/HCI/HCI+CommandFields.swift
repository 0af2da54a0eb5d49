package import MeshWire

// The parameters of the commands that are read.

extension HCI {
    /// The name that the host gives itself.
    package struct LocalName: FieldGroup, Hashable {
        /// UTF-8, ended by a NUL where it is shorter than its field of 248 bytes; some hosts leave the rest out.
        package var name = ByteText()

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.rest("local_name", &name, atMost: 248)
        }
    }

    /// The address that is used where the own address is said to be random.
    package struct RandomAddress: FieldGroup, Hashable {
        /// The lowest byte first.
        package var address = FixedBytes<6>()

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.fixed("random_address", &address)
        }
    }

    /// The way in which the logging side advertises.
    package struct AdvertisingParameters: FieldGroup, Hashable {
        /// In units of 0.625 ms.
        package var shortestInterval: UInt16 = 0x0800
        /// In units of 0.625 ms, 0x0020 to 0x4000; not below the shortest.
        package var longestInterval: UInt16 = 0x0800
        /// 0 `ADV_IND`, 1 and 4 `ADV_DIRECT_IND` of high and low duty, 2 `ADV_SCAN_IND`, 3 `ADV_NONCONN_IND`.
        package var type: UInt8 = 0
        /// 0 public, 1 random; 2 and 3 private, else the same.
        package var ownType: UInt8 = 0
        /// Of the peer that directed advertising is for: 0 public, 1 random.
        package var peerType: UInt8 = 0
        /// The peer that directed advertising is for, the lowest byte first.
        package var peer = FixedBytes<6>()
        /// A bit for each primary advertising channel: 1 for 37, 2 for 38, 4 for 39.
        package var channels: UInt8 = 7
        /// The peers that must be in the accept list: 0 none; bit 0 for scanning, bit 1 for connecting.
        package var filterPolicy: UInt8 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("advertising_interval_min", &shortestInterval)
            w.u16("advertising_interval_max", &longestInterval)
            w.u8("advertising_type", &type)
            w.u8("own_address_type", &ownType, in: 0...3)
            w.u8("peer_address_type", &peerType, in: 0...1)
            w.fixed("peer_address", &peer)
            w.u8("channel_map", &channels, unit: .hex)
            w.u8("filter_policy", &filterPolicy)
        }
    }

    /// The data that the logging side advertises, or sends as answer to scans.
    package struct AdvertisingData: FieldGroup, Hashable {
        /// The number of bytes that count.
        package var length: UInt8 = 0
        /// 31 bytes; some hosts leave out what does not count.
        package var data: [UInt8] = []

        package init() {}

        /// Of more than 31 bytes the first ones, of fewer with zeros behind them.
        package init(_ bytes: [UInt8]) {
            length = UInt8(min(31, bytes.count))
            data = FixedBytes<31>(bytes).array
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("data_length", &length, in: 0...31)
            w.rest("data", &data, atMost: 31)
        }

        /// The bytes that count.
        package var bytes: [UInt8] { [UInt8](data.prefix(Int(length))) }
    }

    /// Connects to a device.
    package struct CreateConnection: FieldGroup, Hashable {
        /// In units of 0.625 ms.
        package var scanInterval: UInt16 = 0x0060
        /// In units of 0.625 ms; at most the interval.
        package var scanWindow: UInt16 = 0x0030
        /// 0: with the peer that is named; 1: with any of a list.
        package var filterPolicy: UInt8 = 0
        /// 0 public, 1 random; 2 and 3 the same, as identities of a bond.
        package var peerType: UInt8 = 0
        /// The lowest byte first.
        package var peer = FixedBytes<6>()
        /// 0 public, 1 random; 2 and 3 private, else the same.
        package var ownType: UInt8 = 0
        /// The parameters of the connection.
        package var parameters = ConnectionParameters()
        /// In units of 0.625 ms.
        package var shortestEvent: UInt16 = 0
        /// In units of 0.625 ms; not below the shortest.
        package var longestEvent: UInt16 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("scan_interval", &scanInterval)
            w.u16("scan_window", &scanWindow)
            w.u8("filter_policy", &filterPolicy)
            w.u8("peer_address_type", &peerType, in: 0...3)
            w.fixed("peer_address", &peer)
            w.u8("own_address_type", &ownType, in: 0...3)
            w.group(&parameters)
            w.u16("event_length_min", &shortestEvent)
            w.u16("event_length_max", &longestEvent)
        }
    }

    /// Connects to a device, over the physical layers that are listed.
    package struct CreateConnectionExtended: FieldGroup, Hashable {
        /// Of the second version only.
        package var answer: PeriodicAnswer?
        /// 0: with the peer that is named; 1: with any of a list.
        package var filterPolicy: UInt8 = 0
        /// 0 public, 1 random; 2 and 3 private, else the same.
        package var ownType: UInt8 = 0
        /// 0 public, 1 random; 2 and 3 the same, as identities of a bond.
        package var peerType: UInt8 = 0
        /// The lowest byte first.
        package var peer = FixedBytes<6>()
        /// A bit for each physical layer: 1M, 2M, coded.
        package var layers: UInt8 = 1
        /// Scanning, intervals and so on: 16 bytes for each layer.
        package var parameters: [UInt8] = []

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            if var answer {
                w.group(&answer)
                self.answer = answer
            }
            w.u8("filter_policy", &filterPolicy)
            w.u8("own_address_type", &ownType, in: 0...3)
            w.u8("peer_address_type", &peerType, in: 0...3)
            w.fixed("peer_address", &peer)
            w.u8("initiating_phys", &layers, unit: .hex)
            w.rest("parameters", &parameters, atMost: 48)
        }
    }

    /// The answer to periodic advertising that a connection follows from; 0xFF for none.
    package struct PeriodicAnswer: FieldGroup, Hashable {
        /// The Advertising_Handle of the periodic advertising, 0 to 0xEF.
        package var set: UInt8 = 0xFF
        /// The subevent in which the connection is asked for, 0 to 0x7F.
        package var subevent: UInt8 = 0xFF

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("advertising_handle", &set)
            w.u8("subevent", &subevent)
        }
    }

    /// One of the sets that the logging side advertises.
    package struct AdvertisingSet: FieldGroup, Hashable {
        /// The Advertising_Handle, 0 to 0xEF.
        package var set: UInt8 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("advertising_handle", &set)
        }
    }

    /// The random address of a set.
    package struct SetRandomAddress: FieldGroup, Hashable {
        /// The Advertising_Handle, 0 to 0xEF.
        package var set: UInt8 = 0
        /// The lowest byte first.
        package var address = FixedBytes<6>()

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("advertising_handle", &set)
            w.fixed("random_address", &address)
        }
    }

    /// The way in which a set is advertised; fields after the kind of address are ignored.
    package struct ExtendedAdvertisingParameters: FieldGroup, Hashable {
        /// The Advertising_Handle, 0 to 0xEF.
        package var set: UInt8 = 0
        /// Bits: 0 connectable, 1 scannable, 2 directed, 3 at high duty, 4 in the old way, 5 anonymous, 6 with power.
        package var properties: UInt16 = 0
        /// In units of 0.625 ms, of three bytes.
        package var shortestInterval = FixedBytes<3>()
        /// In units of 0.625 ms, of three bytes; not below the shortest.
        package var longestInterval = FixedBytes<3>()
        /// A bit for each primary advertising channel: 1 for 37, 2 for 38, 4 for 39.
        package var channels: UInt8 = 7
        /// 0 public, 1 random; 2 and 3 private, else the same.
        package var ownType: UInt8 = 0
        /// The peer, powers, physical layers and more.
        package var others: [UInt8] = []

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("advertising_handle", &set)
            w.u16("properties", &properties, unit: .hex)
            w.fixed("interval_min", &shortestInterval)
            w.fixed("interval_max", &longestInterval)
            w.u8("channel_map", &channels, unit: .hex)
            w.u8("own_address_type", &ownType, in: 0...3)
            w.rest("others", &others, atMost: 16)
        }
    }

    /// The data that a set advertises, or sends as answer to scans; long data comes in parts.
    package struct ExtendedAdvertisingData: FieldGroup, Hashable {
        /// The Advertising_Handle, 0 to 0xEF.
        package var set: UInt8 = 0
        /// 0 a part, 1 the first, 2 the last, 3 all of it, 4 as before.
        package var operation: UInt8 = 3
        /// 0: the controller may split the data; 1: it should not.
        package var fragmentPreference: UInt8 = 1
        /// At most 251 bytes.
        package var data: [UInt8] = []

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("advertising_handle", &set)
            w.u8("operation", &operation, in: 0...4)
            w.u8("fragment_preference", &fragmentPreference, in: 0...1)
            var count = UInt8(clamping: data.count)
            w.u8("data_length", &count)
            w.bytes("data", &data, count: Int(count))
        }

        /// Nothing of before belongs to it.
        package var isFirst: Bool { operation == 1 || operation == 3 }
        /// The data is whole with it.
        package var isLast: Bool { operation == 2 || operation == 3 }
    }
}
