import MeshTime

/// The packets between a real radio and the place of a node: their queues, echoes, losses and delays.
///
/// It has neither a clock nor a radio. Frames that passed one way are remembered for a while, and the same bytes do not
/// pass back: they are an echo. A repeater's copy is none, because its path differs; nodes know it by the packet's
/// hash.
struct AntennaDesk: Sendable {
    /// Packets that may wait in either direction, as many as a radio's own pool has.
    static let queueLimit = 16
    /// Frames that are remembered, and how long.
    static let memoryLimit = 64
    static let memorySpan = TimeSpan.seconds(60)
    /// The longest packet that fits into a command of the companion protocol, behind code and priority.
    static let longest = 174

    /// Delays, as far as they can be measured on this side of the link.
    struct Delays: Hashable, Sendable {
        private(set) var count = 0
        private(set) var longest = TimeSpan.zero
        private var sum = TimeSpan.zero

        mutating func add(_ delay: TimeSpan) {
            count += 1
            longest = max(longest, delay)
            sum = sum + delay
        }

        /// The delays in words for people.
        var words: String {
            guard count > 0 else { return "none waited" }
            return
                "waiting \(Self.words(.microseconds(sum.microseconds / Int64(count)))) on average, \(Self.words(longest)) at most"
        }

        private static func words(_ span: TimeSpan) -> String {
            let tenths = (span.microseconds + 50) / 100
            return "\(tenths / 10).\(tenths % 10) ms"
        }
    }

    /// A packet for the radio, since when it waits.
    struct Outgoing: Hashable, Sendable {
        let packet: [UInt8]
        let since: TimeSpan
    }

    /// Frames of one direction, the newest last.
    private struct Memory: Sendable {
        private var frames: [(bytes: [UInt8], at: TimeSpan)] = []

        mutating func add(_ bytes: [UInt8], at clock: TimeSpan) {
            frames.removeAll { clock - $0.at > AntennaDesk.memorySpan }
            if frames.count == AntennaDesk.memoryLimit { frames.removeFirst() }
            frames.append((bytes, clock))
        }

        func holds(_ bytes: [UInt8], at clock: TimeSpan) -> Bool {
            frames.contains { clock - $0.at <= AntennaDesk.memorySpan && $0.bytes == bytes }
        }
    }

    /// Packets that the radio has heard, and those of them that found no place.
    private(set) var heard = 0
    private(set) var heardLost = 0
    /// The packets for the radio: accepted ones, then refused, too long, and dropped ones.
    private(set) var sent = 0
    private(set) var refused = 0
    private(set) var tooLong = 0
    private(set) var sentLost = 0
    /// Echoes in both directions, which were not passed on.
    private(set) var echoes = 0
    private(set) var heardDelays = Delays()
    private(set) var sentDelays = Delays()
    /// The weakest and the strongest SNR of the radio, in quarter decibels.
    private var snr: ClosedRange<Int8>?
    private var airtimeMilliseconds: UInt64 = 0

    private var incoming: [(packet: [UInt8], since: TimeSpan)] = []
    private var outgoingCount = 0
    private var fromRadio = Memory()
    private var toRadio = Memory()

    init() {}

    // MARK: From the radio

    /// Handles a packet that the radio has heard; returns whether the world will hear it.
    @discardableResult
    mutating func hears(_ packet: [UInt8], snr quarters: Int8, at clock: TimeSpan) -> Bool {
        heard += 1
        snr = min(snr?.lowerBound ?? quarters, quarters)...max(snr?.upperBound ?? quarters, quarters)
        guard !packet.isEmpty, !toRadio.holds(packet, at: clock) else {
            echoes += 1
            return false
        }
        guard incoming.count < Self.queueLimit else {
            heardLost += 1
            return false
        }
        incoming.append((packet, clock))
        return true
    }

    /// The packet that the node is to send next; it is on the world's air as soon as that is free.
    mutating func nextIncoming(at clock: TimeSpan) -> [UInt8]? {
        guard !incoming.isEmpty else { return nil }
        let (packet, since) = incoming.removeFirst()
        heardDelays.add(clock - since)
        fromRadio.add(packet, at: clock)
        return packet
    }

    // MARK: To the radio

    /// Handles a frame that the node has heard; returns the packet for the radio, if it can send it.
    mutating func leaves(_ frame: [UInt8], at clock: TimeSpan) -> Outgoing? {
        guard !fromRadio.holds(frame, at: clock) else {
            echoes += 1
            return nil
        }
        guard frame.count <= Self.longest else {
            tooLong += 1
            return nil
        }
        guard outgoingCount < Self.queueLimit else {
            sentLost += 1
            return nil
        }
        outgoingCount += 1
        toRadio.add(frame, at: clock)
        return Outgoing(packet: frame, since: clock)
    }

    /// The radio has accepted a packet, which then waits in its own queue, or has refused it.
    mutating func answered(_ outgoing: Outgoing, isTaken: Bool, airtimeMilliseconds: UInt32, at clock: TimeSpan) {
        outgoingCount -= 1
        guard isTaken else {
            refused += 1
            return
        }
        sent += 1
        self.airtimeMilliseconds += UInt64(airtimeMilliseconds)
        sentDelays.add(clock - outgoing.since)
    }

    // MARK: Telling

    /// The numbers of packets that passed and of others, in two lines.
    var summary: [String] {
        let strength = snr.map { ", SNR \(Self.decibels($0.lowerBound)) to \(Self.decibels($0.upperBound)) dB" } ?? ""
        return [
            "heard \(heard) packets\(strength); \(heardDelays.count) went on the world's air, \(heardDelays.words); "
                + "\(heardLost) dropped, \(echoes) echoes in both directions not passed on",
            "the radio took \(sent) packets, \(sentDelays.words) for its answer; \(airtimeMilliseconds) ms of airtime, during "
                + "which it was deaf; \(sentLost) dropped, \(refused) refused, \(tooLong) longer than \(Self.longest) bytes",
        ]
    }

    private static func decibels(_ quarters: Int8) -> String {
        let hundredths = Int(quarters) * 25
        let fraction = String(abs(hundredths) % 100 + 100).dropFirst()
        return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(fraction)"
    }
}
