/// Marks on a line of time, to be compared with a drawing: one character for each step of a clock.
///
///     app    "s-------d"      sent, delivered; x: failed
///     radio  "d--d--F-a"      direct, direct, flood behind a reset of the path, confirmation; f: flood
enum Timeline {
    static let step: Duration = .milliseconds(200)

    /// The marks as a drawing; a reset and the flood behind it are one.
    static func draw(_ marks: [(at: Duration, mark: Character)], from start: Duration) -> String {
        var line = ""
        var mustFlood = false
        for (at, mark) in marks {
            if mark == "r" {
                mustFlood = true
                continue
            }
            let exact = (at - start) / step
            let place = Int(exact.rounded())
            guard abs(exact - Double(place)) < 0.001, place >= line.count else { return line + "?" }
            line += gap(place - line.count) + (mustFlood && mark == "f" ? "F" : String(mark))
            mustFlood = false
        }
        return mustFlood ? line + "?" : line
    }

    static func gap(_ steps: Int) -> String { String(repeating: "-", count: steps) }
}
