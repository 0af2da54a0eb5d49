import MeshCompanion
import MeshPacket
import MeshRadio
import MeshWire

// Commands that change settings, and what settings lead to. Source: InfrastructureNodes, "Commands" and "Settings by
// command".
extension ServerNode {
    /// Writes the settings after a command that ends the adverts of a fresh node.
    mutating func savePreferences() {
        server.preferences.prepareToSave()
        writePreferences()
    }

    private mutating func writePreferences() {
        let file = core.switches.settingsFile
        store(server.preferences.fileContent(file), at: ServerPreferences.path(of: file))
    }

    func preferenceContext(isSerial: Bool) -> PreferenceContext {
        var context = PreferenceContext(
            role: server.role, board: core.board, identity: core.identity, isSerial: isSerial)
        context.wasRestarted = server.wasRestarted
        context.isExternallyPowered = core.board.platform == .nrf52 && server.environment.isExternallyPowered
        context.bootMillivolts = server.environment.batteryMillivolts(at: core.boot)
        context.spreadingFactor = core.parameters.spreadingFactor
        return context
    }

    mutating func setPreference(_ text: ArraySlice<UInt8>, isSerial: Bool) -> [UInt8] {
        let answer = server.preferences.set(text, preferenceContext(isSerial: isSerial))
        for effect in answer.effects { perform(effect) }
        return answer.reply
    }

    private mutating func perform(_ effect: PreferenceEffect) {
        switch effect {
        case .save: writePreferences()
        case .restartLocalAdverts: armLocalAdvert()
        case .restartFloodAdverts: armFloodAdvert()
        case .setTxPower(let power): core.setTxPower(power)
        case .setADCMultiplier: applyADCMultiplier()
        case .storeIdentity(let identity): store(ServerFiles.identityBytes(identity), at: ServerFiles.identity)
        case .setBoostedGain, .setReceiveAmplifier, .setTransmitAmplifier, .setSideDetectors:
            // The air has links, not antennas: what these change is part of a link's strength.
            break
        case .switchBridge(let isOn): if !server.bridge.isEmpty { server.bridge[0].isRunning = isOn }
        // Speed, channel and secret are read from the settings with every frame.
        case .restartBridge: break
        }
    }

    /// Lets the battery gauge read with the factor that is set, as far as the board has one.
    mutating func applyADCMultiplier() {
        guard let factor = core.board.adcMultiplier, factor > 0 else { return }
        let setting = server.preferences.adcMultiplier
        let scale = setting == 0 ? 1 : Double(setting) / Double(factor)
        if server.environment.gaugeScale != scale { server.environment.gaugeScale = scale }
    }

    /// Changes the administrator's password; an empty one admits every client that gives none.
    mutating func changePassword(to text: ArraySlice<UInt8>) -> [UInt8] {
        server.preferences.password = ByteText(bytes: [UInt8](text)).prefix(15)
        savePreferences()
        return [UInt8]("password now: ".utf8) + server.preferences.password.bytes
    }

    /// Handles `powersaving on`, which only some builds accept.
    mutating func savePower() -> String {
        let reply: String
        switch core.board.platform {
        case _ where !core.switches.namesFactorRanges: reply = "ok"
        case .nrf52: reply = "on - Immediate effect"
        case _ where server.role == .repeater && core.board.bridge != .none: return "Bridge not supported"
        case .esp32: reply = "on - After 2 minutes"
        case .other: return "Board not supported"
        }
        server.preferences.powerSaving = 1
        savePreferences()
        return reply
    }
}

// Radio settings for some minutes. Source: InfrastructureNodes, "Commands" (INF-200); firmware, `applyTempRadioParams`.
extension ServerNode {
    /// Frequency, bandwidth, spreading factor, coding rate, minutes.
    mutating func setTemporaryRadio(_ text: ArraySlice<UInt8>) -> String {
        let parts = CommandParts.split(text, most: 5)
        let radio = RadioText(parts)
        let minutes = parts.count > 4 ? NumberReading.integer(parts[4]) : 0
        guard radio.isAccepted(by: core.switches), minutes > 0 else { return "Error, invalid params" }
        // More than 35 791 minutes wrap, and the moment may have passed before the settings are applied.
        let span = UInt32(bitPattern: minutes &* 60_000) &+ ServerTiming.temporaryRadio
        server.temporaryRadio = TemporaryRadio(
            radio: radio, applyAt: core.future(ServerTiming.temporaryRadio), revertAt: core.future(span))
        return "OK - temp params for \(minutes) mins"
    }

    mutating func switchTemporaryRadio() {
        guard let temporary = server.temporaryRadio else { return }
        if let due = temporary.applyAt, core.hasPassed(due) {
            server.temporaryRadio?.applyAt = nil
            tune(temporary.radio)
        }
        if let due = temporary.revertAt, core.hasPassed(due) {
            server.temporaryRadio?.revertAt = nil
            tuneFromPreferences()
        }
        if server.temporaryRadio?.nextSwitch == nil { server.temporaryRadio = nil }
    }
}

/// Radio settings of `tempradio`: applied a moment after the answer, and reverted after some minutes.
struct TemporaryRadio: Hashable, Sendable {
    let radio: RadioText
    /// Cleared once applied.
    var applyAt: Millis?
    /// The time of the return to the old settings; cleared once done.
    var revertAt: Millis?

    /// The time of the next change; `nil` when all is done.
    var nextSwitch: Millis? {
        guard let applyAt, let revertAt else { return applyAt ?? revertAt }
        return revertAt.distance(to: applyAt) < 0 ? applyAt : revertAt
    }
}
