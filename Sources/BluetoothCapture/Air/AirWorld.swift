/// The state that the connections of one capture share.
struct AirWorld<Sink: AirLinkSink> {
    var sink: Sink
    var keys: KeyRing
    var counts = AirCounts()
    var pairings: [LegacyPairing] = []

    /// Keeps a pairing, and the key of its first session where the PIN is known. Returns the PIN where it is verified.
    ///
    /// A pairing without a PIN, "just works", is one with zero.
    mutating func learn(_ pairing: LegacyPairing) -> UInt32? {
        if pairings.count >= AirLimits.pairings { pairings.removeFirst() }
        pairings.append(pairing)
        for pin in [keys.pin, 0].compactMap({ $0 }) {
            switch pairing.matches(pin: pin) {
            case true?:
                keys.learn(pairing.shortTermKey(pin: pin))
                return pin
            // Nothing says so; the first encrypted packet will.
            case nil: keys.learn(pairing.shortTermKey(pin: pin))
            case false?: break
            }
        }
        return nil
    }
}
