public import MeshTime
import MeshWire

/// Random choices of a scenario, each from a stream of its own.
///
/// A choice has a word, and its stream is the seed's for that word. So a choice that is added or left out changes no
/// other one. The same word again is the next choice of that word.
public struct Draw: Sendable {
    /// The seed that every choice is drawn from.
    public let seed: Seed
    private var counts: [String: Int] = [:]

    public init(_ seed: Seed) { self.seed = seed }

    private mutating func stream(_ word: String) -> RandomStream {
        let count = counts[word, default: 0]
        counts[word] = count + 1
        return seed.stream("draw", word, String(count))
    }

    /// A whole number of the range, each as likely as the others.
    public mutating func count(_ word: String, in range: ClosedRange<Int>) -> Int {
        var stream = stream(word)
        return Int.random(in: range, using: &stream)
    }

    /// True in that share of all seeds, 0…1.
    public mutating func chance(_ word: String, _ share: Double) -> Bool {
        var stream = stream(word)
        return Double.random(in: 0..<1, using: &stream) < share
    }

    /// A number of the range, rounded to hundredths so that it reads well.
    public mutating func share(_ word: String, in range: ClosedRange<Double>) -> Double {
        var stream = stream(word)
        let drawn = Double.random(in: range, using: &stream)
        return min(max((drawn * 100).rounded() / 100, range.lowerBound), range.upperBound)
    }

    /// A span of the range in whole tenths of a second.
    public mutating func span(_ word: String, in range: ClosedRange<Duration>) -> Duration {
        var stream = stream(word)
        let tenths = Duration.milliseconds(100)
        let low = Int64(nearest: range.lowerBound / tenths)
        let high = Int64(nearest: range.upperBound / tenths)
        return tenths * Int.random(in: Int(low)...Int(max(low, high)), using: &stream)
    }

    /// One of them; there must be one.
    public mutating func pick<Element>(_ word: String, from choices: [Element]) -> Element {
        precondition(!choices.isEmpty, "nothing to choose from for \(word)")
        var stream = stream(word)
        return choices[Int.random(in: choices.indices, using: &stream)]
    }

    /// Returns `count` of the choices, in their order; all when there are fewer.
    public mutating func some<Element>(_ word: String, _ count: Int, of choices: [Element]) -> [Element] {
        var stream = stream(word)
        let chosen = choices.indices.shuffled(using: &stream).prefix(count).sorted()
        return chosen.map { choices[$0] }
    }

    /// Two different ones; there must be two.
    public mutating func pair<Element>(_ word: String, from choices: [Element]) -> (Element, Element) {
        precondition(choices.count > 1, "no two to choose from for \(word)")
        let first = count(word, in: choices.indices.lowerBound...choices.indices.upperBound - 1)
        let second = count(word, in: choices.indices.lowerBound...choices.indices.upperBound - 2)
        return (choices[first], choices[second < first ? second : second + 1])
    }
}
