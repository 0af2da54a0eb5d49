import MeshCompliance
import MeshFirmware
import MeshWire

/// The state of a node as far as its console tells it and takes it back: settings, regions and clients.
///
/// It types nothing. The lines between two records are those that bring a node from one to the other.
struct ConsoleRecord: Hashable, Sendable {
    /// A setting of `get` and `set`.
    struct Setting: Hashable, Sendable {
        let name: String
        var value: String
    }

    /// A line of `region`.
    struct RegionLine: Hashable, Sendable {
        let name: String
        /// The region that it is a part of; `nil` for the wildcard.
        let parent: String?
        let allowsFlood: Bool
    }

    /// A line of `get acl`.
    struct ClientLine: Hashable, Sendable {
        let key: String
        let permissions: UInt8
    }

    /// Those that the node has, in order.
    var settings: [Setting] = []
    /// The answer to `gps advert`; `nil` where the build has no GPS.
    var location: String?
    /// The tree of regions, the wildcard first; empty where the node has none.
    var regions: [RegionLine] = []
    var home = "*"
    /// The default region, `<null>` for none; `nil` where the version has no such thing.
    var defaultRegion: String?
    var clients: [ClientLine] = []

    /// The settings that the suite changes, or that change what it sees. Those of the radio chip stay as they are.
    static let names = [
        "name", "guest.password", "owner.info", "advert.interval", "flood.advert.interval", "lat", "lon", "cad",
        "int.thresh", "af", "rxdelay", "txdelay", "direct.txdelay", "agc.reset.interval", "path.hash.mode",
        "multi.acks", "repeat", "flood.max", "flood.max.unscoped", "flood.max.advert", "loop.detect", "allow.read.only",
    ]

    subscript(name: String) -> String? {
        get { settings.first { $0.name == name }?.value }
        set {
            guard let newValue, let place = settings.firstIndex(where: { $0.name == name }) else { return }
            settings[place].value = newValue
        }
    }

    // MARK: What statements begin with

    /// The same node as statements expect it.
    ///
    /// It has factory settings but for its name, no adverts of its own accord, and no regions. It has no clients where
    /// these may be removed.
    func baseline(of role: ServerRole, on board: BoardProfile, removesClients: Bool) -> ConsoleRecord {
        var record = self
        let factory = ServerPreferences(role: role, board: board)
        let context = PreferenceContext(
            role: role, board: board, identity: RoleProbe.alice.identity, isSerial: true)
        for setting in settings where setting.name != "name" {
            guard let value = Self.value(in: factory.get(setting.name.utf8, context).text) else { continue }
            record[setting.name] = value
        }
        for name in ["advert.interval", "flood.advert.interval"] { record[name] = "0" }
        if location != nil { record.location = "prefs" }
        record.regions = regions.isEmpty ? [] : [RegionLine(name: "*", parent: nil, allowsFlood: true)]
        record.home = "*"
        if defaultRegion != nil { record.defaultRegion = Self.noRegion }
        if removesClients { record.clients = [] }
        return record
    }

    static let noRegion = "<null>"

    // MARK: Parsing

    /// The value in an answer to `get`; `nil` where the node does not have the setting.
    static func value(in answer: String) -> String? {
        answer.hasPrefix("> ") ? String(answer.dropFirst(2)) : nil
    }

    /// The lines of a tree of regions, and the home region that one of them has; `nil` for a text that is none.
    static func tree(in answer: String) -> (regions: [RegionLine], home: String)? {
        var (regions, parents, home): ([RegionLine], [String], String) = ([], [], "*")
        for line in answer.split(separator: "\n") {
            let level = line.prefix { $0 == " " }.count
            let name = line.dropFirst(level).prefix { $0 != " " && $0 != "^" }
            guard level <= parents.count, !name.isEmpty, (level == 0) == regions.isEmpty else { return nil }
            let rest = line.dropFirst(level + name.count)
            if rest.hasPrefix("^") { home = String(name) }
            parents = [String](parents.prefix(level)) + [String(name)]
            regions.append(
                RegionLine(
                    name: String(name), parent: level > 0 ? parents[level - 1] : nil, allowsFlood: rest.hasSuffix(" F"))
            )
        }
        return regions.first?.name == "*" ? (regions, home) : nil
    }

    /// The longest answer that a console has room for, in bytes: a longer tree is cut.
    static let longestAnswer = 159

    /// The clients in what `get acl` prints.
    static func clients(in printed: String) -> [ClientLine] {
        printed.split(whereSeparator: \.isNewline).compactMap { line in
            guard let parts = line.wholeMatch(of: /([0-9A-Fa-f]{2}) ([0-9A-Fa-f]{64})/)?.output,
                let permissions = UInt8(parts.1, radix: 16)
            else { return nil }
            return ClientLine(key: parts.2.uppercased(), permissions: permissions)
        }
    }

    // MARK: The way back

    /// The lines that bring a node from this record to another one; none where they are the same.
    func lines(to wanted: ConsoleRecord) -> [String] {
        var lines = wanted.settings.compactMap { setting in
            self[setting.name] == setting.value ? nil : "set \(setting.name) \(Self.typed(setting.value))"
        }
        if let location = wanted.location, location != self.location { lines.append("gps advert \(location)") }
        lines += regionLines(to: wanted)
        for client in clients where !wanted.clients.contains(where: { $0.key == client.key }) {
            lines.append("setperm \(client.key) 0")
        }
        for client in wanted.clients where !clients.contains(client) {
            lines.append("setperm \(client.key) \(client.permissions)")
        }
        return lines
    }

    /// A value as it is typed: a console writes fractions with the error of its floating point, 0.2 as 0.1999999.
    private static func typed(_ value: String) -> String {
        guard let digits = value.wholeMatch(of: /-?\d+\.(\d+)/)?.output.1.count, digits > 6, let number = Double(value)
        else { return value }
        return number.fixed(6)
    }

    /// The lines for the tree of regions. Parts come before the regions that they are in when these are removed.
    private func regionLines(to wanted: ConsoleRecord) -> [String] {
        var lines: [String] = []
        if regions != wanted.regions {
            lines = regions.dropFirst().reversed().map { "region remove \($0.name)" }
            for region in wanted.regions {
                if let parent = region.parent { lines.append("region put \(region.name) \(parent)") }
                lines.append("region \(region.allowsFlood ? "allowf" : "denyf") \(region.name)")
            }
        }
        // Removing regions may have removed home and default as well.
        if home != wanted.home || !lines.isEmpty && wanted.home != "*" { lines.append("region home \(wanted.home)") }
        if let region = wanted.defaultRegion,
            region != defaultRegion || !lines.isEmpty && region != Self.noRegion
        {
            lines.append("region default \(region)")
        }
        return lines
    }
}
