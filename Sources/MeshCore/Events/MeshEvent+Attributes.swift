import MeshCompanion
import MeshPacket
import MeshWire

extension MeshEvent {
    /// The case, as a word that stays: `contactMessageReceived`.
    public var name: String {
        switch self {
        case .connectionStateChanged: "connectionStateChanged"
        case .ok: "ok"
        case .error: "error"
        case .disabled: "disabled"
        case .messageSent: "messageSent"
        case .selfInfo: "selfInfo"
        case .deviceInfo: "deviceInfo"
        case .battery: "battery"
        case .currentTime: "currentTime"
        case .customVars: "customVars"
        case .channelInfo: "channelInfo"
        case .statsCore: "statsCore"
        case .statsRadio: "statsRadio"
        case .statsPackets: "statsPackets"
        case .autoAddConfig: "autoAddConfig"
        case .defaultFloodScope: "defaultFloodScope"
        case .allowedRepeatFreq: "allowedRepeatFreq"
        case .tuningParams: "tuningParams"
        case .privateKey: "privateKey"
        case .signStart: "signStart"
        case .signature: "signature"
        case .cliReply: "cliReply"
        default: otherName
        }
    }

    private var otherName: String {
        switch self {
        case .contactsStart: "contactsStart"
        case .contact: "contact"
        case .contactsEnd: "contactsEnd"
        case .newContact: "newContact"
        case .contactDeleted: "contactDeleted"
        case .contactsFull: "contactsFull"
        case .exportedContact: "exportedContact"
        case .advertPath: "advertPath"
        case .advertisement: "advertisement"
        case .pathUpdate: "pathUpdate"
        case .contactMessageReceived: "contactMessageReceived"
        case .channelMessageReceived: "channelMessageReceived"
        case .channelDataReceived: "channelDataReceived"
        case .noMoreMessages: "noMoreMessages"
        case .messagesWaiting: "messagesWaiting"
        case .acknowledgement: "acknowledgement"
        case .loginSuccess: "loginSuccess"
        case .loginFailed: "loginFailed"
        case .statusResponse: "statusResponse"
        case .telemetryResponse: "telemetryResponse"
        case .binaryResponse: "binaryResponse"
        case .pathResponse: "pathResponse"
        case .traceData: "traceData"
        case .rawData: "rawData"
        case .rxLogData: "rxLogData"
        case .logData: "logData"
        case .controlData: "controlData"
        case .discoverResponse: "discoverResponse"
        case .parseFailure: "parseFailure"
        default: "unknown"
        }
    }

    /// The attributes by which events are matched: codes, tags, channels, and keys or their prefixes in hexadecimal
    /// digits.
    public var attributes: [String: String] {
        var attributes: [String: String] = [:]
        if let key = publicKey { attributes["publicKey"] = key.hex }
        switch self {
        case .error(let code): attributes["code"] = code.map { "\($0.rawValue)" }
        case .messageSent(let sent): attributes["tag"] = Self.hex(sent.tag)
        case .acknowledgement(let code, _): attributes["code"] = Self.hex(code)
        case .binaryResponse(let tag, _): attributes["tag"] = Self.hex(tag)
        case .traceData(let trace): attributes["tag"] = Self.hex(trace.tag)
        case .discoverResponse(_, let response): attributes["tag"] = Self.hex(response.tag)
        case .channelInfo(let info): attributes["channel"] = "\(info.channelIndex)"
        case .channelMessageReceived(let received): attributes["channel"] = "\(received.message.channelIndex)"
        case .channelDataReceived(let data): attributes["channel"] = "\(data.channelIndex)"
        default: break
        }
        return attributes
    }

    /// The key of the node that the event is about, or the part of it that the event carries.
    public var publicKey: [UInt8]? {
        switch self {
        case .selfInfo(let info): info.publicKey.array
        case .contact(let record), .newContact(let record): record.publicKey.array
        case .contactDeleted(let key), .advertisement(let key), .pathUpdate(let key): key.array
        case .contactMessageReceived(let received): received.message.publicKeyPrefix.array
        case .loginSuccess(let login): login.publicKeyPrefix.array
        case .loginFailed(let prefix): prefix.array
        case .statusResponse(let response): response.publicKeyPrefix.array
        case .telemetryResponse(let response): response.publicKeyPrefix.array
        case .pathResponse(let response): response.publicKeyPrefix.array
        case .discoverResponse(_, let response): response.publicKey
        default: nil
        }
    }

    /// Four bytes as they travel.
    static func hex(_ code: UInt32) -> String { withUnsafeBytes(of: code.littleEndian) { [UInt8]($0).hex } }
}
