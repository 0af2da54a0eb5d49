import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFirmware
import MeshRadio
import MeshTime
import MeshWire

/// A node of somebody's, by its console and by an antenna beside it, on the time of the bench.
///
/// Statements begin at factory settings, which its console is asked for and told. At the end it has its own again. What
/// it keeps in memory goes by a restart alone, and only statements that cannot do with less restart it.
final class LinkedRoleTarget: RoleTarget {
    let title: String
    private(set) var abilities: Abilities
    private(set) var clock = EmulatedRoleTarget.clock
    private(set) var radio = LoRaParameters()
    private(set) var versionText: String?
    let keepsState = true

    let console: NodeConsole
    let antenna: (any RoleAntenna)?
    /// The administrator's password, which no console tells.
    let password: String
    /// The permissions of the node's owner.
    let allowed: Abilities

    /// The node as it was, once that is known.
    private(set) var before: ConsoleRecord?
    /// The node as statements expect it.
    private var baseline = ConsoleRecord()
    private var role = ServerRole.repeater
    /// The frames that were heard and are not yet fetched, oldest first.
    private var sent: [AntennaFrame] = []
    /// The clock of the node when it was last set or read to the second.
    private var clockMark: (seconds: UInt32, at: Instant)?
    /// The clock of the node before the run, to the minute.
    private var clockBefore: (seconds: UInt32, at: Instant)?
    /// Tells whether the antenna is set up, and is to be listened to.
    private var isListening = false
    /// Tells whether the password may be another one than before.
    private var hasPassword = false
    /// Tells whether statements may have saved regions of theirs.
    private var hasTouchedRegions = false

    /// - Parameters:
    ///   - antenna: the antenna beside the node; `nil` for the console alone.
    ///   - allowed: `.destructive` where the node may be restarted, and its clients removed for the time of the run.
    init(
        _ console: any ConsoleLink, antenna: (any RoleAntenna)?, password: String = "password",
        allowing allowed: Abilities = []
    ) {
        self.console = NodeConsole(console)
        self.antenna = antenna
        self.password = password
        self.allowed = allowed.intersection(.destructive)
        title = antenna.map { "\(console.title) with \($0.title)" } ?? console.title
        abilities = self.allowed.union(antenna?.abilities ?? []).union(.console)
        if self.allowed == .destructive { abilities.insert(.emptyContacts) }
        self.console.meanwhile = { [unowned self] () throws(TargetError) in try collect() }
    }

    var now: Instant { console.link.now }
    var precision: TimeSpan { antenna?.precision ?? .milliseconds(100) }

    // MARK: Console

    func type(_ line: String) throws(TargetError) -> [UInt8] {
        if line.hasPrefix("region") { hasTouchedRegions = true }
        return try console.type(line)
    }

    /// The answer to a line.
    private func ask(_ line: String) throws(TargetError) -> String { ConsoleText.answer(in: try console.type(line)) }

    /// Everything that can be put back, as the console tells it.
    private func record() throws(TargetError) -> ConsoleRecord {
        var record = ConsoleRecord()
        for name in ConsoleRecord.names {
            guard let value = ConsoleRecord.value(in: try ask("get \(name)")) else { continue }
            record.settings.append(ConsoleRecord.Setting(name: name, value: value))
        }
        record.location = ConsoleRecord.value(in: try ask("gps advert"))
        let tree = try ask("region")
        guard tree.utf8.count < ConsoleRecord.longestAnswer else {
            throw .unsupported("put the regions of the node back: they are more than its console tells in one answer")
        }
        if let (regions, home) = ConsoleRecord.tree(in: tree) {
            (record.regions, record.home) = (regions, home)
            let answer = try ask("region default")
            let words = " default scope is "
            if answer.hasPrefix(words) { record.defaultRegion = String(answer.dropFirst(words.count)) }
        }
        record.clients = ConsoleRecord.clients(in: try console.type("get acl").text)
        return record
    }

    // MARK: Before the run

    func reach() throws(TargetError) {
        try console.open()
    }

    func takeOver(_ role: ServerRole) throws(ComplianceRun.Problem) {
        self.role = role
        do throws(TargetError) {
            let version = try ask("ver")
            versionText = version.split(separator: " ").first.map(String.init)
            radio = try settings()
        } catch {
            throw ComplianceRun.Problem(description: "\(title): \(error)")
        }
        if let antenna, let own = try antenna.reach(), !own.hears(radio) {
            throw ComplianceRun.Problem(
                description:
                    "the node and its antenna cannot hear each other: the node is at \(radio.text), the antenna "
                    + "\(antenna.title) at \(own.text); set both alike first")
        }
        do {
            let found = try record()
            if found.clients.isEmpty { abilities.insert(.emptyContacts) }
            clockBefore = NodeClock.seconds(in: try ask("clock")).map { ($0, now) }
            baseline = found.baseline(
                of: role, on: board, removesClients: abilities.contains(.emptyContacts))
            before = found
            try antenna?.prepare(for: radio)
            isListening = antenna != nil
            try meet()
            try settle()
        } catch {
            let problem = (error as? ComplianceRun.Problem)?.description ?? "\(title): \(error)"
            throw ComplianceRun.Problem(description: problem, leaving: restore())
        }
    }

    /// The board whose factory settings count.
    private var board: BoardProfile {
        var board = BoardProfile.heltecV3
        if let firmware { board.firmware = firmware }
        return board
    }

    /// The settings of the node's radio.
    private func settings() throws(TargetError) -> LoRaParameters {
        let answer = try ask("get radio")
        let parts = answer.dropFirst(2).split(separator: ",")
        guard answer.hasPrefix("> "), parts.count == 4, let frequency = Double(parts[0]),
            let bandwidth = Double(parts[1]), let spreadingFactor = UInt8(parts[2]), let codingRate = UInt8(parts[3]),
            (0...10_000).contains(frequency), (0...10_000).contains(bandwidth)
        else { throw .unsupported("be judged: '\(answer.visible)' is no answer to 'get radio'") }
        return LoRaParameters(
            frequencyKilohertz: UInt32(wholePart: frequency * 1000 + 0.5),
            bandwidthHertz: UInt32(wholePart: bandwidth * 1000 + 0.5), spreadingFactor: spreadingFactor,
            codingRate: codingRate)
    }

    /// Node and antenna hear each other, and the password is the administrator's.
    private func meet() throws {
        guard let antenna else { return }
        try forgetClients()
        try setClock()
        _ = try ask("advert.zerohop")
        guard try transmission(within: .seconds(10)) != nil else {
            throw ComplianceRun.Problem(
                description: "the antenna \(antenna.title) does not hear the node, though both are at \(radio.text)")
        }
        let heard = try heardCount()
        let probe = RoleProbe(self, role, .standard)
        for attempt in 0..<3 as Range<UInt32> {
            let time = clock + 300 + attempt
            // A room may let those read who have no password.
            if try probe.logIn(RoleProbe.alice, password, at: time)?.dropFirst(6).first == 1 { return }
        }
        if try heardCount() == heard {
            throw ComplianceRun.Problem(
                description: "the node does not hear the antenna \(antenna.title), though both are at \(radio.text)")
        }
        throw ComplianceRun.Problem(
            description: "the node does not take the administrator's password; name it with --password")
    }

    /// The packets that the node has received, by its own count.
    private func heardCount() throws(TargetError) -> String {
        let answer = try ask("stats-packets")
        return String(answer.prefix { $0 != "," })
    }

    var firmware: FirmwareVersion? { versionText.map { FirmwareVersion(text: $0) } }

    // MARK: Between statements

    func prepare(_ setup: RoleSetup) throws(TargetError) {
        if setup.isRestarted {
            try settle()
            try restart()
        }
        try settle()
        try collect()
        sent = []
    }

    /// Restarts the node, and waits until its advert is sent.
    private func restart() throws(TargetError) {
        _ = try console.type("reboot")
        sent = []
        try console.rest(.seconds(18)) { !self.sent.isEmpty }
        // Its end, for an antenna that tells of a packet as it begins.
        try console.rest(.seconds(1))
        clockMark = nil
    }

    /// Brings the node to the baseline of the run, whatever a statement has left.
    private func settle() throws(TargetError) {
        try forgetClients()
        for line in try record().lines(to: baseline) { _ = try ask(line) }
        if password != Self.factoryPassword || hasPassword { _ = try ask("password \(Self.factoryPassword)") }
        hasPassword = true
        try setClock()
    }

    private static let factoryPassword = "password"

    /// Removes the clients of the suite, guests included, whom no list has.
    private func forgetClients() throws(TargetError) {
        for client in RoleProbe.named { _ = try ask("setperm \(client.key.hex) 0") }
    }

    /// Learns the clock to the second. The console tells the minute only, so it may be set to the next one.
    private func setClock() throws(TargetError) {
        let answer = try ask("clock")
        guard let minute = NodeClock.seconds(in: answer) else {
            throw .unsupported("be judged: '\(answer.visible)' is no answer to 'clock'")
        }
        if let mark = clockMark {
            let expected = Self.seconds(mark, at: now)
            if expected / 60 * 60 == minute { return clock = expected }
        }
        clock = minute &+ 60
        _ = try ask("time \(clock)")
        clockMark = (clock, now)
    }

    private static func seconds(_ mark: (seconds: UInt32, at: Instant), at now: Instant) -> UInt32 {
        mark.seconds &+ UInt32(clamping: (now - mark.at).milliseconds / 1000)
    }

    // MARK: After the run

    func restore() -> [String] {
        // The node is put back without an antenna, too, which may be what has gone.
        isListening = false
        let left = restoreNode()
        return left + (antenna?.restore() ?? [])
    }

    private func restoreNode() -> [String] {
        guard let before else { return [] }
        defer { console.link.close() }
        let wanted = before.reachable
        do throws(TargetError) {
            // First what restarts the node, as not all of the rest outlives that.
            try restoreClock()
            try forgetClients()
            for line in try record().lines(to: wanted) { _ = try ask(line) }
            if hasPassword { _ = try ask("password \(password)") }
            // What statements have saved of their regions is saved over.
            if hasTouchedRegions, role != .sensor { _ = try ask("region save") }
            let left = try record().lines(to: wanted)
            return left.map { "it refuses '\($0)'" }
        } catch {
            return ["the node is out of reach (\(error)); by its console:"] + baseline.lines(to: wanted)
                + (hasPassword && password != Self.factoryPassword ? ["password (that of --password)"] : [])
        }
    }

    /// Sets a clock back that statements have set far ahead: only a restart does that.
    private func restoreClock() throws(TargetError) {
        guard let clockBefore, allowed.contains([.restart, .clock]),
            let seconds = NodeClock.seconds(in: try ask("clock"))
        else { return }
        guard seconds > Self.seconds(clockBefore, at: now) &+ 3600 else { return }
        // Clients are written some seconds after a change.
        try console.rest(.seconds(6))
        _ = try console.type("clkreboot")
        try console.rest(.seconds(5))
        _ = try ask("time \(Self.seconds(clockBefore, at: now))")
    }

    // MARK: Air

    /// Notes what the antenna has heard, while it is set up.
    private func collect() throws(TargetError) {
        guard isListening else { return }
        while let frame = try antenna?.heard() { sent.append(frame) }
    }

    func transmission(within span: TimeSpan) throws(TargetError) -> AntennaFrame? {
        try console.rest(span) { !self.sent.isEmpty }
        return sent.isEmpty ? nil : sent.removeFirst()
    }

    func hear(_ frame: [UInt8], snr: Double, isWaiting: Bool) throws(TargetError) {
        guard let antenna, isWaiting else { throw .unsupported("send while another radio sends") }
        try antenna.send(frame)
    }

    func wait(_ span: TimeSpan) throws(TargetError) { try console.rest(span) }

    // MARK: What only a bench of one's own has

    func cyclePower() throws(TargetError) { throw .unsupported("cut the power") }
    func holdChannel(_ isBusy: Bool) throws(TargetError) { throw .unsupported("hold the channel") }
    func setBattery(millivolts: UInt16) throws(TargetError) { throw .unsupported("set the voltage of the battery") }
    func file(_ path: String) throws(TargetError) -> [UInt8]? { throw .unsupported("read files of the node") }
}

extension ConsoleRecord {
    /// The same record, as far as the console can bring a node back to it.
    ///
    /// Two minutes are the interval of one that was never configured, which no command sets.
    var reachable: ConsoleRecord {
        var record = self
        if record["advert.interval"] == "2" { record["advert.interval"] = "0" }
        return record
    }
}
