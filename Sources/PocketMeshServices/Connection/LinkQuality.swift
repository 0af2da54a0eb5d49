/// The quality of the connection to the mesh: the signal that the radio receives, and the results of its sends.
///
/// A pure value: readings go in, a grade with its reasons comes out. Each quantity is the mean of its latest readings,
/// so one bad packet changes nothing. A grade gets worse at its limit and better only some decibels above it. Source:
/// ServiceStack, F-3-077.
public struct LinkQuality: Sendable, Hashable {
    /// The grades from good to poor; `unknown` before the first reading.
    public enum Grade: Int, Sendable, Hashable, Comparable, CaseIterable {
        case unknown, good, degraded, poor

        public static func < (a: Grade, b: Grade) -> Bool { a.rawValue < b.rawValue }
    }

    /// The reason why a grade is not good.
    public enum Cause: String, Sendable, Hashable, CaseIterable {
        /// The received signal is hardly strong enough.
        case weakSignal
        /// The received signal hardly stands out from noise.
        case noise
        /// The last messages were not confirmed.
        case timeouts
        /// The last confirmation was slow.
        case slowAnswers
    }

    /// The limits at which the grades begin.
    public struct Thresholds: Sendable, Hashable {
        /// The RSSI in dBm below which the link is degraded.
        public var degradedRSSI = -115.0
        /// The RSSI in dBm below which the link is poor.
        public var poorRSSI = -125.0
        /// The SNR in dB below which the link is degraded. LoRa is received down to -7.5 dB with SF7, to -20 dB with
        /// SF12.
        public var degradedSNR = -5.0
        /// The SNR in dB below which the link is poor.
        public var poorSNR = -12.0
        /// The number of unconfirmed attempts in a row that make a link degraded.
        public var degradedTimeouts = 3
        /// The number of unconfirmed attempts in a row that make a link poor.
        public var poorTimeouts = 6
        /// The round trip from which on a link is degraded.
        public var slowRoundTrip: Duration = .seconds(30)
        /// The distance above a limit that a mean needs for a better grade, in dB.
        public var hysteresis = 2.0
        /// The number of readings in a mean.
        public var readings = 5

        public init() {}
    }

    /// The limits at which the grades begin.
    public let thresholds: Thresholds
    /// The grade now: the worst of all quantities.
    public private(set) var grade = Grade.unknown
    /// The causes of the grade, in the order of the declaration; empty for a good one.
    public private(set) var causes: [Cause] = []
    /// The number of messages in a row without a confirmation.
    public private(set) var timeouts = 0
    private var rssi = Mean()
    private var snr = Mean()
    /// The round trip of the last confirmation; `nil` before the first.
    public private(set) var roundTrip: Duration?

    public init(thresholds: Thresholds = Thresholds()) {
        self.thresholds = thresholds
    }

    /// True when the link is worse than good.
    public var isDegraded: Bool { grade > .good }
    /// The mean signal strength of the latest receptions, in dBm.
    public var meanRSSI: Double? { rssi.value }
    /// The mean SNR of the latest receptions, in dB.
    public var meanSNR: Double? { snr.value }

    /// A packet was heard with this strength, in dBm.
    public mutating func note(rssi reading: Double) {
        rssi.add(reading, of: thresholds.readings)
        judge()
    }

    /// A packet was heard with this SNR, in dB.
    public mutating func note(snr reading: Double) {
        snr.add(reading, of: thresholds.readings)
        judge()
    }

    /// Notes that a message, or an attempt to send it, was not confirmed.
    public mutating func noteTimeout() {
        timeouts += 1
        judge()
    }

    /// Notes that a message was confirmed, with the time since it was sent.
    public mutating func noteAnswer(after time: Duration) {
        timeouts = 0
        roundTrip = time
        judge()
    }

    private mutating func judge() {
        let graded: [(Cause, Grade)] = [
            (.weakSignal, rssi.judge(thresholds.degradedRSSI, thresholds.poorRSSI, thresholds.hysteresis)),
            (.noise, snr.judge(thresholds.degradedSNR, thresholds.poorSNR, thresholds.hysteresis)),
            (.timeouts, timeoutGrade), (.slowAnswers, answerGrade),
        ]
        grade = graded.map(\.1).max() ?? .unknown
        causes = grade > .good ? graded.filter { $0.1 > .good }.map(\.0) : []
    }

    private var timeoutGrade: Grade {
        if timeouts >= thresholds.poorTimeouts { return .poor }
        if timeouts >= thresholds.degradedTimeouts { return .degraded }
        return .unknown
    }

    private var answerGrade: Grade {
        guard let roundTrip else { return .unknown }
        return roundTrip >= thresholds.slowRoundTrip ? .degraded : .good
    }

    /// The mean of the latest readings of one quantity, with the grade that it had.
    private struct Mean: Sendable, Hashable {
        var readings: [Double] = []
        var grade = Grade.unknown

        var value: Double? { readings.isEmpty ? nil : readings.reduce(0, +) / Double(readings.count) }

        mutating func add(_ reading: Double, of limit: Int) {
            guard reading.isFinite else { return }
            if readings.count >= max(1, limit) { readings.removeFirst() }
            readings.append(reading)
        }

        mutating func judge(_ degraded: Double, _ poor: Double, _ hysteresis: Double) -> Grade {
            guard let value else { return .unknown }
            let poor = poor + (grade == .poor ? hysteresis : 0)
            let degraded = degraded + (grade >= .degraded ? hysteresis : 0)
            grade = value < poor ? .poor : value < degraded ? .degraded : .good
            return grade
        }
    }
}
