import MeshReports

/// The error of a statement whose visible part passed, and whose rest this target cannot show.
struct OutOfSight: Error, Hashable, Sendable {
    /// The part that cannot be seen, and a target that shows it.
    let reason: String
}

/// A departure of a radio from the protocol: the command, the expected answer, and the one received.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the step within the statement, from 1.
    var step: Int
    /// The last command, if any.
    var sent: [UInt8]?
    var expected: String
    var got: String
    /// The frame that was not as expected, where it is one.
    var answer: [UInt8]?
    /// The last events between client and radio, oldest first.
    package var transcript: [String] = []

    package init(step: Int, sent: [UInt8]?, expected: String, got: String, transcript: [String] = []) {
        self.step = step
        self.sent = sent
        self.expected = expected
        self.got = got
        self.transcript = transcript
    }

    /// One line.
    package var description: String { "expected \(expected), got \(got)".replacing("\n", with: " ") }

    /// The lines of a report.
    package var lines: [String] {
        var lines = ["step \(step)"]
        if let sent { lines.append("sent      " + FrameText.command(sent)) }
        lines.append("expected  " + expected)
        lines.append("got       " + got)
        return lines
    }
}
