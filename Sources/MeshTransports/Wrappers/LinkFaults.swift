/// The faults on one direction of a link. Rates are per ten thousand frames.
public struct LinkFaults: Hashable, Sendable {
    /// The number of frames of ten thousand that are lost.
    public var drop: UInt32 = 0
    /// The number of frames of ten thousand that come twice.
    public var duplicate: UInt32 = 0
    /// The rate of frames cut in two, which the reader then reads as two frames.
    public var fragment: UInt32 = 0
    /// The number of frames of ten thousand that come with other bytes in them.
    public var garble: UInt32 = 0
    /// The longest time for which a frame is held back; frames do not overtake each other.
    public var delay: Duration = .zero
    /// The stall that holds everything back for a while, after a number of frames since the faults were set.
    public var stall: Stall?
    /// The number of frames since then after which the link ends.
    public var cutAfter: Int?
    /// The number of frames with faults; those after them pass as they are. `nil` for all.
    public var frames: Int?

    /// A time in which nothing passes, and nothing is lost.
    public struct Stall: Hashable, Sendable {
        /// The number of frames that pass before it.
        public var after: Int
        /// The duration of the fault.
        public var lasts: Duration

        public init(after: Int, lasts: Duration) {
            self.after = after
            self.lasts = lasts
        }
    }

    public init() {}

    /// A link without faults.
    public static let none = LinkFaults()
}

extension LinkFaults {
    /// The kinds of faults that one value may ask for at once, each of which is counted by itself.
    public enum Part: String, Hashable, Sendable, CaseIterable {
        case drop, duplicate, fragment, garble, delay, stall
        case cutAfter = "cut-after"
    }

    /// The kinds that the value asks for, in the order of `Part`.
    public var parts: [Part] {
        Part.allCases.filter { part in
            switch part {
            case .drop: drop > 0
            case .duplicate: duplicate > 0
            case .fragment: fragment > 0
            case .garble: garble > 0
            case .delay: delay > .zero
            case .stall: stall.map { $0.lasts > .zero } ?? false
            case .cutAfter: cutAfter != nil
            }
        }
    }
}
