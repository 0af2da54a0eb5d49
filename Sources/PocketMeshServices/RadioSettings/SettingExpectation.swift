import MeshCompanion
import MeshCore

/// The values that a radio must report after a change.
struct SettingExpectation: Sendable {
    /// The setting's name and value, for users.
    var text: String
    var actual: @Sendable (SelfInfo) -> String
    var holds: @Sendable (SelfInfo) -> Bool

    /// The value exactly.
    static func exactly<V: Equatable & Sendable>(
        _ name: String, _ value: V, _ read: @escaping @Sendable (SelfInfo) -> V
    ) -> SettingExpectation {
        SettingExpectation(
            text: "\(name) \(value)", actual: { "\(name) \(read($0))" }, holds: { read($0) == value })
    }

    /// Expects the value within the tolerance.
    static func about(
        _ name: String, _ value: Double, within tolerance: Double, _ read: @escaping @Sendable (SelfInfo) -> Double
    ) -> SettingExpectation {
        SettingExpectation(
            text: "\(name) \(value)", actual: { "\(name) \(read($0))" },
            // A billionth more, so that a difference of just the tolerance counts as within.
            holds: { abs(read($0) - value) <= tolerance + 1e-9 })
    }

    /// Throws `verificationFailed` with the first that does not hold.
    static func check(_ all: [SettingExpectation], in info: SelfInfo) throws(StackError) {
        guard let broken = all.first(where: { !$0.holds(info) }) else { return }
        throw StackError(
            .settings, .verificationFailed(expected: broken.text, actual: broken.actual(info)))
    }
}
