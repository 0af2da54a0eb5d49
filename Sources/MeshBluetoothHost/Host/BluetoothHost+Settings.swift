package import MeshTime

extension BluetoothHost {
    /// The settings of a host, which are fixed when it is made.
    package struct Settings: Sendable {
        /// The random address to use; `nil` for the controller's public one.
        package var randomAddress: BluetoothAddress?
        /// Without a random address: one that is made of the controller's public one, and stays the same.
        ///
        /// So a central has an address of its own also on controllers that have no public one worth the name.
        package var makesRandomAddress = false
        /// Settings for pairing, in both roles.
        package var security = SecurityManager.Settings()
        /// The attributes that it serves to peers.
        package var attributes = ATT.AttributeTable()
        /// The longest attribute packet that it receives as a server, 23 to 517.
        package var serverMTU: UInt16 = 517
        /// The longest attribute packet that it asks for as a client, 23 to 517.
        package var clientMTU: UInt16 = 517
        /// Connections that may be there at once; one more is refused.
        package var linkLimit = 1
        /// Packets that the program may have waiting on one connection for the controller.
        ///
        /// Answers to the peer have some room beyond it.
        package var queueLimit = 64
        /// A central that is refused for its security pairs, and asks again.
        package var pairsWhenRefused = true
        /// The time that the controller may need for a command.
        package var commandTime: TimeSpan = .seconds(2)
        /// The time that a connection may need to come about.
        package var connectTime: TimeSpan = .seconds(30)

        package init() {}
    }

    /// A peer that has paired, as it is kept between runs.
    package struct KnownPeer: Hashable, Sendable {
        /// Its keys.
        package var bond: Bond
        /// Subscriptions of the peer, which are valid again once the link is encrypted.
        package var subscriptions: [ATT.Subscription]

        package init(bond: Bond, subscriptions: [ATT.Subscription] = []) {
            self.bond = bond
            self.subscriptions = subscriptions
        }
    }
}
