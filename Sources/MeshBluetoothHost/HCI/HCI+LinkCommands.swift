package import MeshWire

// The parameters of commands about connections, and of switches.

extension HCI {
    /// The connection that a command or an event is about, where it says no more.
    package struct ConnectionHandle: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0

        package init() {}

        package init(_ handle: UInt16) {
            self.handle = handle
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
        }
    }

    /// Ends a connection, or refuses something about it.
    package struct Disconnect: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// The error code for the peer: 0x13 the user ended it, 0x05 authentication failure.
        package var reason: UInt8 = 0x13

        package init() {}

        package init(handle: UInt16, reason: UInt8) {
            self.handle = handle
            self.reason = reason
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.u8("reason", &reason, unit: .hex)
        }
    }

    /// The events that the controller sends.
    package struct EventMask: FieldGroup, Hashable {
        /// A bit for each event, from bit 0 on.
        package var mask: UInt64 = 0

        package init() {}

        package init(_ mask: UInt64) {
            self.mask = mask
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.integer(Field("mask", unit: .hex), &mask, in: nil)
        }
    }

    /// Switches advertising on or off.
    package struct Switch: FieldGroup, Hashable {
        /// 1 on, 0 off.
        package var isOn: UInt8 = 0

        package init() {}

        package init(_ isOn: Bool) {
            self.isOn = isOn ? 1 : 0
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("enable", &isOn, in: 0...1)
        }
    }

    /// The way in which the logging side listens for advertisements.
    package struct ScanParameters: FieldGroup, Hashable {
        /// 1: asks for scan responses; 0: only listens.
        package var type: UInt8 = 1
        /// In units of 0.625 ms, 4 to 0x4000.
        package var interval: UInt16 = 0x10
        /// In units of 0.625 ms; at most the interval.
        package var window: UInt16 = 0x10
        /// 0 public, 1 random; 2 and 3 private, else the same.
        package var ownType: UInt8 = 0
        /// 0: all devices; 1: those of the accept list.
        package var filterPolicy: UInt8 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("scan_type", &type, in: 0...1)
            w.u16("scan_interval", &interval)
            w.u16("scan_window", &window)
            w.u8("own_address_type", &ownType, in: 0...3)
            w.u8("filter_policy", &filterPolicy)
        }
    }

    /// Switches scanning on or off.
    package struct ScanEnable: FieldGroup, Hashable {
        /// 1 on, 0 off.
        package var isOn: UInt8 = 0
        /// 1: each device is reported once only.
        package var leavesOutDuplicates: UInt8 = 0

        package init() {}

        package init(_ isOn: Bool) {
            self.isOn = isOn ? 1 : 0
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("enable", &isOn, in: 0...1)
            w.u8("filter_duplicates", &leavesOutDuplicates, in: 0...1)
        }
    }

    /// Other intervals for a connection: the central's command, and its answer to a request of the peripheral.
    package struct ConnectionUpdate: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// The parameters that the connection gets.
        package var parameters = ConnectionParameters()
        /// In units of 0.625 ms.
        package var shortestEvent: UInt16 = 0
        /// In units of 0.625 ms; not below the shortest.
        package var longestEvent: UInt16 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.group(&parameters)
            w.u16("event_length_min", &shortestEvent)
            w.u16("event_length_max", &longestEvent)
        }
    }

    /// Encrypts a connection, as the central. Its fields are never printed.
    package struct StartEncryption: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// The number by which the peripheral finds its key; 0 after Secure Connections.
        package var random: UInt64 = 0
        /// The number (EDIV) by which the peripheral finds its key; 0 after Secure Connections.
        package var diversifier: UInt16 = 0
        /// The lowest byte first.
        package var key = FixedBytes<16>()

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.integer(Field("random_number", unit: .hex), &random, in: nil)
            w.u16("encrypted_diversifier", &diversifier, unit: .hex)
            w.fixed("long_term_key", &key)
        }
    }

    /// Sends the controller the key that it asked for, as the peripheral. Its fields are never printed.
    package struct LongTermKeyReply: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// The lowest byte first.
        package var key = FixedBytes<16>()

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.fixed("long_term_key", &key)
        }
    }

    /// The longest packets on the air.
    package struct DataLength: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// In bytes, 27 to 251.
        package var bytes: UInt16 = 27
        /// In microseconds, 328 to 17040.
        package var time: UInt16 = 328

        package init() {}

        package init(handle: UInt16, bytes: UInt16, time: UInt16) {
            (self.handle, self.bytes, self.time) = (handle, bytes, time)
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.u16("tx_octets", &bytes)
            w.u16("tx_time", &time)
        }
    }
}

// Whatever prints a command, as a log or a failed test, prints no key.

extension HCI.StartEncryption: CustomStringConvertible, CustomReflectable {
    package var description: String { "start encryption of handle \(handle)" }
    /// Without the key, for `dump` and test reports.
    package var customMirror: Mirror { Mirror(self, children: ["handle": handle]) }
}

extension HCI.LongTermKeyReply: CustomStringConvertible, CustomReflectable {
    package var description: String { "a key for handle \(handle)" }
    /// Without the key, for `dump` and test reports.
    package var customMirror: Mirror { Mirror(self, children: ["handle": handle]) }
}
