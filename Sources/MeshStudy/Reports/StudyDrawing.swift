import MeshWire

/// The intervals of one comparison, look by look, over the band of its margin: an SVG element.
struct StudyDrawing {
    let comparison: StudyResult.Comparison

    private static let width = 360.0
    private static let height = 150.0
    private static let left = 62.0
    private static let bottom = 22.0

    /// Half of the vertical range: four margins, or as much as the later half of the looks needs.
    private var reach: Double {
        let later = comparison.looks.suffix((comparison.looks.count + 1) / 2)
        let widest = later.map { max($0.low.magnitude, $0.high.magnitude) }.max() ?? 0
        return min(max(comparison.margin * 4, widest * 1.1), comparison.most)
    }

    /// Looks are a geometric series: equal steps are equal ratios of seeds. A single one is a short piece in the
    /// middle.
    private var points: [(x: Double, look: StudyResult.Look)] {
        let looks = comparison.looks
        let room = Self.width - Self.left - 8
        let middle = Self.left + room / 2
        guard looks.count > 1 else { return looks.flatMap { [(middle - 6, $0), (middle + 6, $0)] } }
        return looks.enumerated().map { (Self.left + room * Double($0) / Double(looks.count - 1), $1) }
    }

    private func y(_ value: Double) -> Double {
        let share = min(max(value / reach, -1), 1)
        return (Self.height - Self.bottom) / 2 * (1 - share) + 4
    }

    var svg: String {
        let upper = points.map { "\(Self.rounded($0.x)),\(Self.rounded(y($0.look.high)))" }
        let lower = points.reversed().map { "\(Self.rounded($0.x)),\(Self.rounded(y($0.look.low)))" }
        let middle = points.map { "\(Self.rounded($0.x)),\(Self.rounded(y($0.look.effect)))" }
        let (top, low) = (y(comparison.margin), y(-comparison.margin))
        let label = "\(comparison.arm), \(comparison.metric.name): intervals by seeds"
        return """
            <svg viewBox="0 0 \(Int(wholePart: Self.width)) \(Int(wholePart: Self.height) + 8)" role="img" aria-label="\(label.xmlEscaped)">
            <rect class="band" x="\(Self.rounded(Self.left))" y="\(Self.rounded(top))" \
            width="\(Self.rounded(Self.width - Self.left - 8))" height="\(Self.rounded(low - top))"/>
            <line class="zero" x1="\(Self.rounded(Self.left))" x2="\(Self.rounded(Self.width - 8))" y1="\(Self.rounded(y(0)))" \
            y2="\(Self.rounded(y(0)))"/>
            <polygon class="interval" points="\((upper + lower).joined(separator: " "))"/>
            <polyline class="effect" points="\(middle.joined(separator: " "))"/>
            \(ticks.map(tick).joined())
            \(seeds)
            </svg>
            """
    }

    /// The numbers of seeds at the first and the last look; one number for a single look.
    private var seeds: String {
        let looks = comparison.looks
        let y = Int(wholePart: Self.height) + 4
        let last =
            #"<text class="end" x="\#(Self.rounded(Self.width - 8))" y="\#(y)">\#(comparison.last.seeds) seeds</text>"#
        return looks.count < 2
            ? last : #"<text x="\#(Self.rounded(Self.left))" y="\#(y)">\#(looks[0].seeds)</text>"# + last
    }

    /// Labels of the vertical axis, none over another: the margin first, then zero and the ends where they have room.
    private var ticks: [Double] {
        let margin = comparison.margin
        return [margin, -margin, 0, reach, -reach].reduce(into: []) { taken, value in
            if taken.allSatisfy({ abs(y($0) - y(value)) > 12 }) { taken.append(value) }
        }
    }

    private func tick(_ value: Double) -> String {
        #"<text class="end" x="\#(Self.rounded(Self.left - 5))" y="\#(Self.rounded(y(value) + 4))">"#
            + StudyResult.signed(value) + "</text>"
    }

    static func rounded(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}
