public import MeshCompanion
import MeshCore

// How the radio sends and listens.
extension SettingsService {
    /// Sets frequency, bandwidth, spreading factor and coding rate.
    ///
    /// `repeats` decides whether the radio relays packets of others; `nil` leaves it as it is. Radios from level 9 on
    /// need it with every change, or they stop relaying.
    public func setRadioParams(_ parameters: RadioParameters, repeats: Bool? = nil) async throws {
        try await check(parameters)
        let byte = try await repeatByte(repeats)
        try await plain { try await $0.send(SetRadioParams(parameters, repeatByte: byte)) }
    }

    /// Sets the LoRa parameters, and makes sure of them; throws when the radio has others afterwards.
    @discardableResult
    public func setRadioParamsVerified(
        _ parameters: RadioParameters, repeats: Bool? = nil
    ) async throws -> DeviceDTO {
        try await check(parameters)
        let byte = try await repeatByte(repeats)
        return try await verified(
            SettingExpectation.of(parameters), amend: { if let byte { $0.clientRepeat = byte != 0 } },
            write: { session in
                try await session.send(SetRadioParams(parameters, repeatByte: byte))
                guard let byte else { return }
                let actual = try await session.queryDevice().clientRepeat ?? 0
                guard (actual != 0) == (byte != 0) else {
                    throw StackError(
                        .settings, .verificationFailed(expected: "repeat \(byte)", actual: "repeat \(actual)"))
                }
            })
    }

    /// Sets the parameters of a preset.
    public func applyPreset(_ preset: RadioPreset) async throws { try await setRadioParams(preset.parameters) }

    /// Sets the parameters of a preset, and makes sure of them.
    @discardableResult
    public func applyPresetVerified(_ preset: RadioPreset) async throws -> DeviceDTO {
        try await setRadioParamsVerified(preset.parameters)
    }

    /// Sets the transmit power in dBm, from -9 to the greatest one that the radio reports.
    public func setTxPower(_ power: Int8) async throws {
        try await check(power: power)
        try await plain { try await $0.setTxPower(power) }
    }

    /// Sets the transmit power in dBm, and makes sure of it.
    @discardableResult
    public func setTxPowerVerified(_ power: Int8) async throws -> DeviceDTO {
        try await check(power: power)
        return try await verified([.exactly("power", power, \.txPower)]) { try await $0.setTxPower(power) }
    }

    /// The delay of received floods, and f of a duty cycle of 1/(1 + f).
    public func setTuning(receiveDelay: Double, airtimeFactor: Double) async throws {
        guard receiveDelay >= 0, receiveDelay.isFinite else {
            throw StackError(.settings, .outOfRange(field: "receiveDelay"))
        }
        guard airtimeFactor >= 0, airtimeFactor.isFinite else {
            throw StackError(.settings, .outOfRange(field: "airtimeFactor"))
        }
        try await plain { try await $0.setTuning(receiveDelay: receiveDelay, airtimeFactor: airtimeFactor) }
    }

    /// Returns the tuning parameters as the radio has them, in thousandths.
    public func getTuning() async throws -> Resp.TuningParams {
        try await inTurn { try await $0.session.getTuningParams() }
    }

    // MARK: Checks

    private func ranges() async throws -> RadioRanges {
        .firmware(maxPower: try await inTurn { try await $0.currentInfo().maxTxPower })
    }

    private func check(_ parameters: RadioParameters) async throws { try await ranges().check(parameters) }

    private func check(power: Int8) async throws { try await ranges().check(power: power) }

    /// Returns the byte behind the radio parameters; `nil` for radios that do not know it.
    ///
    /// Those radios do not repeat either, so the wish not to repeat is no error.
    private func repeatByte(_ wanted: Bool?) async throws -> UInt8? {
        guard let wanted else { return await session.deviceInfo?.clientRepeat }
        if wanted { try await require(.clientRepeat) }
        return await session.capabilities.has(.clientRepeat) ? (wanted ? 1 : 0) : nil
    }
}

extension SetRadioParams {
    init(_ parameters: RadioParameters, repeatByte: UInt8?) {
        self.init(
            frequency: parameters.frequencyKHz, bandwidth: parameters.bandwidthHz,
            spreadingFactor: parameters.spreadingFactor, codingRate: parameters.codingRate, clientRepeat: repeatByte)
    }
}

extension SettingExpectation {
    static func of(_ parameters: RadioParameters) -> [SettingExpectation] {
        [
            .about("frequency", parameters.megahertz, within: 0.001) { Double($0.frequency) / 1000 },
            .about("bandwidth", parameters.kilohertz, within: 0.001) { Double($0.bandwidth) / 1000 },
            .exactly("spreadingFactor", parameters.spreadingFactor, \.spreadingFactor),
            .exactly("codingRate", parameters.codingRate, \.codingRate),
        ]
    }
}
