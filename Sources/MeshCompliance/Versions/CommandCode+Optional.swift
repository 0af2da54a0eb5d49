import MeshCompanion

extension CommandCode {
    /// Tells whether a companion radio may leave the command out at a level that has it.
    ///
    /// No app works without the others: they begin a session, and exchange contacts, channels and messages. The
    /// protocol has one answer for an absent command, `01 01`, which means other things too: the level decides. Source:
    /// FirmwareVersions, section 3.2.
    var isOptional: Bool {
        switch self {
        case .appStart, .deviceQuery, .getDeviceTime, .setDeviceTime, .sendSelfAdvert, .setAdvertName, .setRadioParams,
            .setRadioTxPower, .getContacts, .addUpdateContact, .removeContact, .resetPath, .getChannel, .setChannel,
            .sendTxtMsg, .sendChannelTxtMsg, .syncNextMessage:
            false
        case .setAdvertLatlon, .shareContact, .exportContact, .importContact, .reboot, .getBattAndStorage,
            .setTuningParams, .exportPrivateKey, .importPrivateKey, .sendRawData, .sendLogin, .sendStatusReq,
            .hasConnection, .logout, .getContactByKey, .signStart, .signData, .signFinish, .sendTracePath,
            .setDevicePin, .setOtherParams, .sendTelemetryReq, .getCustomVars, .setCustomVar, .getAdvertPath,
            .getTuningParams, .sendBinaryReq, .factoryReset, .sendPathDiscoveryReq, .setFloodScopeKey,
            .sendControlData, .getStats, .sendAnonReq, .setAutoaddConfig, .getAutoaddConfig, .getAllowedRepeatFreq,
            .setPathHashMode, .sendChannelData, .setDefaultFloodScope, .getDefaultFloodScope, .sendRawPacket,
            .runCliCommand:
            true
        }
    }

    /// Tells whether it only asks: an answer to it depends on what came before it.
    var isQuestion: Bool {
        switch self {
        case .appStart, .deviceQuery, .getContacts, .getDeviceTime, .syncNextMessage, .exportContact,
            .getBattAndStorage, .exportPrivateKey, .hasConnection, .getContactByKey, .getChannel, .signFinish,
            .getCustomVars, .getAdvertPath, .getTuningParams, .getStats, .getAutoaddConfig, .getAllowedRepeatFreq,
            .getDefaultFloodScope:
            true
        default: false
        }
    }
}
