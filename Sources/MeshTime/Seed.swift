/// The one number that a run is repeated from.
///
/// Streams are split off by name, so a new node or a new draw changes no other numbers:
///
/// ```swift
/// var backoff = seed.stream("node", "relay-7", "backoff")
/// ```
public struct Seed: Hashable, Sendable {
    /// The number as it is printed in a report.
    public let value: UInt64

    public init(_ value: UInt64) {
        self.value = value
    }

    /// The stream of this name; the same seed and name give the same numbers in every process.
    public func stream(_ name: String...) -> RandomStream {
        RandomStream(state: derived(name))
    }

    /// A seed for a part of the run.
    public func part(_ name: String...) -> Seed {
        Seed(derived(name))
    }

    /// FNV-1a over the parts, each ended by a separator, then mixed.
    private func derived(_ name: [String]) -> UInt64 {
        var hash = 0xCBF2_9CE4_8422_2325 ^ value
        for part in name {
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        return RandomStream.mixed(hash)
    }
}

/// Random numbers that can be repeated: SplitMix64 (Steele, Lea, Flood 2014), a counter and a mixing function.
@frozen
public struct RandomStream: RandomNumberGenerator, Hashable, Sendable {
    @usableFromInline var state: UInt64

    /// Begins at a state of the counter, as another stream has left it.
    @inlinable
    public init(state: UInt64) {
        self.state = state
    }

    @inlinable
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// Draws one byte.
    @inlinable
    public mutating func nextByte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 56) }

    /// Draws 32 bits.
    @inlinable
    public mutating func nextU32() -> UInt32 { UInt32(truncatingIfNeeded: next() >> 32) }

    /// `low + r mod (high − low)` with a fresh 32-bit `r`, `high` exclusive: the firmware's way to draw
    /// (`RNG::nextInt`).
    ///
    /// An empty range gives `low`.
    @inlinable
    public mutating func draw(_ low: UInt32, _ high: UInt32) -> UInt32 {
        guard high > low else { return low }
        return low + nextU32() % (high - low)
    }

    /// Fills memory byte by byte.
    public mutating func fill(_ memory: UnsafeMutableRawBufferPointer) {
        for index in memory.indices { memory[index] = nextByte() }
    }

    @inlinable
    static func mixed(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
