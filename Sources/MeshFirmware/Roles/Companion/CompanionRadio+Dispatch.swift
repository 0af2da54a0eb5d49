import MeshCompanion
import MeshWire

// From a frame to its handler (CompanionStatements, CMP-033 to CMP-035).
extension CompanionRadio {
    /// The dispatch rules by code, read from the table once.
    private static let rules: [DispatchRule?] = (0...255).map { CommandCode(rawValue: UInt8($0))?.row.accepts }

    /// The releases since which the codes exist.
    private static let releases: [Release?] = (0...255).map { CommandCode(rawValue: UInt8($0))?.row.since }

    /// Executes one frame in the receive buffer, behind which earlier frames are still to be seen.
    mutating func execute(_ frame: [UInt8]) {
        let length = min(frame.count, core.switches.frameLimit)
        guard length > 0 else { return }
        receiveBuffer.replaceSubrange(..<length, with: frame[..<length])
        frameLength = length
        guard let code = CommandCode(rawValue: receiveBuffer[0]), let since = Self.releases[Int(code.rawValue)],
            core.board.firmware.has(since: since)
        else { return refuse(.unsupportedCmd) }
        command = code
        defer { command = nil }
        guard let rule = Self.rules[Int(code.rawValue)] else { return refuse(.unsupportedCmd) }
        guard rule.admits(length: length, firstByte: receiveBuffer[1]) else { return refuse(rule.refusal) }
        dispatch(code)
    }

    /// Decodes a command and calls its handler.
    ///
    /// Fields that the frame is too short for are read from what earlier frames left; without that quirk they make it
    /// an unsupported command.
    private mutating func run<Frame: CommandFrame>(
        _ type: Frame.Type, _ handle: (inout CompanionRadio, Frame) -> Void
    ) {
        var frame = Frame()
        let readable = core.quirks.contains(.receiveBufferResidue) ? receiveBuffer.count : frameLength
        let failure = receiveBuffer.withUnsafeBytes { memory in
            frame.read(UnsafeRawBufferPointer(rebasing: memory[..<readable]), frameEnd: frameLength)
        }
        if failure != nil { return refuse(.unsupportedCmd) }
        handle(&self, frame)
    }

    /// Stores the NUL behind the frame that the firmware leaves there to end a text.
    mutating func endFrameWithNUL() {
        storeNUL(at: frameLength)
    }

    /// Stores a NUL in the receive buffer, where later short frames can see it.
    mutating func storeNUL(at index: Int) {
        if core.quirks.contains(.nulBehindFrame) { receiveBuffer[index] = 0 }
    }

    // A list is the point of it: the compiler asks for every command.
    private mutating func dispatch(_ code: CommandCode) {
        switch code {
        case .appStart: run(AppStart.self) { $0.handle($1) }
        case .sendTxtMsg: run(SendTxtMsg.self) { $0.handle($1) }
        case .sendChannelTxtMsg: run(SendChannelTxtMsg.self) { $0.handle($1) }
        case .getContacts: run(GetContacts.self) { $0.handle($1) }
        case .getDeviceTime: run(GetDeviceTime.self) { $0.handle($1) }
        case .setDeviceTime: run(SetDeviceTime.self) { $0.handle($1) }
        case .sendSelfAdvert: run(SendSelfAdvert.self) { $0.handle($1) }
        case .setAdvertName: run(SetAdvertName.self) { $0.handle($1) }
        case .addUpdateContact: run(AddUpdateContact.self) { $0.handle($1) }
        case .syncNextMessage: run(SyncNextMessage.self) { $0.handle($1) }
        case .setRadioParams: run(SetRadioParams.self) { $0.handle($1) }
        case .setRadioTxPower: run(SetRadioTxPower.self) { $0.handle($1) }
        case .resetPath: run(ResetPath.self) { $0.handle($1) }
        case .setAdvertLatlon: run(SetAdvertLatlon.self) { $0.handle($1) }
        case .removeContact: run(RemoveContact.self) { $0.handle($1) }
        case .shareContact: run(ShareContact.self) { $0.handle($1) }
        case .exportContact: run(ExportContact.self) { $0.handle($1) }
        case .importContact: run(ImportContact.self) { $0.handle($1) }
        case .reboot: run(Reboot.self) { $0.handle($1) }
        case .getBattAndStorage: run(GetBattAndStorage.self) { $0.handle($1) }
        case .setTuningParams: run(SetTuningParams.self) { $0.handle($1) }
        case .deviceQuery: run(DeviceQuery.self) { $0.handle($1) }
        case .exportPrivateKey: run(ExportPrivateKey.self) { $0.handle($1) }
        case .importPrivateKey: run(ImportPrivateKey.self) { $0.handle($1) }
        case .sendRawData: run(SendRawData.self) { $0.handle($1) }
        case .sendLogin: run(SendLogin.self) { $0.handle($1) }
        case .sendStatusReq: run(SendStatusReq.self) { $0.handle($1) }
        case .hasConnection: run(HasConnection.self) { $0.handle($1) }
        case .logout: run(Logout.self) { $0.handle($1) }
        case .getContactByKey: run(GetContactByKey.self) { $0.handle($1) }
        case .getChannel: run(GetChannel.self) { $0.handle($1) }
        case .setChannel: run(SetChannel.self) { $0.handle($1) }
        case .signStart: run(SignStart.self) { $0.handle($1) }
        case .signData: run(SignData.self) { $0.handle($1) }
        case .signFinish: run(SignFinish.self) { $0.handle($1) }
        case .sendTracePath: run(SendTracePath.self) { $0.handle($1) }
        case .setDevicePin: run(SetDevicePin.self) { $0.handle($1) }
        case .setOtherParams: run(SetOtherParams.self) { $0.handle($1) }
        case .sendTelemetryReq: run(SendTelemetryReq.self) { $0.handle($1) }
        case .getCustomVars: run(GetCustomVars.self) { $0.handle($1) }
        case .setCustomVar: run(SetCustomVar.self) { $0.handle($1) }
        case .getAdvertPath: run(GetAdvertPath.self) { $0.handle($1) }
        case .getTuningParams: run(GetTuningParams.self) { $0.handle($1) }
        case .sendBinaryReq: run(SendBinaryReq.self) { $0.handle($1) }
        case .factoryReset: run(FactoryReset.self) { $0.handle($1) }
        case .sendPathDiscoveryReq: run(SendPathDiscoveryReq.self) { $0.handle($1) }
        case .setFloodScopeKey: run(SetFloodScopeKey.self) { $0.handle($1) }
        case .sendControlData: run(SendControlData.self) { $0.handle($1) }
        case .getStats: run(GetStats.self) { $0.handle($1) }
        case .sendAnonReq: run(SendAnonReq.self) { $0.handle($1) }
        case .setAutoaddConfig: run(SetAutoaddConfig.self) { $0.handle($1) }
        case .getAutoaddConfig: run(GetAutoaddConfig.self) { $0.handle($1) }
        case .getAllowedRepeatFreq: run(GetAllowedRepeatFreq.self) { $0.handle($1) }
        case .setPathHashMode: run(SetPathHashMode.self) { $0.handle($1) }
        case .sendChannelData: run(SendChannelData.self) { $0.handle($1) }
        case .setDefaultFloodScope: run(SetDefaultFloodScope.self) { $0.handle($1) }
        case .getDefaultFloodScope: run(GetDefaultFloodScope.self) { $0.handle($1) }
        case .sendRawPacket: run(SendRawPacket.self) { $0.handle($1) }
        case .runCliCommand: run(RunCliCommand.self) { $0.handle($1) }
        }
    }
}
