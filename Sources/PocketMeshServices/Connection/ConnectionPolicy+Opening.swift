extension ConnectionPolicy {
    /// The limits for opening the link to one radio.
    struct Opening: Hashable, Sendable {
        /// The time for one attempt.
        let limit: Duration
        /// Attempts of a connect that a user waits for.
        let attempts: Int
    }

    /// Returns the limits for opening the link to a radio, the same for every caller.
    ///
    /// Over Bluetooth the link scans, connects and pairs within limits of its own, and says which of them has ended. It
    /// tries again by itself what can be tried again, so a second attempt would repeat a pairing that nobody answered.
    func opening(of endpoint: RadioEndpoint) -> Opening {
        endpoint.isBonded
            ? Opening(limit: max(connectLimit, pairingLimit), attempts: pairingAttempts)
            : Opening(limit: connectLimit, attempts: connectAttempts)
    }
}
