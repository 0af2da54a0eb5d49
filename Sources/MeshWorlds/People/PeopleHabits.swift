package import MeshCore
package import MeshTime

/// The habits of a world's people: the retries of their apps, the settings of their radios, their walks.
///
/// They are no part of a world: a study states them, for the world as a whole or for one arm.
package struct PeopleHabits: Hashable, Sendable {
    /// The policy for sending an unacknowledged direct text again; `nil` for a single attempt.
    package var retry: RetryPolicy?
    /// Bytes of each hop in the paths of floods that companion radios begin; `nil` for what their firmware has. Since
    /// 1.14.
    package var pathHashBytes: UInt8?
    /// The region whose scope the floods of companion radios carry; `nil` for none. Since 1.15.
    package var region: String?
    /// A picture that one of them sends; `nil` for none.
    package var picture: Picture?
    /// The walks of companions; `nil` where all of them stay.
    package var walk: Walk?

    /// People on their way from one drawn place to the next: the random waypoint of the literature.
    package struct Walk: Hashable, Sendable {
        /// The share of the companions that walk.
        package var share = 1.0
        package var metresPerSecond = 1.4
        /// The interval at which places change, and links with them.
        package var every = TimeSpan.seconds(10)

        package init() {}
    }

    package init() {}
}

extension PeopleHabits {
    /// A picture on its way: packets as long as its chunks, from one companion along repeaters.
    package struct Picture: Hashable, Sendable {
        /// The moment at which the next chunk goes.
        package enum Pace: String, Hashable, Sendable, CaseIterable {
            /// As soon as the radio has accepted the one before.
            case radio
            /// Behind the relays of the one before, however long their pauses are.
            case time
            /// The same from the first relay on, which the sender hears.
            case relay
        }

        /// The label of the sender.
        package var from = "alice"
        /// The labels of the repeaters on the way.
        package var over: [String] = []
        package var chunks = 44
        package var pace = Pace.relay
        /// The moment of the first chunk.
        package var first = TimeSpan.seconds(20)
        /// The setting of the repeaters for direct packets, in hundredths; as the firmware comes.
        package var relayDelayHundredths = 30

        package init() {}
    }
}
