public import MeshCompanion

/// What must not be sent to somebody's radio without being asked for.
public enum ReplayPermission {
    /// Whether the command changes what a radio keeps, restarts or erases it.
    ///
    /// A total switch, so that a new command asks.
    public static func changesRadio(_ code: CommandCode) -> Bool {
        switch code {
        case .setDeviceTime, .setAdvertName, .addUpdateContact, .setRadioParams, .setRadioTxPower, .resetPath,
            .setAdvertLatlon, .removeContact, .importContact, .reboot, .setTuningParams, .importPrivateKey,
            .setChannel, .setDevicePin, .setOtherParams, .setCustomVar, .factoryReset, .setFloodScopeKey,
            .setAutoaddConfig, .setPathHashMode, .setDefaultFloodScope:
            true
        case .appStart, .sendTxtMsg, .sendChannelTxtMsg, .getContacts, .getDeviceTime, .sendSelfAdvert,
            .syncNextMessage, .shareContact, .exportContact, .getBattAndStorage, .deviceQuery, .exportPrivateKey,
            .sendRawData, .sendLogin, .sendStatusReq, .hasConnection, .logout, .getContactByKey, .getChannel,
            .signStart, .signData, .signFinish, .sendTracePath, .sendTelemetryReq, .getCustomVars, .getAdvertPath,
            .getTuningParams, .sendBinaryReq, .sendPathDiscoveryReq, .sendControlData, .getStats, .sendAnonReq,
            .getAutoaddConfig, .getAllowedRepeatFreq, .sendChannelData, .getDefaultFloodScope, .sendRawPacket:
            false
        }
    }
}

extension ReplayScript {
    /// The commands in it that change a radio, each once, in their order.
    public var changes: [CommandCode] {
        var codes: [CommandCode] = []
        for exchange in exchanges {
            guard let code = exchange.command.first.flatMap(CommandCode.init(rawValue:)),
                ReplayPermission.changesRadio(code), !codes.contains(code)
            else { continue }
            codes.append(code)
        }
        return codes
    }
}
