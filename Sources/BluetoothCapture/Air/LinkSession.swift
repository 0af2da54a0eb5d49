import MeshWire

/// An encrypted stretch of a connection: which key opens it, and how far each side has counted.
struct LinkSession: Sendable {
    enum Opened {
        /// The packet is in clear now; `missed` counts those that were missed before it.
        case readable(missed: UInt64, isFirst: Bool)
        case unreadable
        /// The same, and nothing more will be tried.
        case givenUp
    }

    /// One cipher for each key that could be meant.
    private var candidates: [LinkCipher]
    private var isProven = false
    private var counters: (central: UInt64, peripheral: UInt64) = (0, 0)
    private var failures = 0
    /// The packets that were not opened.
    private(set) var unreadable: UnreadablePackets

    init(_ candidates: [LinkCipher], _ record: RecordHeader) {
        self.candidates = candidates
        unreadable = UnreadablePackets(
            sinceRecord: record.number, sinceNanoseconds: record.nanoseconds, packets: 0, bytes: 0)
    }

    var isHopeless: Bool { candidates.isEmpty }
    /// No key opened anything yet, and none is given up.
    var isUndecided: Bool { !isProven && !isHopeless }

    /// Opens a packet in place. Without a key it counts it.
    mutating func open(_ body: inout [UInt8], header: UInt8, _ side: LinkSide) -> Opened {
        let wasHopeless = isHopeless
        let next = counter(of: side)
        let window = isProven ? AirLimits.missedPackets : AirLimits.missedAtStart
        for missed in 0..<window {
            for index in candidates.indices
            where candidates[index].open(&body, header: header, counter: next &+ missed, side) {
                let isFirst = !isProven
                prove(index)
                setCounter(next &+ missed &+ 1, of: side)
                return .readable(missed: missed, isFirst: isFirst)
            }
        }
        setCounter(next &+ 1, of: side)
        fail(body.count)
        return isHopeless && !wasHopeless ? .givenUp : .unreadable
    }

    private mutating func prove(_ index: Int) {
        failures = 0
        guard !isProven else { return }
        isProven = true
        candidates = [candidates[index]]
    }

    private mutating func fail(_ count: Int) {
        unreadable.packets += 1
        unreadable.bytes += max(0, count - LinkCipher.checkSize)
        failures += 1
        if failures >= (isProven ? AirLimits.failuresInARow : AirLimits.failuresAtStart) { candidates = [] }
    }

    private func counter(of side: LinkSide) -> UInt64 {
        side == .central ? counters.central : counters.peripheral
    }

    private mutating func setCounter(_ value: UInt64, of side: LinkSide) {
        let value = value & 0x7F_FFFF_FFFF
        if side == .central { counters.central = value } else { counters.peripheral = value }
    }
}

/// The keys that may open a session.
struct KeyRing: Sendable {
    let pin: UInt32?
    private(set) var keys: [FixedBytes<16>]

    init(_ options: AirOptions) {
        pin = options.pin
        keys = Array(options.keys.prefix(AirLimits.keys))
    }

    /// Adds a key that the capture gave away; the oldest of those makes room.
    mutating func learn(_ key: FixedBytes<16>) {
        guard !keys.contains(key) else { return }
        if keys.count >= AirLimits.keys { keys.removeFirst() }
        keys.append(key)
    }

    /// The keys that may be meant, those learned last first.
    func ciphers(_ request: EncryptionRequest, _ response: EncryptionResponse) -> [LinkCipher] {
        keys.reversed().map { key in
            LinkCipher(
                longTermKey: key, keyHalves: (request.sessionKeyHalf, response.sessionKeyHalf),
                nonceHalves: (request.nonceHalf, response.nonceHalf))
        }
    }
}
