import MeshReports

/// The error of a statement whose visible part passed, and whose rest this target cannot show.
struct OutOfSight: Error, Hashable, Sendable {
    /// The part that cannot be seen, and a target that shows it.
    let reason: String
}

/// A departure of a radio from the protocol: the command, the expected answer, and the one received.
struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the step within the statement, from 1.
    var step: Int
    /// The last command, if any.
    var sent: [UInt8]?
    var expected: String
    var got: String
    /// The last events between client and radio, oldest first.
    var transcript: [String] = []

    /// One line.
    var description: String { "expected \(expected), got \(got)".replacing("\n", with: " ") }

    /// The lines of a report.
    var lines: [String] {
        var lines = ["step \(step)"]
        if let sent { lines.append("sent      " + FrameText.command(sent)) }
        lines.append("expected  " + expected)
        lines.append("got       " + got)
        return lines
    }
}
