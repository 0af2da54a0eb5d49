public import MeshTime
import MeshWire

/// The progress, speed and remaining time of long work, from counts and a clock that the caller passes.
///
/// The rate is that of the last half minute, so that a slow beginning does not count for ever.
public struct ProgressMeter: Hashable, Sendable {
    private struct Mark: Hashable {
        var done: Int
        var at: TimeSpan
    }

    /// The name of the work.
    public let name: String
    /// The unit of the counts: `seeds`, `checks`.
    public let unit: String
    private var total: Int
    /// The oldest first; the last one is where the work is.
    private var marks: [Mark]

    /// Marks are at least so far apart, and so many are kept.
    private static let spacing = TimeSpan.seconds(1)
    private static let capacity = 30
    /// Nothing is said of the time left before so much has passed: the first steps say little of the others.
    private static let patience = TimeSpan.seconds(1)

    /// - Parameter start: what the clock says, counted from anywhere.
    public init(_ name: String, of total: Int = 0, _ unit: String, at start: TimeSpan = .zero) {
        self.name = name
        self.unit = unit
        self.total = total
        marks = [Mark(done: 0, at: start)]
    }

    /// Enters how much is done, and the whole where that is known only now.
    public mutating func advance(to done: Int, of total: Int? = nil, at now: TimeSpan) {
        if let total { self.total = total }
        let mark = Mark(done: done, at: now)
        // The first mark stays alone, and the last one is replaced until it is far enough from that before it.
        if marks.count > 1, marks[marks.count - 1].at - marks[marks.count - 2].at < Self.spacing { marks.removeLast() }
        marks.append(mark)
        if marks.count > Self.capacity { marks.removeFirst() }
    }

    private var last: Mark { marks[marks.count - 1] }

    /// The time that the rest needs at the recent rate; `nil` while that is not known.
    public var timeLeft: TimeSpan? {
        let span = last.at - marks[0].at
        let steps = last.done - marks[0].done
        guard last.done < total else { return total > 0 ? .zero : nil }
        guard span >= Self.patience, steps > 0 else { return nil }
        let each = Double(span.microseconds) / Double(steps)
        return .microseconds(Int64(wholePart: min(each * Double(total - last.done), 1e15)))
    }

    /// One line: what, how much of how much, the share, and the time left.
    ///
    /// - Parameter note: what else there is to know, such as `2 broken`.
    public func line(_ note: String = "") -> String {
        var parts = ["\(name): \(last.done) of \(total) \(unit)"]
        if total > 0 { parts.append("\(Int(wholePart: 100 * Double(last.done) / Double(total), in: 0...100)) %") }
        if let timeLeft, timeLeft > .zero { parts.append(Self.words(timeLeft) + " left") }
        if !note.isEmpty { parts.append(note) }
        return parts.joined(separator: ", ")
    }

    /// `8 s`, `4 min`, `2 h 5 min`: rounded up, since who waits would rather be surprised by an early end.
    static func words(_ span: TimeSpan) -> String {
        let seconds = (span.microseconds + 999_999) / 1_000_000
        if seconds <= 100 { return "\(seconds) s" }
        let minutes = (seconds + 59) / 60
        if minutes < 120 { return "\(minutes) min" }
        return "\(minutes / 60) h" + (minutes % 60 > 0 ? " \(minutes % 60) min" : "")
    }
}
