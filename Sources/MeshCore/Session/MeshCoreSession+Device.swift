public import MeshCompanion
import MeshPacket
public import MeshWire

// What the radio knows and keeps itself.
extension MeshCoreSession {
    // MARK: Introduction

    /// Introduces us again, and returns the radio's information.
    @discardableResult
    public func sendAppStart() async throws -> SelfInfo {
        try await send(AppStart(clientID: configuration.clientIdentifier))
    }

    /// Sends the radio our version, and returns its information; from then on messages come with their SNR.
    @discardableResult
    public func queryDevice() async throws -> DeviceInfo {
        try await send(DeviceQuery(appTargetVersion: configuration.appTargetVersion))
    }

    /// Queries a radio that may not answer: `nil` where it refuses, or answers in a layout that cannot be read.
    ///
    /// Foreign radios work without this information.
    @discardableResult
    package func queryDeviceIfTold() async throws -> DeviceInfo? {
        do {
            return try await queryDevice()
        } catch let error as SessionError {
            switch error {
            case .refused, .featureDisabled, .unreadableReply: return nil
            default: throw error
            }
        }
    }

    /// Asks for the battery voltage and how full the file system is.
    public func getBattery() async throws -> BatteryInfo { try await send(GetBattAndStorage()) }

    /// The radio's clock, in seconds since 1970.
    public func getTime() async throws -> UInt32 { try await send(GetDeviceTime()).epoch }

    /// Sets the radio's clock. Radios refuse (`illegalArg`) to go back.
    public func setTime(_ seconds: UInt32) async throws { try await send(SetDeviceTime(epoch: seconds)) }

    /// Asks for battery, uptime, errors and queue.
    public func getStatsCore() async throws -> CoreStats {
        try await stats(0) { if case .core(let stats) = $0 { stats } else { nil } }
    }

    /// Asks for noise, last reception and airtimes.
    public func getStatsRadio() async throws -> RadioStats {
        try await stats(1) { if case .radio(let stats) = $0 { stats } else { nil } }
    }

    /// Asks for the counts of packets since boot.
    public func getStatsPackets() async throws -> PacketStats {
        try await stats(2) { if case .packets(let stats) = $0 { stats } else { nil } }
    }

    private func stats<T: Sendable>(
        _ type: UInt8, _ pick: @escaping @Sendable (Resp.Stats.Content) -> T?
    ) async throws -> T {
        try await send(GetStats(statsType: type), isTelling: true) { pick($0.content).map { .reply($0) } ?? .ignored }
    }

    // MARK: Settings

    /// Names the node; a name beyond the radio's limit is cut.
    public func setName(_ name: String) async throws { try await send(SetAdvertName(name)) }

    /// Sets the position in degrees; values beyond the poles become the nearest.
    public func setCoordinates(latitude: Double, longitude: Double) async throws {
        try await send(SetAdvertLatlon(latitudeDegrees: latitude, longitudeDegrees: longitude))
    }

    /// Sets the transmit power in dBm.
    public func setTxPower(_ power: Int8) async throws { try await send(SetRadioTxPower(power: power)) }

    /// Sets the LoRa parameters; numbers out of range become the nearest.
    ///
    /// Radios refuse values that they cannot set (`illegalArg`).
    public func setRadio(
        megahertz: Double, kilohertz: Double, spreadingFactor: UInt8, codingRate: UInt8, repeats: Bool? = nil
    ) async throws {
        try await send(
            SetRadioParams(
                megahertz: megahertz, kilohertz: kilohertz, spreadingFactor: spreadingFactor, codingRate: codingRate,
                repeats: repeats))
    }

    /// Sets the receive delay and the duty cycle, as factors; radios check nothing.
    public func setTuning(receiveDelay: Double, airtimeFactor: Double) async throws {
        try await send(SetTuningParams(receiveDelay: receiveDelay, airtimeFactor: airtimeFactor))
    }

    /// Asks for the receive delay and the duty cycle.
    public func getTuningParams() async throws -> TuningParamsResponse { try await send(GetTuningParams()) }

    /// Changes some of the values that the radio accepts together only: reads, changes, writes, and reads again.
    ///
    /// Changes that overlap wait for each other, so none is lost.
    @discardableResult
    public func changeOtherParams(_ change: @Sendable (inout OtherParams) -> Void) async throws -> SelfInfo {
        let turn = try await turns.settingChanges.pass()
        defer { turns.settingChanges.leave(turn) }
        // What was read earlier may be old: another app, or the node's own menu, changes these values too.
        var params = OtherParams(try await sendAppStart())
        change(&params)
        try await send(params.command)
        return try await sendAppStart()
    }

    /// Sets whether new contacts wait for the app; the other settings of the command are kept.
    public func setManualAdd(_ isManual: Bool) async throws {
        try await changeOtherParams { $0.manualAdd = isManual ? $0.manualAdd | 1 : $0.manualAdd & ~1 }
    }

    /// Sets the number of extra acknowledgements; the other settings of the command are kept.
    public func setMultiAcks(_ count: UInt8) async throws { try await changeOtherParams { $0.multiAcks = count } }

    /// Sets the policy for positions in adverts, 0 for none; the other settings of the command are kept.
    public func setAdvertLocationPolicy(_ policy: UInt8) async throws {
        try await changeOtherParams { $0.advertLocationPolicy = policy }
    }

    /// Sets who may request telemetry; `nil` keeps the setting.
    ///
    /// For each kind: 0 deny, 1 by contact flags, 2 allow all.
    public func setTelemetryModes(base: UInt8? = nil, location: UInt8? = nil, environment: UInt8? = nil) async throws {
        try await changeOtherParams { params in
            if let base { params.telemetryModes.base = base }
            if let location { params.telemetryModes.location = location }
            if let environment { params.telemetryModes.environment = environment }
        }
    }

    /// Six digits, or 0 for none.
    public func setDevicePin(_ pin: UInt32) async throws { try await send(SetDevicePin(pin: pin)) }

    /// The variables of the radio's sensors, `name:value` each.
    public func getCustomVars() async throws -> [(name: String, value: String)] {
        let text = try await send(GetCustomVars()).vars.readable
        return text.split(separator: ",").map { pair in
            let parts = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    /// Sets a variable of the board's sensors.
    public func setCustomVar(_ name: String, _ value: String) async throws {
        try await send(SetCustomVar(setting: ByteText("\(name):\(value)")))
    }

    /// Asks on which frequencies a companion may repeat.
    public func getRepeatFrequencies() async throws -> [FrequencyRange] {
        try await send(GetAllowedRepeatFreq()).ranges
    }

    /// Hash size less one.
    public func setPathHashMode(_ mode: UInt8) async throws { try await send(SetPathHashMode(mode: mode)) }

    /// Asks which nodes become contacts by themselves.
    public func getAutoAddConfig() async throws -> AutoAddConfig { try await send(GetAutoaddConfig()) }

    /// Chooses which nodes become contacts by themselves, and from how far; `maxHops` is capped at 64.
    public func setAutoAddConfig(_ config: UInt8, maxHops: UInt8? = nil) async throws {
        try await send(SetAutoaddConfig(config: config, maxHops: maxHops))
    }

    // MARK: Power

    /// Restarts the radio. It does not answer; the link ends, as a rule.
    public func reboot() async throws { try await sendUnanswered(Reboot()) }

    /// Makes the radio forget everything, its identity included. It does not answer.
    public func factoryReset() async throws { try await sendUnanswered(FactoryReset()) }

    private func sendUnanswered(_ command: some CommandFrame) async throws {
        if let obstacle { throw obstacle }
        let turn = try await turns.commands.pass()
        defer { turns.commands.leave(turn) }
        do {
            try await transport.send(command.encoded())
        } catch let error as MeshTransportError {
            throw error.asSessionError
        }
    }

    // MARK: Keys

    /// Asks for the private key, 64 bytes. Throws `featureDisabled` when the radio does not give it out.
    public func exportPrivateKey() async throws -> FixedBytes<64> {
        try await send(ExportPrivateKey()) { reply in
            switch reply {
            case .first(let frame): .reply(frame.privateKey)
            case .second: .failure(.featureDisabled(.exportPrivateKey))
            }
        }
    }

    /// Gives the radio another identity, and reads its information afterwards.
    public func importPrivateKey(_ key: FixedBytes<64>) async throws {
        try await send(ImportPrivateKey(privateKey: key)) { (reply) -> Judgement<Void> in
            switch reply {
            case .first: .reply(())
            case .second: .failure(.featureDisabled(.importPrivateKey))
            }
        }
        try await sendAppStart()
    }

    /// Bytes of one `SignData`; leaves room on links with small frames.
    static var signChunk: Int { 120 }

    /// The radio's signature over the data.
    public func sign(_ data: [UInt8]) async throws -> FixedBytes<64> {
        let turn = try await turns.signing.pass()
        defer { turns.signing.leave(turn) }
        let limit = Int(try await send(SignStart()).maxLength)
        guard data.count <= limit else { throw SessionError.tooMuchToSign(count: data.count, limit: limit) }
        var rest = data[...]
        while !rest.isEmpty {
            try await send(SignData(data: [UInt8](rest.prefix(Self.signChunk))))
            rest = rest.dropFirst(Self.signChunk)
        }
        // Signing is slow on small processors.
        return try await send(SignFinish(), timeout: configuration.defaultTimeout * 3).signature
    }

    // MARK: Channels

    /// Asks for one channel slot, used or not. Radios refuse (`notFound`) a slot that they do not have.
    public func getChannel(_ index: UInt8) async throws -> ChannelInfo {
        try await send(GetChannel(channelIndex: index)) { $0.channelIndex == index }
    }

    /// The slots of these indexes. One that is not answered is asked for once more.
    public func getChannels(_ indexes: some Sequence<UInt8> & Sendable) async throws -> [ChannelInfo] {
        var channels: [ChannelInfo] = []
        for index in indexes {
            do {
                channels.append(try await getChannel(index))
            } catch SessionError.timeout {
                channels.append(try await getChannel(index))
            }
        }
        return channels
    }

    /// Writes one channel slot; an empty name and a zero secret free it.
    public func setChannel(_ index: UInt8, name: String, secret: FixedBytes<16>) async throws {
        try await send(SetChannel(index: index, name: name, secret: secret))
    }

    /// Says which repeaters are to pass floods on, until the radio restarts.
    public func setFloodScope(_ scope: ScopeKey) async throws { try await send(SetFloodScopeKey(key: scope.key)) }

    /// Sends the next floods without a scope, also when a default one is set.
    ///
    /// Firmware before 1.16 refuses it as it refuses unknown commands, and accepts the other form of the same command.
    /// It is not asked, and `featureDisabled` is thrown (FirmwareVersions, FWV-017).
    public func setUnscoped() async throws {
        if let level = deviceInfo?.firmwareVersionCode, !FirmwareVersion.switches(ofLevel: level).hasUnscopedFloods {
            throw SessionError.featureDisabled(.setFloodScopeKey)
        }
        try await send(SetFloodScopeKey.unscoped)
    }

    /// Stores the scope that floods carry, or clears it.
    public func setDefaultFloodScope(_ scope: FloodScope?) async throws {
        try await send(SetDefaultFloodScope(scope: scope))
    }

    /// Asks for the stored flood scope; nil when there is none.
    public func getDefaultFloodScope() async throws -> FloodScope? { try await send(GetDefaultFloodScope()).scope }
}
