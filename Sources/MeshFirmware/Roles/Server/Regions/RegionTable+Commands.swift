public import MeshCompanion
public import MeshWire

/// An action that a region command requests of the node beside its answer, in order.
public enum RegionEffect: Hashable, Sendable {
    /// The time of the last change that discovery reports is now, and the preferences are saved.
    case modified
    /// The table is written to `RegionTable.path`.
    case save
    /// The node's own floods are scoped with this key from now on, or not at all.
    case defaultChanged(FixedBytes<16>?)
    /// The following lines belong to a `RegionLoader`.
    case beginLoad
}

// The `region` command. Source: InfrastructureNodes, "Region commands"; firmware, `CommonCLI::handleRegionCmd`.
extension RegionTable {
    /// The output on the command line, and the actions for the node.
    public typealias Answer = (reply: [UInt8], effects: [RegionEffect])

    /// Carries out a line that begins with `region`; an unknown one is answered by an error in the reply.
    ///
    /// Sensors edit their table, but can neither save nor load it and do not scope their floods. `canWrite` is true
    /// when the node's flash works; only the answer to `region save` depends on it.
    public mutating func handleCommand(
        _ line: [UInt8], role: ServerRole, firmware: FirmwareVersion = .standard, canWrite: Bool = true
    ) -> Answer {
        guard role == .repeater || firmware.switches.hasCommonRegions else {
            return (Self.text("Unknown command"), [])
        }
        let line = ByteText(bytes: line).untilNUL.bytes.drop { $0 == UInt8(ascii: " ") }
        if firmware.has(since: "1.16"), let names = Self.definition(in: line) { return (define(names), []) }
        let parts = CommandParts.split(line, most: 4, separator: UInt8(ascii: " "))
        guard parts.count > 1 else { return (tree(), []) }
        let name = parts.count > 2 ? parts[2] : nil
        switch (String(decoding: parts[1], as: UTF8.self), name) {
        case ("load", _): return ([], role == .sensor ? [] : [.beginLoad])
        case ("save", _): return save(role: role, canWrite: canWrite)
        case ("allowf", let name?): return (setAllowsFlood(true, in: name), [])
        case ("denyf", let name?): return (setAllowsFlood(false, in: name), [])
        case ("get", let name?): return (describe(name), [])
        case ("home", let name?): return (moveHome(to: name), [])
        case ("home", nil): return (Self.text(" home is ", homeRegion?.name ?? "*"), [])
        case ("default", _) where !firmware.switches.hasDefaultRegion: return (Self.text("Err - ??"), [])
        case ("default", let name?): return changeDefault(to: name, role: role)
        case ("default", nil): return (Self.text(" default scope is ", defaultRegion?.name ?? "<null>"), [])
        case ("put", let name?):
            let parent = parts.count > 3 ? parts[3] : nil
            return (put(name, parent: parent, allowsFlood: firmware.switches.hasCommonRegions), [])
        case ("remove", let name?): return (removeExactly(name), [])
        case ("list", let kind?): return (list(kind), [])
        default: return (Self.text("Err - ??"), [])
        }
    }

    /// Returns the bytes after `region def`, which must end there or at a space.
    private static func definition(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let words = "region def".utf8
        let names = line.dropFirst(words.count)
        guard line.starts(with: words), names.first ?? UInt8(ascii: " ") == UInt8(ascii: " ") else { return nil }
        return names
    }

    private static func text(_ start: StaticString, _ name: ByteText = "") -> [UInt8] {
        start.withUTF8Buffer { [UInt8]($0) } + name.bytes
    }
}

// MARK: One command each

extension RegionTable {
    private func save(role: ServerRole, canWrite: Bool) -> Answer {
        guard role != .sensor else { return (Self.text("Err - save failed"), [.modified]) }
        return (Self.text(canWrite ? "OK" : "Err - save failed"), [.modified, .save])
    }

    private mutating func setAllowsFlood(_ allows: Bool, in name: ArraySlice<UInt8>) -> [UInt8] {
        guard let place = place(prefix: name) else { return Self.text("Err - unknown region") }
        setAllowsFlood(allows, at: place)
        return Self.text("OK")
    }

    private func describe(_ name: ArraySlice<UInt8>) -> [UInt8] {
        guard let region = place(prefix: name).map({ self[$0] }) else { return Self.text("Err - unknown region") }
        var reply = Self.text(" ", region.name)
        if let parent = self.region(id: region.parent), parent.id != 0 {
            reply += Self.text(" (", parent.name) + Self.text(")")
        }
        return reply + Self.text(region.flags.contains(.denyFlood) ? " " : " F")
    }

    private mutating func moveHome(to name: ArraySlice<UInt8>) -> [UInt8] {
        guard let place = place(prefix: name) else { return Self.text("Err - unknown region") }
        setHome(place)
        return Self.text(" home is now ", self[place].name)
    }

    /// An unknown region is made, and it allows floods from now on, with whatever else it refused.
    ///
    /// One without a key leaves the key that is in force. The wildcard counts as none in answers, and yet the
    /// firmware uses the key of a region `#*` for it.
    private mutating func changeDefault(to name: ArraySlice<UInt8>, role: ServerRole) -> Answer {
        let isScoping = role != .sensor
        if name.elementsEqual("<null>".utf8) {
            setDefault(nil as Place?)
            return (Self.text(" default scope is now <null>"), isScoping ? [.defaultChanged(nil), .save] : [])
        }
        guard let place = place(prefix: name) ?? put(name, under: 0) else {
            return (Self.text("Err - region table full"), [])
        }
        setFlags([], at: place)
        setDefault(place)
        let region = self[place]
        let reply = Self.text(" default scope is now ", region.name)
        guard isScoping else { return (reply, []) }
        return (reply, (region.key.map { [.defaultChanged($0)] } ?? []) + [.save])
    }

    /// Adds or moves a region; in 1.14 a new one denies floods, until a command allows them (FWV-048).
    private mutating func put(
        _ name: ArraySlice<UInt8>, parent: ArraySlice<UInt8>?, allowsFlood: Bool
    ) -> [UInt8] {
        guard let parent = parent.map({ place(prefix: $0) }) ?? .wildcard else {
            return Self.text("Err - unknown parent")
        }
        guard let place = put(name, under: self[parent].id) else { return Self.text("Err - unable to put") }
        guard allowsFlood else {
            setFlags(.denyFlood, at: place)
            return Self.text("OK")
        }
        setFlags([], at: place)
        return Self.text("OK - (flood allowed)")
    }

    private mutating func removeExactly(_ name: ArraySlice<UInt8>) -> [UInt8] {
        guard let place = place(named: name) else { return Self.text("Err - not found") }
        return Self.text(remove(place) ? "OK" : "Err - not empty")
    }

    private func list(_ kind: ArraySlice<UInt8>) -> [UInt8] {
        let allowing = kind.elementsEqual("allowed".utf8)
        guard allowing || kind.elementsEqual("denied".utf8) else {
            return Self.text("Err - use 'allowed' or 'denied'")
        }
        let names = names(allowingFloods: allowing)
        return names.isEmpty ? Self.text("-none-") : names
    }
}

// MARK: A whole tree in one line

extension RegionTable {
    /// Puts every name under the one before it, or under the target of that one's jump; stops at the first fault.
    private mutating func define(_ names: ArraySlice<UInt8>) -> [UInt8] {
        let tokens = names.split(separator: UInt8(ascii: " "))
        guard !tokens.isEmpty else { return Self.text("Err - empty def") }
        var cursor = Place.wildcard
        for token in tokens {
            if let fault = define(token, at: &cursor) { return [UInt8](fault.prefix(Self.answerSize - 1)) }
        }
        return tree()
    }

    /// One `name`, `name|jump` or `name,jump`; returns its fault, if there is one.
    private mutating func define(_ token: ArraySlice<UInt8>, at cursor: inout Place) -> [UInt8]? {
        let name = token.prefix { $0 != UInt8(ascii: "|") && $0 != UInt8(ascii: ",") }
        let jump = name.count == token.count ? nil : token.dropFirst(name.count + 1)
        if name.isEmpty { return Self.text("Err - empty name") }
        if let jump, jump.isEmpty { return Self.text("Err - empty jump") }
        guard let place = put(name, under: self[cursor].id) else { return Self.text("Err - put failed: ") + name }
        setFlags([], at: place)
        guard let jump else {
            cursor = place
            return nil
        }
        guard let target = self.place(prefix: jump) else { return Self.text("Err - unknown jump: ") + jump }
        cursor = target
        return nil
    }
}
