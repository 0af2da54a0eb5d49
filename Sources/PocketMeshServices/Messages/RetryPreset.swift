/// The number of attempts for a message, and the attempt from which on it is flooded.
package enum RetryPreset: String, CaseIterable, Sendable {
    case balanced
    case short
    case directFirst = "direct-first"
    case long

    package var profile: StackProfile {
        switch self {
        case .balanced: .architectureV2
        case .short: .architectureV1
        case .directFirst: .prd
        case .long: .upstreamFinal
        }
    }

    /// The preset by which a profile sends; `nil` for a profile with values of its own.
    package init?(of profile: StackProfile) {
        guard let preset = Self.allCases.first(where: { $0.profile.messages == profile.messages }) else { return nil }
        self = preset
    }
}
