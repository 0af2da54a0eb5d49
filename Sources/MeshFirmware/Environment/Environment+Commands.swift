import MeshTime
public import MeshWire

/// The outcome of a command about the sensors or the GPS.
struct SensorReply: Hashable, Sendable {
    /// At most 160 bytes.
    var text: ByteText
    /// The preferences have changed and are to be stored.
    var savesPreferences = false
    /// The firmware follows a null pointer: the node restarts and answers nothing.
    var crashes = false
}

// Variables of the sensor manager, and the commands about them. Source: InfrastructureNodes, "Commands"; firmware,
// `CommonCLI::handleCommand` and `EnvironmentSensorManager`.
extension Environment {
    /// True when the GPS was found at boot.
    public var hasGPS: Bool { receiver.isPresent }
    /// True when the GPS has been started.
    public var isGPSActive: Bool { receiver.isActive }

    /// The variables that a node lists, by name and value: whether the GPS is on, where there is one.
    public var variables: [(name: ByteText, value: ByteText)] {
        hasGPS ? [("gps", isGPSActive ? "1" : "0")] : []
    }

    /// Sets a variable; false for one that the node does not have.
    ///
    /// `gps` is off for "0" and on for anything else; `gps_interval`, in seconds, can be set in all builds for a
    /// GPS and is never listed; 0 counts as 1.
    mutating func setVariable(_ name: ByteText, to value: ByteText, build: GPSBuild, at now: Instant) -> Bool {
        if name == "gps", hasGPS {
            receiver.setActive(value != "0", signal: gps, at: now)
            return true
        }
        guard name == "gps_interval", build == .complete else { return false }
        if hasGPS { receiver.setInterval(Self.interval(value), signal: gps, at: now) }
        return true
    }

    /// Seconds as the firmware reads them, wrapped to 32 bits.
    static func interval(_ text: ByteText) -> UInt32 {
        UInt32(truncatingIfNeeded: NumberReading.integer(text.bytes))
    }

    /// Answers `sensor get`, `sensor set` and `sensor list`; `nil` for another line.
    mutating func answerSensorCommand(_ line: [UInt8], build: GPSBuild, at now: Instant) -> ByteText? {
        let command = Command(line)
        if let name = command.rest(of: "sensor get ") {
            guard let variable = variables.first(where: { $0.name.bytes.elementsEqual(name) }) else { return "null" }
            return ByteText(bytes: Array("> ".utf8) + variable.value.bytes)
        }
        if let setting = command.rest(of: "sensor set ") {
            let (name, value) = Self.nameAndValue(in: setting)
            return setVariable(name, to: value, build: build, at: now) ? "ok" : "can't find custom var"
        }
        return command.rest(of: "sensor list").map {
            list(from: Int32(bitPattern: NumberReading.digits($0.dropFirst())))
        }
    }

    /// Two words apart by one space; what follows them is ignored. A missing value is the text "null".
    private static func nameAndValue(in setting: ArraySlice<UInt8>) -> (name: ByteText, value: ByteText) {
        let words = setting.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        func word(_ number: Int) -> ByteText? {
            number < words.count ? ByteText(bytes: Array(words[number])) : nil
        }
        return (word(0) ?? "", word(1) ?? "null")
    }

    /// The count and the variables from one on; no line is begun once 134 bytes are used.
    private func list(from start: Int32) -> ByteText {
        let variables = variables
        guard start < variables.count else { return "no custom var" }
        var text = Array("\(variables.count) vars\n".utf8)
        var index = start
        while index < variables.count, text.count < 134 {
            // Of a number below zero the firmware prints the null pointers.
            let variable = index < 0 ? ("(null)", "(null)") : variables[Int(index)]
            text += variable.0.bytes + [UInt8(ascii: "=")] + variable.1.bytes + [UInt8(ascii: "\n")]
            index += 1
        }
        if index < variables.count {
            text += Array("... next:\(index)".utf8)
        } else {
            text.removeLast()
        }
        return ByteText(bytes: text)
    }

    /// Answers `gps` and what follows it; `nil` for another line, and in builds without GPS.
    mutating func answerGPSCommand(
        _ line: [UInt8], preferences: inout ServerPreferences, board: BoardProfile, at now: Instant
    ) -> SensorReply? {
        let command = Command(line)
        guard board.gpsBuild != .absent, command.rest(of: "gps") != nil else { return nil }
        if command.rest(of: "gps on") != nil { return switchGPS(true, &preferences, at: now) }
        if command.rest(of: "gps off") != nil { return switchGPS(false, &preferences, at: now) }
        if command.rest(of: "gps sync") != nil {
            guard board.gpsBuild == .complete else { return SensorReply(text: "gps provider not found") }
            if hasGPS { receiver.synchronizeClock(signal: gps, at: now) }
            return SensorReply(text: "ok")
        }
        if command.rest(of: "gps setloc") != nil {
            let place = position(at: now)
            preferences.latitude = place.latitude
            preferences.longitude = place.longitude
            return SensorReply(text: "ok", savesPreferences: true)
        }
        if let policy = command.rest(of: "gps advert") { return Self.answerAdvert(policy, &preferences) }
        return gpsState(of: board, at: now)
    }

    private mutating func switchGPS(
        _ isOn: Bool, _ preferences: inout ServerPreferences, at now: Instant
    ) -> SensorReply {
        guard hasGPS else { return SensorReply(text: "gps toggle not found") }
        receiver.setActive(isOn, signal: gps, at: now)
        preferences.gpsEnabled = isOn ? 1 : 0
        return SensorReply(text: "ok", savesPreferences: true)
    }

    /// `gps advert`, and with a word behind it and any one byte between.
    private static func answerAdvert(
        _ rest: ArraySlice<UInt8>, _ preferences: inout ServerPreferences
    ) -> SensorReply {
        guard !rest.isEmpty else { return SensorReply(text: ByteText("> \(preferences.advertLocation.word)")) }
        let word = rest.dropFirst()
        guard let policy = AdvertLocationPolicy.allCases.first(where: { word.starts(with: $0.word.utf8) }) else {
            return SensorReply(text: "error")
        }
        preferences.advertLocation = policy
        return SensorReply(text: "ok", savesPreferences: true)
    }

    private func gpsState(of board: BoardProfile, at now: Instant) -> SensorReply {
        guard board.gpsBuild == .complete else { return SensorReply(text: "Can't find GPS") }
        // The variable `gps` that it looks up is not there. An ESP32 cannot read what a null pointer points at; others
        // find something else than "1" there.
        if !hasGPS, board.platform == .esp32 { return SensorReply(text: "", crashes: true) }
        guard isGPSActive || !board.switchesGPS else { return SensorReply(text: "off") }
        let hasFix = receiver.hasFix(signal: gps, at: now)
        let satellites = hasFix ? gps?.satellites ?? 0 : 0
        return SensorReply(
            text: ByteText(
                "on, \(isGPSActive ? "active" : "deactivated"), \(hasFix ? "fix" : "no fix"), \(satellites) sats"))
    }
}

/// A line given to the command line; words match by their beginning.
private struct Command {
    let line: [UInt8]

    init(_ line: [UInt8]) {
        self.line = line
    }

    /// Returns the bytes after these words; `nil` unless the line begins with them.
    func rest(of words: String) -> ArraySlice<UInt8>? {
        line.starts(with: words.utf8) ? line.dropFirst(words.utf8.count) : nil
    }
}
