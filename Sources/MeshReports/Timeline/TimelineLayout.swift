import MeshTime

/// The position of each moment of a timeline: time runs down, and is compressed where there are no events.
///
/// Every event has a row of its own, so that no two labels can overlap. The ends of spans and arrows have smaller rows
/// without one. Between rows lies room in proportion to the time between them, up to a limit; longer pauses are a break
/// of one size. All in integers: the same timeline gives the same picture everywhere.
struct TimelineLayout {
    struct Row: Hashable {
        var at: Instant
        /// An index of the timeline's events, or nothing for the end of a span or arrow.
        var event: Int?
        var y: Int
    }

    /// A pause that is drawn shorter than it was.
    struct Break: Hashable {
        var y: Int
        var length: TimeSpan
    }

    private(set) var rows: [Row] = []
    private(set) var breaks: [Break] = []
    /// Events that have no room: the oldest ones.
    let omitted: Int
    /// The rows of events, by their index.
    private var rowOfEvent: [Int: Int] = [:]

    /// Room above the first row for the names of the lanes.
    static let top = 52
    static let labelRow = 30
    static let bareRow = 13
    /// From a row without a label to one with: the label lies between them.
    static let afterBareRow = 24
    /// The most that time adds to the distance of two rows.
    static let stretch = 60
    static let breakHeight = 30
    /// Pauses up to this are always drawn to scale.
    static let shortestBreak = TimeSpan.milliseconds(600)

    init(_ timeline: Timeline, limit: Int) {
        let order = timeline.events.indices.sorted {
            (timeline.events[$0].at, $0) < (timeline.events[$1].at, $1)
        }
        let drawn = order.suffix(limit)
        omitted = order.count - drawn.count
        let isDrawn = Set(drawn)
        var moments = drawn.map { Row(at: timeline.events[$0].at, event: $0, y: 0) }
        let ends =
            drawn.map { timeline.events[$0].at + timeline.events[$0].length }
            + timeline.arrows.filter { isDrawn.contains($0.from) }.map(\.at)
        var known = Set(moments.map(\.at))
        for end in ends where known.insert(end).inserted { moments.append(Row(at: end, event: nil, y: 0)) }
        moments.sort { ($0.at, $0.event ?? .max) < ($1.at, $1.event ?? .max) }
        let longest = drawn.map { timeline.events[$0].length }.max() ?? .zero
        place(moments, scale: max(Self.shortestBreak, longest))
    }

    private mutating func place(_ moments: [Row], scale: TimeSpan) {
        var y = Self.top
        for (index, moment) in moments.enumerated() {
            if index > 0 {
                let before = moments[index - 1]
                let pause = moment.at - before.at
                y += distance(before, moment)
                if pause > scale {
                    breaks.append(Break(y: y + (Self.breakHeight - Self.labelRow) / 2, length: pause))
                    y += Self.breakHeight
                } else {
                    y += Int(pause.microseconds * Int64(Self.stretch) / scale.microseconds)
                }
            }
            if let event = moment.event { rowOfEvent[event] = rows.count }
            rows.append(Row(at: moment.at, event: moment.event, y: y))
        }
    }

    private func distance(_ before: Row, _ row: Row) -> Int {
        if row.event == nil { return Self.bareRow }
        return before.event == nil ? Self.afterBareRow : Self.labelRow
    }

    /// The y coordinate at which the lanes end.
    var bottom: Int { (rows.last?.y ?? Self.top) + 22 }

    /// Returns the y coordinate of the end of a span that began with an event: the event's own row if it has no length.
    func y(of end: Instant, from event: Int) -> Int? {
        guard let start = rowOfEvent[event] else { return nil }
        if end <= rows[start].at { return rows[start].y }
        return rows[start...].first { $0.at >= end }?.y
    }
}
