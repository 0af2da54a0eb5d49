import MeshTime
import MeshWire

/// Two controllers that meet at connection events: the packets that wait on both sides, and the procedure on the
/// link.
struct AirConnection: Sendable {
    static let central = 0
    static let peripheral = 1

    /// A message between two controllers about the connection (LL control packets).
    enum Control: Hashable, Sendable {
        case encryptionRequest(random: UInt64, diversifier: UInt16)
        case encryptionResponse
        case startEncryptionRequest
        case startEncryptionResponse
        /// The peripheral has no key.
        case reject(status: UInt8)
        case terminate(reason: UInt8)
        case update(interval: UInt16, latency: UInt16, timeout: UInt16)
        case lengthRequest
        case lengthResponse

        /// Bytes of payload, the opcode included. Source: Bluetooth Core 5.4, Vol 6 Part B, 2.4.2.
        var size: Int {
            switch self {
            case .encryptionRequest: 23
            case .encryptionResponse: 13
            case .startEncryptionRequest, .startEncryptionResponse: 1
            case .reject, .terminate: 2
            case .update: 12
            case .lengthRequest, .lengthResponse: 9
            }
        }
    }

    /// A packet on the air that is not acknowledged yet.
    struct Sending: Sendable {
        enum Content: Sendable {
            case control(Control)
            /// A part of the first fragment that waits.
            case data(Range<Int>)
        }

        var content: Content
        var size: Int
        /// It has been sent before.
        var isTried = false
        /// The other side has it, and its acknowledgement is still to come.
        var isDelivered = false
    }

    /// A packet that a host has given to its controller.
    struct Fragment: Sendable {
        /// From its HCI packet type on.
        var packet: [UInt8]
        /// Bytes of the payload that are sent and acknowledged.
        var sent = 0
        var isFirst: Bool

        /// The packet type and the header in front of the payload.
        static let headerSize = 1 + HCI.DataHeader.size
        var left: Int { packet.count - Self.headerSize - sent }
    }

    /// One end of it.
    struct Side: Sendable {
        /// Its place among the controllers.
        let controller: Int
        /// The number by which its host knows the connection.
        let handle: UInt16
        var controls: [Control] = []
        var fragments: [Fragment] = []
        var sending: Sending?
        /// The longest payload that it sends.
        var longest = VirtualAir.shortestPayload
        /// The longest that its host wants to be sent.
        var wanted = VirtualAir.shortestPayload
        /// The key that its host has named.
        var key: FixedBytes<16>?
        /// It sends no data while encryption begins.
        var isPaused = false
        /// It is not there any more: switched off, or reset.
        var isGone = false
        /// Its host ends the connection.
        var isEnding = false

        var hasWork: Bool { sending != nil || !controls.isEmpty || !isPaused && !fragments.isEmpty }

        /// Drops the control packets for the other controller.
        mutating func dropControls() {
            if case .control? = sending?.content { sending = nil }
            controls = []
        }

        /// Returns what it sends next of so many control packets and fragments; unacknowledged ones are repeated.
        func next(_ controls: Int, _ fragments: Int) -> Sending? {
            if let sending { return sending }
            if controls > 0, let control = self.controls.first {
                return Sending(content: .control(control), size: control.size)
            }
            guard fragments > 0, let fragment = self.fragments.first else { return nil }
            let size = min(longest, fragment.left)
            return Sending(content: .data(fragment.sent..<fragment.sent + size), size: size)
        }

        /// Handles the acknowledgement of the last packet; `true` for a whole fragment.
        mutating func acknowledge(_ controls: inout Int, _ fragments: inout Int) -> Bool {
            defer { sending = nil }
            switch sending?.content {
            case .control:
                self.controls.removeFirst()
                controls = max(0, controls - 1)
            case .data(let range):
                self.fragments[0].sent = range.upperBound
                guard self.fragments[0].left == 0 else { return false }
                self.fragments.removeFirst()
                fragments = max(0, fragments - 1)
                return true
            case nil: break
            }
            return false
        }
    }

    var sides: [Side]
    var interval: TimeSpan
    var latency: Int
    var timeout: TimeSpan
    /// The time of the next event, if it is still to come; else one that lies behind.
    var anchor: Instant
    /// The event in which something passed last.
    var active: Instant
    /// The last event in which both sides received each other; those without work count.
    var heard: Instant
    /// True when the last event has failed, and its lost packets are repeated.
    var isFailing = false
    var isEncrypted = false
    /// The peripheral's host was asked for its key.
    var isKeyWanted = false
    /// It was encrypted before encryption began anew.
    var wasEncrypted = false
    /// Encryption is beginning; a peer that leaves it unfinished is left.
    var procedureEnds: Instant?
    /// Other parameters, which hold from this event on.
    var update: (at: Instant, interval: UInt16, latency: UInt16, timeout: UInt16)?

    init(central: Side, peripheral: Side, interval: UInt16, latency: UInt16, timeout: UInt16, at anchor: Instant) {
        sides = [central, peripheral]
        self.interval = VirtualAir.interval(interval)
        self.latency = Int(latency)
        self.timeout = .milliseconds(Int64(timeout) * 10)
        self.anchor = anchor
        (active, heard) = (anchor, anchor)
    }

    func side(of controller: Int) -> Int? { sides.firstIndex { $0.controller == controller && !$0.isGone } }

    // MARK: Time

    /// The first event after a moment.
    func event(after now: Instant) -> Instant {
        guard anchor <= now else { return anchor }
        return anchor + interval * ((now - anchor).microseconds / interval.microseconds + 1)
    }

    /// The first event from `anchor` on at which the peripheral listens.
    private func listening(_ rest: AirSettings.Rest) -> Instant {
        guard latency > 0, !sides[Self.peripheral].hasWork else { return anchor }
        let passed = (anchor - active).microseconds / interval.microseconds
        // Events since something passed, at which it listens one by one.
        let awake = rest == .quiet ? Int64(latency) : 0
        guard passed > awake else { return anchor }
        let step = Int64(latency) + 1
        let next = awake + (passed - awake + step - 1) / step * step
        return active + interval * next
    }

    /// Returns the time of the next look; `nil` while nothing is to be done.
    func deadline(_ rest: AirSettings.Rest) -> Instant? {
        if sides.contains(where: \.isGone) { return heard + timeout }
        let event = sides.contains(where: \.hasWork) ? listening(rest) : nil
        return [event, update?.at, procedureEnds].compactMap { $0 }.min()
    }
}
