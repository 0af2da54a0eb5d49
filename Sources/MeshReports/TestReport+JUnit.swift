import MeshWire

extension TestReport {
    /// The report as JUnit XML, which build servers read: a suite for each group, a case for each entry.
    ///
    /// Entries that differ from a quirk, lack an optional command, are not applicable or were not run are skipped, with
    /// the reason. An invalid entry is an error of the type `invalid`. A run that broke off has its own error, so that
    /// its entries do not seem to be all.
    public var junit: String {
        let name = "\(call) \(target)".xmlEscaped
        let aborted = abortedBecause == nil ? 0 : 1
        let counts = """
            tests="\(entries.count + aborted)" failures="\(broken)" skipped="\(entries.count(where: Self.isSkipped))" \
            errors="\(aborted + couldNotRun + invalid)"
            """
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuites name="\#(name)" \#(counts) time="\#(Self.seconds(entries))">"#,
        ]
        for (index, group) in groups.enumerated() {
            lines += suite(group, entries.filter { $0.group == group }, output: index == 0 ? notes : [])
        }
        if let abortedBecause {
            lines += [
                #"  <testsuite name="the run itself" tests="1" failures="0" skipped="0" errors="1"\#(timestamp)>"#,
                #"    <testcase classname="the run itself" name="the run comes to its end" time="0">"#,
                #"      <error message="\#(abortedBecause.xmlEscaped)"/>"#, "    </testcase>", "  </testsuite>",
            ]
        }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func isSkipped(_ entry: Entry) -> Bool {
        entry.isDifferent || entry.isLacking || entry.isNotRun || entry.isNotApplicable
    }

    private static func seconds(_ entries: [Entry]) -> Double {
        (entries.reduce(0) { $0 + $1.seconds } * 1e6).rounded() / 1e6
    }

    /// - Parameter output: what there is to know besides; the format has a place for it in suites only.
    private func suite(_ group: String, _ entries: [Entry], output: [String]) -> [String] {
        let counts = """
            tests="\(entries.count)" failures="\(entries.count(where: \.isBroken))" \
            skipped="\(entries.count(where: Self.isSkipped))" \
            errors="\(entries.count { $0.isImpossible || $0.isInvalid })" time="\(Self.seconds(entries))"
            """
        return [#"  <testsuite name="\#(group.xmlEscaped)" \#(counts)\#(timestamp)>"#] + properties
            + entries.flatMap(lines(of:))
            + (output.isEmpty ? [] : ["    <system-out>\(output.joinedVisibleLines.xmlEscaped)</system-out>"])
            + ["  </testsuite>"]
    }

    /// The date of the run as JUnit writes it, without a zone.
    private var timestamp: String {
        guard let date = provenance?.date else { return "" }
        return #" timestamp="\#((date.hasSuffix("Z") ? String(date.dropLast()) : date).xmlEscaped)""#
    }

    /// The build of the tool, for each suite: the format knows no other place.
    private var properties: [String] {
        guard let version = provenance?.version else { return [] }
        let rows = [("meshbed.version", version.number), ("meshbed.commit", version.commit ?? "")]
            .filter { !$0.1.isEmpty }
        return ["    <properties>"]
            + rows.map { #"      <property name="\#($0.0)" value="\#($0.1.xmlEscaped)"/>"# } + ["    </properties>"]
    }

    private func lines(of entry: Entry) -> [String] {
        let name = "\(entry.id) \(entry.title)".xmlEscaped
        let start = #"    <testcase classname="\#(entry.group.xmlEscaped)" name="\#(name)" time="\#(entry.seconds)""#
        switch entry.verdict {
        case .kept: return [start + "/>"]
        case .differs(let reason, _), .lacks(let reason, _), .notRun(let reason), .notApplicable(let reason):
            let message = "\(entry.verdict.words): \(reason)".xmlEscaped
            return [start + ">", #"      <skipped message="\#(message)"/>"#, "    </testcase>"]
        case .couldNotRun(let reason):
            return [start + ">", #"      <error message="\#(reason.xmlEscaped)"/>"#, "    </testcase>"]
        case .invalid(let reasons):
            let again = entry.repeatCommand.isEmpty ? [] : ["repeat with: " + entry.repeatCommand]
            let message = "invalid: \(reasons.joined(separator: "; "))".xmlEscaped
            let text = (reasons + again).joined(separator: "\n").xmlEscaped
            return [
                start + ">", #"      <error type="invalid" message="\#(message)">\#(text)</error>"#, "    </testcase>",
            ]
        case .broken(let details):
            let message = (details.last ?? "").xmlEscaped
            let again = entry.repeatCommand.isEmpty ? [] : ["repeat with: " + entry.repeatCommand]
            let exchange = entry.exchange.isEmpty ? [] : ["exchange:"] + entry.exchange
            let text = (details + exchange + entry.transcript + again).joined(separator: "\n").xmlEscaped
            return [start + ">", #"      <failure message="\#(message)">\#(text)</failure>"#, "    </testcase>"]
        }
    }
}
