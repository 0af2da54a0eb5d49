public import MeshCompanion
public import MeshPacket
public import MeshWire

/// Builds command frames, without any state: one function each, code byte first.
///
/// Thin over the command types of `MeshCompanion`. Numbers that do not fit take the nearest that does, names are cut at a
/// character; a session checks the rest before it sends.
public enum PacketBuilder {
    // MARK: The session

    public static func appStart(_ clientID: String = "MCore") -> [UInt8] { AppStart(clientID: clientID).encoded() }
    public static func deviceQuery(version: UInt8 = 3) -> [UInt8] { DeviceQuery(appTargetVersion: version).encoded() }
    public static func getTime() -> [UInt8] { GetDeviceTime().encoded() }
    public static func setTime(seconds: Double) -> [UInt8] { SetDeviceTime(seconds: seconds).encoded() }
    public static func getBattery() -> [UInt8] { GetBattAndStorage().encoded() }
    public static func reboot() -> [UInt8] { Reboot().encoded() }
    public static func factoryReset() -> [UInt8] { FactoryReset().encoded() }
    public static func getStatsCore() -> [UInt8] { GetStats(statsType: 0).encoded() }
    public static func getStatsRadio() -> [UInt8] { GetStats(statsType: 1).encoded() }
    public static func getStatsPackets() -> [UInt8] { GetStats(statsType: 2).encoded() }

    // MARK: Messages

    public static func sendMessage(
        to prefix: FixedBytes<6>, text: String, timestamp: UInt32, attempt: UInt8 = 0
    ) -> [UInt8] {
        SendTxtMsg(attempt: attempt, timestamp: timestamp, publicKeyPrefix: prefix, text: ByteText(text)).encoded()
    }

    public static func sendCommand(to prefix: FixedBytes<6>, command: String, timestamp: UInt32) -> [UInt8] {
        SendTxtMsg(
            textType: .cliData, attempt: 0, timestamp: timestamp, publicKeyPrefix: prefix, text: ByteText(command)
        )
        .encoded()
    }

    public static func sendChannelMessage(channel: UInt8, text: String, timestamp: UInt32) -> [UInt8] {
        SendChannelTxtMsg(channelIndex: channel, timestamp: timestamp, text: ByteText(text)).encoded()
    }

    public static func sendChannelData(
        channel: UInt8, dataType: UInt16, payload: [UInt8], pathLength: PathLength = .unknown, path: [UInt8] = []
    ) -> [UInt8] {
        SendChannelData(
            channelIndex: channel, pathLength: pathLength, path: path, dataType: dataType, payload: payload
        )
        .encoded()
    }

    public static func getMessage() -> [UInt8] { SyncNextMessage().encoded() }

    /// `path` has one byte for each hop.
    public static func sendRawData(path: [UInt8], payload: [UInt8]) -> [UInt8] {
        SendRawData(pathLength: UInt8(clamping: path.count), path: path, payload: payload).encoded()
    }

    // MARK: Contacts

    public static func getContacts(since: UInt32? = nil) -> [UInt8] { GetContacts(since: since).encoded() }
    public static func updateContact(_ contact: ContactRecord) -> [UInt8] { AddUpdateContact(contact).encoded() }
    public static func resetPath(_ key: FixedBytes<32>) -> [UInt8] { ResetPath(publicKey: key).encoded() }
    public static func removeContact(_ key: FixedBytes<32>) -> [UInt8] { RemoveContact(publicKey: key).encoded() }
    public static func shareContact(_ key: FixedBytes<32>) -> [UInt8] { ShareContact(publicKey: key).encoded() }
    public static func exportContact(_ key: FixedBytes<32>? = nil) -> [UInt8] {
        ExportContact(publicKey: key).encoded()
    }
    public static func importContact(_ packet: [UInt8]) -> [UInt8] { ImportContact(packet: packet).encoded() }
    public static func getContactByKey(_ key: FixedBytes<32>) -> [UInt8] { GetContactByKey(publicKey: key).encoded() }
    public static func getAdvertPath(_ key: FixedBytes<32>) -> [UInt8] { GetAdvertPath(publicKey: key).encoded() }
    public static func setAutoAddConfig(_ config: UInt8, maxHops: UInt8? = nil) -> [UInt8] {
        SetAutoaddConfig(config: config, maxHops: maxHops).encoded()
    }
    public static func getAutoAddConfig() -> [UInt8] { GetAutoaddConfig().encoded() }

    // MARK: Settings

    public static func setName(_ name: String) -> [UInt8] { SetAdvertName(name).encoded() }

    public static func setRadio(
        megahertz: Double, kilohertz: Double, spreadingFactor: UInt8, codingRate: UInt8, repeats: Bool? = nil
    ) -> [UInt8] {
        SetRadioParams(
            megahertz: megahertz, kilohertz: kilohertz, spreadingFactor: spreadingFactor, codingRate: codingRate,
            repeats: repeats
        )
        .encoded()
    }

    public static func setTxPower(_ power: Int8) -> [UInt8] { SetRadioTxPower(power: power).encoded() }

    public static func setCoordinates(latitude: Double, longitude: Double) -> [UInt8] {
        SetAdvertLatlon(latitudeDegrees: latitude, longitudeDegrees: longitude).encoded()
    }

    public static func setTuning(receiveDelay: Double, airtimeFactor: Double) -> [UInt8] {
        SetTuningParams(receiveDelay: receiveDelay, airtimeFactor: airtimeFactor).encoded()
    }

    public static func getTuningParams() -> [UInt8] { GetTuningParams().encoded() }

    public static func setOtherParams(
        manualAdd: UInt8, telemetryModes: TelemetryModes, advertLocationPolicy: UInt8, multiAcks: UInt8
    ) -> [UInt8] {
        SetOtherParams(
            manualAdd: manualAdd, telemetryModes: telemetryModes.rawValue, advertLocationPolicy: advertLocationPolicy,
            multiAcks: multiAcks
        )
        .encoded()
    }

    public static func setDevicePin(_ pin: UInt32) -> [UInt8] { SetDevicePin(pin: pin).encoded() }
    public static func getCustomVars() -> [UInt8] { GetCustomVars().encoded() }
    public static func setCustomVar(_ name: String, _ value: String) -> [UInt8] {
        SetCustomVar(setting: ByteText("\(name):\(value)")).encoded()
    }
    public static func exportPrivateKey() -> [UInt8] { ExportPrivateKey().encoded() }
    public static func importPrivateKey(_ key: FixedBytes<64>) -> [UInt8] {
        ImportPrivateKey(privateKey: key).encoded()
    }
    public static func getRepeatFreq() -> [UInt8] { GetAllowedRepeatFreq().encoded() }
    public static func setPathHashMode(_ mode: UInt8) -> [UInt8] { SetPathHashMode(mode: mode).encoded() }

    // MARK: Channels and scopes

    public static func getChannel(_ index: UInt8) -> [UInt8] { GetChannel(channelIndex: index).encoded() }
    public static func setChannel(_ index: UInt8, name: String, secret: FixedBytes<16>) -> [UInt8] {
        SetChannel(index: index, name: name, secret: secret).encoded()
    }
    public static func setFloodScope(_ key: FixedBytes<16>) -> [UInt8] { SetFloodScopeKey(key: key).encoded() }
    public static func setUnscoped() -> [UInt8] { SetFloodScopeKey.unscoped.encoded() }
    public static func setDefaultFloodScope(_ scope: FloodScope?) -> [UInt8] {
        SetDefaultFloodScope(scope: scope).encoded()
    }
    public static func getDefaultFloodScope() -> [UInt8] { GetDefaultFloodScope().encoded() }

    // MARK: Other nodes

    public static func sendAdvertisement(flood: Bool) -> [UInt8] { SendSelfAdvert(type: flood ? 1 : nil).encoded() }
    public static func sendLogin(to key: FixedBytes<32>, password: String) -> [UInt8] {
        SendLogin(publicKey: key, password: ByteText(password)).encoded()
    }
    public static func sendStatusRequest(_ key: FixedBytes<32>) -> [UInt8] { SendStatusReq(publicKey: key).encoded() }
    public static func sendLogout(_ key: FixedBytes<32>) -> [UInt8] { Logout(publicKey: key).encoded() }
    public static func hasConnection(_ key: FixedBytes<32>) -> [UInt8] { HasConnection(publicKey: key).encoded() }
    /// The radio's own telemetry without a key, that of another node with one.
    public static func getSelfTelemetry(_ key: FixedBytes<32>? = nil) -> [UInt8] {
        SendTelemetryReq(publicKey: key).encoded()
    }
    public static func binaryRequest(
        to key: FixedBytes<32>, type: RequestType, payload: [UInt8] = []
    ) -> [UInt8] {
        SendBinaryReq(publicKey: key, request: [type.rawValue] + payload).encoded()
    }
    public static func sendPathDiscovery(_ key: FixedBytes<32>) -> [UInt8] {
        SendPathDiscoveryReq(publicKey: key).encoded()
    }
    public static func sendTrace(tag: UInt32, auth: UInt32 = 0, flags: UInt8 = 0, path: [UInt8]) -> [UInt8] {
        SendTracePath(tag: tag, auth: auth, flags: flags, path: path).encoded()
    }
    public static func sendControlData(_ payload: [UInt8]) -> [UInt8] { SendControlData(payload: payload).encoded() }
    public static func sendNodeDiscoverRequest(
        filter: UInt8, prefixOnly: Bool, tag: UInt32, since: UInt32? = nil
    ) -> [UInt8] {
        SendControlData(discover: filter, prefixOnly: prefixOnly, tag: tag, since: since).encoded()
    }

    // MARK: Signing

    public static func signStart() -> [UInt8] { SignStart().encoded() }
    public static func signData(_ data: [UInt8]) -> [UInt8] { SignData(data: data).encoded() }
    public static func signFinish() -> [UInt8] { SignFinish().encoded() }
}
