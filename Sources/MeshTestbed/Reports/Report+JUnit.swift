extension ComplianceReport {
    /// The report as JUnit XML, which build servers read: a suite for each section, a case for each statement.
    public var junit: String {
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        let counts = #"tests="\#(entries.count)" failures="\#(broken)" skipped="\#(notRun + notApplicable)""#
        lines.append(#"<testsuites name="meshbed comply \#(target.xmlEscaped)" \#(counts)>"#)
        var groups: [String] = []
        for entry in entries where !groups.contains(entry.group) { groups.append(entry.group) }
        for group in groups { lines += suite(group, entries.filter { $0.group == group }) }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private func suite(_ group: String, _ entries: [Entry]) -> [String] {
        let skipped = entries.count { $0.isNotRun || $0.isNotApplicable }
        let counts = (entries.count, entries.count(where: \.isBroken), skipped)
        let attributes = #"tests="\#(counts.0)" failures="\#(counts.1)" skipped="\#(counts.2)""#
        return [#"  <testsuite name="\#(group.xmlEscaped)" \#(attributes)>"#] + entries.flatMap(lines(of:))
            + ["  </testsuite>"]
    }

    private func lines(of entry: Entry) -> [String] {
        let name = "\(entry.id) \(entry.title)".xmlEscaped
        let start = #"    <testcase classname="\#(entry.group.xmlEscaped)" name="\#(name)" time="\#(entry.seconds)""#
        switch entry.verdict {
        case .kept: return [start + "/>"]
        case .notRun(let reason): return skipped(start, "not run: " + reason)
        case .notApplicable(let reason): return skipped(start, "not applicable: " + reason)
        case .broken(let details, let transcript):
            let message = (details.last ?? "").xmlEscaped
            let text = (details + transcript).joined(separator: "\n").xmlEscaped
            return [start + ">", #"      <failure message="\#(message)">\#(text)</failure>"#, "    </testcase>"]
        }
    }

    private func skipped(_ start: String, _ message: String) -> [String] {
        [start + ">", #"      <skipped message="\#(message.xmlEscaped)"/>"#, "    </testcase>"]
    }
}

extension String {
    /// With what XML reserves written as entities, and control characters left out.
    var xmlEscaped: String {
        var output = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "\n": output += "&#10;"
            default: if scalar.value >= 0x20 { output.unicodeScalars.append(scalar) }
            }
        }
        return output
    }
}
