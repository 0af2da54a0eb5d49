import MeshReports
import MeshWire

extension TwinComparison {
    /// The comparison as one file, which needs neither network nor script; texts from files are escaped.
    package func html(_ provenance: [String]) -> String {
        let figures = rows.map { row in
            let figures = row.figures.map { figure in
                "\(figure.kind.rawValue) \(Self.short(figure.simulated)) against \(Self.short(figure.observed)): "
                    + (figure.isMet ? "met" : "missed")
            }
            let distance = row.distance.map { "W1 \(Self.short($0))" } ?? ""
            return """
                <figure class="\(row.figures.allSatisfy(\.isMet) ? "firstBetter" : "secondBetter")"><figcaption>\
                <b>\(row.metric.xmlEscaped)</b>\(row.isGoal ? " (goal)" : "") <span>\
                \(figures.joined(separator: "; ").xmlEscaped)</span> \(distance)</figcaption>
                \(TwinDrawing(row).svg)</figure>
                """
        }
        let limits = (missing.map { "missing: \($0)" } + Self.limits).map { "<li>\($0.xmlEscaped)</li>" }
        let bars = bars.map { bar in
            let distance = bar.distance.map { ", W1 \(Self.short($0))" } ?? ""
            return "<li>\(bar.name.xmlEscaped): median \(Self.short(bar.median))\(distance)</li>"
        }
        return FigurePage.html(
            title: "Twin of \(observation)",
            body: """
                <h1>\("\(world) against \(observation)".visibleLine.xmlEscaped)</h1>
                <pre>\(provenance.joinedVisibleLines.xmlEscaped)</pre>
                <p>\(seeds) seeds; goals met: \(goalsMet) of \(goals). Filled: simulated; line: observed.</p>
                <div class="cards">\(figures.joined(separator: "\n"))</div>
                <h2>Bars</h2><ul>\(bars.joined())</ul>
                <h2>Limits</h2><ul>\(limits.joined())</ul>
                """)
    }
}

/// Two distributions over one axis: an SVG element.
private struct TwinDrawing {
    private static let width = 360.0
    private static let height = 120.0
    private static let bins = 24

    private let row: TwinComparison.Row
    private let low: Double
    private let high: Double

    init(_ row: TwinComparison.Row) {
        self.row = row
        let values = (row.simulatedBins + row.observedBins).compactMap(\.first)
        low = values.min() ?? 0
        high = max(values.max() ?? 1, low + 1e-6)
    }

    private func shares(_ pairs: [[Double]]) -> [Double] {
        var shares = [Double](repeating: 0, count: Self.bins)
        let total = pairs.reduce(0) { $0 + $1[1] }
        guard total > 0 else { return shares }
        for pair in pairs {
            let place = Int(wholePart: (pair[0] - low) / (high - low) * Double(Self.bins - 1) + 0.5)
            shares[min(max(place, 0), Self.bins - 1)] += pair[1] / total
        }
        return shares
    }

    var svg: String {
        let made = shares(row.simulatedBins)
        let seen = shares(row.observedBins)
        let top = max((made + seen).max() ?? 1, 1e-6)
        let step = Self.width / Double(Self.bins)
        func y(_ share: Double) -> Double { Self.height * (1 - share / top) + 4 }
        let bars = made.enumerated().map { index, share in
            "<rect class=\"interval\" x=\"\(at(Double(index) * step))\" y=\"\(at(y(share)))\" width=\"\(at(step - 1))\" "
                + "height=\"\(at(Self.height + 4 - y(share)))\"/>"
        }
        let line = seen.enumerated().map { "\(at((Double($0) + 0.5) * step)),\(at(y($1)))" }
        let observed =
            row.observedBins.isEmpty
            ? "" : "<polyline class=\"effect\" points=\"\(line.joined(separator: " "))\"/>"
        return """
            <svg viewBox="0 0 \(Int(wholePart: Self.width)) \(Int(wholePart: Self.height) + 20)" role="img" \
            aria-label="\(row.metric.xmlEscaped): simulated and observed">
            \(bars.joined())\(observed)
            <text x="0" y="\(Int(wholePart: Self.height) + 16)">\(TwinComparison.short(low))</text>
            <text class="end" x="\(Int(wholePart: Self.width))" y="\(Int(wholePart: Self.height) + 16)">\(TwinComparison.short(high))</text>
            </svg>
            """
    }

    private func at(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}
