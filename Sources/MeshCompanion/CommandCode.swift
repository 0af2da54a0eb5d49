/// The first byte of a frame from the app: the code of its command.
///
/// The firmware's `CMD_` constants in lower camel case. 0, 44 to 49, 53 and 67 to 255 are no commands in 1.18; the
/// row of a command has its first version.
public enum CommandCode: UInt8, CaseIterable, Hashable, Sendable {
    case appStart = 1
    case sendTxtMsg = 2
    case sendChannelTxtMsg = 3
    case getContacts = 4
    case getDeviceTime = 5
    case setDeviceTime = 6
    case sendSelfAdvert = 7
    case setAdvertName = 8
    case addUpdateContact = 9
    case syncNextMessage = 10
    case setRadioParams = 11
    case setRadioTxPower = 12
    case resetPath = 13
    case setAdvertLatlon = 14
    case removeContact = 15
    case shareContact = 16
    case exportContact = 17
    case importContact = 18
    case reboot = 19
    case getBattAndStorage = 20
    case setTuningParams = 21
    case deviceQuery = 22
    case exportPrivateKey = 23
    case importPrivateKey = 24
    case sendRawData = 25
    case sendLogin = 26
    case sendStatusReq = 27
    case hasConnection = 28
    case logout = 29
    case getContactByKey = 30
    case getChannel = 31
    case setChannel = 32
    case signStart = 33
    case signData = 34
    case signFinish = 35
    case sendTracePath = 36
    case setDevicePin = 37
    case setOtherParams = 38
    case sendTelemetryReq = 39
    case getCustomVars = 40
    case setCustomVar = 41
    case getAdvertPath = 42
    case getTuningParams = 43
    case sendBinaryReq = 50
    case factoryReset = 51
    case sendPathDiscoveryReq = 52
    case setFloodScopeKey = 54
    case sendControlData = 55
    case getStats = 56
    case sendAnonReq = 57
    case setAutoaddConfig = 58
    case getAutoaddConfig = 59
    case getAllowedRepeatFreq = 60
    case setPathHashMode = 61
    case sendChannelData = 62
    case setDefaultFloodScope = 63
    case getDefaultFloodScope = 64
    case sendRawPacket = 65
    case runCliCommand = 66
}

extension CommandCode {
    /// The constant as the firmware spells it: `CMD_SET_RADIO_PARAMS`.
    public var wireName: String { "CMD_" + constantName("\(self)") }
}
