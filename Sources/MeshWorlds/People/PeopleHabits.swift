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
