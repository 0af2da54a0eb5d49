import MeshCompanion
import MeshTestSupport
import MeshWire

/// The documentation's article of the whole protocol, printed from the table and the walks.
enum ProtocolArticle {
    /// The article, as it stands in the documentation catalog.
    static func markdown() -> String {
        var article = MarkdownArticle()
        article.add("# The companion protocol, frame by frame")
        article.add("All commands, responses and pushes, printed from the table and the walks of this module.")
        article.add("## Overview")
        article.add(
            "Offsets count from 0 and include the code byte; integers are little-endian. A frame has at most"
                + " \(CompanionLimits.frame) bytes. *Level* is the protocol level (`FIRMWARE_VER_CODE`) since which a"
                + " field exists, where it is younger than its frame. A dash stands for an offset that depends on the"
                + " fields before. The table is that of firmware 1.17.1, level \(CompanionLimits.firmwareVersionCode).")
        article.add(
            "*Accepted* is what the radio's dispatch looks at before anything else; a frame that fails it is answered"
                + " with `UNSUPPORTED_CMD`, unless another error is named.")
        article.add("## Commands")
        CommandCode.allCases.forEach { article.add($0) }
        article.add("## Responses")
        ResponseCode.allCases.forEach { article.add($0) }
        article.add("## Pushes")
        PushCode.allCases.forEach { article.add($0) }
        article.add("## Oddities of the firmware")
        article.add(
            "What the radio does in a way that an app can see and would not expect, as of firmware 1.17.1. An emulated"
                + " radio does the same, unless the quirk is switched off by its name.")
        article.addTable(
            ["Quirk", "What the radio does", "Switched off", "Commands", "Source"],
            quirks(.companion).map { quirk in
                let codes = CommandCode.allCases.filter { $0.row.quirks.contains(quirk) }
                return head(quirk) + [codes.map { short($0.wireName) }.joined(separator: ", "), quirk.source]
            })
        article.add("What only other nodes can see, over the air:")
        article.addTable(
            ["Quirk", "What the node does", "Switched off", "Source"],
            quirks(.air).map { head($0) + [$0.source] })
        return article.text
    }

    private static func quirks(_ place: Quirk.Place) -> [Quirk] {
        Quirk.allCases.filter { $0.place == place }
    }

    private static func head(_ quirk: Quirk) -> [String] {
        ["`\(quirk.rawValue)`", quirk.summary, quirk.otherwise]
    }

    /// The constant without its prefix: how articles and reports call it.
    static func short(_ wireName: String) -> String {
        for prefix in ["CMD_", "RESP_CODE_", "RESP_", "PUSH_CODE_"] where wireName.hasPrefix(prefix) {
            return String(wireName.dropFirst(prefix.count))
        }
        return wireName
    }
}

extension MarkdownArticle {
    fileprivate mutating func addFacts(_ facts: [(String, String)]) {
        add(facts.filter { !$0.1.isEmpty }.map { "- \($0.0): \($0.1)" }.joined(separator: "\n"))
    }

    fileprivate mutating func add(_ code: CommandCode) {
        let row = code.row
        heading(code.wireName, code.rawValue, link: "\(row.frame)")
        let replies = row.replies.map(\.wireName) + row.pushReplies.map(\.wireName)
        addFacts([
            ("Since", "\(row.since) (level \(row.since.level))"),
            ("Accepted", "\(row.accepts)"),
            ("Answer", replies.isEmpty ? "none" : list(replies)),
            ("Errors", row.errors.map(\.description).joined(separator: ", ")),
            ("Later pushes", list(row.later.map(\.wireName))),
            ("Quirks", row.quirks.map { "`\($0.rawValue)`" }.joined(separator: ", ")),
        ])
        addLayouts(row.frame)
    }

    fileprivate mutating func add(_ code: ResponseCode) {
        let row = code.row
        heading(code.wireName, code.rawValue, link: "Resp/\(row.frame)")
        addFacts([
            ("Since", "\(row.since) (level \(row.since.level))"),
            ("Length", "\(row.length)"),
            ("Answers", code == .err ? "any command" : list(code.answers.map(\.wireName))),
        ])
        addLayouts(row.frame)
    }

    fileprivate mutating func add(_ code: PushCode) {
        let row = code.row
        heading(code.wireName, code.rawValue, link: "Push/\(row.frame)")
        addFacts([
            ("Since", "\(row.since) (level \(row.since.level))"),
            ("Length", "\(row.length)"),
            ("Sent", row.needsLink ? "only while an app is connected" : "connected or not"),
        ])
        addLayouts(row.frame)
    }

    fileprivate mutating func heading(_ name: String, _ code: UInt8, link: String) {
        add("### \(ProtocolArticle.short(name)) (\(code), 0x\([code].hex))")
        add("``\(link)``")
    }

    private func list(_ names: [String]) -> String {
        names.map(ProtocolArticle.short).joined(separator: ", ")
    }

    fileprivate mutating func addLayouts(_ frame: any CodedFrame.Type) {
        for layout in frame.layout(from: 1) where !layout.fields.isEmpty {
            if let branch = layout.branch, let choice = frame.choiceName { add("With `\(choice)` = \(branch):") }
            addTable(["Offset", "Size", "Field", "Unit", "Range", "Level"], layout.fields.map(cells))
        }
    }

    private func cells(_ field: FieldDescription) -> [String] {
        let size =
            switch field.size {
            case .fixed(let count): "\(count)"
            case .counted: "as announced"
            case .rest(nil): "to the end"
            case .rest(let limit?): "to the end, ≤ \(limit)"
            case .list(let size, false): "\(size) each, to the end"
            case .list(let size, true): "\(size) each, as announced"
            }
        return [
            field.offset.map { "\($0)" } ?? "–",
            size,
            "`\(field.name)`" + (field.isOptional ? " (optional)" : ""),
            field.unit,
            field.range.map { "\($0.lowerBound)…\($0.upperBound)" } ?? "",
            field.since == 0 ? "" : "\(field.since)",
        ]
    }
}

extension CodedFrame {
    /// The field that decides which layout a frame has, if one does.
    static var choiceName: String? {
        var describer = FieldDescriber(from: 1)
        var frame = Self()
        frame.walk(&describer)
        return describer.choiceName
    }
}
