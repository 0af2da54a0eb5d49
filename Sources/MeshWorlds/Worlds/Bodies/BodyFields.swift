package import MeshFiles
package import MeshFirmware
package import MeshSimulator
package import MeshTime
package import MeshWire

/// The member `body` of a node: battery, external power, GPS, sensors, temperature and noise floor.
///
/// Members that are not there leave what a body has, so that a running node's body can be changed by parts.
package struct BodyFields {
    /// The board of the node, which measures its battery and its temperature.
    let board: BoardProfile
    /// The role of the node.
    let role: Topology.Role
    /// The place of the node in degrees, where its file states one.
    let place: GeoPoint?
    /// From when on times count.
    let start: Instant
    let seed: Seed

    package init(
        board: BoardProfile, role: Topology.Role, label: String, place: GeoPoint? = nil, from start: Instant = .start,
        seed: Seed
    ) {
        self.board = board
        self.role = role
        self.place = place
        self.start = start
        self.seed = seed.part("node", label, "body")
    }

    private var courses: CourseFields { CourseFields(start: start, seed: seed) }

    /// The range of the board's battery gauge, in volts: that of its converter behind its divider.
    ///
    /// Source: firmware, `getBattMilliVolts` of the boards.
    private var gauge: Measurer {
        Measurer(name: "the gauge of a \(board.name)", range: 0...(board.platform == .nrf52 ? 6.16 : 17.88), unit: "V")
    }

    /// Reads the members over a body.
    package func read(_ fields: JSONFields, into body: inout NodeBody) throws(FileProblem) {
        guard role != .external else {
            throw FileProblem(
                line: fields.line, field: fields.path, reason: "a node in another process has its own body")
        }
        try fields.allow([
            "battery", "cutoff_v", "recovery_v", "auto_shutdown_v", "external_power", "gps", "sensors",
            "board_temperature", "noise_floor_dbm",
        ])
        try readBattery(fields, &body)
        try readSupply(fields, &body)
        if fields.member("gps") != nil {
            try GPSFields(place: place, start: start, seed: seed.part("gps")).read(fields, into: &body)
        }
        try readSensors(fields, &body)
        let thermometer = Measurer(name: "the processor", range: -40...125, unit: "°C")
        if let course = try courses.read("board_temperature", in: fields, thermometer) {
            guard board.mcuTemperatureTenths != nil else {
                throw fields.problem("board_temperature", "the board has no thermometer")
            }
            body.boardTemperature = course
        }
        let receiver = Measurer(name: "a receiver", range: -150 ... -60, unit: "dBm")
        if let course = try courses.read("noise_floor_dbm", in: fields, receiver) { body.noiseFloor = course }
    }

    // MARK: Battery

    private func readBattery(_ fields: JSONFields, _ body: inout NodeBody) throws(FileProblem) {
        if let value = fields.member("battery") {
            if case .object = value.content, !CourseFields.isCourse(try JSONFields(value, at: fields.path("battery"))) {
                body.battery = .cell(
                    try CellFields(start: start).read(try JSONFields(value, at: fields.path("battery")), over: body))
            } else if let course = try courses.read("battery", in: fields, gauge, factor: 1000) {
                body.battery = .voltage(course)
            }
        }
        func millivolts(_ key: String) throws(FileProblem) -> UInt16? {
            try fields.number(key, in: gauge.range).map { UInt16(nearest: $0 * 1000) }
        }
        if let value = try millivolts("cutoff_v") { body.cutoffMillivolts = value }
        if let value = try millivolts("recovery_v") { body.recoveryMillivolts = value }
        guard body.recoveryMillivolts >= body.cutoffMillivolts else {
            let key = fields.member("recovery_v") == nil ? "cutoff_v" : "recovery_v"
            throw fields.problem(
                key,
                "a board does not start at \(Double(body.recoveryMillivolts) / 1000) V when it is off below "
                    + "\(Double(body.cutoffMillivolts) / 1000) V")
        }
        if let value = try millivolts("auto_shutdown_v") {
            guard role == .companion else {
                throw fields.problem("auto_shutdown_v", "only companion radios switch themselves off")
            }
            body.autoShutdownMillivolts = value
        } else if role == .companion, body.battery != nil, body.autoShutdownMillivolts == nil {
            body.autoShutdownMillivolts = board.publishedAutoShutdown
        }
    }

    private func readSupply(_ fields: JSONFields, _ body: inout NodeBody) throws(FileProblem) {
        guard let value = fields.member("external_power") else { return }
        switch value.content {
        case .bool(let isOn): body.supply = [NodeBody.SupplyTurn(start, isOn: isOn)]
        case .array(let list):
            guard list.count <= CourseFields.mostPoints else {
                throw fields.problem("external_power", "has more than \(CourseFields.mostPoints) turns")
            }
            body.supply = []
            for (index, element) in list.enumerated() {
                let turn = try JSONFields(element, at: "\(fields.path("external_power"))[\(index)]")
                try turn.allow(["at", "on"])
                guard let isOn = try turn.bool("on") else { throw turn.missing("on") }
                let time = start + (try turn.span("at") ?? .zero)
                if let last = body.supply.last, time <= last.time {
                    throw turn.problem("at", "must be later than that of the turn before")
                }
                body.supply.append(NodeBody.SupplyTurn(time, isOn: isOn))
            }
        default: throw fields.problem("external_power", "must be true, false or a list, this is \(value.kind)")
        }
    }

    // MARK: Sensors

    private func readSensors(_ fields: JSONFields, _ body: inout NodeBody) throws(FileProblem) {
        guard let sensors = try fields.object("sensors") else { return }
        var stated: [(quantity: Quantity, path: String)] = []
        for name in sensors.keys {
            guard let value = sensors.member(name) else { continue }
            guard let part = SensorPart.all.first(where: { $0.name == name }) else {
                let known = SensorPart.all.map(\.name).joined(separator: ", ")
                throw sensors.problem(name, "is no sensor that the firmware knows; known are \(known)")
            }
            if case .bool(let isFitted) = value.content {
                if isFitted { body.parts.insert(part.parts) } else { body.parts.remove(part.parts) }
                continue
            }
            body.parts.insert(part.parts)
            try read(part, try JSONFields(value, at: sensors.path(name)), &body, &stated)
        }
    }

    private func read(
        _ part: SensorPart, _ fields: JSONFields, _ body: inout NodeBody,
        _ stated: inout [(quantity: Quantity, path: String)]
    ) throws(FileProblem) {
        try fields.allow(part.readings.map(\.word))
        for reading in part.readings {
            let measurer = Measurer(
                name: "\(part.article) \(part.name)", range: reading.range, unit: reading.quantity.row.unit)
            let name = "\(part.name).\(reading.word)"
            guard let course = try courses.read(reading.word, in: fields, measurer, name: name) else { continue }
            if let other = stated.first(where: { $0.quantity == reading.quantity }) {
                throw fields.problem(
                    reading.word, "is what \(other.path) states already: the parts of a node measure one place")
            }
            stated.append((reading.quantity, fields.path(reading.word)))
            body.measured.removeAll { $0.quantity == reading.quantity }
            body.measured.append(NodeBody.Measured(reading.quantity, course))
        }
        body.measured.sort { $0.quantity.rawValue < $1.quantity.rawValue }
    }
}

/// The cell of a node's battery in a file.
private struct CellFields {
    let start: Instant

    func read(_ fields: JSONFields, over body: NodeBody) throws(FileProblem) -> BatteryCell {
        try fields.allow([
            "capacity_mah", "charge", "load_ma", "sleep_ma", "transmit_ma", "solar_ma", "sun_by_hour", "charger_ma",
        ])
        var cell = body.battery?.ofCell ?? BatteryCell(since: start)
        func microamperes(_ key: String) throws(FileProblem) -> Int? {
            try fields.number(key, in: 0...100_000).map { Int(nearest: $0 * 1000) }
        }
        if let value = try fields.integer("capacity_mah", in: 1...1_000_000) { cell.capacity = value }
        if let value = try microamperes("load_ma") { cell.load = value }
        if let value = try microamperes("sleep_ma") { cell.sleepLoad = value }
        if let value = try microamperes("transmit_ma") { cell.transmitLoad = value }
        if let value = try microamperes("solar_ma") { cell.panel = value }
        if let value = try microamperes("charger_ma") { cell.charger = value }
        if let list = try fields.list("sun_by_hour") {
            guard list.count == 24 else {
                throw fields.problem("sun_by_hour", "must have 24 shares, this has \(list.count)")
            }
            var shares: [Int] = []
            for (hour, value) in list.enumerated() {
                guard case .number(let share) = value.content, 0...1 ~= share else {
                    throw FileProblem(
                        line: value.line, field: "\(fields.path("sun_by_hour"))[\(hour)]",
                        reason: "must be a number from 0 to 1")
                }
                shares.append(Int(nearest: share * 1000))
            }
            cell.sun = shares
        }
        if let value = try fields.integer("charge", in: 0...100) { cell.recharge(percent: value, at: start) }
        return cell
    }
}

extension BoardProfile {
    /// The voltage at which the published companion builds of a board for Bluetooth switch it off, in millivolts; `nil`
    /// where none does.
    ///
    /// Source: firmware, `AUTO_SHUTDOWN_MILLIVOLTS` in the variants' `platformio.ini`.
    fileprivate var publishedAutoShutdown: UInt16? { name == BoardProfile.heltecV3.name ? 3400 : nil }
}

extension SensorPart {
    /// The article in front of the name.
    fileprivate var article: String { "AILMS".contains(name.prefix(1)) ? "an" : "a" }
}
