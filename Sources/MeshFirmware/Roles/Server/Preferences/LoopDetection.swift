/// The number of times that a repeater's own hash may be in the path of a flood that it relays.
///
/// Source: InfrastructureNodes, "Forwarding" (INF-115).
public enum LoopDetection: UInt8, Hashable, Sendable, CaseIterable {
    case off
    case minimal
    case moderate
    case strict

    /// The number of own hashes of this size that stops a flood; `nil` for no limit.
    public func limit(hashSize: Int) -> Int? {
        switch self {
        case .off: nil
        case .minimal: hashSize == 1 ? 4 : hashSize == 2 ? 2 : 1
        case .moderate: hashSize == 1 ? 2 : 1
        case .strict: 1
        }
    }
}
