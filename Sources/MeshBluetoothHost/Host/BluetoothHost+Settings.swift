public import MeshTime

extension BluetoothHost {
    /// What a host is told once, before it begins.
    public struct Settings: Sendable {
        /// The random address to use; `nil` for the controller's public one.
        public var randomAddress: BluetoothAddress?
        /// How it pairs, in both roles.
        public var security = SecurityManager.Settings()
        /// What it serves to peers.
        public var attributes = ATT.AttributeTable()
        /// The longest attribute packet that it takes as a server, 23 to 517.
        public var serverMTU: UInt16 = 517
        /// The longest attribute packet that it asks for as a client, 23 to 517.
        public var clientMTU: UInt16 = 517
        /// Connections that may be there at once; one more is refused.
        public var linkLimit = 1
        /// Packets that the program may have waiting on one connection for the controller.
        ///
        /// Answers to the peer have some room beyond it.
        public var queueLimit = 64
        /// A central that is refused for its security pairs, and asks again.
        public var pairsWhenRefused = true
        /// How long the controller may take for a command.
        public var commandTime: TimeSpan = .seconds(2)
        /// How long a connection may take to come about.
        public var connectTime: TimeSpan = .seconds(30)

        public init() {}
    }

    /// A peer that has paired, as it is kept between runs.
    public struct KnownPeer: Hashable, Sendable {
        /// Its keys.
        public var bond: Bond
        /// What it had switched on, which holds again once the link is encrypted.
        public var subscriptions: [ATT.Subscription]

        public init(bond: Bond, subscriptions: [ATT.Subscription] = []) {
            self.bond = bond
            self.subscriptions = subscriptions
        }
    }
}
