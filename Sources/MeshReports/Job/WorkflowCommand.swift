import MeshWire

/// A line of output by which a step of GitHub Actions shows an annotation: `::error title=…::…`.
///
/// Values are escaped as GitHub's own toolkit does it: `%` and line breaks in both parts, `:` and `,` in the title too.
package struct WorkflowCommand: Hashable, Sendable {
    /// The kinds of annotations, the gravest first.
    package enum Level: String, Hashable, Sendable, CaseIterable {
        case error, warning, notice
    }

    let level: Level
    let title: String
    let lines: [String]

    /// The annotations of a kind that GitHub shows of one step; it leaves out what comes after them.
    static let limit = 10
    /// The characters of a title, and of a message: longer ones are clipped.
    private static let (longestTitle, longestMessage) = (200, 4_000)

    package init(_ level: Level, title: String, _ lines: [String]) {
        self.level = level
        self.title = title
        self.lines = lines
    }

    /// The line.
    package var line: String {
        let title = Self.escaped(title.visibleLine.clipped(Self.longestTitle))
            .replacing(":", with: "%3A").replacing(",", with: "%2C")
        let message = Self.escaped(lines.joinedVisibleLines.clipped(Self.longestMessage))
        // Without a message the command is none.
        return "::\(level.rawValue) title=\(title)::\(message.isEmpty ? title : message)"
    }

    private static func escaped(_ text: String) -> String {
        // By scalars: for Swift a carriage return and its line feed are one character.
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": output.append(contentsOf: "%25".unicodeScalars)
            case "\r": output.append(contentsOf: "%0D".unicodeScalars)
            case "\n": output.append(contentsOf: "%0A".unicodeScalars)
            default: output.append(scalar)
            }
        }
        return String(output)
    }

    /// Returns as many of each kind as GitHub shows; where there are more, the last one says how many, and which.
    package static func shown(_ commands: [WorkflowCommand]) -> [WorkflowCommand] {
        Level.allCases.flatMap { level in
            let all = commands.filter { $0.level == level }
            guard all.count > limit else { return all }
            let rest = all[(limit - 1)...]
            return all[..<(limit - 1)] + [
                WorkflowCommand(level, title: "\(rest.count) more of this kind", rest.map(\.title))
            ]
        }
    }

    /// Returns a text in which no line is a command: a radio's answer could otherwise hide errors or invent some.
    ///
    /// The runner looks for `::` behind the blanks of a line, and for the older form `##[` anywhere.
    package static func inert(_ text: String) -> String {
        text.visibleText.split(separator: "\n", omittingEmptySubsequences: false).map { inert(line: $0) }
            .joined(separator: "\n")
    }

    private static func inert(line: Substring) -> String {
        var output = String.UnicodeScalarView()
        for scalar in line.unicodeScalars {
            if scalar == "[", output.suffix(2).elementsEqual("##".unicodeScalars) { output.append(" ") }
            output.append(scalar)
        }
        let start = output.firstIndex { !$0.properties.isWhitespace } ?? output.endIndex
        if output[start...].starts(with: "::".unicodeScalars) { output.insert(" ", at: output.index(after: start)) }
        return String(output)
    }
}

extension TestReport {
    /// The annotations of the run: what broke, what could not run, what proves nothing, what differs.
    ///
    /// - Parameter policy: what is broken is an error, or a warning where it does not stop the build.
    package func annotations(_ policy: ExitPolicy) -> [WorkflowCommand] {
        var commands = entries.compactMap { entry -> WorkflowCommand? in
            let level: WorkflowCommand.Level
            var lines: [String]
            switch entry.verdict {
            case .broken(let details): (level, lines) = (policy.level, details)
            case .couldNotRun(let reason): (level, lines) = (.error, [reason])
            case .invalid(let reasons): (level, lines) = (.error, ["Invalid: the run proves nothing."] + reasons)
            case .differs(let reason, _), .lacks(let reason, _): (level, lines) = (.notice, [reason])
            case .kept, .notRun, .notApplicable: return nil
            }
            if let sentence = entry.rationale?.sentence, !sentence.isEmpty { lines.insert(sentence, at: 0) }
            if !entry.repeatCommand.isEmpty { lines.append("repeat with: " + entry.repeatCommand) }
            return WorkflowCommand(level, title: "\(entry.id) \(entry.title)", lines)
        }
        if let abortedBecause {
            commands.insert(WorkflowCommand(.error, title: "The run ended early", [abortedBecause]), at: 0)
        } else if commands.isEmpty, kept == 0 {
            commands = [WorkflowCommand(.error, title: "Nothing was kept", [summary])]
        }
        return WorkflowCommand.shown(commands)
    }
}
