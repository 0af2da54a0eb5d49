import MeshWire

/// The last interval of a comparison on one line, with its margin: `···[··:··]··==●==·`.
struct StudyBar {
    let comparison: StudyResult.Comparison

    /// The legend of the marks in `text`.
    static let legend = "bar: ● difference, = its interval, [ ] the margin, : no difference"

    /// Half of the range: three margins, or as much as the interval needs.
    private var reach: Double {
        max(comparison.margin * 3, comparison.last.low.magnitude, comparison.last.high.magnitude)
    }

    /// The place of a difference in the range, 0 to 1.
    private func share(_ value: Double) -> Double { (min(max(value / reach, -1), 1) + 1) / 2 }

    /// A bar of 31 characters, none of which has a meaning in Markdown's tables.
    var text: String {
        let columns = 31
        func column(_ value: Double) -> Int { Int(nearest: share(value) * Double(columns - 1)) }
        var bar = [Character](repeating: "·", count: columns)
        for place in column(comparison.last.low)...column(comparison.last.high) { bar[place] = "=" }
        bar[column(0)] = ":"
        bar[column(-comparison.margin)] = "["
        bar[column(comparison.margin)] = "]"
        bar[column(comparison.last.effect)] = "●"
        return String(bar)
    }

    /// The same as an SVG element.
    var svg: String {
        let width = 300.0
        func x(_ value: Double) -> String { StudyDrawing.rounded(share(value) * width) }
        func rectangle(_ name: String, _ low: Double, _ high: Double, _ y: Int, _ height: Int) -> String {
            let wide = StudyDrawing.rounded(max((share(high) - share(low)) * width, 1))
            return #"<rect class="\#(name)" x="\#(x(low))" y="\#(y)" width="\#(wide)" height="\#(height)"/>"#
        }
        let last = comparison.last
        return """
            <svg class="bar" viewBox="0 0 300 20" role="img" aria-label="\(comparison.interval.xmlEscaped)">
            \(rectangle("band", -comparison.margin, comparison.margin, 0, 20))
            <line class="zero" x1="\(x(0))" x2="\(x(0))" y1="0" y2="20"/>
            \(rectangle("interval", last.low, last.high, 6, 8))
            <circle class="point" cx="\(x(last.effect))" cy="10" r="4"/>
            </svg>
            """
    }
}
