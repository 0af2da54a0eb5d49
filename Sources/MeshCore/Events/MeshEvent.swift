public import MeshCompanion
public import MeshPacket
public import MeshWire

/// What comes from a radio, and what happens to the link to it.
///
/// One case for each response and push; the values are the frames of `MeshCompanion`, which describe the bytes.
public enum MeshEvent: Equatable, Sendable {
    case connectionStateChanged(ConnectionState)

    // Outcomes
    /// `value` is what some firmware sends behind the code; the radio's plain OK has none.
    case ok(value: UInt32?)
    case error(ErrorCode?)
    case disabled
    case messageSent(Resp.Sent)

    // The radio itself
    case selfInfo(Resp.SelfInfo)
    case deviceInfo(Resp.DeviceInfo)
    case battery(Resp.BattAndStorage)
    /// Seconds since 1970 by the radio's clock.
    case currentTime(UInt32)
    case customVars(ByteText)
    case channelInfo(Resp.ChannelInfo)
    case statsCore(CoreStats)
    case statsRadio(RadioStats)
    case statsPackets(PacketStats)
    case autoAddConfig(Resp.AutoaddConfig)
    case defaultFloodScope(FloodScope?)
    case allowedRepeatFreq([FrequencyRange])
    case tuningParams(Resp.TuningParams)
    case privateKey(FixedBytes<64>)
    case signStart(maxLength: UInt32)
    case signature(FixedBytes<64>)

    // Contacts
    /// The contacts of the whole table, whatever part of it follows.
    case contactsStart(count: UInt32)
    case contact(ContactRecord)
    case contactsEnd(lastModified: UInt32)
    case newContact(ContactRecord)
    case contactDeleted(publicKey: FixedBytes<32>)
    case contactsFull
    /// An advert packet to pass on; `ContactCard` makes a link of it.
    case exportedContact([UInt8])
    case advertPath(Resp.AdvertPath)
    case advertisement(publicKey: FixedBytes<32>)
    case pathUpdate(publicKey: FixedBytes<32>)

    // Messages
    case contactMessageReceived(ReceivedContactMessage)
    case channelMessageReceived(ReceivedChannelMessage)
    case channelDataReceived(Resp.ChannelDataRecv)
    case noMoreMessages
    case messagesWaiting
    /// `tripTime` in milliseconds, where the radio says it.
    case acknowledgement(code: UInt32, tripTime: UInt32?)

    // Other nodes
    case loginSuccess(Push.LoginSuccess)
    case loginFailed(publicKeyPrefix: FixedBytes<6>)
    case statusResponse(Push.StatusResponse)
    case telemetryResponse(Push.TelemetryResponse)
    case binaryResponse(tag: UInt32, data: [UInt8])
    case pathResponse(Push.PathDiscoveryResponse)
    case traceData(Push.TraceData)

    // The air
    case rawData(Push.RawData)
    /// A packet that the radio heard, when its header makes sense.
    case rxLogData(ReceivedPacketLog)
    /// A packet that the radio heard and that is none that this release reads.
    case logData(Push.LogRxData)
    case controlData(Push.ControlData)
    case discoverResponse(Push.ControlData, DiscoverResponse)

    // What makes no sense here
    /// A frame, or a part of one, that this release does not know, with all its bytes.
    case unknown([UInt8])
    /// A frame that cannot be read, with all its bytes.
    case parseFailure([UInt8], FrameError)
}

/// A text from a contact, in whichever of its two layouts it came.
public struct ReceivedContactMessage: Hashable, Sendable {
    public var message: ContactMessage
    /// In quarter decibels; the old layout has none.
    public var snr: Int8?

    public init(message: ContactMessage, snr: Int8?) {
        self.message = message
        self.snr = snr
    }
}

/// A text on a channel, in whichever of its two layouts it came.
public struct ReceivedChannelMessage: Hashable, Sendable {
    public var message: ChannelMessage
    /// In quarter decibels; the old layout has none.
    public var snr: Int8?

    public init(message: ChannelMessage, snr: Int8?) {
        self.message = message
        self.snr = snr
    }
}

/// A packet as the radio heard it, with how it heard it.
public struct ReceivedPacketLog: Equatable, Sendable {
    /// SNR, RSSI and the bytes.
    public var log: Push.LogRxData
    public var packet: PacketView

    public init(log: Push.LogRxData, packet: PacketView) {
        self.log = log
        self.packet = packet
    }
}
