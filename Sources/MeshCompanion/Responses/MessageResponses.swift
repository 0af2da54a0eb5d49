// Responses: received messages, one a frame.
public import MeshPacket
public import MeshWire

extension Resp {
    /// A text from a contact, as queued while the app's version was below 3.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_CONTACT_MSG_RECV` in
    /// companion_radio, 1.17.1.
    public struct ContactMsgRecv: ResponseFrame {
        public static let code = ResponseCode.contactMsgRecv

        /// Sender, time and text.
        public var message: ContactMessage = ContactMessage()

        @inlinable public init() {}

        @inlinable
        public init(message: ContactMessage) {
            self.message = message
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.group(&message)
        }
    }

    /// A text from a contact, with the SNR of its packet.
    ///
    /// Sent by the radio in answer to a command. Since 1.4. Source: `RESP_CODE_CONTACT_MSG_RECV_V3` in
    /// companion_radio, 1.17.1.
    public struct ContactMsgRecvV3: ResponseFrame {
        public static let code = ResponseCode.contactMsgRecvV3

        /// The SNR with which the radio received the packet, in quarter decibels.
        public var snr: Int8 = 0
        /// Two bytes, 0 from all known releases.
        public var reserved: FixedBytes<2> = FixedBytes()
        /// Sender, time and text.
        public var message: ContactMessage = ContactMessage()

        @inlinable public init() {}

        @inlinable
        public init(snr: Int8, reserved: FixedBytes<2> = FixedBytes(), message: ContactMessage) {
            self.snr = snr
            self.reserved = reserved
            self.message = message
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.i8("snr", &snr, unit: .quarterDecibels)
            w.fixed("reserved", &reserved)
            w.group(&message)
        }
    }

    /// A text on a channel, as queued while the app's version was below 3.
    ///
    /// Sent by the radio in answer to a command. Since 1.0. Source: `RESP_CODE_CHANNEL_MSG_RECV` in
    /// companion_radio, 1.17.1.
    public struct ChannelMsgRecv: ResponseFrame {
        public static let code = ResponseCode.channelMsgRecv

        /// Channel, time and text.
        public var message: ChannelMessage = ChannelMessage()

        @inlinable public init() {}

        @inlinable
        public init(message: ChannelMessage) {
            self.message = message
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.group(&message)
        }
    }

    /// A text on a channel, with the SNR of its packet.
    ///
    /// Sent by the radio in answer to a command. Since 1.4. Source: `RESP_CODE_CHANNEL_MSG_RECV_V3` in
    /// companion_radio, 1.17.1.
    public struct ChannelMsgRecvV3: ResponseFrame {
        public static let code = ResponseCode.channelMsgRecvV3

        /// The SNR with which the radio received the packet, in quarter decibels.
        public var snr: Int8 = 0
        /// Two bytes, 0 from all known releases.
        public var reserved: FixedBytes<2> = FixedBytes()
        /// Channel, time and text.
        public var message: ChannelMessage = ChannelMessage()

        @inlinable public init() {}

        @inlinable
        public init(snr: Int8, reserved: FixedBytes<2> = FixedBytes(), message: ChannelMessage) {
            self.snr = snr
            self.reserved = reserved
            self.message = message
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.i8("snr", &snr, unit: .quarterDecibels)
            w.fixed("reserved", &reserved)
            w.group(&message)
        }
    }

    /// A datagram on a channel, whatever the app's version.
    ///
    /// Sent by the radio in answer to a command. Since 1.15. Source: `RESP_CODE_CHANNEL_DATA_RECV` in
    /// companion_radio, 1.17.1.
    public struct ChannelDataRecv: ResponseFrame {
        public static let code = ResponseCode.channelDataRecv

        /// The SNR with which the radio received the packet, in quarter decibels.
        public var snr: Int8 = 0
        /// Two bytes, 0 from all known releases.
        public var reserved: FixedBytes<2> = FixedBytes()
        /// Slot of the channel, counted from 0.
        public var channelIndex: UInt8 = 0
        /// FF: not a flood.
        public var pathLength: PathLength = .empty
        /// The kind of data that the application sends.
        public var dataType: UInt16 = 0
        /// The number of bytes of data that follow, 0 to 167.
        public var dataLength: UInt8 = 0
        /// The bytes of the application.
        public var data: [UInt8] = []

        @inlinable public init() {}

        @inlinable
        public init(
            snr: Int8, reserved: FixedBytes<2> = FixedBytes(), channelIndex: UInt8, pathLength: PathLength = .empty,
            dataType: UInt16, dataLength: UInt8, data: [UInt8]
        ) {
            self.snr = snr
            self.reserved = reserved
            self.channelIndex = channelIndex
            self.pathLength = pathLength
            self.dataType = dataType
            self.dataLength = dataLength
            self.data = data
        }

        @inlinable
        public mutating func walk<W: FieldWalker>(_ w: inout W) {
            w.i8("snr", &snr, unit: .quarterDecibels)
            w.fixed("reserved", &reserved)
            w.u8("channel_idx", &channelIndex)
            w.raw("path_len", &pathLength)
            w.u16("data_type", &dataType, unit: .hex)
            w.u8("data_len", &dataLength, unit: .bytes, in: 0...167)
            w.bytes("data", &data, count: Int(dataLength))
        }
    }
}
