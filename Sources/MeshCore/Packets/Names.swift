public import MeshCompanion
public import MeshPacket
public import MeshWire

// The names that apps written for PocketMesh expect, for what other modules already have. One file, aliases only.
// Source: ServiceStack, "Names that apps expect".

/// PocketMesh's name for the node's own settings.
public typealias SelfInfo = Resp.SelfInfo
/// PocketMesh's name for the radio's description.
public typealias DeviceInfo = Resp.DeviceInfo
/// PocketMesh's other name for the radio's description.
public typealias DeviceCapabilities = Resp.DeviceInfo
/// PocketMesh's name for a channel slot.
public typealias ChannelInfo = Resp.ChannelInfo
/// PocketMesh's name for the radio's receipt of a message.
public typealias SentResponse = Resp.Sent
/// PocketMesh's other name for the radio's receipt of a message.
public typealias MessageSentInfo = Resp.Sent
/// PocketMesh's name for battery and storage.
public typealias BatteryInfo = Resp.BattAndStorage
/// PocketMesh's name for the auto-add rules.
public typealias AutoAddConfig = Resp.AutoaddConfig
/// PocketMesh's name for the way that an advert came.
public typealias AdvertPathResponse = Resp.AdvertPath
/// PocketMesh's name for receive delay and duty cycle.
public typealias TuningParamsResponse = Resp.TuningParams
/// PocketMesh's name for the result of a trace.
public typealias TraceInfo = Push.TraceData
/// PocketMesh's name for the ways to and from a contact.
public typealias PathInfo = Push.PathDiscoveryResponse
/// PocketMesh's name for bytes of another application.
public typealias RawDataInfo = Push.RawData
/// PocketMesh's name for a CONTROL packet.
public typealias ControlDataInfo = Push.ControlData
/// PocketMesh's name for a datagram on a channel.
public typealias ChannelDatagram = Resp.ChannelDataRecv
/// PocketMesh's name for a contact as frames carry it.
public typealias ContactFrame = ContactRecord
/// PocketMesh's other name for a contact.
public typealias MeshContact = ContactRecord
/// PocketMesh's name for a text from a contact.
public typealias MessageFrame = ReceivedContactMessage
/// PocketMesh's name for a text on a channel.
public typealias ChannelMessageFrame = ReceivedChannelMessage
/// PocketMesh's name for one measured value.
public typealias LPPDataPoint = LPPRecord

/// The codec that apps written for PocketMesh expect: `PacketBuilder` and `PacketParser` under one name.
public enum FrameCodec {
    /// The frame of `DeviceQuery`, which requests the radio's description and has the app's protocol version.
    public static func encodeDeviceQuery(protocolVersion: UInt8) -> [UInt8] {
        PacketBuilder.deviceQuery(version: protocolVersion)
    }

    /// The frame of `SendTxtMsg`, a text to one contact.
    public static func encodeSendTextMessage(
        textType: TextType = .plain, attempt: UInt8, timestamp: UInt32, recipientKeyPrefix: FixedBytes<6>, text: String
    ) -> [UInt8] {
        SendTxtMsg(
            textType: textType, attempt: attempt, timestamp: timestamp, publicKeyPrefix: recipientKeyPrefix,
            text: ByteText(text)
        )
        .encoded()
    }

    /// The frame of `AddUpdateContact`, which stores a contact as given.
    public static func encodeAddUpdateContact(_ contact: MeshContact) -> [UInt8] {
        PacketBuilder.updateContact(contact)
    }

    /// The frame of `SetChannel`, which writes one channel slot.
    public static func encodeSetChannel(_ channel: ChannelInfo) -> [UInt8] {
        SetChannel(channelIndex: channel.channelIndex, name: channel.name, secret: channel.secret).encoded()
    }

    /// The frame of `SendLogin`, which logs in to a server.
    public static func encodeSendLogin(recipientKey: FixedBytes<32>, password: String) -> [UInt8] {
        PacketBuilder.sendLogin(to: recipientKey, password: password)
    }

    /// Reads DEVICE_INFO; throws when the frame is another or is cut.
    public static func decodeDeviceInfo(from frame: [UInt8]) throws(FrameError) -> DeviceInfo {
        try decoded(frame) { if case .deviceInfo(let info) = $0 { info } else { nil } }
    }

    /// Reads SELF_INFO; throws when the frame is another or is cut.
    public static func decodeSelfInfo(from frame: [UInt8]) throws(FrameError) -> SelfInfo {
        try decoded(frame) { if case .selfInfo(let info) = $0 { info } else { nil } }
    }

    /// Reads CONTACT; throws when the frame is another or is cut.
    public static func decodeContactFrame(from frame: [UInt8]) throws(FrameError) -> ContactFrame {
        try decoded(frame) { if case .contact(let record) = $0 { record } else { nil } }
    }

    /// Reads a text from a contact, in either layout; throws when the frame is another or is cut.
    public static func decodeMessageV3(from frame: [UInt8]) throws(FrameError) -> MessageFrame {
        try decoded(frame) { if case .contactMessageReceived(let message) = $0 { message } else { nil } }
    }

    /// Reads CHANNEL_INFO; throws when the frame is another or is cut.
    public static func decodeChannelInfo(from frame: [UInt8]) throws(FrameError) -> ChannelInfo {
        try decoded(frame) { if case .channelInfo(let info) = $0 { info } else { nil } }
    }

    private static func decoded<T>(_ frame: [UInt8], _ pick: (MeshEvent) -> T?) throws(FrameError) -> T {
        let event = PacketParser.parse(frame)
        if let value = pick(event) { return value }
        if case .parseFailure(_, let error) = event { throw error }
        throw FrameError(field: "code", offset: 0, reason: .unknownCode(frame.first ?? 0))
    }
}

/// The telemetry decoder that apps written for PocketMesh expect.
public enum LPPDecoder {
    /// The records up to the first that is cut or of a type without a layout.
    public static func decode(_ bytes: [UInt8]) -> [LPPDataPoint] {
        [LPPDataPoint](LPPReader(bytes).prefix { $0.type.isKnown })
    }
}
