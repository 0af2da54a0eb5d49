/// The replacements of scrubbing, and the information that was lost by it.
public struct ScrubReport: Hashable, Sendable {
    /// Private keys and secrets of channels.
    public var keys = 0
    /// PINs that were replaced, each time they stand somewhere.
    public var pins = 0
    /// Passwords that were replaced, those in commands to repeaters too.
    public var passwords = 0
    /// Positions that were replaced: latitude and longitude together are one.
    public var positions = 0
    /// Texts and data of applications that were replaced.
    public var texts = 0
    /// Names of nodes that were replaced; 0 unless names were asked for.
    public var names = 0
    /// Adverts that were changed: their signatures hold no longer.
    public var unsignedAdverts = 0
    /// The number of packets to channels, which no key opens any longer.
    public var closedPackets = 0
    /// The number of frames of unknown codes and unreadable packets: all bytes were replaced, as their content is
    /// unknown.
    public var unknown = 0
    /// Malformed frames whose unreadable end, and frames whose ignored bytes, were filled with zeros.
    public var blanked = 0

    public init() {}

    /// The losses, a sentence each.
    public var losses: [String] {
        [
            Self.line(
                unsignedAdverts, "advert was changed: its signature holds no longer",
                "adverts were changed: their"
                    + " signatures hold no longer"),
            Self.line(
                closedPackets, "packet to a channel can no longer be opened",
                "packets to channels can no longer be"
                    + " opened"),
            Self.line(
                unknown, "unknown frame or packet was replaced as a whole",
                "unknown frames or packets were"
                    + " replaced as a whole"),
            Self.line(blanked, "frame has zeros where nobody reads", "frames have zeros where nobody reads"),
        ].compactMap(\.self)
    }

    private static func line(_ count: Int, _ one: String, _ many: String) -> String? {
        count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
    }
}
