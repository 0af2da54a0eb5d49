import MeshCompanion
import MeshRadio
import MeshWire

// Settings: stored before the OK (CompanionStatements, CMP-050 to CMP-082, CMP-211 and CMP-212).
extension CompanionRadio {
    private mutating func saved() {
        savePreferences()
        ok()
    }

    mutating func handle(_ frame: SetAdvertName) {
        preferences.name = frame.name.prefix(31).untilNUL
        saved()
    }

    mutating func handle(_ frame: SetAdvertLatlon) {
        guard GeoPoint.latitudeMicrodegrees ~= frame.latitude, GeoPoint.longitudeMicrodegrees ~= frame.longitude else {
            return refuse(.illegalArg)
        }
        var place = environment.position(at: core.now)
        place.latitude = CompanionPreferences.degrees(fromMicrodegrees: frame.latitude)
        place.longitude = CompanionPreferences.degrees(fromMicrodegrees: frame.longitude)
        environment.setPosition(place, at: core.now)
        saved()
    }

    mutating func handle(_ frame: SetRadioParams) {
        let repeats = (frame.clientRepeat ?? 0) != 0
        if repeats, !core.board.repeatFrequencies.contains(where: { $0.contains(frame.frequency) }) {
            return refuse(.illegalArg)
        }
        let parameters = LoRaParameters(
            frequencyKilohertz: frame.frequency, bandwidthHertz: frame.bandwidth,
            spreadingFactor: frame.spreadingFactor, codingRate: frame.codingRate)
        guard parameters.isInRange, frame.frequency >= core.switches.lowestFrequency, isAccepted(parameters) else {
            return refuse(.illegalArg)
        }
        preferences.spreadingFactor = frame.spreadingFactor
        preferences.codingRate = frame.codingRate
        preferences.frequency = CompanionPreferences.megahertz(fromKilohertz: frame.frequency)
        preferences.bandwidth = CompanionPreferences.kilohertz(fromHertz: frame.bandwidth)
        radioAtReboot = nil
        preferences.repeatByte = core.switches.keepsRepeatByte ? frame.clientRepeat ?? 0 : repeats ? 1 : 0
        savePreferences()
        applyRadioParameters()
        ok()
    }

    /// Returns whether the chip supports the parameters, or the firmware does not ask.
    private func isAccepted(_ parameters: LoRaParameters) -> Bool {
        if core.quirks.contains(.unsupportedBandwidthAccepted) { return true }
        let chip = core.board.chip
        guard let bandwidth = chip.appliedBandwidthHertz(for: parameters.bandwidthHertz) else { return false }
        return chip.supports(frequencyKilohertz: parameters.frequencyKilohertz)
            && chip.supports(spreadingFactor: parameters.spreadingFactor, bandwidthHertz: bandwidth)
    }

    mutating func handle(_ frame: SetRadioTxPower) {
        guard frame.power >= -9, frame.power <= core.board.maxTxPower else { return refuse(.illegalArg) }
        preferences.txPower = frame.power
        core.setTxPower(frame.power)
        saved()
    }

    mutating func handle(_ frame: SetTuningParams) {
        preferences.receiveDelayBase = CompanionPreferences.factor(fromThousandths: frame.receiveDelay)
        preferences.airtimeFactor = CompanionPreferences.factor(fromThousandths: frame.airtimeFactor)
        saved()
    }

    mutating func handle(_ frame: GetTuningParams) {
        send(
            Resp.TuningParams(
                receiveDelay: reported(preferences.receiveDelayBase),
                airtimeFactor: reported(preferences.airtimeFactor)))
    }

    mutating func handle(_ frame: SetOtherParams) {
        preferences.manualAdd = frame.manualAdd
        if let modes = frame.telemetryModes {
            preferences.telemetryBase = modes & 3
            preferences.telemetryLocation = modes >> 2 & 3
            preferences.telemetryEnvironment = modes >> 4 & 3
        }
        if let policy = frame.advertLocationPolicy { preferences.advertLocationPolicy = policy }
        if let multiAcks = frame.multiAcks { preferences.multiAcks = multiAcks }
        saved()
    }

    mutating func handle(_ frame: SetDevicePin) {
        guard frame.pin == 0 || 100_000...999_999 ~= frame.pin else { return refuse(.illegalArg) }
        preferences.blePin = frame.pin
        saved()
    }

    mutating func handle(_ frame: SetPathHashMode) {
        guard frame.mode < 3 else { return refuse(.illegalArg) }
        preferences.pathHashMode = frame.mode
        saved()
    }

    mutating func handle(_ frame: SetAutoaddConfig) {
        preferences.autoAdd = frame.config
        if let hops = frame.maxHops { preferences.autoAddMaxHops = min(hops, 64) }
        saved()
    }

    mutating func handle(_ frame: GetAutoaddConfig) {
        send(Resp.AutoaddConfig(config: preferences.autoAdd, maxHops: preferences.autoAddMaxHops))
    }

    mutating func handle(_ frame: GetAllowedRepeatFreq) {
        // As many pairs as leave a byte of the buffer free.
        let ranges = core.board.repeatFrequencies.prefix(21)
        send(
            Resp.AllowedRepeatFreq(
                ranges: ranges.map { FrequencyRange(low: $0.lowerBound, high: $0.upperBound) }))
    }

    // MARK: Sensors

    mutating func handle(_ frame: GetCustomVars) {
        let variables = environment.variables.map { $0.name.bytes + [UInt8(ascii: ":")] + $0.value.bytes }
        let vars = ByteText(bytes: Array(variables.joined(separator: [UInt8(ascii: ",")])))
        send(Resp.CustomVars(vars: vars))
        // It is built as a C string, whose NUL stays behind the frame.
        if !vars.isEmpty { transmitBuffer[1 + vars.count] = 0 }
    }

    mutating func handle(_ frame: SetCustomVar) {
        endFrameWithNUL()
        let text = frame.setting.untilNUL.bytes
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return refuse(.illegalArg) }
        // The firmware ends the name so.
        storeNUL(at: 1 + colon)
        let name = ByteText(bytes: Array(text[..<colon]))
        let value = ByteText(bytes: Array(text[(colon + 1)...]))
        guard environment.setVariable(name, to: value, build: core.board.gpsBuild, at: core.now) else {
            return refuse(.illegalArg)
        }
        if name == "gps" {
            preferences.gpsEnabled = value.bytes.first == UInt8(ascii: "1") ? 1 : 0
        } else {
            preferences.gpsInterval = min(Environment.interval(value), 86400)
        }
        saved()
    }
}
