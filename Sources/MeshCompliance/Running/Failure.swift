import MeshReports

/// What of a statement can be seen was as it should be, and the rest cannot be seen on this target.
struct OutOfSight: Error, Hashable, Sendable {
    /// What cannot be seen, and where it can.
    let reason: String
}

/// Where a radio departs from the protocol: what was sent, what should have come, and what came.
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
