public import FoundationEssentials
public import Logging
public import MeshTime
import MeshWire
import Synchronization

/// The dependencies of services: time, the date, random numbers, a log and a thread.
///
/// Nothing in this module looks at a clock, a calendar or a random source of its own. So a stack with a virtual clock
/// and a seed is reproducible.
public struct ServiceDependencies: Sendable {
    /// The clock of every wait.
    public let clock: any Clock<Duration>
    /// The host's date.
    public let now: @Sendable () -> Date
    /// Every random choice, identifiers of messages included.
    public let random: RandomSource
    /// The log, which receives no key, no password and no text of a message.
    public let log: Logger
    /// The executor on which data from the radio is handled and stored; `nil` for any.
    ///
    /// Where the link is read there too, no message changes threads between the link and the store.
    public let executor: (any TaskExecutor)?

    public init(
        clock: any Clock<Duration>, random: RandomSource, log: Logger, executor: (any TaskExecutor)? = nil,
        now: @escaping @Sendable () -> Date
    ) {
        self.clock = clock
        self.random = random
        self.log = log
        self.executor = executor
        self.now = now
    }

    /// Makes reproducible dependencies: dates count from `startDate` with the clock, and random numbers come from the
    /// seed.
    public init<C: Clock<Duration>>(
        clock: C, startDate: Date, seed: Seed,
        log: Logger = Logger(label: "meshbed.stack") { _ in SwiftLogNoOpLogHandler() }
    ) {
        let start = clock.now
        self.init(clock: clock, random: RandomSource(seed), log: log) {
            startDate.addingTimeInterval(start.duration(to: clock.now) / .seconds(1))
        }
    }

    /// Makes dependencies with the host's clock and date, and random numbers that cannot be repeated.
    public static func real(
        log: Logger = Logger(label: "meshbed.stack"), executor: (any TaskExecutor)? = nil
    ) -> ServiceDependencies {
        var system = SystemRandomNumberGenerator()
        return ServiceDependencies(
            clock: ContinuousClock(), random: RandomSource(Seed(system.next())), log: log, executor: executor
        ) {
            Date()
        }
    }

    /// The host's date as messages and radios have it: whole seconds since 1970.
    public var seconds: UInt32 { UInt32(wholePart: now().timeIntervalSince1970) }
}

/// A random stream that services share.
public final class RandomSource: Sendable {
    private let stream: Mutex<RandomStream>

    /// The services' stream of a seed.
    public init(_ seed: Seed) {
        stream = Mutex(seed.stream("services"))
    }

    /// Draws 64 bits.
    public func number() -> UInt64 { stream.withLock { $0.next() } }

    /// Draws a number from the range, evenly.
    public func fraction(in range: ClosedRange<Double>) -> Double {
        stream.withLock { Double.random(in: range, using: &$0) }
    }

    /// An identifier of its own.
    public func uuid() -> UUID {
        var (high, low) = stream.withLock { ($0.next(), $0.next()) }
        // A random identifier: version 4, variant 1.
        high = high & ~0xF000 | 0x4000
        low = low & ~(0xC0 << 56) | 0x80 << 56
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { bytes in
            bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return UUID(uuid: value)
    }
}
