import MeshWire

/// Shares of several sets of times that have ended by each moment, as steps over one axis of seconds: an SVG picture.
///
/// The axis is a square root, so that tenths of a second and half a minute are seen on one picture. Its colours are
/// those of its own style, with a light and a dark set. The same times give the same text.
package struct ShareDrawing: Sendable {
    /// One line of the picture.
    package struct Series: Sendable {
        /// The name in the legend.
        package var name: String
        /// Seconds, in any order; values below 0 or without a bound count as 0.
        package var seconds: [Double]

        package init(_ name: String, _ seconds: [Double]) {
            self.name = name
            self.seconds = seconds.map { $0.isFinite ? max(0, $0) : 0 }.sorted()
        }
    }

    private let title: String
    private let series: [Series]
    private let end: Double

    private static let width = 640.0
    private static let height = 300.0
    private static let left = 48.0
    private static let right = 16.0
    private static let top = 40.0
    private static let bottom = 36.0
    /// Lines that can be told from each other by colour and dashes.
    private static let kinds = 5

    /// - Parameter title: The subject of the times, for readers who do not see the picture.
    package init(_ title: String, _ series: [Series]) {
        self.title = title
        self.series = series.filter { !$0.seconds.isEmpty }
        end =
            Self.ticks.first { tick in series.allSatisfy { ($0.seconds.last ?? 0) <= tick } }
            ?? Self.ticks[Self.ticks.count - 1]
    }

    /// Seconds that an axis may have as labels, and as its end.
    private static let ticks = [0.0, 0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600]

    private func x(_ seconds: Double) -> Double {
        let room = Self.width - Self.left - Self.right
        return Self.left + room * (min(seconds, end) / max(end, 0.1)).squareRoot()
    }

    private func y(_ share: Double) -> Double {
        Self.top + (Self.height - Self.top - Self.bottom) * (1 - share)
    }

    /// The picture as a file of its own.
    package var svg: String {
        #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n" + element(#" xmlns="http://www.w3.org/2000/svg""#)
    }

    /// The picture as an element of a page.
    package var inline: String { element("") }

    private func element(_ attributes: String) -> String {
        """
        <svg\(attributes) class="shares" viewBox="0 0 \(Int(wholePart: Self.width)) \(Int(wholePart: Self.height))" role="img" \
        aria-label="\(title.xmlEscaped)">
        <style>\(Self.style)</style>
        <rect class="paper" width="\(Int(wholePart: Self.width))" height="\(Int(wholePart: Self.height))"/>
        \(axes.joined(separator: "\n"))
        \(series.indices.map(line).joined(separator: "\n"))
        \(series.indices.map(legend).joined(separator: "\n"))
        </svg>

        """
    }

    private var axes: [String] {
        let shares = [0.0, 0.25, 0.5, 0.75, 1].map { share in
            let height = Self.rounded(y(share))
            return
                "<line class=\"grid\" x1=\"\(Self.rounded(Self.left))\" x2=\"\(Self.rounded(Self.width - Self.right))\" "
                + "y1=\"\(height)\" y2=\"\(height)\"/><text class=\"end\" x=\"\(Self.rounded(Self.left - 6))\" "
                + "y=\"\(Self.rounded(y(share) + 4))\">\((share * 100).fixed(0)) %</text>"
        }
        let foot = Self.rounded(Self.height - Self.bottom + 18)
        let seconds = labels.map { tick in
            "<text class=\"middle\" x=\"\(Self.rounded(x(tick)))\" y=\"\(foot)\">\(tick.fixed(atMost: 1)) s</text>"
        }
        return shares + seconds
    }

    /// The ticks that have room beside each other.
    private var labels: [Double] {
        Self.ticks.filter { $0 <= end }.reversed().reduce(into: []) { taken, tick in
            if taken.allSatisfy({ x($0) - x(tick) > 36 }) { taken.append(tick) }
        }
    }

    /// Steps: the share rises at each time, and stays until the next.
    private func line(_ index: Int) -> String {
        let seconds = series[index].seconds
        var points = ["\(Self.rounded(x(0))),\(Self.rounded(y(0)))"]
        var share = 0.0
        for place in seconds.indices {
            let at = Self.rounded(x(seconds[place]))
            // Times at one place of the picture are one step.
            if place + 1 < seconds.count, Self.rounded(x(seconds[place + 1])) == at { continue }
            points.append("\(at),\(Self.rounded(y(share)))")
            share = Double(place + 1) / Double(seconds.count)
            points.append("\(at),\(Self.rounded(y(share)))")
        }
        points.append("\(Self.rounded(x(end))),\(Self.rounded(y(share)))")
        return "<polyline class=\"line kind\(index % Self.kinds)\" points=\"\(points.joined(separator: " "))\"/>"
    }

    private func legend(_ index: Int) -> String {
        let room = (Self.width - Self.left - Self.right) / Double(max(1, series.count))
        let start = Self.left + room * Double(index)
        return "<line class=\"line kind\(index % Self.kinds)\" x1=\"\(Self.rounded(start))\" "
            + "x2=\"\(Self.rounded(start + 18))\" y1=\"18\" y2=\"18\"/>"
            + "<text x=\"\(Self.rounded(start + 23))\" y=\"22\">\(series[index].name.xmlEscaped)</text>"
    }

    private static func rounded(_ number: Double) -> String { number.fixed(atMost: 1) }

    private static let style = """
        .shares{--sh-paper:#fbfaf7;--sh-text:#57626e;--sh-grid:#c9d1d9;--sh-0:#1f5f9e;--sh-1:#2f7138;--sh-2:#74458e;\
        --sh-3:#b3303f;--sh-4:#8a5a00}
        @media screen and (prefers-color-scheme:dark){.shares{--sh-paper:#161b22;--sh-text:#9aa6b2;--sh-grid:#3d444d;\
        --sh-0:#6cb0f5;--sh-1:#6ec27a;--sh-2:#c79be0;--sh-3:#ff8b91;--sh-4:#e0b060}}
        .shares text{font:11px system-ui,sans-serif;fill:var(--sh-text)}
        .shares .end{text-anchor:end}.shares .middle{text-anchor:middle}
        .shares .paper{fill:var(--sh-paper)}.shares .grid{stroke:var(--sh-grid)}
        .shares .line{fill:none;stroke-width:2}
        .shares .kind0{stroke:var(--sh-0)}.shares .kind1{stroke:var(--sh-1);stroke-dasharray:7 3}
        .shares .kind2{stroke:var(--sh-2);stroke-dasharray:2 3}.shares .kind3{stroke:var(--sh-3);stroke-dasharray:9 3 2 3}
        .shares .kind4{stroke:var(--sh-4);stroke-dasharray:1 2}
        """
}
