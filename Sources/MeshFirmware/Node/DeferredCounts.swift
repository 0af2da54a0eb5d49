public import MeshTime

/// Counts in a node's place the frames that come to nothing more than counting.
///
/// On a busy air most frames that a node receives are known floods, or have a wrong checksum. A pass with one of
/// those changes a few counters. A stand-in is three cache lines and can be kept apart from its node. A world of
/// thousands then need not touch the node. It refuses frames that would do more. Then, and before the node is read,
/// `settle` adds its counts to the node. The node is then as if it had made all the passes itself.
public struct DeferredCounts: Sendable {
    /// Before this moment of the node's clock a pass finds nothing else to do; the beginning of the run for none.
    private var quietUntil = Instant.start
    /// The time at which the last frame was counted.
    private var lastPass = Instant.start
    private var knownFloods: UInt16 = 0
    private var receiveErrors: UInt16 = 0
    private var receiveAirtime: UInt32 = 0
    private var lastSignal = Signal(snrHundredths: 0, rssiHundredths: 0)
    /// The revision of the node's table that the hashes are from.
    private var revision: UInt32 = 0
    /// Hashes that the node's table holds.
    private var newest = NewestHashes()

    /// Makes counts that belong to no node until one has called `settle`.
    public init() {}

    /// True when nothing was counted since the node was last settled.
    public var isSettled: Bool { knownFloods | receiveErrors == 0 }

    /// Reads what counting needs, so that it is in the cache when a frame is counted a moment later.
    ///
    /// Among thousands of nodes each such read waits for memory, and reads that do not depend on each other wait
    /// together. The result means nothing; a caller that adds it up keeps the compiler from leaving the reads out.
    public func fetch() -> UInt8 {
        UInt8(truncatingIfNeeded: quietUntil.microseconds)
            &+ UInt8(truncatingIfNeeded: newest.hashes[0]) &+ UInt8(truncatingIfNeeded: newest.hashes[7])
    }

    /// Counts a flood with a hash of the table; `false` when the node has to see it.
    ///
    /// - Parameters:
    ///   - hash: the value of `SharedPacket.hashOfPlainFlood`.
    ///   - airtimeMilliseconds: the estimate of the node's driver for the frame.
    ///   - now: by the node's clock.
    public mutating func countFlood(
        _ hash: UInt64, _ signal: Signal, airtimeMilliseconds: UInt32, at now: Instant
    ) -> Bool {
        guard now < quietUntil else { return false }
        guard newest.contains(hash), knownFloods < .max else { return false }
        knownFloods &+= 1
        receiveAirtime &+= airtimeMilliseconds
        lastSignal = signal
        lastPass = now
        return true
    }

    /// Counts a frame with a wrong checksum; `false` when the node has to see it.
    public mutating func countError(at now: Instant) -> Bool {
        guard now < quietUntil, receiveErrors < .max else { return false }
        receiveErrors &+= 1
        lastPass = now
        return true
    }

    /// Adds the counts to the node.
    mutating func settle(_ core: inout RoutingCore) {
        core.passed(at: lastPass)
        core.statistics.receiveErrors &+= UInt32(receiveErrors)
        receiveErrors = 0
        guard knownFloods > 0 else { return }
        core.statistics.framesReceived &+= UInt32(knownFloods)
        core.statistics.receivedFlood &+= UInt32(knownFloods)
        core.statistics.receiveAirtime &+= receiveAirtime
        core.seen.countKnownFloods(UInt32(knownFloods))
        core.lastSignal = lastSignal
        knownFloods = 0
        receiveAirtime = 0
    }

    /// Learns until when it may count for the node, whose role has nothing to do before `wake`.
    mutating func relieve(_ core: inout RoutingCore, until wake: Instant, countsKnownFloods: Bool) {
        quietUntil = countsKnownFloods ? core.quietUntil(wake) : .start
        guard revision != core.seen.revision else { return }
        revision = core.seen.revision
        newest = core.seen.newest
    }
}

extension RepeaterNode {
    /// One pass like any other, after which `deferredCounts` may count for the node until it has to see something
    /// itself.
    public mutating func handle(
        _ input: NodeInput, at now: Instant, radio: RadioStatus, into effects: inout [NodeEffect],
        deferredCounts: inout DeferredCounts
    ) {
        settle(&deferredCounts)
        handle(input, at: now, radio: radio, into: &effects)
        let isUnseen = !logsReceptions && !tapsPackets
        deferredCounts.relieve(&core, until: nextWake, countsKnownFloods: receiveDelayBase == 0 && isUnseen)
    }

    /// Adds the counts that were made in its place.
    public mutating func settle(_ deferredCounts: inout DeferredCounts) {
        if !deferredCounts.isSettled { deferredCounts.settle(&core) }
    }
}
