import MeshFiles
import MeshWorlds

// Rows as comma-separated values: some lines that begin with "# ", a line of names, and a line for each seed,
// ascending. Numbers are the shortest decimals that read back the same, so equal rows are equal bytes.
extension StudyRows {
    private static let format = "# meshbed study rows 1"
    /// Bytes of a file of rows: a million seeds of some arms.
    private static let longest = 1 << 30

    private static let keys = ["version", "study", "seeds"]

    package var csv: String {
        let columns = origin.arms.flatMap { arm in origin.metrics.map { "\(arm):\($0)" } }
        var text = Self.format + "\n"
        for (key, value) in zip(Self.keys, [origin.version, origin.fingerprint, "\(origin.seeds)"]) {
            text += "# \(key) \(value)\n"
        }
        text += (["seed"] + columns).joined(separator: ",") + "\n"
        for seed in seeds {
            text += "\(seed)"
            for value in rows[seed] ?? [] { text += ",\(value)" }
            text += "\n"
        }
        return text
    }

    /// Reads the file at a path.
    package init(file path: String) throws(StudyProblem) {
        let bytes: [UInt8]
        do {
            bytes = try FileSystem.read(path, atMost: Self.longest)
        } catch {
            throw StudyProblem("\(path): cannot be read: \(error.reason)")
        }
        do {
            self = try StudyRows(reading: bytes)
        } catch var problem as FileProblem {
            problem.file = path
            throw StudyProblem("\(problem)")
        } catch {
            throw StudyProblem("\(path): \(error)")
        }
    }

    package init(reading bytes: [UInt8]) throws {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).makeIterator()
        var line = 0
        func next() -> String {
            line += 1
            return String(decoding: lines.next() ?? [], as: UTF8.self)
        }
        func problem(_ reason: String) -> FileProblem { FileProblem(line: line, reason: reason) }

        guard next() == Self.format else { throw problem("is no file of rows: '\(Self.format)' is missing") }
        var values: [String] = []
        for key in Self.keys {
            let text = next()
            guard text.hasPrefix("# \(key) ") else { throw problem("must begin with '# \(key) '") }
            values.append(String(text.dropFirst(key.count + 3)))
        }
        guard let count = Int(values[2]), 1...1_000_000 ~= count else { throw problem("must have 1 to 1000000 seeds") }
        let columns = next().split(separator: ",", omittingEmptySubsequences: false)
        guard columns.first == "seed", columns.count > 1 else { throw problem("must have the names of the columns") }
        var arms: [String] = []
        var metrics: [String] = []
        for column in columns.dropFirst() {
            let parts = column.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw problem("has a column that is no arm and metric: \(column)") }
            if arms.last != parts[0] { arms.append(parts[0]) }
            if arms.count == 1 { metrics.append(parts[1]) }
        }
        guard arms.flatMap({ arm in metrics.map { "\(arm):\($0)" } }) == columns.dropFirst().map(String.init) else {
            throw problem("has columns that are not all metrics of all arms")
        }
        self.init(
            Origin(version: values[0], fingerprint: values[1], arms: arms, metrics: metrics, seeds: count))
        let width = arms.count * metrics.count
        while let text = lines.next() {
            line += 1
            // The last line ends as all others do.
            if text.isEmpty { continue }
            let cells = String(decoding: text, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
            let numbers = cells.dropFirst().compactMap { Double($0) }.filter(\.isFinite)
            guard let seed = UInt64(cells[0]), 1...UInt64(count) ~= seed, cells.count == width + 1,
                numbers.count == width
            else { throw problem("is no seed of the study with \(width) numbers") }
            do {
                try enter(numbers, of: seed)
            } catch {
                throw problem("\(error)")
            }
        }
    }
}
