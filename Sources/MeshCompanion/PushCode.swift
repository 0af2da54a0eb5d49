/// The first byte of a frame that the radio sends of its own accord: the firmware's `PUSH_CODE_` constants.
public enum PushCode: UInt8, CaseIterable, Hashable, Sendable {
    case advert = 0x80
    case pathUpdated = 0x81
    case sendConfirmed = 0x82
    case msgWaiting = 0x83
    case rawData = 0x84
    case loginSuccess = 0x85
    case loginFail = 0x86
    case statusResponse = 0x87
    case logRxData = 0x88
    case traceData = 0x89
    case newAdvert = 0x8A
    case telemetryResponse = 0x8B
    case binaryResponse = 0x8C
    case pathDiscoveryResponse = 0x8D
    case controlData = 0x8E
    case contactDeleted = 0x8F
    case contactsFull = 0x90
}

extension PushCode {
    /// The constant as the firmware spells it: `PUSH_CODE_MSG_WAITING`.
    public var wireName: String { "PUSH_CODE_" + constantName("\(self)") }
}
