import MeshCompanion
import MeshCrypto
import MeshFirmware
import MeshPacket
import MeshWire

// One table: for each command the frames that make sense to the radio of the vectors, and the statement that they show.
extension CommandCode {
    /// Frames of this command whose fields fit the cast; a test asks for some of each code.
    func samples(_ cast: VectorCast) -> [any CommandFrame] {
        let (key, stranger) = (cast.alice.key, cast.carol.key)
        let prefix = FixedBytes<6>(key.prefix(6))
        return switch self {
        case .appStart: [AppStart(version: 3, appName: "vectors")]
        case .sendTxtMsg:
            [
                SendTxtMsg(attempt: 0, timestamp: VectorCast.stamp, publicKeyPrefix: prefix, text: "Grüße 📻"),
                SendTxtMsg(
                    textType: .cliData, attempt: 0, timestamp: VectorCast.stamp, publicKeyPrefix: prefix, text: "ver"),
                SendTxtMsg(
                    textType: .signedPlain, attempt: 0, timestamp: VectorCast.stamp, publicKeyPrefix: prefix,
                    text: "signed"),
                SendTxtMsg(
                    attempt: 0, timestamp: VectorCast.stamp, publicKeyPrefix: FixedBytes(stranger.prefix(6)),
                    text: "hello"),
            ]
        case .sendChannelTxtMsg:
            [
                SendChannelTxtMsg(channelIndex: 1, timestamp: VectorCast.stamp, text: "hello"),
                SendChannelTxtMsg(channelIndex: 200, timestamp: VectorCast.stamp, text: "hello"),
            ]
        case .getContacts: [GetContacts(since: nil), GetContacts(since: 1), GetContacts(since: .max)]
        case .getDeviceTime: [GetDeviceTime()]
        case .setDeviceTime: [SetDeviceTime(epoch: VectorCast.stamp), SetDeviceTime(epoch: VectorCast.met)]
        case .sendSelfAdvert: [SendSelfAdvert(type: nil), SendSelfAdvert(type: 1)]
        case .setAdvertName: [SetAdvertName(name: "Bob")]
        case .addUpdateContact:
            [
                AddUpdateContact(
                    publicKey: stranger, flags: 0, outPath: FixedBytes(), name: FixedBytes(text: "Carol"),
                    lastAdvert: VectorCast.met, position: Position(latitude: 48_117_266, longitude: 11_576_124),
                    lastModified: VectorCast.stamp)
            ]
        case .syncNextMessage: [SyncNextMessage()]
        case .setRadioParams:
            [
                SetRadioParams(frequency: 869_618, bandwidth: 62_500, spreadingFactor: 8, codingRate: 8),
                SetRadioParams(
                    frequency: 433_000, bandwidth: 62_500, spreadingFactor: 8, codingRate: 8, clientRepeat: 1),
                SetRadioParams(
                    frequency: 869_618, bandwidth: 62_500, spreadingFactor: 8, codingRate: 8, clientRepeat: 1),
                SetRadioParams(frequency: 169_000, bandwidth: 62_500, spreadingFactor: 13, codingRate: 5),
                SetRadioParams(frequency: 169_000, bandwidth: 62_500, spreadingFactor: 8, codingRate: 5),
            ]
        case .setRadioTxPower: [SetRadioTxPower(power: 10), SetRadioTxPower(power: 100), SetRadioTxPower(power: -10)]
        case .resetPath: [ResetPath(publicKey: key), ResetPath(publicKey: stranger)]
        case .setAdvertLatlon:
            [
                SetAdvertLatlon(latitude: 48_117_266, longitude: 11_576_124),
                SetAdvertLatlon(latitude: 48_117_266, longitude: 11_576_124, altitude: 520),
                SetAdvertLatlon(latitude: 90_000_001, longitude: 0),
            ]
        default: middleSamples(cast)
        }
    }

    private func middleSamples(_ cast: VectorCast) -> [any CommandFrame] {
        let (key, stranger) = (cast.alice.key, cast.carol.key)
        return switch self {
        case .removeContact: [RemoveContact(publicKey: key), RemoveContact(publicKey: stranger)]
        case .shareContact: [ShareContact(publicKey: key), ShareContact(publicKey: stranger)]
        case .exportContact: [ExportContact(publicKey: nil), ExportContact(publicKey: key)]
        case .importContact:
            [
                ImportContact(packet: CaseList.advert(cast.carol, AdvertData(type: .chat, name: "Carol"))?.bytes ?? []),
                ImportContact(packet: [UInt8](repeating: 0xA5, count: 120)),
            ]
        case .reboot: [Reboot()]
        case .getBattAndStorage: [GetBattAndStorage()]
        case .setTuningParams: [SetTuningParams(receiveDelay: 0, airtimeFactor: 1000)]
        case .deviceQuery: [DeviceQuery(appTargetVersion: 3)]
        case .exportPrivateKey: [ExportPrivateKey()]
        case .importPrivateKey: [ImportPrivateKey(privateKey: cast.carol.identity.privateKey)]
        case .sendRawData: [SendRawData(pathLength: 2, path: CaseList.path(2), payload: CaseList.path(8))]
        default: requestSamples(cast)
        }
    }

    private func requestSamples(_ cast: VectorCast) -> [any CommandFrame] {
        let (key, stranger) = (cast.alice.key, cast.carol.key)
        return switch self {
        case .sendLogin: [SendLogin(publicKey: key, password: "hello"), SendLogin(publicKey: stranger, password: "")]
        case .sendStatusReq: [SendStatusReq(publicKey: key), SendStatusReq(publicKey: stranger)]
        case .hasConnection: [HasConnection(publicKey: key)]
        case .logout: [Logout(publicKey: key)]
        case .getContactByKey: [GetContactByKey(publicKey: key), GetContactByKey(publicKey: stranger)]
        case .getChannel: [GetChannel(channelIndex: 1), GetChannel(channelIndex: 200)]
        case .setChannel:
            [
                SetChannel(
                    channelIndex: 2, name: FixedBytes(text: "other"),
                    secret: FixedBytes(cast.otherChannel.secret.prefix(16))),
                SetChannel(channelIndex: 200, name: FixedBytes(text: "other"), secret: FixedBytes()),
            ]
        case .signStart: [SignStart()]
        case .signData: [SignData(data: CaseList.path(8))]
        case .signFinish: [SignFinish()]
        case .sendTracePath:
            [
                SendTracePath(tag: 0x1122_3344, auth: 0, flags: 0, path: CaseList.path(2)),
                SendTracePath(tag: 0x1122_3344, auth: 0, flags: 1, path: CaseList.path(3)),
            ]
        case .setDevicePin: [SetDevicePin(pin: 123_456), SetDevicePin(pin: 99_999)]
        case .setOtherParams:
            [
                SetOtherParams(manualAdd: 0),
                SetOtherParams(manualAdd: 1, telemetryModes: 0x15, advertLocationPolicy: 1, multiAcks: 1),
            ]
        case .sendTelemetryReq:
            [
                SendTelemetryReq(publicKey: nil), SendTelemetryReq(publicKey: key),
                SendTelemetryReq(publicKey: stranger),
            ]
        case .getCustomVars: [GetCustomVars()]
        case .setCustomVar: [SetCustomVar(setting: "gps:1"), SetCustomVar(setting: "none")]
        case .getAdvertPath: [GetAdvertPath(publicKey: key), GetAdvertPath(publicKey: stranger)]
        case .getTuningParams: [GetTuningParams()]
        case .sendBinaryReq:
            [SendBinaryReq(publicKey: key, request: [1, 2, 3]), SendBinaryReq(publicKey: stranger, request: [1])]
        case .factoryReset: [FactoryReset()]
        case .sendPathDiscoveryReq:
            [SendPathDiscoveryReq(publicKey: key), SendPathDiscoveryReq(reserved: 1, publicKey: key)]
        case .setFloodScopeKey:
            [SetFloodScopeKey(key: FixedBytes(CaseList.path(16))), SetFloodScopeKey(key: nil)]
        case .sendControlData: [SendControlData(payload: [0x80, 4, 1, 2, 3, 4]), SendControlData(payload: [0x10, 4])]
        case .getStats: (UInt8(0)...3).map { GetStats(statsType: $0) }
        case .sendAnonReq:
            [SendAnonReq(publicKey: key, data: [1, 2]), SendAnonReq(publicKey: stranger, data: [1, 2])]
        default: lateSamples(cast)
        }
    }

    private func lateSamples(_ cast: VectorCast) -> [any CommandFrame] {
        switch self {
        case .setAutoaddConfig: [SetAutoaddConfig(config: 0x1E, maxHops: 8), SetAutoaddConfig(config: 1, maxHops: 65)]
        case .getAutoaddConfig: [GetAutoaddConfig()]
        case .getAllowedRepeatFreq: [GetAllowedRepeatFreq()]
        case .setPathHashMode: (UInt8(0)...3).map { SetPathHashMode(mode: $0) }
        case .sendChannelData:
            [
                SendChannelData(channelIndex: 1, path: [], dataType: 0xFFFF, payload: CaseList.path(8)),
                SendChannelData(
                    channelIndex: 1, pathLength: PathLength(hashSize: 3, hops: 2), path: CaseList.path(6),
                    dataType: 0xFFFF, payload: CaseList.path(8)),
                SendChannelData(
                    channelIndex: 1, pathLength: PathLength(hashSize: 4, hops: 1), path: CaseList.path(4),
                    dataType: 0xFFFF, payload: CaseList.path(8)),
                SendChannelData(channelIndex: 1, path: [], dataType: 0, payload: CaseList.path(8)),
                SendChannelData(
                    channelIndex: 1, path: [], dataType: 0xFFFF, payload: [UInt8](repeating: 0x5A, count: 164)),
                SendChannelData(
                    channelIndex: 1, path: [], dataType: 0xFFFF, payload: [UInt8](repeating: 0x5A, count: 166)),
            ]
        case .setDefaultFloodScope:
            [
                SetDefaultFloodScope(
                    scope: FloodScope(name: FixedBytes(text: "europe"), key: FixedBytes(CaseList.path(16)))),
                SetDefaultFloodScope(scope: nil),
                SetDefaultFloodScope(scope: FloodScope()),
            ]
        case .getDefaultFloodScope: [GetDefaultFloodScope()]
        case .sendRawPacket:
            [
                SendRawPacket(priority: 1, packet: cast.introduction),
                SendRawPacket(
                    priority: 1, packet: CaseList.envelope(.ack, .flood, version: 1) + CaseList.path(4)),
            ]
        case .runCliCommand: [RunCliCommand("ver")]
        default: []
        }
    }
}
