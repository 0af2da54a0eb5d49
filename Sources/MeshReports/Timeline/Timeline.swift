public import MeshTime

/// The events of a run in their times: lanes for the app, the radios and the air, events in them, and arrows between
/// them.
///
/// ```swift
/// var timeline = Timeline(lanes: [.app("app"), .radio("radio"), .air("air")])
/// let command = timeline.add(.init(.frame, in: 0, at: .start, "SEND_TXT_MSG"), to: 1)
/// let packet = timeline.add(
///     .init(.packet, in: 1, at: .milliseconds(40), for: .milliseconds(380), "TXT_MSG flood"), to: 2)
/// ```
///
/// `TimelineDrawing` makes a picture of it.
public struct Timeline: Hashable, Sendable {
    /// A column of the picture: a party with events.
    public struct Lane: Hashable, Sendable {
        /// The kind of a lane, which decides its colour and place.
        public enum Kind: String, Hashable, Sendable { case script, app, radio, air }

        /// The kind of the lane.
        public var kind: Kind
        /// The title above it.
        public var name: String

        public init(_ kind: Kind, _ name: String) {
            self.kind = kind
            self.name = name
        }

        /// A lane of the script.
        public static func script(_ name: String) -> Lane { Lane(.script, name) }
        /// A lane of an app.
        public static func app(_ name: String) -> Lane { Lane(.app, name) }
        /// A lane of a radio.
        public static func radio(_ name: String) -> Lane { Lane(.radio, name) }
        /// A lane of the air.
        public static func air(_ name: String) -> Lane { Lane(.air, name) }
    }

    /// The kind of an event, which decides its colour.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A frame between app and radio.
        case frame
        /// A packet on the air.
        case packet
        /// A frame or packet that did not arrive.
        case lost
        /// An action of a script from outside: a link down, a restart, a wait, a fault.
        case action
        /// Any other event worth a line.
        case note
        /// The point at which the run departed from a requirement.
        case failure
    }

    /// An event in one lane.
    public struct Event: Hashable, Sendable {
        /// The kind of the event, which decides its shape.
        public var kind: Kind
        /// An index of `lanes`.
        public var lane: Int
        /// The time at which it began.
        public var at: Instant
        /// The time that it lasted; zero for an event without length.
        public var length: TimeSpan
        /// A few words.
        public var label: String
        /// The details, such as the decoded frame; may have several lines.
        public var detail: String

        /// An event in a lane, by its place in `lanes`. `length` is the time that it lasted, and `detail` has the rest.
        public init(
            _ kind: Kind, in lane: Int, at: Instant, for length: TimeSpan = .zero, _ label: String, detail: String = ""
        ) {
            self.kind = kind
            self.lane = lane
            self.at = at
            self.length = length
            self.label = label
            self.detail = detail
        }
    }

    /// A frame or packet that went from the lane of an event to another one.
    public struct Arrow: Hashable, Sendable {
        /// An index of `events`.
        public var from: Int
        /// The lane where it begins, at the moment when it arrives; `nil` for where and when the event is.
        public var start: Int?
        /// An index of `lanes`.
        public var to: Int
        /// The time of arrival: not before the event.
        public var at: Instant
        /// It did not arrive, or nothing could be made of it.
        public var isLost: Bool
    }

    /// From left to right.
    public private(set) var lanes: [Lane]
    /// In the order in which they were added.
    public private(set) var events: [Event] = []
    /// The arrows from causes to effects, in the order in which they were added.
    public private(set) var arrows: [Arrow] = []

    /// - Parameter lanes: at least one, from left to right.
    public init(lanes: [Lane]) {
        precondition(!lanes.isEmpty, "a timeline has a lane")
        self.lanes = lanes
    }

    /// Adds an event, with an arrow to another lane when one is given; the event's index.
    @discardableResult
    public mutating func add(_ event: Event, to lane: Int? = nil) -> Int {
        precondition(lanes.indices.contains(event.lane), "an event is in one of the lanes")
        events.append(event)
        if let lane { addArrow(from: events.count - 1, to: lane, at: event.at) }
        return events.count - 1
    }

    /// Adds an arrow that belongs to an event; what would arrive before the event arrives with it.
    ///
    /// Without `start` it leads from the event to `lane`, and slopes when it arrives later. With one it leads from that
    /// lane to the other, level, at its time. That is how a long transmission arrives.
    public mutating func addArrow(
        from event: Int, start: Int? = nil, to lane: Int, at: Instant, isLost: Bool = false
    ) {
        precondition(events.indices.contains(event), "an arrow begins at an event")
        precondition(lanes.indices.contains(lane), "an arrow ends in one of the lanes")
        precondition(start.map(lanes.indices.contains) ?? true, "an arrow begins in one of the lanes")
        arrows.append(Arrow(from: event, start: start, to: lane, at: max(at, events[event].at), isLost: isLost))
    }

    /// Says more about an event, in a line of its own.
    public mutating func addDetail(_ line: String, to event: Int) {
        precondition(events.indices.contains(event), "there is such an event")
        events[event].detail += (events[event].detail.isEmpty ? "" : "\n") + line
    }
}
