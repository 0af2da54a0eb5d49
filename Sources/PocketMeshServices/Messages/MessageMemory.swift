import FoundationEssentials

/// The facts about messages that a service remembers while it lives: values that decide, and wait for nothing.
struct MessageMemory {
    /// The confirmations that count.
    var ledger: ConfirmationLedger
    /// Channel messages whose echoes are counted.
    var echoes = EchoTracker()
    /// The seconds that texts have used.
    var timestamps = TimestampRegister()
    /// Messages whose manual retry is running.
    var retried: Set<UUID> = []
    /// The last path to each contact that was reported.
    var announcedPaths: [UUID: Data] = [:]

    init(policy: MessagePolicy) {
        ledger = ConfirmationLedger(
            repeatWindow: policy.repeatWindow, earlyWindow: policy.earlyConfirmationWindow,
            match: policy.confirmationMatch)
    }
}
