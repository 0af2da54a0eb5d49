/// Fisher's exact test, two-sided: whether two series of trials may have the same chance of success.
struct FisherTest {
    /// The probability of a table at most as likely as the one that was seen, when the chances are the same.
    let probability: Double

    init(_ successes: Int, of trials: Int, and others: Int, of otherTrials: Int) {
        let sum = successes + others
        let tables = max(0, sum - otherTrials)...min(trials, sum)
        // Each table's likelihood from that of the one before; what they are multiples of does not matter.
        var likelihoods = [1.0]
        for count in tables.dropLast() {
            let gained = Double((trials - count) * (sum - count))
            let lost = Double((count + 1) * (otherTrials - sum + count + 1))
            likelihoods.append(likelihoods[likelihoods.count - 1] * gained / lost)
        }
        let seen = likelihoods[successes - tables.lowerBound]
        let unlikely = likelihoods.filter { $0 <= seen * 1.000_001 }.reduce(0, +)
        probability = unlikely / likelihoods.reduce(0, +)
    }
}
