import MeshWire

extension CoverageMatrix {
    /// The matrix for people: for each row how many of its cells were seen, then the cells that are empty.
    public var text: String {
        var lines = [line("Commands", Aspect.allCases.map { "\($0)" })]
        lines += commands.map { row in line(row.title, Aspect.allCases.map { Self.share(row.cells($0)) }) }
        lines += ["", line("Frames of the radio", ["length"])]
        lines += frames.map { row in line(row.title, [Self.share(row.cells(.length))]) }
        lines += ["", summary]
        let empty = (commands + frames).flatMap(\.emptyLines)
        if !empty.isEmpty { lines += ["Empty cells:"] + empty.map { "  " + $0 } }
        return lines.joined(separator: "\n")
    }

    /// One line: how many cells there are, and how many were seen.
    public var summary: String { "Matrix: \(seen) of \(count) cells seen" }

    private func line(_ name: String, _ cells: [String]) -> String {
        let width = (commands + frames).map(\.title.count).max() ?? 0
        return name.padded(to: width)
            + cells.map { $0.alignedRight(to: 9, gap: 1) }.joined()
    }

    /// `2/3`, and `–` where there is nothing to see.
    private static func share(_ cells: [Cell]) -> String {
        cells.isEmpty ? "–" : "\(cells.count { !$0.isEmpty })/\(cells.count)"
    }
}

extension CoverageMatrix.Row {
    /// `0B SET_RADIO_PARAMS`.
    fileprivate var title: String {
        let start = (name.firstRange(of: "CODE_") ?? name.firstRange(of: "_"))?.upperBound
        return [code].hex.uppercased() + " " + name[(start ?? name.startIndex)...]
    }

    /// A line for each aspect that has empty cells.
    fileprivate var emptyLines: [String] {
        CoverageMatrix.Aspect.allCases.compactMap { aspect in
            let names = empty(aspect).map(\.name)
            return names.isEmpty ? nil : "\(title), \(aspect): " + names.joined(separator: ", ")
        }
    }
}
