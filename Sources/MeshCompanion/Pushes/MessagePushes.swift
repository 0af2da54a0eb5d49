// Pushes: messages and the bare air.
public import MeshPacket
public import MeshWire

extension Push {
    /// The acknowledgement of a text arrived.
    ///
    /// Pushed by the radio, connected or not. Since 1.0. Source: `PUSH_CODE_SEND_CONFIRMED` in companion_radio,
    /// 1.17.1.
    public struct SendConfirmed: PushFrame {
        public static let code = PushCode.sendConfirmed

        /// The tag of SENT.
        public var ack: UInt32 = 0
        /// Since the text was queued.
        public var roundTrip: UInt32 = 0

        @inlinable public init() {}

        @inlinable
        public init(ack: UInt32, roundTrip: UInt32) {
            self.ack = ack
            self.roundTrip = roundTrip
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u32("ack", &ack, unit: .hex)
            w.u32("trip", &roundTrip, unit: .milliseconds)
        }
    }

    /// A message arrived, whether or not the queue had room for it. Never sent on connecting.
    ///
    /// Pushed by the radio, only while an app is connected. Since 1.0. Source: `PUSH_CODE_MSG_WAITING` in
    /// companion_radio, 1.17.1.
    public struct MsgWaiting: PushFrame, BareFrame {
        public static let code = PushCode.msgWaiting

        @inlinable public init() {}
    }

    /// A RAW_CUSTOM packet reached its last hop here.
    ///
    /// Pushed by the radio, only while an app is connected. Since 1.0. Source: `PUSH_CODE_RAW_DATA` in
    /// companion_radio, 1.17.1.
    public struct RawData: PushFrame {
        public static let code = PushCode.rawData

        /// The SNR with which the radio received the packet, in quarter decibels.
        public var snr: Int8 = 0
        /// The RSSI of the packet, in dBm.
        public var rssi: Int8 = 0
        /// 0xFF from all known releases; a reader ignores it.
        public var reserved: UInt8 = 0xFF
        /// The bytes of the application, at most 172.
        public var payload: [UInt8] = []

        @inlinable public init() {}

        @inlinable
        public init(snr: Int8, rssi: Int8, reserved: UInt8 = 0xFF, payload: [UInt8]) {
            self.snr = snr
            self.rssi = rssi
            self.reserved = reserved
            self.payload = payload
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.i8("snr", &snr, unit: .quarterDecibels)
            w.i8("rssi", &rssi, unit: .decibelMilliwatts)
            w.u8("reserved", &reserved, unit: .hex)
            w.rest("payload", &payload, atMost: 172)
        }
    }

    /// A packet as the radio received it, before it is interpreted; ahead of all pushes that it causes.
    ///
    /// Packets of more than 173 bytes are left out, not cut.
    ///
    /// Pushed by the radio, only while an app is connected. Since 1.2.2. Source: `PUSH_CODE_LOG_RX_DATA` in
    /// companion_radio, 1.17.1.
    public struct LogRxData: PushFrame {
        public static let code = PushCode.logRxData

        /// The SNR with which the radio received the packet, in quarter decibels.
        public var snr: Int8 = 0
        /// Wraps below -128.
        public var rssi: Int8 = 0
        /// The packet as it was on the air, at most 173 bytes.
        public var raw: [UInt8] = []

        @inlinable public init() {}

        @inlinable
        public init(snr: Int8, rssi: Int8, raw: [UInt8]) {
            self.snr = snr
            self.rssi = rssi
            self.raw = raw
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.i8("snr", &snr, unit: .quarterDecibels)
            w.i8("rssi", &rssi, unit: .decibelMilliwatts)
            w.rest("raw", &raw, atMost: 173)
        }
    }

    /// A trace that has visited its whole path and is received here, whichever node started it.
    ///
    /// Pushed by the radio, only while an app is connected. Since 1.4. Source: `PUSH_CODE_TRACE_DATA` in
    /// companion_radio, 1.17.1.
    public struct TraceData: PushFrame {
        public static let code = PushCode.traceData

        /// 0 from all known releases; a reader ignores it.
        public var reserved: UInt8 = 0
        /// Bytes of path hashes, not hops.
        public var pathLength: UInt8 = 0
        /// Bits 0 and 1: the hash of a node has 1, 2, 4 or 8 bytes.
        public var flags: UInt8 = 0
        /// The tag of the command that started the trace.
        public var tag: UInt32 = 0
        /// The number for authentication that the command gave.
        public var auth: UInt32 = 0
        /// The hashes of the nodes visited, in order of travel.
        public var pathHashes: [UInt8] = []
        /// The SNR with which each node received it.
        public var pathSNRs: [HopSNR] = []
        /// The SNR with which this radio received it.
        public var finalSNR: Int8 = 0

        @inlinable public init() {}

        @inlinable
        public init(
            reserved: UInt8 = 0, pathLength: UInt8, flags: UInt8, tag: UInt32, auth: UInt32, pathHashes: [UInt8],
            pathSNRs: [HopSNR], finalSNR: Int8
        ) {
            self.reserved = reserved
            self.pathLength = pathLength
            self.flags = flags
            self.tag = tag
            self.auth = auth
            self.pathHashes = pathHashes
            self.pathSNRs = pathSNRs
            self.finalSNR = finalSNR
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.u8("reserved", &reserved)
            w.u8("path_len", &pathLength, unit: .bytes)
            w.u8("flags", &flags)
            w.u32("tag", &tag, unit: .hex)
            w.u32("auth", &auth, unit: .hex)
            w.bytes("path_hashes", &pathHashes, count: Int(pathLength))
            w.list("path_snrs", &pathSNRs, size: 1, count: Int(pathLength) >> Int(flags & 3))
            w.i8("final_snr", &finalSNR, unit: .quarterDecibels)
        }
    }

    /// A CONTROL packet from a neighbour, its first byte 80 or more.
    ///
    /// Pushed by the radio, only while an app is connected. Since 1.10. Source: `PUSH_CODE_CONTROL_DATA` in
    /// companion_radio, 1.17.1.
    public struct ControlData: PushFrame {
        public static let code = PushCode.controlData

        /// The SNR with which the radio received the packet, in quarter decibels.
        public var snr: Int8 = 0
        /// The RSSI of the packet, in dBm.
        public var rssi: Int8 = 0
        /// 0 in this release.
        public var pathLength: PathLength = .empty
        /// The payload from its sub-type on, at most 172 bytes.
        public var payload: [UInt8] = []

        @inlinable public init() {}

        @inlinable
        public init(snr: Int8, rssi: Int8, pathLength: PathLength = .empty, payload: [UInt8]) {
            self.snr = snr
            self.rssi = rssi
            self.pathLength = pathLength
            self.payload = payload
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.i8("snr", &snr, unit: .quarterDecibels)
            w.i8("rssi", &rssi, unit: .decibelMilliwatts)
            w.raw("path_len", &pathLength)
            w.rest("payload", &payload, atMost: 172)
        }
    }
}
