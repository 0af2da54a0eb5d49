public import MeshCompanion
public import MeshPacket
public import MeshWire

/// Builds command frames, without any state: one function each, code byte first.
///
/// Thin over the command types of `MeshCompanion`. Numbers out of range become the nearest in range, and names are cut
/// at a character. A session checks the rest before it sends.
public enum PacketBuilder {
    // MARK: The session

    /// `AppStart`: opens a session. The name of the app is cut to five characters.
    public static func appStart(_ clientID: String = "MCore") -> [UInt8] { AppStart(clientID: clientID).encoded() }
    /// `DeviceQuery`: requests the radio's description, with the app's protocol version.
    public static func deviceQuery(version: UInt8 = 3) -> [UInt8] { DeviceQuery(appTargetVersion: version).encoded() }
    /// `GetDeviceTime`: asks for the radio's clock.
    public static func getTime() -> [UInt8] { GetDeviceTime().encoded() }
    /// `SetDeviceTime`: sets the radio's clock forward, to seconds since 1970.
    public static func setTime(seconds: Double) -> [UInt8] { SetDeviceTime(seconds: seconds).encoded() }
    /// `GetBattAndStorage`: asks for the battery voltage and how full the file system is.
    public static func getBattery() -> [UInt8] { GetBattAndStorage().encoded() }
    /// `Reboot`: restarts the radio; there is no answer.
    public static func reboot() -> [UInt8] { Reboot().encoded() }
    /// `FactoryReset`: formats the file systems, identity included, and reboots.
    public static func factoryReset() -> [UInt8] { FactoryReset().encoded() }
    /// `GetStats`: asks for battery, uptime, errors and queue.
    public static func getStatsCore() -> [UInt8] { GetStats(statsType: 0).encoded() }
    /// `GetStats`: asks for noise, last reception and airtimes.
    public static func getStatsRadio() -> [UInt8] { GetStats(statsType: 1).encoded() }
    /// `GetStats`: asks for the counts of packets.
    public static func getStatsPackets() -> [UInt8] { GetStats(statsType: 2).encoded() }

    // MARK: Messages

    /// Builds `SendTxtMsg`: a text to the contact whose key begins with these 6 bytes.
    ///
    /// `timestamp` is in seconds since 1970.
    public static func sendMessage(
        to prefix: FixedBytes<6>, text: String, timestamp: UInt32, attempt: UInt8 = 0
    ) -> [UInt8] {
        SendTxtMsg(attempt: attempt, timestamp: timestamp, publicKeyPrefix: prefix, text: ByteText(text)).encoded()
    }

    /// `SendTxtMsg`: a line for the command line of the server whose key begins with these 6 bytes.
    public static func sendCommand(to prefix: FixedBytes<6>, command: String, timestamp: UInt32) -> [UInt8] {
        SendTxtMsg(
            textType: .cliData, attempt: 0, timestamp: timestamp, publicKeyPrefix: prefix, text: ByteText(command)
        )
        .encoded()
    }

    /// `SendChannelTxtMsg`: floods a text to the channel in a slot; `timestamp` in seconds since 1970.
    public static func sendChannelMessage(channel: UInt8, text: String, timestamp: UInt32) -> [UInt8] {
        SendChannelTxtMsg(channelIndex: channel, timestamp: timestamp, text: ByteText(text)).encoded()
    }

    /// `SendChannelData`: sends a datagram to the channel in a slot, by flood or along a given path.
    public static func sendChannelData(
        channel: UInt8, dataType: UInt16, payload: [UInt8], pathLength: PathLength = .unknown, path: [UInt8] = []
    ) -> [UInt8] {
        SendChannelData(
            channelIndex: channel, pathLength: pathLength, path: path, dataType: dataType, payload: payload
        )
        .encoded()
    }

    /// `SyncNextMessage`: requests the oldest message of the radio's queue.
    public static func getMessage() -> [UInt8] { SyncNextMessage().encoded() }

    /// `path` has one byte for each hop.
    public static func sendRawData(path: [UInt8], payload: [UInt8]) -> [UInt8] {
        SendRawData(pathLength: UInt8(clamping: path.count), path: path, payload: payload).encoded()
    }

    // MARK: Contacts

    /// `GetContacts`: lists the contacts, all or those changed after a time in seconds since 1970.
    public static func getContacts(since: UInt32? = nil) -> [UInt8] { GetContacts(since: since).encoded() }
    /// `AddUpdateContact`: stores a contact as given, new or known.
    public static func updateContact(_ contact: ContactRecord) -> [UInt8] { AddUpdateContact(contact).encoded() }
    /// `ResetPath`: forgets the way to a contact, so that the next message is flooded.
    public static func resetPath(_ key: FixedBytes<32>) -> [UInt8] { ResetPath(publicKey: key).encoded() }
    /// `RemoveContact`: removes a contact.
    public static func removeContact(_ key: FixedBytes<32>) -> [UInt8] { RemoveContact(publicKey: key).encoded() }
    /// `ShareContact`: sends the stored advert of a contact to the neighbours.
    public static func shareContact(_ key: FixedBytes<32>) -> [UInt8] { ShareContact(publicKey: key).encoded() }
    /// `ExportContact`: asks for the advert of a contact, or of the node itself without a key.
    public static func exportContact(_ key: FixedBytes<32>? = nil) -> [UInt8] {
        ExportContact(publicKey: key).encoded()
    }
    /// `ImportContact`: gives the radio an advert packet as if it had been heard.
    public static func importContact(_ packet: [UInt8]) -> [UInt8] { ImportContact(packet: packet).encoded() }
    /// `GetContactByKey`: asks for one contact.
    public static func getContactByKey(_ key: FixedBytes<32>) -> [UInt8] { GetContactByKey(publicKey: key).encoded() }
    /// `GetAdvertPath`: asks which way the last advert of a node came, contact or not.
    public static func getAdvertPath(_ key: FixedBytes<32>) -> [UInt8] { GetAdvertPath(publicKey: key).encoded() }
    /// `SetAutoaddConfig`: chooses which nodes become contacts by themselves, and from how far; `maxHops` is capped at
    /// 64.
    public static func setAutoAddConfig(_ config: UInt8, maxHops: UInt8? = nil) -> [UInt8] {
        SetAutoaddConfig(config: config, maxHops: maxHops).encoded()
    }
    /// `GetAutoaddConfig`: asks for the auto-add rules.
    public static func getAutoAddConfig() -> [UInt8] { GetAutoaddConfig().encoded() }

    // MARK: Settings

    /// `SetAdvertName`: names the node.
    public static func setName(_ name: String) -> [UInt8] { SetAdvertName(name).encoded() }

    /// `SetRadioParams`: sets the LoRa parameters; numbers out of range become the nearest.
    public static func setRadio(
        megahertz: Double, kilohertz: Double, spreadingFactor: UInt8, codingRate: UInt8, repeats: Bool? = nil
    ) -> [UInt8] {
        SetRadioParams(
            megahertz: megahertz, kilohertz: kilohertz, spreadingFactor: spreadingFactor, codingRate: codingRate,
            repeats: repeats
        )
        .encoded()
    }

    /// `SetRadioTxPower`: sets the transmit power, in dBm.
    public static func setTxPower(_ power: Int8) -> [UInt8] { SetRadioTxPower(power: power).encoded() }

    /// `SetAdvertLatlon`: sets the position for adverts, in degrees.
    public static func setCoordinates(latitude: Double, longitude: Double) -> [UInt8] {
        SetAdvertLatlon(latitudeDegrees: latitude, longitudeDegrees: longitude).encoded()
    }

    /// `SetTuningParams`: sets the receive delay and the duty cycle, as factors.
    public static func setTuning(receiveDelay: Double, airtimeFactor: Double) -> [UInt8] {
        SetTuningParams(receiveDelay: receiveDelay, airtimeFactor: airtimeFactor).encoded()
    }

    /// `GetTuningParams`: asks for the receive delay and the duty cycle.
    public static func getTuningParams() -> [UInt8] { GetTuningParams().encoded() }

    /// `SetOtherParams`: sets how contacts are added, the policies for telemetry and position, and acknowledgements.
    public static func setOtherParams(
        manualAdd: UInt8, telemetryModes: TelemetryModes, advertLocationPolicy: UInt8, multiAcks: UInt8
    ) -> [UInt8] {
        SetOtherParams(
            manualAdd: manualAdd, telemetryModes: telemetryModes.rawValue, advertLocationPolicy: advertLocationPolicy,
            multiAcks: multiAcks
        )
        .encoded()
    }

    /// `SetDevicePin`: sets the Bluetooth PIN from the next boot on: 0 or six digits.
    public static func setDevicePin(_ pin: UInt32) -> [UInt8] { SetDevicePin(pin: pin).encoded() }
    /// `GetCustomVars`: asks for the variables of the board's sensors.
    public static func getCustomVars() -> [UInt8] { GetCustomVars().encoded() }
    /// `SetCustomVar`: sets a variable of the board's sensors.
    public static func setCustomVar(_ name: String, _ value: String) -> [UInt8] {
        SetCustomVar(setting: ByteText("\(name):\(value)")).encoded()
    }
    /// `ExportPrivateKey`: asks for the private key.
    public static func exportPrivateKey() -> [UInt8] { ExportPrivateKey().encoded() }
    /// `ImportPrivateKey`: replaces the identity of the node.
    public static func importPrivateKey(_ key: FixedBytes<64>) -> [UInt8] {
        ImportPrivateKey(privateKey: key).encoded()
    }
    /// `GetAllowedRepeatFreq`: asks on which frequencies a companion may repeat.
    public static func getRepeatFreq() -> [UInt8] { GetAllowedRepeatFreq().encoded() }
    /// `SetPathHashMode`: chooses the bytes of a hop in the paths of floods that start here, less one.
    public static func setPathHashMode(_ mode: UInt8) -> [UInt8] { SetPathHashMode(mode: mode).encoded() }

    // MARK: Channels and scopes

    /// `GetChannel`: asks for one channel slot, used or not.
    public static func getChannel(_ index: UInt8) -> [UInt8] { GetChannel(channelIndex: index).encoded() }
    /// `SetChannel`: writes one channel slot; an empty name and a zero secret free it.
    public static func setChannel(_ index: UInt8, name: String, secret: FixedBytes<16>) -> [UInt8] {
        SetChannel(index: index, name: name, secret: secret).encoded()
    }
    /// `SetFloodScopeKey`: sets the scope that floods carry until the next boot.
    public static func setFloodScope(_ key: FixedBytes<16>) -> [UInt8] { SetFloodScopeKey(key: key).encoded() }
    /// `SetFloodScopeKey`: floods carry no scope until the next boot.
    public static func setUnscoped() -> [UInt8] { SetFloodScopeKey.unscoped.encoded() }
    /// `SetDefaultFloodScope`: stores the scope that floods carry, or clears it.
    public static func setDefaultFloodScope(_ scope: FloodScope?) -> [UInt8] {
        SetDefaultFloodScope(scope: scope).encoded()
    }
    /// `GetDefaultFloodScope`: asks for the stored flood scope.
    public static func getDefaultFloodScope() -> [UInt8] { GetDefaultFloodScope().encoded() }

    // MARK: Other nodes

    /// `SendSelfAdvert`: sends the node's advert, to the neighbours or by flood.
    public static func sendAdvertisement(flood: Bool) -> [UInt8] { SendSelfAdvert(type: flood ? 1 : nil).encoded() }
    /// `SendLogin`: logs in to a repeater, room server or sensor.
    public static func sendLogin(to key: FixedBytes<32>, password: String) -> [UInt8] {
        SendLogin(publicKey: key, password: ByteText(password)).encoded()
    }
    /// `SendStatusReq`: asks a repeater or room server for its status.
    public static func sendStatusRequest(_ key: FixedBytes<32>) -> [UInt8] { SendStatusReq(publicKey: key).encoded() }
    /// `Logout`: forgets the keep-alive connection to a server; nothing is transmitted.
    public static func sendLogout(_ key: FixedBytes<32>) -> [UInt8] { Logout(publicKey: key).encoded() }
    /// `HasConnection`: asks whether a keep-alive connection to a server is held.
    public static func hasConnection(_ key: FixedBytes<32>) -> [UInt8] { HasConnection(publicKey: key).encoded() }
    /// The radio's own telemetry without a key, that of another node with one.
    public static func getSelfTelemetry(_ key: FixedBytes<32>? = nil) -> [UInt8] {
        SendTelemetryReq(publicKey: key).encoded()
    }
    /// `SendBinaryReq`: sends a request to a contact: its type, then the payload of the type.
    public static func binaryRequest(
        to key: FixedBytes<32>, type: RequestType, payload: [UInt8] = []
    ) -> [UInt8] {
        SendBinaryReq(publicKey: key, request: [type.rawValue] + payload).encoded()
    }
    /// `SendPathDiscoveryReq`: asks a contact by flood, so that both ways become known.
    public static func sendPathDiscovery(_ key: FixedBytes<32>) -> [UInt8] {
        SendPathDiscoveryReq(publicKey: key).encoded()
    }
    /// `SendTracePath`: sends a packet round a list of nodes, each of which notes how well it heard it.
    public static func sendTrace(tag: UInt32, auth: UInt32 = 0, flags: UInt8 = 0, path: [UInt8]) -> [UInt8] {
        SendTracePath(tag: tag, auth: auth, flags: flags, path: path).encoded()
    }
    /// `SendControlData`: sends a CONTROL packet to the neighbours.
    public static func sendControlData(_ payload: [UInt8]) -> [UInt8] { SendControlData(payload: payload).encoded() }
    /// `SendControlData`: sends a discovery request to the neighbours; `filter` has a bit for each node type.
    public static func sendNodeDiscoverRequest(
        filter: UInt8, prefixOnly: Bool, tag: UInt32, since: UInt32? = nil
    ) -> [UInt8] {
        SendControlData(discover: filter, prefixOnly: prefixOnly, tag: tag, since: since).encoded()
    }

    // MARK: Signing

    /// `SignStart`: begins a signature.
    public static func signStart() -> [UInt8] { SignStart().encoded() }
    /// `SignData`: appends data to sign.
    public static func signData(_ data: [UInt8]) -> [UInt8] { SignData(data: data).encoded() }
    /// `SignFinish`: asks for the signature over all data since the start.
    public static func signFinish() -> [UInt8] { SignFinish().encoded() }
}
