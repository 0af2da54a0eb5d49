public import MeshCompanion
public import MeshPacket
public import MeshWire

/// A frame that comes from a radio, or a change of the link to it.
///
/// One case for each response and push; the values are the frames of `MeshCompanion`, which describe the bytes.
public enum MeshEvent: Equatable, Sendable {
    /// The link opened, was lost, is being opened again or failed.
    case connectionStateChanged(ConnectionState)

    // Outcomes
    /// An OK; `value` is the number that some firmware sends after the code, and the radio's plain OK has none.
    case ok(value: UInt32?)
    /// The radio refused; nil from radios of level 2, which give no code.
    case error(ErrorCode?)
    case disabled
    /// A message or request is in the radio's queue, with its tag and time limit.
    case messageSent(Resp.Sent)

    // The radio itself
    /// The node's own settings.
    case selfInfo(Resp.SelfInfo)
    /// The radio's description of itself.
    case deviceInfo(Resp.DeviceInfo)
    /// Battery and storage.
    case battery(Resp.BattAndStorage)
    /// Seconds since 1970 by the radio's clock.
    case currentTime(UInt32)
    /// The variables of the board's sensors, as `name:value` with commas between them.
    case customVars(ByteText)
    /// A channel slot.
    case channelInfo(Resp.ChannelInfo)
    /// Battery, uptime, errors and queue.
    case statsCore(CoreStats)
    /// Noise, last reception and airtimes.
    case statsRadio(RadioStats)
    /// Packets sent and received.
    case statsPackets(PacketStats)
    /// The rules by which nodes become contacts by themselves.
    case autoAddConfig(Resp.AutoaddConfig)
    /// The stored flood scope; nil when there is none.
    case defaultFloodScope(FloodScope?)
    /// The frequencies on which a companion may repeat.
    case allowedRepeatFreq([FrequencyRange])
    /// Receive delay and duty cycle.
    case tuningParams(Resp.TuningParams)
    /// The private key, 64 bytes.
    case privateKey(FixedBytes<64>)
    /// The radio is ready for the data of a signature, up to this number of bytes.
    case signStart(maxLength: UInt32)
    /// A signature, 64 bytes.
    case signature(FixedBytes<64>)
    /// An answer of the radio's command line.
    case cliReply(ByteText)

    // Contacts
    /// The number of contacts of the whole table; a part of them may follow.
    case contactsStart(count: UInt32)
    /// One contact of a listing, or the one that was asked for.
    case contact(ContactRecord)
    /// A listing is complete; `lastModified` is the watermark for the next one.
    case contactsEnd(lastModified: UInt32)
    /// An advert of a node that was not stored.
    case newContact(ContactRecord)
    /// A contact was overwritten to make room.
    case contactDeleted(publicKey: FixedBytes<32>)
    case contactsFull
    /// An advert packet to pass on; `ContactCard` makes a link of it.
    case exportedContact([UInt8])
    /// The way that the last advert of a node came.
    case advertPath(Resp.AdvertPath)
    /// An advert of a contact was accepted.
    case advertisement(publicKey: FixedBytes<32>)
    /// The path to a contact was replaced.
    case pathUpdate(publicKey: FixedBytes<32>)

    // Messages
    /// A text from a contact.
    case contactMessageReceived(ReceivedContactMessage)
    /// A text on a channel.
    case channelMessageReceived(ReceivedChannelMessage)
    /// A datagram on a channel.
    case channelDataReceived(Resp.ChannelDataRecv)
    case noMoreMessages
    case messagesWaiting
    /// `tripTime` in milliseconds, where the radio says it.
    case acknowledgement(code: UInt32, tripTime: UInt32?)

    // Other nodes
    /// A server let the node in.
    case loginSuccess(Push.LoginSuccess)
    /// A server did not let the node in; the first 6 bytes of its key.
    case loginFailed(publicKeyPrefix: FixedBytes<6>)
    /// The status record of a server.
    case statusResponse(Push.StatusResponse)
    /// Telemetry of a contact, or of the radio itself.
    case telemetryResponse(Push.TelemetryResponse)
    /// The answer to a binary or anonymous request, by its tag.
    case binaryResponse(tag: UInt32, data: [UInt8])
    /// The paths in both directions between here and a contact.
    case pathResponse(Push.PathDiscoveryResponse)
    /// A trace has visited its whole path.
    case traceData(Push.TraceData)

    // The air
    /// Bytes of another application.
    case rawData(Push.RawData)
    /// A packet that the radio heard, when its header makes sense.
    case rxLogData(ReceivedPacketLog)
    /// A packet that the radio heard and that is none that this release reads.
    case logData(Push.LogRxData)
    /// A CONTROL packet from a neighbour that is no answer to a discovery.
    case controlData(Push.ControlData)
    /// A neighbour answered a discovery; first how the packet was heard.
    case discoverResponse(Push.ControlData, DiscoverResponse)

    // What makes no sense here
    /// A frame, or a part of one, that this release does not know, with all its bytes.
    case unknown([UInt8])
    /// A frame that cannot be read, with all its bytes.
    case parseFailure([UInt8], FrameError)
}

/// A text from a contact, in either of its two layouts.
public struct ReceivedContactMessage: Hashable, Sendable {
    /// The content of the frame, without the signal of its packet.
    public var message: ContactMessage
    /// The SNR in quarter decibels; the old layout has none.
    public var snr: Int8?

    public init(message: ContactMessage, snr: Int8?) {
        self.message = message
        self.snr = snr
    }
}

/// A text on a channel, in either of its two layouts.
public struct ReceivedChannelMessage: Hashable, Sendable {
    /// The content of the frame, without the signal of its packet.
    public var message: ChannelMessage
    /// The SNR in quarter decibels; the old layout has none.
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
    /// The packet, its lengths checked.
    public var packet: PacketView

    public init(log: Push.LogRxData, packet: PacketView) {
        self.log = log
        self.packet = packet
    }
}
