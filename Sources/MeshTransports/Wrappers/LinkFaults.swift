/// What goes wrong on one way of a link. Chances are of ten thousand.
public struct LinkFaults: Hashable, Sendable {
    /// How many frames of ten thousand are lost.
    public var drop: UInt32 = 0
    /// How many frames of ten thousand come twice.
    public var duplicate: UInt32 = 0
    /// Cuts a frame in two, which the reader then takes for two frames.
    public var fragment: UInt32 = 0
    /// How many frames of ten thousand come with other bytes in them.
    public var garble: UInt32 = 0
    /// How long a frame is held back at most; frames do not overtake each other.
    public var delay: Duration = .zero
    /// Holds everything back for a while once so many frames have passed since the faults were set.
    public var stall: Stall?
    /// Ends the link once so many frames have passed since then.
    public var cutAfter: Int?
    /// How many frames things go wrong with; those behind them pass as they are. `nil` for all.
    public var frames: Int?

    /// A time in which nothing gets through, and nothing is lost.
    public struct Stall: Hashable, Sendable {
        /// How many frames get through before it.
        public var after: Int
        /// How long it lasts.
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
