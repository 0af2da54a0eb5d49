/// The table of the companion protocol: everything about a command that is neither its layout nor its meaning.
///
/// A total switch, so that a code without a row does not compile. Source: firmware 1.17.1, `MyMesh::handleCmdFrame`.
extension CommandCode {
    /// The table's row for the code; a code without a row does not compile.
    public var row: CommandRow {
        switch self {
        case .appStart:
            .init(
                AppStart.self, since: "1.0", changes: false, accepts: .atLeast(8),
                replies: [.selfInfo], quirks: [.nulBehindFrame])
        case .sendTxtMsg:
            .init(
                SendTxtMsg.self, since: "1.0", changes: false, accepts: .atLeast(14),
                replies: [.sent], errors: [.notFound, .unsupportedCmd, .tableFull],
                later: [.sendConfirmed, .pathUpdated], quirks: [.nulBehindFrame, .invalidPathSent, .zeroAckConfirms])
        case .sendChannelTxtMsg:
            .init(
                SendChannelTxtMsg.self, since: "1.0", changes: false, accepts: .unchecked,
                replies: [.ok], errors: [.unsupportedCmd, .notFound],
                quirks: [
                    .receiveBufferResidue, .channelTextCut, .negativeTextLength, .zeroKeyChannels, .poolErrorNames,
                ])
        case .getContacts:
            .init(
                GetContacts.self, since: "1.0", changes: false, accepts: .atLeast(1),
                replies: [.contactsStart, .contact, .endOfContacts], errors: [.badState],
                quirks: [.unfilteredContactCount, .zeroEndOfContacts, .zeroLastmodNeverListed])
        case .getDeviceTime:
            .init(
                GetDeviceTime.self, since: "1.0", changes: false, accepts: .atLeast(1),
                replies: [.currTime], quirks: [.clockFromContacts])
        case .setDeviceTime:
            .init(
                SetDeviceTime.self, since: "1.0", changes: true, accepts: .atLeast(5),
                replies: [.ok], errors: [.illegalArg], quirks: [.clockOnlyForward, .clockFromContacts])
        case .sendSelfAdvert:
            .init(
                SendSelfAdvert.self, since: "1.0", changes: false, accepts: .atLeast(1),
                replies: [.ok], errors: [.tableFull])
        case .setAdvertName:
            .init(
                SetAdvertName.self, since: "1.0", changes: true, accepts: .atLeast(2),
                replies: [.ok])
        case .addUpdateContact:
            .init(
                AddUpdateContact.self, since: "1.0", changes: true, accepts: .atLeast(36),
                replies: [.ok], errors: [.tableFull], later: [.contactDeleted],
                quirks: [.receiveBufferResidue, .hiddenContactSlots])
        case .syncNextMessage:
            .init(
                SyncNextMessage.self, since: "1.0", changes: false, accepts: .atLeast(1),
                replies: [
                    .contactMsgRecv, .channelMsgRecv, .contactMsgRecvV3, .channelMsgRecvV3, .channelDataRecv,
                    .noMoreMessages,
                ],
                quirks: [.messageLeavesBeforeDelivery, .versionFixedAtArrival, .waitingForDiscarded])
        case .setRadioParams:
            .init(
                SetRadioParams.self, since: "1.0", changes: true, accepts: .unchecked,
                replies: [.ok], errors: [.illegalArg],
                quirks: [.receiveBufferResidue, .unsupportedBandwidthAccepted, .floatConversions])
        case .setRadioTxPower:
            .init(
                SetRadioTxPower.self, since: "1.0", changes: true, accepts: .unchecked,
                replies: [.ok], errors: [.illegalArg], quirks: [.receiveBufferResidue])
        case .resetPath:
            .init(
                ResetPath.self, since: "1.0", changes: true, accepts: .atLeast(33),
                replies: [.ok], errors: [.notFound], quirks: [.resetPathKeepsLastmod, .hiddenContactSlots])
        case .setAdvertLatlon:
            .init(
                SetAdvertLatlon.self, since: "1.0", changes: true, accepts: .atLeast(9),
                replies: [.ok], errors: [.illegalArg], quirks: [.floatConversions])
        case .removeContact:
            .init(
                RemoveContact.self, since: "1.0", changes: true, accepts: .unchecked,
                replies: [.ok], errors: [.notFound], quirks: [.receiveBufferResidue, .hiddenContactSlots])
        case .shareContact:
            .init(
                ShareContact.self, since: "1.0", changes: false, accepts: .unchecked,
                replies: [.ok], errors: [.notFound, .tableFull], quirks: [.receiveBufferResidue, .hiddenContactSlots])
        case .exportContact:
            .init(
                ExportContact.self, since: "1.0", changes: false, accepts: .atLeast(1),
                replies: [.exportContact], errors: [.notFound, .tableFull], quirks: [.overlongReplyLost])
        case .importContact:
            .init(
                ImportContact.self, since: "1.0", changes: true, accepts: .atLeast(99),
                replies: [.ok], errors: [.illegalArg], later: [.advert, .newAdvert],
                quirks: [.importAlwaysOK, .poolErrorNames])
        case .reboot:
            .init(
                Reboot.self, since: "1.0", changes: true, accepts: .unchecked,
                replies: [], errors: [.unsupportedCmd], quirks: [.receiveBufferResidue])
        case .getBattAndStorage:
            .init(
                GetBattAndStorage.self, since: "1.0", changes: false, accepts: .atLeast(1),
                replies: [.battAndStorage])
        case .setTuningParams:
            .init(
                SetTuningParams.self, since: "1.0", changes: true, accepts: .unchecked,
                replies: [.ok], quirks: [.receiveBufferResidue, .floatConversions])
        case .deviceQuery:
            .init(
                DeviceQuery.self, since: "1.0", changes: false, accepts: .atLeast(2),
                replies: [.deviceInfo], quirks: [.halvedContactLimit, .versionFixedAtArrival])
        case .exportPrivateKey:
            .init(
                ExportPrivateKey.self, since: "1.0", changes: false, accepts: .atLeast(1),
                replies: [.privateKey, .disabled])
        case .importPrivateKey:
            .init(
                ImportPrivateKey.self, since: "1.0", changes: true, accepts: .atLeast(65),
                replies: [.ok, .disabled], errors: [.illegalArg, .fileIOError])
        case .sendRawData:
            .init(
                SendRawData.self, since: "1.0", changes: false, accepts: .atLeast(6),
                replies: [.ok], errors: [.unsupportedCmd, .tableFull], otherVersions: [.illegalArg],
                quirks: [.literalRawPath])
        case .sendLogin:
            .init(
                SendLogin.self, since: "1.0", changes: false, accepts: .atLeast(33),
                replies: [.sent], errors: [.notFound, .tableFull], later: [.loginSuccess, .loginFail],
                quirks: [.nulBehindFrame, .onePendingRequest, .hiddenContactSlots])
        case .sendStatusReq:
            .init(
                SendStatusReq.self, since: "1.0", changes: false, accepts: .atLeast(33),
                replies: [.sent], errors: [.notFound, .tableFull], later: [.statusResponse],
                quirks: [.onePendingRequest, .hiddenContactSlots, .statusMatchedBySender, .cipherBlockPadding])
        case .hasConnection:
            .init(
                HasConnection.self, since: "1.0", changes: false, accepts: .atLeast(33),
                replies: [.ok], errors: [.notFound])
        case .logout:
            .init(
                Logout.self, since: "1.0", changes: false, accepts: .atLeast(33),
                replies: [.ok])
        case .getContactByKey:
            .init(
                GetContactByKey.self, since: "1.2", changes: false, accepts: .unchecked,
                replies: [.contact], errors: [.notFound], quirks: [.receiveBufferResidue, .hiddenContactSlots])
        case .getChannel:
            .init(
                GetChannel.self, since: "1.3", changes: false, accepts: .atLeast(2),
                replies: [.channelInfo], errors: [.notFound], quirks: [.transmitBufferResidue])
        case .setChannel:
            .init(
                SetChannel.self, since: "1.3", changes: true, accepts: .lengths([50...65]),
                replies: [.ok], errors: [.notFound, .unsupportedCmd])
        case .signStart:
            .init(
                SignStart.self, since: "1.4", changes: false, accepts: .atLeast(1),
                replies: [.signStart])
        case .signData:
            .init(
                SignData.self, since: "1.4", changes: false, accepts: .atLeast(2),
                replies: [.ok], errors: [.badState, .tableFull])
        case .signFinish:
            .init(
                SignFinish.self, since: "1.4", changes: false, accepts: .atLeast(1),
                replies: [.signature], errors: [.badState])
        case .sendTracePath:
            .init(
                SendTracePath.self, since: "1.4", changes: false, accepts: .atLeast(11),
                replies: [.sent], errors: [.illegalArg, .tableFull], later: [.traceData])
        case .setDevicePin:
            .init(
                SetDevicePin.self, since: "1.4", changes: true, accepts: .atLeast(5),
                replies: [.ok], errors: [.illegalArg])
        case .setOtherParams:
            .init(
                SetOtherParams.self, since: "1.5", changes: true, accepts: .unchecked,
                replies: [.ok], quirks: [.receiveBufferResidue])
        case .sendTelemetryReq:
            .init(
                SendTelemetryReq.self, since: "1.6", changes: false, accepts: .lengths([4...4, 36...176]),
                replies: [.sent], pushReplies: [.telemetryResponse], errors: [.notFound, .tableFull],
                later: [.telemetryResponse],
                quirks: [
                    .onePendingRequest, .hiddenContactSlots, .floatConversions, .zeroTagTelemetry, .cipherBlockPadding,
                ])
        case .getCustomVars:
            .init(
                GetCustomVars.self, since: "1.6", changes: false, accepts: .atLeast(1),
                replies: [.customVars])
        case .setCustomVar:
            .init(
                SetCustomVar.self, since: "1.6", changes: true, accepts: .atLeast(4),
                replies: [.ok], errors: [.illegalArg], quirks: [.nulBehindFrame])
        case .getAdvertPath:
            .init(
                GetAdvertPath.self, since: "1.7.1", changes: false, accepts: .atLeast(34),
                replies: [.advertPath], errors: [.notFound])
        case .getTuningParams:
            .init(
                GetTuningParams.self, since: "1.7.3", changes: false, accepts: .atLeast(1),
                replies: [.tuningParams], quirks: [.floatConversions])
        case .sendBinaryReq:
            .init(
                SendBinaryReq.self, since: "1.7.3", changes: false, accepts: .atLeast(34),
                replies: [.sent], errors: [.notFound, .tableFull], later: [.binaryResponse],
                quirks: [.onePendingRequest, .hiddenContactSlots, .cipherBlockPadding])
        case .factoryReset:
            .init(
                FactoryReset.self, since: "1.7.3", changes: true, accepts: .unchecked,
                replies: [], errors: [.unsupportedCmd], quirks: [.receiveBufferResidue])
        case .sendPathDiscoveryReq:
            .init(
                SendPathDiscoveryReq.self, since: "1.8", changes: false, accepts: .atLeast(34, firstByte: 0...0),
                replies: [.sent], errors: [.notFound, .tableFull], later: [.pathDiscoveryResponse],
                quirks: [.onePendingRequest, .hiddenContactSlots])
        case .setFloodScopeKey:
            .init(
                SetFloodScopeKey.self, since: "1.10", changes: true, accepts: .atLeast(2, firstByte: 0...1),
                replies: [.ok])
        case .sendControlData:
            .init(
                SendControlData.self, since: "1.10", changes: false, accepts: .atLeast(2, firstByte: 0x80...0xFF),
                replies: [.ok], errors: [.tableFull], later: [.controlData])
        case .getStats:
            .init(
                GetStats.self, since: "1.11", changes: false, accepts: .atLeast(2),
                replies: [.stats], errors: [.illegalArg])
        case .sendAnonReq:
            .init(
                SendAnonReq.self, since: "1.12", changes: false, accepts: .atLeast(34),
                replies: [.sent], errors: [.tableFull], otherVersions: [.notFound], later: [.binaryResponse],
                quirks: [.onePendingRequest, .hiddenContactSlots, .cipherBlockPadding])
        case .setAutoaddConfig:
            .init(
                SetAutoaddConfig.self, since: "1.12", changes: true, accepts: .unchecked,
                replies: [.ok], quirks: [.receiveBufferResidue])
        case .getAutoaddConfig:
            .init(
                GetAutoaddConfig.self, since: "1.12", changes: false, accepts: .atLeast(1),
                replies: [.autoaddConfig])
        case .getAllowedRepeatFreq:
            .init(
                GetAllowedRepeatFreq.self, since: "1.13", changes: false, accepts: .atLeast(1),
                replies: [.allowedRepeatFreq])
        case .setPathHashMode:
            .init(
                SetPathHashMode.self, since: "1.14", changes: true, accepts: .atLeast(3, firstByte: 0...0),
                replies: [.ok], errors: [.illegalArg])
        case .sendChannelData:
            .init(
                SendChannelData.self, since: "1.15", changes: false, accepts: .atLeast(4, otherwise: .illegalArg),
                replies: [.ok], errors: [.illegalArg, .notFound, .tableFull],
                quirks: [.receiveBufferResidue, .channelDataLimitMismatch, .zeroKeyChannels])
        case .setDefaultFloodScope:
            .init(
                SetDefaultFloodScope.self, since: "1.15", changes: true, accepts: .atLeast(1),
                replies: [.ok], errors: [.illegalArg], quirks: [.scopeNameRunsOn])
        case .getDefaultFloodScope:
            .init(
                GetDefaultFloodScope.self, since: "1.15", changes: false, accepts: .atLeast(1),
                replies: [.defaultFloodScope], quirks: [.transmitBufferResidue])
        case .sendRawPacket:
            .init(
                SendRawPacket.self, since: "1.16", changes: false, accepts: .atLeast(4),
                replies: [.ok], errors: [.illegalArg, .tableFull], quirks: [.lowestPriorityStuck])
        case .runCliCommand:
            .init(
                RunCliCommand.self, since: "1.18", changes: true, accepts: .atLeast(3),
                replies: [.cliReply])
        }
    }
}
