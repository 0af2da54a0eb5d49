package import MeshWire

// What a controller says of connections, of its buffers and of itself.

extension HCI {
    /// Fragments have left the controller, and there is room for as many more.
    package struct CompletedPackets: FieldGroup, Hashable {
        /// At most 63 in one event.
        package var links: [CompletedCount] = []

        package init() {}

        package init(_ links: [CompletedCount]) {
            self.links = links
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            var count = UInt8(clamping: links.count)
            w.u8("num_handles", &count)
            w.list("links", &links, size: 4, count: Int(count))
        }
    }

    /// The fragments of one connection that have left the controller.
    package struct CompletedCount: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// Since the last such event.
        package var count: UInt16 = 0

        package init() {}

        package init(handle: UInt16, count: UInt16) {
            (self.handle, self.count) = (handle, count)
        }

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.u16("num_completed", &count)
        }
    }

    /// The version of the other side's controller.
    package struct RemoteVersion: FieldGroup, Hashable {
        /// 0 when it is known; else the controller's error code.
        package var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// 6 is Bluetooth 4.0, 9 is 5.0.
        package var version: UInt8 = 0
        /// The vendor, as Bluetooth numbers them.
        package var manufacturer: UInt16 = 0
        /// The vendor's.
        package var subversion: UInt16 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.u8("version", &version)
            w.u16("manufacturer", &manufacturer)
            w.u16("subversion", &subversion, unit: .hex)
        }
    }

    /// The controller is broken.
    package struct HardwareError: FieldGroup, Hashable {
        /// The vendor's.
        package var code: UInt8 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("hardware_code", &code, unit: .hex)
        }
    }

    /// A connection has other intervals.
    package struct ConnectionUpdated: FieldGroup, Hashable {
        /// 0 when it has; else the controller's error code.
        package var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// In units of 1.25 ms.
        package var interval: UInt16 = 0
        /// Events of the connection that the peripheral may leave out.
        package var latency: UInt16 = 0
        /// In units of 10 ms.
        package var timeout: UInt16 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.u16("interval", &interval)
            w.u16("latency", &latency)
            w.u16("timeout", &timeout)
        }
    }

    /// The central wants to encrypt, and the peripheral's controller needs the key.
    package struct LongTermKeyRequest: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// As the peripheral gave it out with the key; 0 after Secure Connections.
        package var random: UInt64 = 0
        /// As the peripheral gave it out with the key (EDIV); 0 after Secure Connections.
        package var diversifier: UInt16 = 0

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.integer(Field("random_number", unit: .hex), &random, in: nil)
            w.u16("encrypted_diversifier", &diversifier, unit: .hex)
        }
    }

    /// The other side asks for other intervals.
    package struct ConnectionParameterRequest: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// The parameters that the other side wants.
        package var parameters = ConnectionParameters()

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.group(&parameters)
        }
    }

    /// Packets on the air may have another length.
    package struct DataLengthChange: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        package var handle: UInt16 = 0
        /// Of this side, in bytes.
        package var sentBytes: UInt16 = 27
        /// Of this side, in microseconds.
        package var sentTime: UInt16 = 328
        /// Of the other side, in bytes.
        package var receivedBytes: UInt16 = 27
        /// Of the other side, in microseconds.
        package var receivedTime: UInt16 = 328

        package init() {}

        package mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.u16("max_tx_octets", &sentBytes)
            w.u16("max_tx_time", &sentTime)
            w.u16("max_rx_octets", &receivedBytes)
            w.u16("max_rx_time", &receivedTime)
        }
    }
}
