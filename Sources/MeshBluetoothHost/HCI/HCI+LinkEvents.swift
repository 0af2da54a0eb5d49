public import MeshWire

// What a controller says of connections, of its buffers and of itself.

extension HCI {
    /// Fragments have left the controller, and there is room for as many more.
    public struct CompletedPackets: FieldGroup, Hashable {
        /// At most 63 in one event.
        public var links: [CompletedCount] = []

        public init() {}

        public init(_ links: [CompletedCount]) {
            self.links = links
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            var count = UInt8(clamping: links.count)
            w.u8("num_handles", &count)
            w.list("links", &links, size: 4, count: Int(count))
        }
    }

    /// The fragments of one connection that have left the controller.
    public struct CompletedCount: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        public var handle: UInt16 = 0
        /// Since the last such event.
        public var count: UInt16 = 0

        public init() {}

        public init(handle: UInt16, count: UInt16) {
            (self.handle, self.count) = (handle, count)
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.u16("num_completed", &count)
        }
    }

    /// What the other side's controller is.
    public struct RemoteVersion: FieldGroup, Hashable {
        /// 0 when it is known; else the controller's error code.
        public var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
        public var handle: UInt16 = 0
        /// 6 is Bluetooth 4.0, 9 is 5.0.
        public var version: UInt8 = 0
        /// The vendor, as Bluetooth numbers them.
        public var manufacturer: UInt16 = 0
        /// The vendor's.
        public var subversion: UInt16 = 0

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.u8("version", &version)
            w.u16("manufacturer", &manufacturer)
            w.u16("subversion", &subversion, unit: .hex)
        }
    }

    /// The controller is broken.
    public struct HardwareError: FieldGroup, Hashable {
        /// The vendor's.
        public var code: UInt8 = 0

        public init() {}

        public init(_ code: UInt8) {
            self.code = code
        }

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("hardware_code", &code, unit: .hex)
        }
    }

    /// A connection has other intervals.
    public struct ConnectionUpdated: FieldGroup, Hashable {
        /// 0 when it has; else the controller's error code.
        public var status: UInt8 = 0
        /// The Connection_Handle, 0 to 0x0EFF.
        public var handle: UInt16 = 0
        /// In units of 1.25 ms.
        public var interval: UInt16 = 0
        /// Events of the connection that the peripheral may leave out.
        public var latency: UInt16 = 0
        /// In units of 10 ms.
        public var timeout: UInt16 = 0

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("status", &status, unit: .hex)
            w.u16("handle", &handle, unit: .hex)
            w.u16("interval", &interval)
            w.u16("latency", &latency)
            w.u16("timeout", &timeout)
        }
    }

    /// The central wants to encrypt, and the peripheral's controller needs the key.
    public struct LongTermKeyRequest: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        public var handle: UInt16 = 0
        /// As the peripheral gave it out with the key; 0 after Secure Connections.
        public var random: UInt64 = 0
        /// As the peripheral gave it out with the key (EDIV); 0 after Secure Connections.
        public var diversifier: UInt16 = 0

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.integer(Field("random_number", unit: .hex), &random, in: nil)
            w.u16("encrypted_diversifier", &diversifier, unit: .hex)
        }
    }

    /// The other side asks for other intervals.
    public struct ConnectionParameterRequest: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        public var handle: UInt16 = 0
        /// In units of 1.25 ms, 6 to 3200.
        public var shortestInterval: UInt16 = 0
        /// In units of 1.25 ms; not below the shortest.
        public var longestInterval: UInt16 = 0
        /// Events of the connection that the peripheral may leave out, 0 to 499.
        public var latency: UInt16 = 0
        /// In units of 10 ms, 10 to 3200.
        public var timeout: UInt16 = 0

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.u16("interval_min", &shortestInterval)
            w.u16("interval_max", &longestInterval)
            w.u16("latency", &latency)
            w.u16("timeout", &timeout)
        }
    }

    /// Packets on the air may have another length.
    public struct DataLengthChange: FieldGroup, Hashable {
        /// The Connection_Handle, 0 to 0x0EFF.
        public var handle: UInt16 = 0
        /// Of this side, in bytes.
        public var sentBytes: UInt16 = 27
        /// Of this side, in microseconds.
        public var sentTime: UInt16 = 328
        /// Of the other side, in bytes.
        public var receivedBytes: UInt16 = 27
        /// Of the other side, in microseconds.
        public var receivedTime: UInt16 = 328

        public init() {}

        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u16("handle", &handle, unit: .hex)
            w.u16("max_tx_octets", &sentBytes)
            w.u16("max_tx_time", &sentTime)
            w.u16("max_rx_octets", &receivedBytes)
            w.u16("max_rx_time", &receivedTime)
        }
    }
}
