import MeshCompanion

// One table: the statement that a vector of each code shows.
extension CommandCode {
    /// The number of the statement on what the command does.
    var statement: String {
        switch self {
        case .appStart: "CMP-044"
        case .sendTxtMsg: "CMP-114"
        case .sendChannelTxtMsg: "CMP-126"
        case .getContacts: "CMP-088"
        case .getDeviceTime, .setDeviceTime: "CMP-056"
        case .sendSelfAdvert: "CMP-113"
        case .setAdvertName: "CMP-050"
        case .addUpdateContact: "CMP-084"
        case .syncNextMessage: "CMP-136"
        case .setRadioParams: "CMP-058"
        case .setRadioTxPower: "CMP-063"
        case .resetPath: "CMP-099"
        case .setAdvertLatlon: "CMP-053"
        case .removeContact: "CMP-098"
        case .shareContact: "CMP-111"
        case .exportContact: "CMP-109"
        case .importContact: "CMP-107"
        case .reboot: "CMP-204"
        case .getBattAndStorage: "CMP-207"
        case .setTuningParams, .getTuningParams: "CMP-065"
        case .deviceQuery: "CMP-040"
        case .exportPrivateKey: "CMP-195"
        case .importPrivateKey: "CMP-196"
        case .sendRawData: "CMP-180"
        case .sendLogin: "CMP-159"
        case .sendStatusReq: "CMP-163"
        case .hasConnection, .logout: "CMP-175"
        case .getContactByKey: "CMP-100"
        case .getChannel: "CMP-152"
        case .setChannel: "CMP-155"
        case .signStart, .signData, .signFinish: "CMP-200"
        case .sendTracePath: "CMP-187"
        case .setDevicePin: "CMP-072"
        case .setOtherParams: "CMP-068"
        case .sendTelemetryReq: "CMP-164"
        case .getCustomVars: "CMP-211"
        case .setCustomVar: "CMP-212"
        case .getAdvertPath: "CMP-213"
        case .sendBinaryReq: "CMP-165"
        case .factoryReset: "CMP-205"
        case .sendPathDiscoveryReq: "CMP-169"
        case .setFloodScopeKey: "CMP-078"
        case .sendControlData: "CMP-184"
        case .getStats: "CMP-208"
        case .sendAnonReq: "CMP-172"
        case .setAutoaddConfig, .getAutoaddConfig: "CMP-073"
        case .getAllowedRepeatFreq: "CMP-062"
        case .setPathHashMode: "CMP-070"
        case .sendChannelData: "CMP-132"
        case .setDefaultFloodScope: "CMP-075"
        case .getDefaultFloodScope: "CMP-074"
        case .sendRawPacket: "CMP-189"
        case .runCliCommand: "FWV-120"
        }
    }
}

extension RadioCode {
    /// The number of the statement on the frame.
    var statement: String {
        switch self {
        case .response(let code): code.statement
        case .push(let code): code.statement
        }
    }
}

extension ResponseCode {
    fileprivate var statement: String {
        switch self {
        case .ok: "CMP-038"
        case .err: "CMP-034"
        case .contactsStart: "CMP-088"
        case .contact: "CMP-084"
        case .endOfContacts: "CMP-089"
        case .selfInfo: "CMP-044"
        case .sent: "CMP-114"
        case .contactMsgRecv, .channelMsgRecv: "CMP-041"
        case .contactMsgRecvV3: "CMP-136"
        case .channelMsgRecvV3: "CMP-139"
        case .currTime: "CMP-056"
        case .noMoreMessages: "CMP-144"
        case .exportContact: "CMP-109"
        case .battAndStorage: "CMP-207"
        case .deviceInfo: "CMP-040"
        case .privateKey, .disabled: "CMP-195"
        case .channelInfo: "CMP-152"
        case .signStart, .signature: "CMP-199"
        case .customVars: "CMP-211"
        case .advertPath: "CMP-213"
        case .tuningParams: "CMP-065"
        case .stats: "CMP-208"
        case .autoaddConfig: "CMP-073"
        case .allowedRepeatFreq: "CMP-062"
        case .channelDataRecv: "CMP-140"
        case .defaultFloodScope: "CMP-074"
        case .cliReply: "FWV-120"
        }
    }
}

extension PushCode {
    fileprivate var statement: String {
        switch self {
        case .advert: "CMP-218"
        case .pathUpdated: "CMP-228"
        case .sendConfirmed: "CMP-122"
        case .msgWaiting: "CMP-136"
        case .rawData: "CMP-182"
        case .loginSuccess: "CMP-161"
        case .loginFail: "CMP-162"
        case .statusResponse: "CMP-163"
        case .logRxData: "CMP-192"
        case .traceData: "CMP-188"
        case .newAdvert: "CMP-220"
        case .telemetryResponse: "CMP-164"
        case .binaryResponse: "CMP-165"
        case .pathDiscoveryResponse: "CMP-168"
        case .controlData: "CMP-185"
        case .contactDeleted: "CMP-224"
        case .contactsFull: "CMP-223"
        }
    }
}
