import CSodium

/// Libsodium wants to be initialised once, before anything else is called.
enum Sodium {
    private static let initialised: Bool = sodium_init() >= 0

    static func prepare() {
        precondition(initialised, "libsodium could not be initialised")
    }
}
