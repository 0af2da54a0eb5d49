import MeshCapture
import MeshReports
import MeshTime

/// Holds back lines of a conversation and emits them again, repetitions as one line.
///
/// A repetition is a command with its answers, or one frame after the other of the same name. Values do not count.
struct ShownRepetition {
    private let isFolding: Bool
    private var waiting: [RecordingEntry] = []
    /// The least number of repetitions that become one line.
    static let least = 3
    /// The most frames of one exchange.
    static let longest = 4

    init(isFolding: Bool) { self.isFolding = isFolding }

    /// Handles a line; returns `false` when it is to be shown as it is, after all lines before it.
    mutating func take(_ entry: RecordingEntry, isSound: Bool, _ out: (String) -> Void) -> Bool {
        guard isFolding else { return false }
        guard isSound, entry.decoded != nil else {
            end(out)
            return false
        }
        waiting.append(entry)
        return true
    }

    /// Emits the lines that are left.
    mutating func end(_ out: (String) -> Void) {
        let keys = waiting.map(\.key)
        var start = 0
        while start < waiting.count {
            let (length, count) = Self.repetition(keys[start...])
            guard count >= Self.least else {
                out(waiting[start].shown)
                start += 1
                continue
            }
            let exchange = waiting[start..<start + length].map { "\($0.mark) \($0.name)" }.joined(separator: " ")
            let last = waiting[start + length * count - 1]
            out(
                "\(waiting[start].time.recordedText) \(waiting[start].link.rawValue) \(count) × \(exchange), until "
                    + last.time.recordedText)
            start += length * count
        }
        waiting = []
    }

    /// The number of leading lines that repeat most, and the number of their repetitions.
    private static func repetition(_ keys: ArraySlice<String>) -> (length: Int, count: Int) {
        var best = (length: 1, count: 1)
        for length in 1...longest where keys.count >= 2 * length {
            let pattern = keys.prefix(length)
            var count = 1
            var rest = keys.dropFirst(length)
            while rest.starts(with: pattern) {
                count += 1
                rest = rest.dropFirst(length)
            }
            if count >= least, length * count > best.length * best.count { best = (length, count) }
        }
        return best
    }
}

extension RecordingEntry {
    fileprivate var name: String { decoded?.shortName ?? "" }
    fileprivate var key: String { "\(link.rawValue) \(mark) \(name)" }
}
