public import MeshCompanion
public import MeshPacket
public import MeshWire

// The names that apps written for PocketMesh expect, for what other modules already have. One file, aliases only.
// Source: ServiceStack, "Names that apps expect".

public typealias SelfInfo = Resp.SelfInfo
public typealias DeviceInfo = Resp.DeviceInfo
public typealias DeviceCapabilities = Resp.DeviceInfo
public typealias ChannelInfo = Resp.ChannelInfo
public typealias SentResponse = Resp.Sent
public typealias MessageSentInfo = Resp.Sent
public typealias BatteryInfo = Resp.BattAndStorage
public typealias AutoAddConfig = Resp.AutoaddConfig
public typealias AdvertPathResponse = Resp.AdvertPath
public typealias TuningParamsResponse = Resp.TuningParams
public typealias TraceInfo = Push.TraceData
public typealias PathInfo = Push.PathDiscoveryResponse
public typealias RawDataInfo = Push.RawData
public typealias ControlDataInfo = Push.ControlData
public typealias ChannelDatagram = Resp.ChannelDataRecv
public typealias ContactFrame = ContactRecord
public typealias MeshContact = ContactRecord
public typealias MessageFrame = ReceivedContactMessage
public typealias ChannelMessageFrame = ReceivedChannelMessage
public typealias LPPDataPoint = LPPRecord

/// The codec that apps written for PocketMesh expect: `PacketBuilder` and `PacketParser` under one name.
public enum FrameCodec {
    public static func encodeDeviceQuery(protocolVersion: UInt8) -> [UInt8] {
        PacketBuilder.deviceQuery(version: protocolVersion)
    }

    public static func encodeSendTextMessage(
        textType: TextType = .plain, attempt: UInt8, timestamp: UInt32, recipientKeyPrefix: FixedBytes<6>, text: String
    ) -> [UInt8] {
        SendTxtMsg(
            textType: textType, attempt: attempt, timestamp: timestamp, publicKeyPrefix: recipientKeyPrefix,
            text: ByteText(text)
        )
        .encoded()
    }

    public static func encodeAddUpdateContact(_ contact: MeshContact) -> [UInt8] {
        PacketBuilder.updateContact(contact)
    }

    public static func encodeSetChannel(_ channel: ChannelInfo) -> [UInt8] {
        SetChannel(channelIndex: channel.channelIndex, name: channel.name, secret: channel.secret).encoded()
    }

    public static func encodeSendLogin(recipientKey: FixedBytes<32>, password: String) -> [UInt8] {
        PacketBuilder.sendLogin(to: recipientKey, password: password)
    }

    public static func decodeDeviceInfo(from frame: [UInt8]) throws(FrameError) -> DeviceInfo {
        try decoded(frame) { if case .deviceInfo(let info) = $0 { info } else { nil } }
    }

    public static func decodeSelfInfo(from frame: [UInt8]) throws(FrameError) -> SelfInfo {
        try decoded(frame) { if case .selfInfo(let info) = $0 { info } else { nil } }
    }

    public static func decodeContactFrame(from frame: [UInt8]) throws(FrameError) -> ContactFrame {
        try decoded(frame) { if case .contact(let record) = $0 { record } else { nil } }
    }

    public static func decodeMessageV3(from frame: [UInt8]) throws(FrameError) -> MessageFrame {
        try decoded(frame) { if case .contactMessageReceived(let message) = $0 { message } else { nil } }
    }

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
