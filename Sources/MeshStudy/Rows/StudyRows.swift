/// The measured values: a row for each seed, of one study on one build of the tool.
package struct StudyRows: Hashable, Sendable {
    /// The properties that rows must share to be put together.
    package struct Origin: Hashable, Sendable {
        /// The build of the tool: version and commit.
        package var version: String
        /// Of the study's text.
        package var fingerprint: String
        /// With the control, which is the last one.
        package var arms: [String]
        package var metrics: [String]
        /// The number of seeds of the study, from 1.
        package var seeds: Int
    }

    /// The name of the arm that is the first one once more, with other random numbers.
    package static let control = "control"

    /// Tells whether a column of rows can have this name.
    static func isName(_ name: String) -> Bool {
        1...40 ~= name.utf8.count && !name.utf8.contains { $0 < 0x20 || $0 == 0x7F || ",\":".utf8.contains($0) }
    }

    /// The complaint about a name that no column can have.
    static let namesAre = "must have 1 to 40 bytes, without comma, colon, quotation mark and control character"

    package let origin: Origin
    /// For each seed all metrics of the first arm, then those of the next one.
    package private(set) var rows: [UInt64: [Double]] = [:]

    package init(_ origin: Origin) {
        self.origin = origin
    }

    /// Seeds that were run, ascending.
    package var seeds: [UInt64] { rows.keys.sorted() }

    /// Seeds of the study that were not run.
    package var missing: Int { origin.seeds - rows.count }

    /// Enters what a seed came to. A seed counts once.
    ///
    /// - Throws: `StudyProblem` where the same seed came to something else before: runs of a seed are equal.
    package mutating func enter(_ values: [Double], of seed: UInt64) throws(StudyProblem) {
        if let known = rows[seed] {
            guard known == values else { throw StudyProblem("seed \(seed) has two results that differ") }
            return
        }
        rows[seed] = values
    }

    /// Adds rows of elsewhere. The order in which rows are put together does not matter.
    package mutating func merge(_ other: StudyRows) throws(StudyProblem) {
        guard origin.version == other.origin.version else {
            throw StudyProblem("rows are of two builds: \(origin.version) and \(other.origin.version)")
        }
        guard origin == other.origin else { throw StudyProblem("rows are of two studies, or of two texts of one") }
        for (seed, values) in other.rows { try enter(values, of: seed) }
    }

    /// The value of a metric, by the places of arm and metric.
    func value(_ values: [Double], arm: Int, metric: Int) -> Double { values[arm * origin.metrics.count + metric] }
}
