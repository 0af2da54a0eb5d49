package import MeshCore
package import MeshTime

/// How the people of a world go about what they say: what their apps try again, how they set their radios, where they walk.
///
/// A world says none of it: a study does, for the world as a whole or for one arm.
package struct PeopleHabits: Hashable, Sendable {
    /// How apps send a direct text again whose acknowledgement does not come; `nil` for a single attempt.
    package var retry: RetryPolicy?
    /// Bytes of each hop in the paths of floods that companion radios begin; `nil` for what their firmware has. Since 1.14.
    package var pathHashBytes: UInt8?
    /// The region whose scope the floods of companion radios carry; `nil` for none. Since 1.15.
    package var region: String?
    /// How companions move; `nil` where everybody stays.
    package var walk: Walk?

    /// People on their way from one drawn place to the next: the random waypoint of the literature.
    package struct Walk: Hashable, Sendable {
        /// The share of the companions that walk.
        package var share = 1.0
        package var metresPerSecond = 1.4
        /// Places, and with them links, change so often.
        package var every = TimeSpan.seconds(10)

        package init() {}
    }

    package init() {}
}
