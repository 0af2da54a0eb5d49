import MeshEmulator
import MeshFiles
import MeshFirmware
import MeshHTTP
import MeshPacket
import MeshSimulator
import MeshTime
import MeshWire
import MeshWorlds
import Synchronization

/// A condition that a client waits for, as a request names it.
struct ControlCondition: Sendable {
    /// Conditions in conditions, at most.
    private static let deepest = 4

    let isMet: @Sendable (inout WorldDriver) -> Bool

    private init(_ isMet: @escaping @Sendable (inout WorldDriver) -> Bool) { self.isMet = isMet }

    init(_ fields: JSONFields, _ driver: WorldDriver, depth: Int = 0) throws {
        try fields.allow([
            "delivered", "acknowledged", "has", "hasMet", "knowsWay", "isIn", "hasTransmitted", "packet", "isQuiet",
            "isUp", "isDown", "all",
        ])
        guard fields.keys.count == 1, let key = fields.keys.first else {
            throw fields.missing("", "takes exactly one condition")
        }
        if key == "all" {
            self = try Self.all(fields, driver, depth)
            return
        }
        guard let part = try fields.object(key) else { throw fields.missing(key, "must be an object") }
        switch key {
        case "delivered": self = try Self.delivered(part, driver)
        case "acknowledged": self = try Self.acknowledged(part, driver)
        case "has": self = try Self.has(part, driver)
        case "hasMet": self = try Self.hasMet(part, driver)
        case "knowsWay": self = try Self.knowsWay(part, driver)
        case "isIn": self = try Self.isIn(part, driver)
        case "hasTransmitted": self = try Self.hasTransmitted(part, driver)
        case "packet": self = try Self.packet(part, driver)
        case "isQuiet": self = try Self.isQuiet(part, driver)
        case "isDown": self = try Self.isDown(part, driver)
        default: self = try Self.isUp(part, driver)
        }
    }

    private static func all(_ fields: JSONFields, _ driver: WorldDriver, _ depth: Int) throws -> ControlCondition {
        guard depth < deepest else { throw fields.problem("all", "is nested too deeply") }
        guard let list = try fields.list("all"), (1...32).contains(list.count) else {
            throw fields.problem("all", "takes 1 to 32 conditions")
        }
        let parts = try list.enumerated().map { index, value in
            try ControlCondition(JSONFields(value, at: "\(fields.path("all"))[\(index)]"), driver, depth: depth + 1)
        }
        return ControlCondition { driver in parts.allSatisfy { $0.isMet(&driver) } }
    }

    // MARK: Messages

    private static func delivered(_ fields: JSONFields, _ driver: WorldDriver) throws -> ControlCondition {
        try fields.allow(["message", "to"])
        let number = try message(fields, driver)
        let to = try fields.member("to").map { _ in try driver.node("to", in: fields) }
        return ControlCondition { driver in
            guard let account = driver.people?.account(of: number, at: driver.world.now) else { return false }
            return to.map { node in account.deliveries.contains { $0.node == node } } ?? !account.deliveries.isEmpty
        }
    }

    private static func acknowledged(_ fields: JSONFields, _ driver: WorldDriver) throws -> ControlCondition {
        try fields.allow(["message"])
        let number = try message(fields, driver)
        return ControlCondition { $0.people?.account(of: number, at: $0.world.now)?.acknowledged != nil }
    }

    private static func message(_ fields: JSONFields, _ driver: WorldDriver) throws -> Int {
        guard let number = try fields.integer("message", in: 1...Int(Int32.max)) else {
            throw fields.missing("message")
        }
        guard driver.people?.account(of: number, at: driver.world.now) != nil else {
            throw WebRefusal(.badRequest, "\(fields.path("message")): there is no message \(number)")
        }
        return number
    }

    private static func has(_ fields: JSONFields, _ driver: WorldDriver) throws -> ControlCondition {
        try fields.allow(["node", "text", "times"])
        let node = try driver.node("node", in: fields)
        let text = try fields.needString("text")
        let times = try fields.integer("times", in: 1...1_000_000) ?? 1
        _ = try driver.people?.inbox(of: node)
        return ControlCondition { driver in
            let entries = (try? driver.people?.inbox(of: node))?.entries ?? []
            return entries.count { $0.text == text } >= times
        }
    }

    // MARK: Nodes

    private static func hasMet(_ fields: JSONFields, _ driver: WorldDriver) throws -> ControlCondition {
        try fields.allow(["node", "contact"])
        return try contact(fields, driver) { _ in true }
    }

    private static func knowsWay(_ fields: JSONFields, _ driver: WorldDriver) throws -> ControlCondition {
        try fields.allow(["node", "contact", "hops"])
        let hops = try fields.integer("hops", in: 0...64)
        return try contact(fields, driver) { contact in
            !contact.outPathLength.isUnknown && (hops == nil || hops == contact.outPathLength.hopCount)
        }
    }

    /// The named node is a contact, of which something holds.
    private static func contact(
        _ fields: JSONFields, _ driver: WorldDriver, _ holds: @escaping @Sendable (Contact) -> Bool
    ) throws -> ControlCondition {
        let node = try driver.companion("node", in: fields)
        let other = try driver.node("contact", in: fields)
        return ControlCondition { driver in
            guard let key = driver.world.firmware(other)?.publicKey else { return false }
            return driver.look(at: node) { $0.contacts.listed.contains { $0.publicKey == key && holds($0) } } ?? false
        }
    }

    private static func isIn(_ fields: JSONFields, _ driver: WorldDriver) throws -> ControlCondition {
        try fields.allow(["node", "room"])
        let node = try driver.companion("node", in: fields)
        let room = try driver.node("room", in: fields)
        guard driver.world.firmware(room) is RoomServer else { throw MeshPeople.Reluctance.noRoom }
        _ = try driver.people?.inbox(of: node)
        return ControlCondition { driver in
            guard let server = driver.world.firmware(room) as? RoomServer else { return false }
            return driver.people?.isIn(node, server) ?? false
        }
    }

    private static func hasTransmitted(_ fields: JSONFields, _ driver: WorldDriver) throws -> ControlCondition {
        try fields.allow(["node", "frames"])
        let node = try driver.node("node", in: fields)
        guard let frames = try fields.integer("frames", in: 0...Int(Int32.max)) else { throw fields.missing("frames") }
        return ControlCondition { $0.world.framesSent(by: node) >= frames }
    }

    private static func isUp(_ fields: JSONFields, _ driver: WorldDriver) throws -> ControlCondition {
        try fields.allow(["node"])
        let node = try driver.node("node", in: fields)
        return ControlCondition { $0.world.isUp(node) }
    }

    private static func isDown(_ fields: JSONFields, _ driver: WorldDriver) throws -> ControlCondition {
        try fields.allow(["node"])
        let node = try driver.node("node", in: fields)
        return ControlCondition { !$0.world.isUp(node) }
    }

    // MARK: Air

    private static func isQuiet(_ fields: JSONFields, _ driver: WorldDriver) throws -> ControlCondition {
        try fields.allow(["node"])
        if fields.member("node") != nil {
            let node = try driver.node("node", in: fields)
            return ControlCondition { $0.world.isSilent(node) }
        }
        return ControlCondition { driver in
            driver.world.isAirQuiet && driver.people?.isBusy != true
                && driver.world.nodes.allSatisfy(driver.world.isSilent)
        }
    }

    private static func packet(_ fields: JSONFields, _ driver: WorldDriver) throws -> ControlCondition {
        try fields.allow(["type", "from", "heardBy"])
        let name = try fields.string("type")
        let type = name.flatMap(PacketWatch.type)
        guard (name == nil) == (type == nil) else {
            throw fields.problem("type", "is no type; known are \(PacketWatch.types.joined(separator: ", "))")
        }
        let from = try fields.member("from").map { _ in try driver.node("from", in: fields) }
        let listener = try fields.member("heardBy").map { _ in try driver.node("heardBy", in: fields) }
        let watch = PacketWatch(type: type, from: from, heardBy: listener, since: driver.log?.count ?? 0)
        return ControlCondition { watch.hasSeen(&$0) }
    }
}

/// Looks for a packet among the events; once seen, it stays seen.
private final class PacketWatch: Sendable {
    private static let known: [(name: String, type: PayloadType)] = [
        ("req", .req), ("response", .response), ("txtMsg", .txtMsg), ("ack", .ack), ("advert", .advert),
        ("grpTxt", .grpTxt), ("grpData", .grpData), ("anonReq", .anonReq), ("path", .path), ("trace", .trace),
        ("multipart", .multipart), ("control", .control), ("rawCustom", .rawCustom),
    ]

    /// The names of all types.
    static var types: [String] { known.map(\.name) }

    /// The type of a name; `nil` for none of them.
    static func type(_ name: String) -> PayloadType? { known.first { $0.name == name }?.type }

    private struct State {
        var next: Int
        /// Frames that fit, while they may still be heard.
        var frames: [UInt64] = []
        var isSeen = false
    }

    private let type: PayloadType?
    private let from: NodeID?
    private let listener: NodeID?
    private let state: Mutex<State>

    init(type: PayloadType?, from: NodeID?, heardBy listener: NodeID?, since: Int) {
        self.type = type
        self.from = from
        self.listener = listener
        state = Mutex(State(next: since))
    }

    func hasSeen(_ driver: inout WorldDriver) -> Bool {
        guard let log = driver.log else { return false }
        return state.withLock { state in
            guard !state.isSeen, log.count > state.next else { return state.isSeen }
            log.forEach(from: state.next) { take($0, &state) }
            state.next = log.count
            return state.isSeen
        }
    }

    private func take(_ line: HappeningLog.Line, _ state: inout State) {
        guard case .event(let event) = line.happening else { return }
        switch event {
        case .txBegin(let frame, let bytes, _), .replayBegin(let frame, let bytes, _):
            guard from == nil || from == line.node else { return }
            guard type == nil || (try? PacketView(bytes))?.type == type else { return }
            if listener == nil { state.isSeen = true }
            if state.frames.count == 256 { state.frames.removeFirst(128) }
            state.frames.append(frame)
        case .rxEnd(let frame, _):
            if listener == line.node, state.frames.contains(frame) { state.isSeen = true }
        default: break
        }
    }
}

// Nodes by the names in a request.
extension WorldDriver {
    func node(_ label: String) throws(WebRefusal) -> NodeID {
        guard let node = world.node(labelled: label) else {
            throw WebRefusal(.notFound, "there is no node of this name in the world")
        }
        return node
    }

    func node(_ key: String, in fields: JSONFields) throws -> NodeID {
        let label = try fields.needString(key)
        guard let node = world.node(labelled: label) else {
            throw fields.problem(key, "there is no node of this name in the world")
        }
        return node
    }

    func companion(_ key: String, in fields: JSONFields) throws -> NodeID {
        let node = try node(key, in: fields)
        guard world.companion(node) != nil else { throw fields.problem(key, "must be a companion radio") }
        return node
    }
}
