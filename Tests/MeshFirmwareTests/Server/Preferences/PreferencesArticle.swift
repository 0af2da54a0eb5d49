import MeshCompanion
import MeshTestSupport
import MeshWire

@testable import MeshFirmware

/// The documentation's article of the settings of infrastructure nodes, printed from `ServerPreferences.rows`.
enum PreferencesArticle {
    /// The article, as it stands in the documentation catalog.
    static func markdown() -> String {
        var article = MarkdownArticle()
        article.add("# The settings of repeaters, room servers and sensors")
        article.add(
            "What `get` and `set` know and what `/prefs.json` holds, printed from the table of this module, in the order"
                + " of the file.")
        article.add("## Overview")
        article.add(
            "`get` takes the longest keyword with which its text begins; `set` wants the keyword exactly and one space"
                + " before the value. Numbers are read from the beginning of the value as the C library does, a value"
                + " without one is 0, and what a field has no room for loses its highest bits. Nothing is checked when"
                + " the file is loaded. Every `set` but that of `radio` ends zero-hop adverts that are less than an hour"
                + " apart. The table is that of firmware 1.17.1; defaults are those of a Heltec V3.")
        article.add("## Settings")
        article.addTable(settingHead, settingRows)
        article.add("## Other keywords")
        article.addTable(factHead, factRows)
        return article.text
    }

    /// The columns of `settingRows`.
    static let settingHead = [
        "Keyword", "File", "Values", "Unit", "Refused with", "Repeater", "Room server", "Sensor", "Heeded by",
        "Takes effect", "Since", "Notes",
    ]

    /// A row of text for each setting that the file holds.
    static var settingRows: [[String]] {
        let defaults = ServerRole.allCases.map { ServerPreferences(role: $0, board: .heltecV3) }
        return ServerPreferences.rows.compactMap { row in
            guard let fileKey = row.fileKey, let field = row.field else { return nil }
            return [code(row.keyword ?? ""), code(fileKey), row.syntax.values(in: field), row.unit]
                + [row.syntax.refusal]
                + defaults.map { code(String(decoding: $0.shown(row), as: UTF8.self)) }
                + [row.heeded, row.consequence.moment, row.since.version, row.notes]
        }
    }

    /// The columns of `factRows`.
    static let factHead = ["Keyword", "`get` shows", "`set` takes", "Since", "Notes"]

    /// A row of text for each keyword that the file does not hold.
    static var factRows: [[String]] {
        ServerPreferences.rows.compactMap { row in
            guard case .special(let special) = row.syntax, row.fileKey == nil else { return nil }
            return [code(row.keyword ?? ""), special.shows, special.takes, row.since.version, row.notes]
        }
    }

    private static func code(_ text: String) -> String { text.isEmpty ? "" : "`\(text)`" }
}

extension PreferenceRow {
    fileprivate var heeded: String {
        roles.count == ServerRole.allCases.count ? "all" : roles.map(\.words).joined(separator: ", ")
    }

    fileprivate var notes: String {
        var notes: [String] = []
        if serialOnly.contains(.get) { notes.append("`get` on the serial console only") }
        if serialOnly.contains(.set) { notes.append("`set` on the serial console only") }
        if let needs { notes.append("needs \(needs.title)") }
        return notes.joined(separator: "; ")
    }
}

extension PreferenceSyntax {
    fileprivate func values(in field: PreferenceField) -> String {
        switch self {
        case .command(let command): command.isEmpty ? "" : "set by `\(command)`"
        case .text(let refused, _): field.room + (refused.isEmpty ? "" : " without any of `\(refused)`")
        case .lines: field.room + #" in lines, with `\|` between them"#
        case .flag(let word, let one, let zero): "`\(word)` for \(one), anything else for \(zero)"
        case .number(let rule): rule.values
        case .decimal(let range, _):
            range.map { "\(NumberWriting.thousandths($0.lowerBound))…\(NumberWriting.thousandths($0.upperBound))" }
                ?? "any number"
        case .choice(let words, _): words.map { "`\($0)`" }.joined(separator: ", ")
        case .special(let special): special.takes
        }
    }

    /// The reply to a value that is not accepted.
    fileprivate var refusal: String {
        switch self {
        case .text(_, let refusal), .decimal(_, let refusal), .choice(_, let refusal): refusal
        case .number(let rule): rule.refusal
        case .command, .lines, .flag, .special: ""
        }
    }
}

extension PreferenceField {
    /// The longest text, in words; empty for a number.
    fileprivate var room: String {
        if case .text(_, let most) = self { "≤ \(most) bytes" } else { "" }
    }
}

extension NumberRule {
    fileprivate var values: String {
        let accepted = ranges.map { range in
            // A number that wraps to a negative one passes with 0.
            range.lowerBound == .min || range.count == 1
                ? "\(range.upperBound)" : "\(range.lowerBound)…\(range.upperBound)"
        }
        return [
            accepted.isEmpty ? "any whole number" : accepted.joined(separator: ", "),
            reading == .byte ? "after reduction modulo 256" : "",
            divisor == 1 ? "" : "in steps of \(divisor)",
        ].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension SpecialPreference {
    fileprivate var takes: String {
        switch self {
        case .dutyCycle: "1…100; sets `af` to 100 / value − 1"
        case .radio: "150…2500, 7…500, 5…12, 5…8: `radio.freq`, `bw`, `sf` and `cr`, separated by commas"
        case .privateKey: "128 hexadecimal digits; the key counts from the next start"
        case .adcMultiplier: "any number, 0 for the board's own"
        case .extraSpreadingFactors: "up to three spreading factors above the radio's own, one from 10 on"
        case .publicKey, .role, .bridgeType, .bootLoader, .powerSupport, .powerSource, .bootReason, .bootVoltage: ""
        }
    }

    fileprivate var shows: String {
        switch self {
        case .dutyCycle: "100 / (`af` + 1) with one digit behind the point, which is rounded by itself"
        case .radio: "`radio.freq`, `bw`, `sf` and `cr`, separated by commas"
        case .privateKey: "128 hexadecimal digits"
        case .adcMultiplier: "the factor in use, with three digits behind the point"
        case .extraSpreadingFactors: "what was set, without the `> ` of all others"
        case .publicKey: "64 hexadecimal digits"
        case .role: ServerRole.allCases.map { "`\($0.commandName)`" }.joined(separator: ", ")
        case .bridgeType: BridgeKind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        case .bootLoader: "its version or `unknown` on nRF52, elsewhere an error"
        case .powerSupport: "`supported` or `unsupported`"
        case .powerSource: "`external` or `battery`, without power management an error"
        case .bootReason: "why it was reset and why it was switched off"
        case .bootVoltage: "of the battery in mV, without power management an error"
        }
    }
}

extension PreferenceConsequence {
    fileprivate var moment: String {
        switch self {
        case .atOnce: "at once"
        case .inNextAdvert: "in the next advert"
        case .atReboot: "at the next start"
        case .localAdverts, .floodAdverts: "at once; the interval begins anew"
        case .txPower, .boostedGain, .receiveAmplifier, .transmitAmplifier, .adcMultiplier: "at once"
        case .bridgeState: "at once; the bridge starts or ends"
        case .bridgeRestart: "at once; the bridge restarts"
        }
    }
}

extension BoardAbility {
    fileprivate var title: String {
        switch self {
        case .bridge: "a bridge"
        case .serialBridge: "an RS232 bridge"
        case .espNowBridge: "an ESP-NOW bridge"
        case .gps: "GPS in the build"
        case .boostedGain: "a radio with boosted gain"
        case .switchedReceiveAmplifier: "a switched receive amplifier"
        case .switchedTransmitAmplifier: "a switched transmit amplifier"
        case .adcMultiplier: "a board with an adjustable battery reading"
        case .sideDetectors: "an LR2021"
        }
    }
}
