import MeshCompanion
import MeshWire

extension ServerPreferences {
    /// Carries out `set`; `text` follows its space, up to the first NUL: the exact keyword, one space, the value.
    ///
    /// Returns the answer, and the effects for the node. Source: InfrastructureNodes, "Settings by command";
    /// firmware, `handleSetCmd`.
    public mutating func set(
        _ text: some Sequence<UInt8>, _ context: PreferenceContext
    ) -> (reply: [UInt8], effects: [PreferenceEffect]) {
        let text = ByteText(bytes: [UInt8](text)).untilNUL.bytes
        let keyword = text.prefix { $0 != UInt8(ascii: " ") }
        guard keyword.count < text.count,
            let row = Self.rows.first(where: { $0.keyword?.utf8.elementsEqual(keyword) == true }),
            row.isSettable, row.allows(.set, context)
        else {
            let echo = context.board.firmware.switches.boundsEchoes ? text.prefix(142) : text[...]
            return ([UInt8]("unknown config: ".utf8) + echo, [])
        }
        switch set(row, [UInt8](text[(keyword.count + 1)...]), context) {
        case .refused(let reason): return ([UInt8](reason.utf8), [])
        case .done(let reply, let effects): return ([UInt8](reply.utf8), effects)
        case .kept:
            prepareToSave()
            if let refusal = row.refusal(.set, context) { return ([UInt8](refusal.utf8), [.save]) }
            return (confirmation(row), [.save] + effects(row.consequence))
        }
    }

    enum SetOutcome {
        /// Nothing has changed.
        case refused(String)
        /// Handled in the usual way: saved, and confirmed as the row states.
        case kept
        /// Has an answer and effects of its own.
        case done(String, [PreferenceEffect])
    }

    private mutating func set(_ row: PreferenceRow, _ value: [UInt8], _ context: PreferenceContext) -> SetOutcome {
        if case .special(let special) = row.syntax { return set(special, value, context) }
        if let refusal = row.refusal(.set, context), row.needs?.isKeptWithout == false { return .refused(refusal) }
        guard let field = row.field else { preconditionFailure("a setting without a place") }
        switch row.syntax {
        case .text(let refused, let refusal):
            if value.contains(where: { refused.utf8.contains($0) }) { return .refused(refusal) }
            keep(value, in: field)
        case .lines: keep(value.map { $0 == UInt8(ascii: "|") ? UInt8(ascii: "\n") : $0 }, in: field)
        case .flag(let word, _, _): keep(value.starts(with: word.utf8) ? 1 as Int64 : 0, in: field)
        case .number(let rule): return set(field, rule, value)
        case .decimal(let range, let refusal):
            let number = NumberReading.double(value)
            if let range, !context.board.firmware.switches.namesFactorRanges {
                if Float(number) < range.lowerBound { return .refused("Error, cannot be negative") }
            } else if let range, !range.contains(Float(number)) {
                return .refused(refusal)
            }
            keep(number, in: field)
        case .choice(let words, let refusal):
            guard let index = words.firstIndex(where: { value.starts(with: $0.utf8) }) else { return .refused(refusal) }
            keep(Int64(index), in: field)
        case .command, .special: break
        }
        return .kept
    }

    private mutating func set(_ field: PreferenceField, _ rule: NumberRule, _ value: [UInt8]) -> SetOutcome {
        let number =
            switch rule.reading {
            case .signed: NumberReading.integer(value)
            case .digits: Int32(bitPattern: NumberReading.digits(value))
            case .byte: Int32(UInt8(truncatingIfNeeded: NumberReading.integer(value)))
            }
        guard rule.ranges.isEmpty || rule.ranges.contains(where: { $0 ~= number }) else {
            return .refused(rule.refusal)
        }
        keep(Int64(number / rule.divisor), in: field)
        return .kept
    }

    // MARK: Fields

    /// Stores the text, cut to the size of the field.
    mutating func keep(_ value: [UInt8], in field: PreferenceField) {
        if case .text(let path, let most) = field { self[keyPath: path] = ByteText(bytes: value).prefix(most) }
    }

    /// Keeps as many of the lowest bits as the field has.
    mutating func keep(_ number: Int64, in field: PreferenceField) {
        switch field {
        case .i8(let path): self[keyPath: path] = Int8(truncatingIfNeeded: number)
        case .u8(let path): self[keyPath: path] = UInt8(truncatingIfNeeded: number)
        case .u16(let path): self[keyPath: path] = UInt16(truncatingIfNeeded: number)
        case .u32(let path): self[keyPath: path] = UInt32(truncatingIfNeeded: number)
        case .text, .float, .double: break
        }
    }

    mutating func keep(_ number: Double, in field: PreferenceField) {
        switch field {
        case .float(let path): self[keyPath: path] = Float(number)
        case .double(let path): self[keyPath: path] = number
        case .text, .i8, .u8, .u16, .u32: break
        }
    }

    // MARK: Afterwards

    private func confirmation(_ row: PreferenceRow) -> [UInt8] {
        switch row.confirmation {
        case .text(let text): return [UInt8](text.utf8)
        case .value(let text, let capitals):
            let value = String(decoding: shown(row), as: UTF8.self)
            return [UInt8]((text + (capitals ? value.uppercased() : value)).utf8)
        }
    }

    private func effects(_ consequence: PreferenceConsequence) -> [PreferenceEffect] {
        switch consequence {
        case .atOnce, .inNextAdvert, .atReboot: []
        case .localAdverts: [.restartLocalAdverts]
        case .floodAdverts: [.restartFloodAdverts]
        case .txPower: [.setTxPower(txPower)]
        case .boostedGain: [.setBoostedGain(boostedGain != 0)]
        case .receiveAmplifier: [.setReceiveAmplifier(femReceiveGain != 0)]
        case .transmitAmplifier: [.setTransmitAmplifier(femTransmitGain != 0)]
        case .adcMultiplier: [.setADCMultiplier(adcMultiplier)]
        case .bridgeState: [.switchBridge(bridgeEnabled != 0)]
        case .bridgeRestart: [.restartBridge]
        }
    }
}

extension PreferenceRow {
    /// True when `set` knows it, if the board allows.
    public var isSettable: Bool {
        switch syntax {
        case .command: false
        case .text, .lines, .flag, .number, .decimal, .choice: true
        case .special(let special): special.isSettable
        }
    }
}
