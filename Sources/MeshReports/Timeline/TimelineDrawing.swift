import MeshTime
import MeshWire

/// A picture of a timeline as SVG: time runs down, each lane is a column, arrows go from lane to lane.
///
/// Its colours are variables of the page (`--tl-…`), with a light and a dark set of its own. An event shows its details
/// under the pointer. The same timeline gives the same text.
public struct TimelineDrawing: Sendable {
    private let timeline: Timeline
    private let layout: TimelineLayout
    private let laneWidth: Int
    private let width: Int
    private let height: Int

    /// Room for the times at the left.
    static let gutter = 62
    static let narrowestLane = 100
    /// Fewer lanes are wider, so that their labels have room.
    static let narrowestPicture = 366
    static let margin = 4
    /// Of the names of the lanes.
    static let headHeight = 30

    /// - Parameter limit: how many events are drawn at most; the latest ones are.
    public init(_ timeline: Timeline, limit: Int = 200) {
        self.timeline = timeline
        layout = TimelineLayout(timeline, limit: max(1, limit))
        let room = Self.narrowestPicture - Self.gutter - Self.margin
        laneWidth = max(Self.narrowestLane, room / timeline.lanes.count)
        width = Self.gutter + laneWidth * timeline.lanes.count + Self.margin
        height = layout.bottom + 8
    }

    /// A picture for itself, that brings its colours and its paper.
    public var svg: String {
        let paper = #"<rect class="tl-paper" width="\#(width)" height="\#(height)"/>"#
        let label = "Timeline of \(timeline.events.count) events; lanes: \(names)"
        return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
            + opening(#" xmlns="http://www.w3.org/2000/svg""#, label, from: 0, to: height)
            + "\n<style>\(Self.colors)\(Self.style)</style>\n"
            + ([paper] + lines + heads + parts).joined(separator: "\n")
            + "\n</svg>\n"
    }

    /// The picture for a page that has `style` and the colours in its own style sheet, without the names of the lanes.
    public var inline: String {
        let label = "Timeline of \(timeline.events.count) events; lanes: \(names)"
        return picture(label, from: Self.headHeight, to: height, lines + parts)
    }

    /// The names of the lanes alone, as wide as the picture: a page keeps them in sight while the picture scrolls.
    public var inlineHeads: String { picture("Lanes: \(names)", from: 0, to: Self.headHeight, heads) }

    private var names: String { timeline.lanes.map(\.name).joined(separator: ", ") }

    private func picture(_ label: String, from top: Int, to bottom: Int, _ parts: [String]) -> String {
        ([opening("", label, from: top, to: bottom)] + parts + ["</svg>"]).joined(separator: "\n")
    }

    private func opening(_ attributes: String, _ label: String, from top: Int, to bottom: Int) -> String {
        """
        <svg\(attributes) class="timeline" viewBox="0 \(top) \(width) \(bottom - top)" width="\(width)" \
        height="\(bottom - top)" role="img" aria-label="\(label.xmlEscaped)">
        """
    }

    private var parts: [String] {
        layout.breaks.map(drawn) + omission + times
            + layout.rows.flatMap { row in row.event.map { shapes($0, row.y) } ?? [] }
            // Labels come last: they lie above all lines.
            + layout.rows.compactMap { row in row.event.map { label($0, row.y) } }
    }

    private func x(_ lane: Int) -> Int { Self.gutter + laneWidth * lane + laneWidth / 2 }

    // MARK: Paper

    private var lines: [String] {
        timeline.lanes.indices.map { #"<path class="tl-lane" d="M\#(x($0)) \#(Self.headHeight)V\#(layout.bottom)"/>"# }
    }

    private var heads: [String] {
        timeline.lanes.enumerated().flatMap { index, lane in
            let (x, half) = (x(index), laneWidth / 2 - 4)
            return [
                #"<rect class="tl-head tl-\#(lane.kind.rawValue)" x="\#(x - half)" y="6" width="\#(2 * half)" height="22" rx="5"/>"#,
                #"<text class="tl-name" x="\#(x)" y="21"><title>\#(lane.name.xmlEscaped)</title>"#
                    + TextWidth.cut(lane.name, to: (2 * half - 8) * 10 / TextWidth.column).xmlEscaped + "</text>",
            ]
        }
    }

    private func drawn(_ pause: TimelineLayout.Break) -> String {
        let marks = timeline.lanes.indices.map { lane in
            let x = x(lane)
            return "<path class=\"tl-gap\" d=\"M\(x) \(pause.y - 4)v8\"/>"
                + "<path class=\"tl-break\" d=\"M\(x - 6) \(pause.y - 1)l12 -6M\(x - 6) \(pause.y + 7)l12 -6\"/>"
        }
        let words = Self.words(pause.length)
        return "<g><title>Nothing for \(words): not to scale</title>" + marks.joined()
            + #"<text class="tl-pause" x="\#(Self.gutter - 4)" y="\#(pause.y + 4)">⋯ \#(words)</text></g>"#
    }

    private var omission: [String] {
        guard layout.omitted > 0 else { return [] }
        let words = layout.omitted.counted("earlier event") + " not drawn"
        return [#"<text class="tl-note" x="\#(Self.gutter)" y="41">\#(words)</text>"#]
    }

    /// The time of each row, unless the row above has the same; within a millisecond of the row above, how much later
    /// it is.
    private var times: [String] {
        var last: Instant?
        return layout.rows.compactMap { row in
            guard row.event != nil, row.at != last else { return nil }
            let isSame = last.map { $0.milliseconds == row.at.milliseconds } ?? false
            let words = isSame ? "+" + Self.words(row.at - (last ?? row.at)) : Self.words(row.at)
            last = row.at
            return #"<text class="tl-time" x="\#(Self.gutter - 4)" y="\#(row.y + 4)">\#(words)</text>"#
        }
    }

    // MARK: Events

    private func shapes(_ index: Int, _ y: Int) -> [String] {
        let event = timeline.events[index]
        let x = x(event.lane)
        var parts: [String] = []
        if event.kind == .failure {
            parts.append(
                #"<rect class="tl-band" x="\#(Self.gutter)" y="\#(y - 19)" width="\#(width - Self.gutter)" height="28" rx="4"/>"#
            )
        }
        if event.length > .zero, let end = layout.y(of: event.at + event.length, from: index), end > y {
            parts.append(#"<rect class="tl-span" x="\#(x - 4)" y="\#(y)" width="8" height="\#(end - y)" rx="3"/>"#)
        }
        for arrow in timeline.arrows where arrow.from == index {
            guard let end = layout.y(of: arrow.at, from: index) else { continue }
            let start = arrow.start.map { (self.x($0), end) } ?? (x, y)
            parts.append(self.arrow(from: start, to: (self.x(arrow.to), end), isLost: arrow.isLost))
        }
        parts.append(mark(event.kind, x, y))
        return [#"<g class="tl-\#(event.kind.rawValue)">\#(tip(event))"#] + parts + ["</g>"]
    }

    private func arrow(from start: (x: Int, y: Int), to end: (x: Int, y: Int), isLost: Bool) -> String {
        let line =
            #"<path class="tl-arrow\#(isLost ? " tl-away" : "")" d="M\#(start.x) \#(start.y)L\#(end.x) \#(end.y)"/>"#
        if isLost { return line + "<path class=\"tl-cross\" d=\"M\(end.x - 4) \(end.y - 4)l8 8m0 -8l-8 8\"/>" }
        // The head lies level: slopes are slight, and a level head reads better than a turned one.
        let back = end.x == start.x ? 0 : end.x > start.x ? -8 : 8
        return line + "<path class=\"tl-tip\" d=\"M\(end.x) \(end.y)l\(back) -4v8z\"/>"
    }

    private func mark(_ kind: Timeline.Kind, _ x: Int, _ y: Int) -> String {
        switch kind {
        case .failure: "<path class=\"tl-cross\" d=\"M\(x - 5) \(y - 5)l10 10m0 -10l-10 10\"/>"
        case .lost: "<path class=\"tl-cross\" d=\"M\(x - 4) \(y - 4)l8 8m0 -8l-8 8\"/>"
        case .action: "<path class=\"tl-dot\" d=\"M\(x) \(y - 5)l5 5l-5 5l-5 -5z\"/>"
        case .frame, .packet, .note: "<circle class=\"tl-dot\" cx=\"\(x)\" cy=\"\(y)\" r=\"4\"/>"
        }
    }

    /// The text of an event under the pointer.
    private func tip(_ event: Timeline.Event) -> String {
        let at = Self.words(event.at, hasMicroseconds: event.at.microseconds % 1000 != 0)
        var lines = [timeline.lanes[event.lane].name + " at " + at, event.label]
        if event.length > .zero { lines[0] += " for " + Self.words(event.length) }
        if !event.detail.isEmpty { lines.append(event.detail) }
        return "<title>\(lines.joined(separator: "\n").xmlEscaped)</title>"
    }

    // MARK: Labels

    /// The label of an event: beside its mark if nothing leaves it, otherwise above its arrow.
    private func label(_ index: Int, _ y: Int) -> String {
        let event = timeline.events[index]
        let x = x(event.lane)
        // Arrows that come later have no part in this row.
        let targets = timeline.arrows.filter { $0.from == index && ($0.start == nil || $0.at == event.at) }
            .flatMap { [$0.to] + ($0.start.map { [$0] } ?? []) }.map(self.x)
        let words = TextWidth.cut(event.label, to: (width - Self.gutter - 8) * 10 / TextWidth.column)
        let length = TextWidth.units(words)
        if targets.isEmpty, x + 10 + length <= width - 2 {
            return text(event, words, x + 10, y + 4)
        }
        if targets.isEmpty, x - 10 - length >= Self.gutter {
            return text(event, words, x - 10 - length, y + 4)
        }
        let left = ([x] + targets).reduce(x, min) + 8
        return text(event, words, max(Self.gutter + 2, min(left, width - 4 - length)), y - (targets.isEmpty ? 9 : 7))
    }

    private func text(_ event: Timeline.Event, _ words: String, _ x: Int, _ y: Int) -> String {
        """
        <text class="tl-label tl-\(event.kind.rawValue)-label" x="\(x)" y="\(y)">\(tip(event))\(words.xmlEscaped)</text>
        """
    }
}
