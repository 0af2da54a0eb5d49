import MeshWire

/// An expected number of something: `.exactly(2)`, `.atLeast(1)`, `.atMost(3)`, `.none`.
public enum Amount: Hashable, Sendable {
    /// Exactly this number.
    case exactly(Int)
    /// This number or more.
    case atLeast(Int)
    /// This number or fewer.
    case atMost(Int)

    /// None at all.
    public static let none = Amount.exactly(0)
    /// Exactly one.
    public static let once = Amount.exactly(1)

    /// Tells whether a count is as expected.
    public func fits(_ count: Int) -> Bool {
        switch self {
        case .exactly(let wanted): count == wanted
        case .atLeast(let least): count >= least
        case .atMost(let most): count <= most
        }
    }

    /// `no frame`, `1 frame`, `at least 2 frames`.
    func text(_ thing: String) -> String {
        switch self {
        case .exactly(0): "no \(thing)"
        case .exactly(let count): count.counted(thing)
        case .atLeast(let count): "at least " + count.counted(thing)
        case .atMost(let count): "at most " + count.counted(thing)
        }
    }
}
