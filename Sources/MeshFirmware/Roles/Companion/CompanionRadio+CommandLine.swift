import MeshCompanion
import MeshWire

// The command line of a companion radio, which its app reaches by RUN_CLI_COMMAND and contacts by texts of type 3.
//
// Read from source text and not verified: the words of FWV-123 are certain, the exact texts of some replies are not
// (FWV-206). Where that source says nothing, the replies are those of infrastructure nodes. Source: FirmwareVersions,
// FWV-120 to FWV-124.
extension CompanionRadio {
    mutating func handle(_ frame: RunCliCommand) {
        guard let reply = perform(runCommandLine(frame.line.bytes)) else { return }
        send(Resp.CliReply(text: ByteText(bytes: reply).prefix(Resp.CliReply.longest)))
    }

    /// Runs a line; two characters and a `|` in front of it stand in front of its reply as well.
    mutating func runCommandLine(_ line: [UInt8]) -> CommandOutcome {
        var command = CommandLine(line)
        command.skipSpaces()
        let prefix = command.takePrefix()
        let outcome = run(command)
        guard case .reply(let reply) = outcome, !prefix.isEmpty else { return outcome }
        return .reply(prefix + reply)
    }

    /// The reply of a command; those that end the work of the board have none.
    mutating func perform(_ outcome: CommandOutcome) -> [UInt8]? {
        switch outcome {
        case .reply(let reply): return reply
        case .restart, .powerOff:
            writeContactsNow()
            leave(outcome == .restart ? .reboot : .powerOff)
            return nil
        }
    }

    /// Words are compared as a whole, other than those of infrastructure nodes.
    private mutating func run(_ command: CommandLine) -> CommandOutcome {
        switch String(decoding: command.bytes, as: UTF8.self) {
        case "ver": return .text("\(core.board.firmware.text) (Build: \(core.board.firmware.buildDate))")
        case "board": return .text(core.board.model)
        case "reboot": return .restart
        case "poweroff", "shutdown": return .powerOff
        default: break
        }
        if command.begins("get ") { return .reply(get(command.after("get "))) }
        if command.begins("set ") { return .reply(set(command.after("set "))) }
        return .text("Unknown command")
    }

    // MARK: Settings

    private var preferenceContext: PreferenceContext {
        // The rows that companions share with infrastructure nodes are those that a repeater heeds.
        PreferenceContext(role: .repeater, board: core.board, identity: core.identity, isSerial: true)
    }

    private func get(_ word: [UInt8]) -> [UInt8] {
        let name = String(decoding: word, as: UTF8.self)
        guard let setting = CompanionSetting(rawValue: name), setting.isReadable else {
            return [UInt8]("??: ".utf8) + word
        }
        switch setting {
        case .timeZone: return [UInt8]("> \(preferences.timeZoneOffset)".utf8)
        case .wifiNetwork, .wifiPassword, .wifiEnabled, .wifiStatus, .wifiAddress, .wifiClear:
            return [UInt8](CompanionSetting.unsupported.utf8)
        default: return preferences.asServer(core.board).get(word, preferenceContext)
        }
    }

    private mutating func set(_ text: [UInt8]) -> [UInt8] {
        let word = text.prefix { $0 != UInt8(ascii: " ") }
        let value = [UInt8](text.dropFirst(word.count + 1))
        guard word.count < text.count,
            let setting = CompanionSetting(rawValue: String(decoding: word, as: UTF8.self)), setting.isWritable
        else { return [UInt8]("unknown config: ".utf8) + text }
        if let refusal = setting.refusal(of: value, board: core.board) { return [UInt8](refusal.utf8) }
        switch setting {
        case .pin:
            preferences.blePin = UInt32(bitPattern: NumberReading.integer(value))
            savePreferences()
            let digits = "\(preferences.blePin)"
            return [UInt8](("> pin is now " + String(repeating: "0", count: max(0, 6 - digits.count)) + digits).utf8)
        case .timeZone:
            preferences.timeZoneOffset = Int8(truncatingIfNeeded: NumberReading.integer(value))
            savePreferences()
            return [UInt8]("OK".utf8)
        default: return setShared(setting, text)
        }
    }

    /// A setting that infrastructure nodes have too: their table judges it, keeps it, and knows the reply.
    private mutating func setShared(_ setting: CompanionSetting, _ text: [UInt8]) -> [UInt8] {
        var settings = preferences.asServer(core.board)
        let answer = settings.set(text, preferenceContext)
        guard answer.effects.contains(.save) else { return answer.reply }
        if setting == .radio {
            // Neither the radio nor SELF_INFO changes before the restart (FWV-124).
            radioAtReboot = RadioText(
                frequency: settings.frequency, bandwidth: settings.bandwidth,
                spreadingFactor: settings.spreadingFactor, codingRate: settings.codingRate)
        } else {
            preferences.take(settings)
            if setting == .txPower { core.setTxPower(preferences.txPower) }
        }
        savePreferences()
        return answer.reply
    }
}

/// The words behind `get` and `set` of a companion. Source: FirmwareVersions, FWV-123.
private enum CompanionSetting: String {
    case radio
    case frequency = "freq"
    case txPower = "tx"
    case airtimeFactor = "af"
    case dutyCycle = "dutycycle"
    case interferenceThreshold = "int.thresh"
    case activityDetection = "cad"
    case gainReset = "agc.reset.interval"
    case receiveDelay = "rxdelay"
    case floodDelay = "txdelay"
    case directDelay = "direct.txdelay"
    case pathHashMode = "path.hash.mode"
    case multiAcks = "multi.acks"
    case boostedGain = "radio.rxgain"
    case receiveAmplifier = "radio.fem.rxgain"
    case transmitAmplifier = "radio.fem.txgain"
    case name
    case pin
    case timeZone = "tz.offset"
    case wifiNetwork = "wifi.ssid"
    case wifiPassword = "wifi.pwd"
    case wifiEnabled = "wifi.enabled"
    case wifiClear = "wifi.clear"
    case wifiStatus = "wifi.status"
    case wifiAddress = "wifi.ip"

    /// The reply to a command that the board cannot execute.
    static let unsupported = "Error: unsupported"

    var isReadable: Bool { self != .pin && self != .wifiClear }

    var isWritable: Bool {
        switch self {
        case .frequency, .wifiStatus, .wifiAddress: false
        default: true
        }
    }

    /// Returns the reason for which a value is refused where infrastructure nodes would accept it.
    func refusal(of value: [UInt8], board: BoardProfile) -> String? {
        switch self {
        case .txPower:
            let range = -9...Int32(board.maxTxPower)
            return range.contains(NumberReading.integer(value))
                ? nil : "Error, must be \(range.lowerBound) to \(range.upperBound)"
        case .airtimeFactor:
            return 0...9 ~= NumberReading.float(value) ? nil : "ERROR: af must be 0-9"
        case .gainReset:
            return 0...1020 ~= NumberReading.integer(value) ? nil : "Error, must be 0-1020"
        case .timeZone:
            return -12...14 ~= NumberReading.integer(value) ? nil : "Error, must be -12 to 14"
        // The emulated board's network is that of the computer.
        case .wifiNetwork, .wifiPassword, .wifiEnabled, .wifiClear: return Self.unsupported
        default: return nil
        }
    }
}

extension CompanionPreferences {
    /// The settings that infrastructure nodes have too, as theirs.
    fileprivate func asServer(_ board: BoardProfile) -> ServerPreferences {
        var settings = ServerPreferences(role: .repeater, board: board)
        settings.name = name
        (settings.frequency, settings.bandwidth) = (frequency, bandwidth)
        (settings.spreadingFactor, settings.codingRate) = (spreadingFactor, codingRate)
        settings.txPower = txPower
        settings.airtimeFactor = airtimeFactor
        settings.receiveDelayBase = receiveDelayBase
        (settings.floodDelayFactor, settings.directDelayFactor) = (floodDelayFactor, directDelayFactor)
        (settings.pathHashMode, settings.extraAcks) = (pathHashMode, multiAcks)
        settings.boostedGain = boostedGain
        (settings.femReceiveGain, settings.femTransmitGain) = (femReceiveGain, femTransmitGain)
        settings.cadEnabled = cadEnabled
        (settings.interferenceThreshold, settings.agcResetInterval) = (interferenceThreshold, agcResetInterval)
        return settings
    }

    /// Stores the settings that ``asServer(_:)`` gave and a command changed.
    fileprivate mutating func take(_ settings: ServerPreferences) {
        name = settings.name
        txPower = settings.txPower
        airtimeFactor = settings.airtimeFactor
        receiveDelayBase = settings.receiveDelayBase
        (floodDelayFactor, directDelayFactor) = (settings.floodDelayFactor, settings.directDelayFactor)
        (pathHashMode, multiAcks) = (settings.pathHashMode, settings.extraAcks)
        boostedGain = settings.boostedGain
        (femReceiveGain, femTransmitGain) = (settings.femReceiveGain, settings.femTransmitGain)
        cadEnabled = settings.cadEnabled
        (interferenceThreshold, agcResetInterval) = (settings.interferenceThreshold, settings.agcResetInterval)
    }
}
