import MeshReports
import MeshTime

/// The progress of long work, in one line of standard error that is written over: on a terminal and nowhere else.
public final class ProgressLine {
    private var meter: ProgressMeter
    private let isShown: Bool
    private let start = ContinuousClock.now
    /// The time at which the line was drawn last.
    private var drawn: TimeSpan?
    private var note = ""

    /// A terminal needs no more than that.
    private static let pause = TimeSpan.milliseconds(100)

    /// A line that counts up to `total` units; 0 when the number of units is not known.
    public init(_ name: String, of total: Int = 0, _ unit: String) {
        meter = ProgressMeter(name, of: total, unit)
        isShown = StandardError.isTerminal
    }

    /// Enters how much is done, and draws the line anew unless that was just done.
    public func show(_ done: Int, of total: Int? = nil, note: String = "") {
        guard isShown else { return }
        let now = TimeSpan(ContinuousClock.now - start)
        meter.advance(to: done, of: total, at: now)
        self.note = note
        if let drawn, now - drawn < Self.pause { return }
        drawn = now
        draw()
    }

    /// Removes the line, so that something else can be written; the next `show` draws it again.
    public func clear() {
        guard isShown else { return }
        drawn = nil
        StandardError.endProgress()
    }

    private func draw() {
        StandardError.progress(String(meter.line(note).prefix(StandardError.columns - 1)))
    }
}
