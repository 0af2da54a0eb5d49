extension RetryPolicy {
    /// The second architecture: four attempts, the last two by flood.
    package static let architectureV2 = RetryPolicy(maxAttempts: 4, floodAfter: 2, maxFloodAttempts: 2, jitter: 0.5)

    /// The first architecture: three attempts with a linear pause.
    package static let architectureV1 = RetryPolicy(
        maxAttempts: 3, floodAfter: 2, maxFloodAttempts: 2, backoff: .linear(.milliseconds(200)))

    /// The product requirements: three attempts on the path with a doubling pause, then one by flood.
    package static let prd = RetryPolicy(
        maxAttempts: 4, floodAfter: 3, maxFloodAttempts: 1, backoff: .exponential(.seconds(1)))

    /// The last state of the upstream project: five attempts, the last by flood, and no late confirmation.
    package static let upstreamFinal: RetryPolicy = {
        var policy = RetryPolicy(maxAttempts: 5, floodAfter: 4, maxFloodAttempts: 1, jitter: 0.5)
        policy.giveUpWindow = .seconds(30)
        policy.lateWindow = .zero
        return policy
    }()

    /// The retries of the stack's profiles, by the names of the profiles.
    package static let presets: [(name: String, policy: RetryPolicy)] = [
        ("architectureV2", .architectureV2), ("architectureV1", .architectureV1), ("prd", .prd),
        ("upstreamFinal", .upstreamFinal),
    ]
}
