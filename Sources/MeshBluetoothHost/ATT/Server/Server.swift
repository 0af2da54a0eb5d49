import MeshTime

extension ATT {
    /// The protection of a connection, as far as permissions ask.
    struct Protection: Hashable, Sendable {
        /// The level of the connection now.
        var level: SecurityLevel
        /// The level that it would have, encrypted with the keys at hand; without keys as `level`.
        var reachable: SecurityLevel

        init(_ level: SecurityLevel = .none, reachable: SecurityLevel = .none) {
            self.level = level
            self.reachable = max(level, reachable)
        }

        /// Returns the reason why this access is refused; `nil` when it is granted.
        ///
        /// With the keys for it, a link that is not encrypted is refused by 0x0F: the client encrypts. Else by 0x05: it
        /// pairs. Source: Bluetooth Core, Vol 3 Part C, 10.3.1.
        func refusal(_ access: Access, isWrite: Bool) -> ErrorCode? {
            let needed: SecurityLevel
            switch access {
            case .never: return isWrite ? .writeNotPermitted : .readNotPermitted
            case .authorized: return .insufficientAuthorization
            case .open: return nil
            case .encrypted: needed = .encrypted
            case .authenticated: needed = .authenticated
            }
            if level >= needed { return nil }
            return level == .none && reachable >= needed ? .insufficientEncryption : .insufficientAuthentication
        }
    }

    /// The server's side of one connection: answers each request from a table, within the MTU.
    ///
    /// The table is lent, since all connections share it. It judges each packet. The writes of a client that floods are
    /// reported one by one, and use no more memory than ``PreparedWrites`` keeps. Source: Bluetooth Core, Vol 3 Part F,
    /// 3.4.
    struct Server: Sendable {
        /// Effects for the owner to carry out.
        enum Effect: Hashable, Sendable {
            /// Send a packet of the attribute protocol.
            case send([UInt8])
            /// A value was written, and stands in the table.
            case written(handle: UInt16, value: [UInt8])
            /// The client switched notifications or indications.
            case subscribed(Subscription)
            /// Packets may have this length from now on.
            case mtu(Int)
            /// An indication has arrived.
            case confirmed(handle: UInt16)
        }

        /// The longest packet that it receives.
        var ownMTU: UInt16
        /// The longest packet on this connection.
        var mtu = ATT.defaultMTU
        /// Subscriptions of the client, by the handles of the values.
        private(set) var subscriptions: [Subscription] = []
        /// The values that the client itself switched on this connection, on or off.
        private var switched: [UInt16] = []
        /// An indication that waits for its confirmation, and until when.
        private(set) var indicated: (handle: UInt16, until: Instant)?
        var prepared = PreparedWrites()
        /// Indications that wait for the one before them.
        private var waiting: [Indication] = []

        /// The time that a client may need to confirm an indication.
        static let transactionTime = TimeSpan.seconds(30)
        /// Indications that wait at most.
        static let indicationLimit = 16

        /// `mtu`: the longest packet that it receives. `subscriptions`: of a client that is known.
        init(mtu: UInt16, subscriptions: [Subscription] = []) {
            ownMTU = mtu
            self.subscriptions = subscriptions
        }

        /// Returns the bits that the client has switched on for a value.
        func configuration(ofValue handle: UInt16) -> ClientConfiguration {
            subscriptions.first { $0.value == handle }?.configuration ?? []
        }

        /// Restores the subscriptions of a known client, except those that it switched on this connection.
        ///
        /// Returns what is new by it.
        mutating func restore(_ known: [Subscription]) -> [Subscription] {
            known.filter { subscription in
                guard !switched.contains(subscription.value),
                    configuration(ofValue: subscription.value) != subscription.configuration
                else { return false }
                keep(subscription)
                return true
            }
        }

        /// The client switches a value, on or off.
        mutating func configure(_ subscription: Subscription) {
            if !switched.contains(subscription.value) { switched.append(subscription.value) }
            keep(subscription)
        }

        private mutating func keep(_ subscription: Subscription) {
            subscriptions.removeAll { $0.value == subscription.value }
            guard !subscription.configuration.isEmpty else { return }
            let place = subscriptions.firstIndex { $0.value > subscription.value } ?? subscriptions.count
            subscriptions.insert(subscription, at: place)
        }
    }
}

// MARK: - Telling the client

extension ATT.Server {
    /// The packet that notifies a client of a value, which is cut to what fits.
    func notification(_ handle: UInt16, _ value: [UInt8]) -> [UInt8] {
        ATT.Notification(handle: handle, value: [UInt8](value.prefix(ATT.longestValue(mtu: mtu)))).encoded()
    }

    /// Indicates a value as soon as the ones before it are confirmed. `false`: too many wait.
    mutating func indicate(
        _ handle: UInt16, _ value: [UInt8], at now: Instant, into effects: inout [Effect]
    ) -> Bool {
        guard waiting.count < Self.indicationLimit else { return false }
        waiting.append(ATT.Indication(handle: handle, value: value))
        sendIndication(at: now, &effects)
        return true
    }

    private mutating func sendIndication(at now: Instant, _ effects: inout [Effect]) {
        guard indicated == nil, !waiting.isEmpty else { return }
        var next = waiting.removeFirst()
        next.value = [UInt8](next.value.prefix(ATT.longestValue(mtu: mtu)))
        indicated = (next.handle, now + Self.transactionTime)
        effects.append(.send(next.encoded()))
    }

    mutating func confirm(at now: Instant, _ effects: inout [Effect]) {
        // A confirmation that nobody waits for is ignored, as the specification has it.
        guard let handle = indicated?.handle else { return }
        indicated = nil
        effects.append(.confirmed(handle: handle))
        sendIndication(at: now, &effects)
    }

    /// The client has not confirmed in time: nothing may be sent to it any more.
    func isSilent(at now: Instant) -> Bool { indicated.map { now >= $0.until } ?? false }
}
