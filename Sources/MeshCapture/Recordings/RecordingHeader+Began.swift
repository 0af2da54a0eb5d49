package import MeshTime

/// The time of day of a recording, in the row `began`.
extension RecordingHeader {
    static let beganRow = "began"

    /// The time of day, UTC, from which the lines count, as the row `began` has it; `nil` without one.
    ///
    /// Setting it replaces the row.
    package var began: TimeSpan? {
        get { value(of: Self.beganRow).flatMap { TimeSpan(timeOfDay: $0) } }
        set {
            rows.removeAll { $0.key == Self.beganRow }
            if let newValue { rows.append(Row(Self.beganRow, newValue.timeOfDay)) }
        }
    }
}

extension TimeSpan {
    /// Reads a time of day as in `12:00:00.25`, with at most six digits behind the point.
    init?(timeOfDay text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 2, parts[1].utf8.count == 2,
            let hour = UInt8(parts[0]), hour < 24, let minute = UInt8(parts[1]), minute < 60,
            let rest = TimeSpan(recorded: Substring(parts[2])), rest < .seconds(60)
        else { return nil }
        self = .seconds(Int64(hour) * 3600 + Int64(minute) * 60) + rest
    }

    /// The same of a time that is less than a day.
    var timeOfDay: String {
        let seconds = microseconds / 1_000_000
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let fraction = RecordingText.text(of: TimeSpan(microseconds: microseconds % 1_000_000)).dropFirst()
        return "\(padded(seconds / 3600)):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))\(fraction)"
    }
}
