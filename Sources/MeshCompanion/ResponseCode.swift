/// The first byte of a frame with which the radio answers a command: the firmware's `RESP_CODE_` constants.
public enum ResponseCode: UInt8, CaseIterable, Hashable, Sendable {
    case ok = 0
    case err = 1
    case contactsStart = 2
    case contact = 3
    case endOfContacts = 4
    case selfInfo = 5
    case sent = 6
    case contactMsgRecv = 7
    case channelMsgRecv = 8
    case currTime = 9
    case noMoreMessages = 10
    case exportContact = 11
    case battAndStorage = 12
    case deviceInfo = 13
    case privateKey = 14
    case disabled = 15
    case contactMsgRecvV3 = 16
    case channelMsgRecvV3 = 17
    case channelInfo = 18
    case signStart = 19
    case signature = 20
    case customVars = 21
    case advertPath = 22
    case tuningParams = 23
    case stats = 24
    case autoaddConfig = 25
    case allowedRepeatFreq = 26
    case channelDataRecv = 27
    case defaultFloodScope = 28
    case cliReply = 29
}

extension ResponseCode {
    /// The constant as the firmware spells it: `RESP_CODE_SELF_INFO`. One lacks the `CODE_`.
    public var wireName: String {
        (self == .allowedRepeatFreq ? "RESP_" : "RESP_CODE_") + constantName("\(self)")
    }
}
