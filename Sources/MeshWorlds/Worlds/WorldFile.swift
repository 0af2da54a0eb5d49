import MeshCompanion
public import MeshFiles
import MeshFirmware
import MeshRadio
public import MeshSimulator
public import MeshTime
import MeshWire

/// Reads worlds from JSON: nodes with places or links, radio parameters, boards, traffic, faults.
///
/// The format is described in the article "World files". Every complaint names the line and the field.
public enum WorldFile {
    /// The longest file that is read, in bytes.
    public static let longest = 64 << 20
    /// The most nodes of a world, file or not.
    public static let mostNodes = TopologyName.mostNodes
    /// The most radio settings that differ: each node is compared with all of them.
    package static let mostRadios = 1000

    /// The reason why a node cannot have this label; `nil` when it can.
    package static func problem(withLabel label: String) -> String? {
        guard (1...31).contains(label.utf8.count) else { return "must have 1 to 31 bytes, as radios allow" }
        let hasControl = label.unicodeScalars.contains { $0.value < 0x20 }
        return hasControl ? "must not hold control characters" : nil
    }

    /// The plan in a file.
    ///
    /// - Parameters:
    ///   - seed: for the shadowing of links that are made from places.
    ///   - name: the world's name when the file gives none.
    public static func read(_ bytes: [UInt8], name: String, seed: Seed) throws(FileProblem) -> WorldPlan {
        try content(of: bytes, name: name, seed: seed).plan
    }

    /// A file with what is in it beside the plan.
    package struct Content: Sendable {
        package var plan: WorldPlan
        /// The nodes where receptions are logged, as places in the plan's nodes; ascending.
        package var observers: [Int] = []
        /// The observations of each link that states some, by its place in the file's list `links`.
        package var observations: [Int: LinkObservation] = [:]
        /// The number of links in the file's list; they are the last ones of the topology.
        package var linkCount = 0
        /// The parameters by which links were made of observations; `nil` where the file does not state them.
        package var twin: JSONFields?
    }

    /// The same with all that the file holds.
    package static func content(of bytes: [UInt8], name: String, seed: Seed) throws(FileProblem) -> Content {
        guard bytes.count <= longest else {
            throw FileProblem(line: 0, reason: "is longer than \(longest >> 20) MiB")
        }
        var reader = WorldFileReader(try JSONFields(reading: bytes), name: name)
        let plan = try reader.plan(seed: seed)
        return Content(
            plan: plan, observers: reader.observers, observations: reader.observations,
            linkCount: reader.linkCount, twin: reader.twin)
    }
}

/// The state of one reading.
private struct WorldFileReader {
    private let file: JSONFields
    private var plan: WorldPlan
    /// Places of nodes by name; asked, never walked.
    private var places: [String: Int] = [:]
    /// The pairs that have a link, each with its line.
    private var linkLines: [[Int]: Int] = [:]
    private var hasLinks = false
    private(set) var observers: [Int] = []
    private(set) var observations: [Int: LinkObservation] = [:]
    private(set) var linkCount = 0
    private(set) var twin: JSONFields?

    init(_ file: JSONFields, name: String) {
        self.file = file
        plan = WorldPlan(Topology(name: name))
    }

    mutating func plan(seed: Seed) throws(FileProblem) -> WorldPlan {
        try file.allow(
            [
                "format", "name", "about", "radio", "board", "firmware", "quirks_off", "propagation", "nodes", "links",
                "traffic", "faults", "air", "observers", "twin", "met", "bridges", "log_packets",
            ] + ServerFields.names)
        guard try file.string("format") == "meshbed world 1" else {
            throw file.problem("format", "must be \"meshbed world 1\"")
        }
        if let name = try file.string("name") { plan.topology.name = name }
        try readNodes(seed: seed)
        plan.met = try MetFields(plan, places: places).read(file)
        try readObservers()
        try readLinks()
        try linkPlaces(seed: seed)
        try readTraffic()
        try readFaults()
        try AirFields.read(file, into: &plan.air)
        return plan
    }

    // MARK: Nodes

    private mutating func readNodes(seed: Seed) throws(FileProblem) {
        guard let list = try file.list("nodes"), !list.isEmpty else { throw file.missing("nodes", "has no node") }
        guard list.count <= WorldFile.mostNodes else {
            throw file.problem("nodes", "are more than \(WorldFile.mostNodes)")
        }
        var common = WorldPlan.Equipment()
        try readEquipment(file, into: &common)
        // Settings that no node of the file heeds must make sense all the same.
        for role in ServerRole.allCases { _ = try setup(of: role, board: common.board, file) }
        let joined = try BridgeFields(file)
        var globe = Globe()
        var radios: Set<Airtime> = []
        for (index, value) in list.enumerated() {
            let fields = try JSONFields(value, at: "nodes[\(index)]")
            try fields.allow(
                [
                    "name", "role", "x", "y", "lat", "lon", "board", "firmware", "radio", "quirks_off", "links",
                    "about", "body", "interfaces", "log_packets",
                ] + ServerFields.names)
            let label = try fields.needString("name")
            try checkLabel(label, fields)
            guard let role = Topology.Role(rawValue: try fields.string("role") ?? "repeater") else {
                let known = Topology.Role.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                throw fields.problem("role", "must be one of \(known)")
            }
            if let earlier = places[label] {
                throw fields.problem("name", "\"\(label)\" is the name of nodes[\(earlier)] already")
            }
            places[label] = index
            var equipment = common
            try readEquipment(fields, into: &equipment)
            equipment.board.bridge = joined.kind(of: label)
            equipment.body = try body(fields, label, role, equipment.board, seed)
            try equipment.readInterfaces(fields, of: role)
            if radios.insert(equipment.board.airtime(equipment.board.radio)).inserted,
                radios.count > WorldFile.mostRadios
            {
                throw fields.problem("radio", "is one of more than \(WorldFile.mostRadios) different settings")
            }
            for server in ServerRole.allCases {
                let setup = try setup(of: server, board: equipment.board, file, fields)
                if server == role.serverRole { equipment.setup = setup }
            }
            plan.topology.nodes.append(Topology.Node(label, role, at: try globe.place(fields, index)))
            plan.equipment.append(equipment)
        }
        plan.bridges = try joined.bridges(plan, places: places)
        globe.settle { plan.topology.nodes[$0].place = $1 }
        for (index, value) in list.enumerated() {
            try readOwnLinks(JSONFields(value, at: "nodes[\(index)]"), of: index)
        }
    }

    private func checkLabel(_ label: String, _ fields: JSONFields) throws(FileProblem) {
        if let problem = WorldFile.problem(withLabel: label) { throw fields.problem("name", problem) }
    }

    /// The body of a node; `nil` where the file states none.
    private func body(
        _ fields: JSONFields, _ label: String, _ role: Topology.Role, _ board: BoardProfile, _ seed: Seed
    ) throws(FileProblem) -> NodeBody? {
        guard let member = try fields.object("body") else { return nil }
        var place: GeoPoint?
        if let latitude = try fields.number("lat", in: GeoPoint.latitudes),
            let longitude = try fields.number("lon", in: GeoPoint.longitudes)
        {
            place = GeoPoint(latitude: latitude, longitude: longitude)
        }
        var body = NodeBody()
        try BodyFields(board: board, role: role, label: label, place: place, seed: seed).read(member, into: &body)
        return body
    }

    private func readEquipment(_ fields: JSONFields, into equipment: inout WorldPlan.Equipment) throws(FileProblem) {
        if let name = try fields.string("board") {
            let radio = equipment.board.radio
            guard let board = BoardProfile.all.first(where: { $0.name == name }) else {
                let known = BoardProfile.all.map(\.name).joined(separator: ", ")
                throw fields.problem("board", "\"\(name)\" is no board; known are \(known)")
            }
            let (preamble, firmware) = (equipment.board.preambleSymbols, equipment.board.firmware)
            let logs = equipment.board.logsPackets
            equipment.board = board
            equipment.board.logsPackets = logs
            equipment.board.firmware = firmware
            equipment.board.radio = radio
            equipment.board.preambleSymbols = preamble
        }
        if let name = try fields.string("firmware") {
            guard let version = FirmwareVersion(named: name) else {
                throw fields.problem(
                    "firmware", "\"\(name)\" is no version of the firmware; known are \(FirmwareVersion.names)")
            }
            equipment.board.firmware = version
        }
        if let logs = try fields.bool("log_packets") { equipment.board.logsPackets = logs }
        if let radio = fields.member("radio") {
            if case .object = radio.content {
                let fields = try JSONFields(radio, at: fields.path("radio"))
                if let symbols = try fields.integer("preamble_symbols", in: UInt16(6)...1024) {
                    equipment.board.preambleSymbols = symbols
                }
            }
            equipment.board.radio = try self.radio(radio, at: fields.path("radio"), over: equipment.board.radio)
        }
        for (index, value) in (try fields.list("quirks_off") ?? []).enumerated() {
            let path = "\(fields.path("quirks_off"))[\(index)]"
            guard case .string(let name) = value.content, let quirk = Quirk(rawValue: name) else {
                throw FileProblem(
                    line: value.line, field: path,
                    reason: "is no quirk of the firmware; 'meshbed emulate --list' shows them")
            }
            equipment.quirks.remove(quirk)
        }
    }

    /// The settings of a node of this role: those of the firmware on its board, then those of the file, then its own.
    private func setup(
        of role: ServerRole, board: BoardProfile, _ sources: JSONFields...
    ) throws(FileProblem) -> ServerSetup {
        var setup = ServerSetup(role, board: board)
        for source in sources {
            guard let value = source.member(role.commandName) else { continue }
            try ServerFields.read(try JSONFields(value, at: source.path(role.commandName)), board: board, into: &setup)
        }
        return setup
    }

    /// A preset by name, or parameters one by one.
    private func radio(_ value: JSONText, at path: String, over base: LoRaParameters) throws(FileProblem)
        -> LoRaParameters
    {
        if case .string(let name) = value.content {
            guard let preset = RegionPreset.named(name) else {
                let known = RegionPreset.all.map(\.name).joined(separator: ", ")
                throw FileProblem(
                    line: value.line, field: path, reason: "\"\(name)\" is no preset; known are \(known)")
            }
            return preset.parameters
        }
        let fields = try JSONFields(value, at: path)
        try fields.allow(["frequency_khz", "bandwidth_hz", "spreading_factor", "coding_rate", "preamble_symbols"])
        var radio = base
        if let value = try fields.integer("frequency_khz", in: LoRaParameters.frequencyRange) {
            radio.frequencyKilohertz = value
        }
        if let value = try fields.integer("bandwidth_hz", in: LoRaParameters.bandwidthRange) {
            radio.bandwidthHertz = value
        }
        if let value = try fields.integer("spreading_factor", in: LoRaParameters.spreadingFactorRange) {
            radio.spreadingFactor = value
        }
        if let value = try fields.integer("coding_rate", in: LoRaParameters.codingRateRange) {
            radio.codingRate = value
        }
        guard RadioChip.sx126x.appliedBandwidthHertz(for: radio.bandwidthHertz) != nil else {
            throw fields.problem("bandwidth_hz", "\(radio.bandwidthHertz) is a bandwidth that the chip does not have")
        }
        return radio
    }

    // MARK: Links

    /// Reads the nodes where receptions are logged; the run itself is the same without them.
    private mutating func readObservers() throws(FileProblem) {
        var found: Set<Int> = []
        for (number, value) in (try file.list("observers") ?? []).enumerated() {
            let path = "observers[\(number)]"
            guard case .string(let label) = value.content else {
                throw FileProblem(line: value.line, field: path, reason: "must be the name of a node")
            }
            guard let node = places[label] else {
                throw FileProblem(line: value.line, field: path, reason: "there is no node \"\(label)\"")
            }
            guard found.insert(node).inserted else {
                throw FileProblem(line: value.line, field: path, reason: "\"\(label)\" is there twice")
            }
            observers.append(node)
        }
        observers.sort()
        twin = try file.object("twin")
    }

    private mutating func readOwnLinks(_ fields: JSONFields, of index: Int) throws(FileProblem) {
        for (number, value) in (try fields.list("links") ?? []).enumerated() {
            let link = try JSONFields(value, at: "\(fields.path("links"))[\(number)]")
            try link.allow(["to", "snr", "rssi", "loss", "back"])
            try addLink(link, from: index)
        }
    }

    private mutating func readLinks() throws(FileProblem) {
        for (number, value) in (try file.list("links") ?? []).enumerated() {
            let link = try JSONFields(value, at: "links[\(number)]")
            try link.allow(["from", "to", "snr", "rssi", "loss", "back", "observed"])
            try addLink(link, from: try link.node("from", in: places))
            linkCount += 1
            if let observed = try link.object("observed") { observations[number] = try LinkObservation(observed) }
        }
    }

    private mutating func addLink(_ fields: JSONFields, from: Int) throws(FileProblem) {
        hasLinks = true
        let to = try fields.node("to", in: places)
        guard to != from else { throw fields.problem("to", "a node has no link to itself") }
        let pair = [min(from, to), max(from, to)]
        if let earlier = linkLines[pair] {
            throw FileProblem(
                line: fields.line, field: fields.path, reason: "these two have a link already, in line \(earlier)")
        }
        linkLines[pair] = fields.line
        let there = try fields.airLink()
        var link = Topology.Link(from, to, there.signal, lossPerTenThousand: there.lossPerTenThousand)
        switch fields.member("back")?.content {
        case nil, .bool(true): break
        case .bool(false): link.back = nil
        default:
            guard let value = fields.member("back") else { break }
            let back = try JSONFields(value, at: fields.path("back"))
            try back.allow(["snr", "rssi"])
            link.back = try back.signal(like: there.signal)
        }
        plan.topology.links.append(link)
    }

    // MARK: Places and traffic

    /// Makes links from places where the file has no link at all, or states how they are to be made.
    private mutating func linkPlaces(seed: Seed) throws(FileProblem) {
        var propagation = Propagation.town
        if let value = file.member("propagation") {
            let fields = try JSONFields(value, at: "propagation")
            try fields.allow([
                "sending_power_dbm", "loss_at_km_db", "exponent", "shadowing_db", "companion_loss_db",
                "noise_floor_dbm", "weakest_snr_db", "strongest_snr_db",
            ])
            func hundredths(_ key: String, _ range: ClosedRange<Double>) throws(FileProblem) -> Int? {
                try fields.number(key, in: range).map { Int(nearest: $0 * 100) }
            }
            let loss = try fields.number("loss_at_km_db", in: 60...200) ?? 128
            let exponent = try fields.number("exponent", in: 1.5...7) ?? 3.5
            propagation.pathLoss = .measured(atKilometre: loss, exponent: exponent)
            if let value = try hundredths("sending_power_dbm", -20...40) { propagation.sendingPowerHundredths = value }
            if let value = try hundredths("shadowing_db", 0...20) { propagation.shadowingHundredths = value }
            if let value = try hundredths("companion_loss_db", -20...40) { propagation.companionLossHundredths = value }
            if let value = try hundredths("noise_floor_dbm", -150...(-60)) { propagation.noiseFloorHundredths = value }
            if let value = try hundredths("weakest_snr_db", -25...20) { propagation.weakestHundredths = value }
            if let value = try hundredths("strongest_snr_db", -20...30) { propagation.strongestHundredths = value }
        } else if hasLinks {
            return
        }
        let stated = plan.topology.links
        plan.topology.links = []
        plan.topology.link(propagation, seed: seed)
        // A link in the file wins over the one that the places would make.
        plan.topology.links.removeAll { linkLines[[$0.from, $0.to]] != nil }
        plan.topology.links += stated
    }

    private mutating func readTraffic() throws(FileProblem) {
        guard let value = file.member("traffic") else { return }
        let list: [JSONText]
        switch value.content {
        case .string: list = [value]
        case .array(let elements): list = elements
        default: throw file.problem("traffic", "must be a text or a list, this is \(value.kind)")
        }
        for (index, element) in list.enumerated() {
            let path = "traffic[\(index)]"
            let line = element.line
            if case .string(let text) = element.content {
                do {
                    plan.traffic.rules += try Traffic(text).rules
                } catch {
                    throw FileProblem(line: line, field: path, reason: error.description)
                }
            } else {
                plan.traffic.rules.append(try rule(JSONFields(element, at: path)))
            }
            if let problem = plan.traffic.problem(in: plan.topology) {
                throw FileProblem(line: line, field: path, reason: problem)
            }
        }
    }

    private func rule(_ fields: JSONFields) throws(FileProblem) -> Traffic.Rule {
        try fields.allow(["from", "to", "text", "at", "every", "count", "irregular"])
        let from = try fields.needString("from")
        let sender: Traffic.Rule.Sender =
            switch from {
            case "*": .everybody
            case "?": .anybody
            default: .node(from)
            }
        let kind: Traffic.Rule.Kind
        switch try fields.string("to") ?? "#public" {
        case "#public": kind = .channelText(try fields.needString("text"))
        case "#advert": kind = .advert
        case let label: kind = .directText(to: label, try fields.needString("text"))
        }
        return Traffic.Rule(
            sender, kind, first: try fields.span("at") ?? .zero, every: try fields.span("every"),
            isIrregular: try fields.bool("irregular") ?? false,
            count: try fields.integer("count", in: 1...Traffic.mostEvents))
    }

    private mutating func readFaults() throws(FileProblem) {
        let list = try file.list("faults") ?? []
        guard list.count <= FaultFields.most else { throw file.problem("faults", "are more than \(FaultFields.most)") }
        let reader = FaultFields(places: places)
        for (index, value) in list.enumerated() {
            plan.faults.append(try reader.read(value, at: "faults[\(index)]"))
        }
        try checkLinks(of: list)
    }

    /// Refuses faults of links that are not there, as they could never take effect.
    ///
    /// A link is there from the beginning, or by a fault that gives it.
    private func checkLinks(of list: [JSONText]) throws(FileProblem) {
        var pairs: Set<[Int]> = []
        for link in plan.topology.links {
            if link.there != nil { pairs.insert([link.from, link.to]) }
            if link.back != nil { pairs.insert([link.to, link.from]) }
        }
        for fault in plan.faults {
            if case .link(let from, let to, .some) = fault.kind { pairs.insert([from.index, to.index]) }
        }
        for (index, fault) in plan.faults.enumerated() where !fault.mayNotFire {
            let pair: (from: Int, to: Int)
            switch fault.kind {
            case .loss(_, let from?, let to?), .corruption(_, let from?, let to?, _), .link(let from, let to, nil):
                pair = (from.index, to.index)
            default: continue
            }
            if pairs.contains([pair.from, pair.to]) { continue }
            let (from, to) = (plan.topology.nodes[pair.from].label, plan.topology.nodes[pair.to].label)
            throw FileProblem(
                line: list[index].line, field: "faults[\(index)]",
                reason: "there is no link from \"\(from)\" to \"\(to)\", so it could not take effect")
        }
    }
}
