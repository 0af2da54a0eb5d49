import MeshCompanion
import MeshCrypto
import MeshWire

extension ServerPreferences {
    /// The answer to `get`; `key` is what follows the space, up to its first NUL.
    ///
    /// The longest keyword with which it begins counts: the firmware looks for them one after the other, each before
    /// the shorter ones with which it begins. Source: InfrastructureNodes, "Settings by command"; firmware,
    /// `handleGetCmd`.
    public func get(_ key: some Sequence<UInt8>, _ context: PreferenceContext) -> [UInt8] {
        let key = ByteText(bytes: [UInt8](key)).untilNUL.bytes
        guard let row = Self.row(namedBy: key, context) else { return [UInt8]("??: ".utf8) + key }
        if let refusal = row.refusal(.get, context) { return [UInt8](refusal.utf8) }
        if case .special(let special) = row.syntax { return get(special, context) }
        return [UInt8]("> ".utf8) + shown(row)
    }

    /// The row that `get` means with such a text.
    static func row(namedBy key: [UInt8], _ context: PreferenceContext) -> PreferenceRow? {
        rowsByLength.first { $0.isNamed(by: key) && $0.allows(.get, context) }
    }

    /// Longest keyword first.
    private static let rowsByLength: [PreferenceRow] = rows.filter { $0.keyword != nil }
        .sorted { $0.keyword?.utf8.count ?? 0 > $1.keyword?.utf8.count ?? 0 }

    private func get(_ special: SpecialPreference, _ context: PreferenceContext) -> [UInt8] {
        let (board, switches) = (context.board, context.board.firmware.switches)
        switch special {
        case .extraSpreadingFactors:
            let list = extraSpreadingFactors.map { "\($0)" }.joined(separator: ",")
            return [UInt8]((list.isEmpty ? "No extra SF configured" : list).utf8)
        case .bootLoader where board.platform != .nrf52:
            return [UInt8]((switches.hasShortRefusals ? "Error: unsupported" : "ERROR: unsupported").utf8)
        case .powerSource where !board.hasPowerManagement, .bootVoltage where !board.hasPowerManagement,
            .bootReason where !board.hasPowerManagement && !switches.hasResetReasons:
            return [UInt8]("ERROR: Power management not supported".utf8)
        default: return [UInt8]("> ".utf8) + [UInt8](value(of: special, context).utf8)
        }
    }

    /// The text behind "> ", for all that have that.
    private func value(of special: SpecialPreference, _ context: PreferenceContext) -> String {
        switch special {
        case .dutyCycle: NumberWriting.dutyCycle(airtimeFactor: airtimeFactor)
        case .radio:
            NumberWriting.decimal(frequency) + "," + NumberWriting.thousandths(bandwidth)
                + ",\(spreadingFactor),\(codingRate)"
        case .privateKey: context.identity.privateKey.array.hex.uppercased()
        case .adcMultiplier: Double(adcMultiplier == 0 ? context.board.adcMultiplier ?? 0 : adcMultiplier).fixed(3)
        case .extraSpreadingFactors: ""
        case .publicKey: context.identity.publicKey.hex.uppercased()
        case .role: context.role.commandName
        case .bridgeType: context.role == .repeater ? context.board.bridge.rawValue : BridgeKind.none.rawValue
        case .bootLoader: context.board.bootloaderVersion ?? "unknown"
        case .powerSupport: context.board.hasPowerManagement ? "supported" : "unsupported"
        case .powerSource: context.isExternallyPowered ? "external" : "battery"
        case .bootReason: "Reset: \(context.resetReason); Shutdown: \(context.shutdownReason)"
        case .bootVoltage: "\(context.bootMillivolts) mV"
        }
    }

    /// A setting as `get` shows it behind "> ".
    func shown(_ row: PreferenceRow) -> [UInt8] {
        guard let field = row.field else { return [] }
        switch row.syntax {
        case .lines: return text(field).map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: "|") : $0 }
        case .flag(_, let one, let zero): return [UInt8]((integer(field) != 0 ? one : zero).utf8)
        case .number(let rule): return [UInt8]("\(integer(field) * Int64(rule.divisor))".utf8)
        case .choice(let words, _): return [UInt8](words[min(Int(integer(field)), words.count - 1)].utf8)
        case .command, .text, .decimal, .special: return plain(field)
        }
    }

    /// A field without regard to its syntax.
    private func plain(_ field: PreferenceField) -> [UInt8] {
        switch field {
        case .text: text(field)
        case .float(let path): [UInt8](NumberWriting.decimal(self[keyPath: path]).utf8)
        case .double(let path): [UInt8](NumberWriting.decimal(Float(self[keyPath: path])).utf8)
        case .i8, .u8, .u16, .u32: [UInt8]("\(integer(field))".utf8)
        }
    }

    private func text(_ field: PreferenceField) -> [UInt8] {
        if case .text(let path, _) = field { self[keyPath: path].bytes } else { [] }
    }

    /// The number in a field; 0 for those that hold none or a fraction.
    private func integer(_ field: PreferenceField) -> Int64 {
        switch field {
        case .i8(let path): Int64(self[keyPath: path])
        case .u8(let path): Int64(self[keyPath: path])
        case .u16(let path): Int64(self[keyPath: path])
        case .u32(let path): Int64(self[keyPath: path])
        case .text, .float, .double: 0
        }
    }
}

extension PreferenceRow {
    /// Returns whether the text behind `get` means this row.
    fileprivate func isNamed(by key: [UInt8]) -> Bool {
        guard let keyword, key.starts(with: keyword.utf8) else { return false }
        // Alone among all, `tx` must end there.
        guard keyword == "tx", key.count > keyword.utf8.count else { return true }
        return key[keyword.utf8.count] == UInt8(ascii: " ")
    }

    /// Returns whether the command knows this row at all here.
    func allows(_ access: PreferenceAccess, _ context: PreferenceContext) -> Bool {
        if serialOnly.contains(access), !context.isSerial { return false }
        guard context.board.firmware.has(since: since) else { return false }
        guard let lacking = lacking(access, context) else { return true }
        return !lacking.isBuildOption(of: context.board.firmware.switches)
    }

    /// The answer of a board that knows this row and lacks its function; `nil` for one that can.
    func refusal(_ access: PreferenceAccess, _ context: PreferenceContext) -> String? {
        let switches = context.board.firmware.switches
        guard let lacking = lacking(access, context), !lacking.isBuildOption(of: switches) else { return nil }
        return lacking.refusal(of: switches)
    }

    /// The ability that this access needs, if the node lacks it.
    private func lacking(_ access: PreferenceAccess, _ context: PreferenceContext) -> BoardAbility? {
        guard let needs, needs.gates(of: context.board.firmware.switches).contains(access),
            !needs.isPresent(on: context.board, role: context.role)
        else { return nil }
        return needs
    }
}
