public import MeshWire

extension Resp {
    /// One group of counters since boot; the sub-type names it.
    ///
    /// Sent by the radio in answer to a command. Since 1.11. Source: `RESP_CODE_STATS` in companion_radio, 1.17.1.
    public struct Stats: ResponseFrame {
        public static let code = ResponseCode.stats

        /// The counters of one group.
        public enum Content: Equatable, Sendable {
            /// Battery, uptime, errors and queue.
            case core(CoreStats)
            /// Noise, last reception and airtimes.
            case radio(RadioStats)
            /// Packets sent and received.
            case packets(PacketStats)
            /// A sub-type that 1.17.1 does not have, with its bytes.
            case unknown(type: UInt8, [UInt8])
        }

        /// The group that was asked for.
        public var content: Content = .core(CoreStats())

        @inlinable public init() {}

        @inlinable
        public init(_ content: Content) {
            self.content = content
        }

        /// The sub-type in the frame: 0 core, 1 radio, 2 packets.
        @inlinable public var type: UInt8 {
            switch content {
            case .core: 0
            case .radio: 1
            case .packets: 2
            case .unknown(let type, _): type
            }
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            var type = self.type
            w.choice("stats_type", &type, known: 0...2)
            switch type {
            case 0:
                var part = if case .core(let part) = content { part } else { CoreStats() }
                w.group(&part)
                content = .core(part)
            case 1:
                var part = if case .radio(let part) = content { part } else { RadioStats() }
                w.group(&part)
                content = .radio(part)
            case 2:
                var part = if case .packets(let part) = content { part } else { PacketStats() }
                w.group(&part)
                content = .packets(part)
            default:
                var bytes = if case .unknown(_, let bytes) = content { bytes } else { [UInt8]() }
                w.rest("data", &bytes)
                content = .unknown(type: type, bytes)
            }
        }
    }
}

/// Battery, uptime, errors, queue. Source: CompanionStatements, CMP-208.
public struct CoreStats: FieldGroup {
    /// Battery voltage, in millivolts.
    public var battery: UInt16 = 0
    /// From the millisecond clock, so it wraps after 49.7 days.
    public var uptime: UInt32 = 0
    /// Bit 0 no packet buffer, bit 1 channel busy for too long, bit 2 receiver did not start.
    public var errorFlags: UInt16 = 0
    /// Packets that wait for transmission.
    public var queueLength: UInt8 = 0

    @inlinable public init() {}

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u16("battery", &battery, unit: .millivolts)
        w.u32("uptime", &uptime, unit: .seconds)
        w.u16("error_flags", &errorFlags, unit: .hex)
        w.u8("queue_len", &queueLength)
    }
}

/// Noise, last reception, airtimes. Source: CompanionStatements, CMP-208.
public struct RadioStats: FieldGroup {
    /// Noise floor, in dBm.
    public var noiseFloor: Int16 = 0
    /// Strength of the last packet received, in dBm.
    public var lastRSSI: Int8 = 0
    /// SNR of the last packet received, in quarter decibels.
    public var lastSNR: Int8 = 0
    /// Time spent sending, in seconds.
    public var txAir: UInt32 = 0
    /// Time spent receiving, in seconds.
    public var rxAir: UInt32 = 0

    @inlinable public init() {}

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.i16("noise_floor", &noiseFloor, unit: .decibelMilliwatts)
        w.i8("last_rssi", &lastRSSI, unit: .decibelMilliwatts)
        w.i8("last_snr", &lastSNR, unit: .quarterDecibels)
        w.u32("tx_air", &txAir, unit: .seconds)
        w.u32("rx_air", &rxAir, unit: .seconds)
    }
}

/// Packets sent and received, by route. Source: CompanionStatements, CMP-208, CMP-209.
public struct PacketStats: FieldGroup {
    /// Number of packets received.
    public var received: UInt32 = 0
    /// Packets sent.
    public var sent: UInt32 = 0
    /// Packets sent by flood.
    public var sentFlood: UInt32 = 0
    /// Packets sent direct.
    public var sentDirect: UInt32 = 0
    /// Number of packets received by flood.
    public var receivedFlood: UInt32 = 0
    /// Number of packets received by a direct route.
    public var receivedDirect: UInt32 = 0
    /// Packets with a wrong checksum.
    public var receiveErrors: UInt32?

    @inlinable public init() {}

    @inlinable
    public mutating func walk<W: FieldWalker>(_ w: inout W) {
        w.u32("recv", &received)
        w.u32("sent", &sent)
        w.u32("sent_flood", &sentFlood)
        w.u32("sent_direct", &sentDirect)
        w.u32("recv_flood", &receivedFlood)
        w.u32("recv_direct", &receivedDirect)
        w.tail("recv_errors", &receiveErrors, since: 9)
    }
}
