// What a broken statement comes to.
extension FindingWeight {
    /// The weight of a broken statement, by the topic of its article and by the departure itself.
    init(ofBroken group: String, _ lines: [String]) {
        let isAboutTime = lines.contains { $0.hasPrefix("expected") && $0.hasSuffix(" ms") }
        self = Self.weights[group] ?? (isAboutTime ? .timing : .brokenProtocol)
    }

    private static let weights: [String: FindingWeight] = [
        "Restarts": .lostState, "Delays": .timing, "Pacing and counters": .airtime, "Boot and adverts": .airtime,
        "Flood forwarding": .routing, "Direct forwarding": .routing, "Traces": .routing,
        "Neighbours and discovery": .routing, "Scope of replies": .routing, "Regions": .routing,
    ]
}

extension [String] {
    /// The lines of a verdict with the expected answer and the one that came.
    var tellingLines: [String] {
        flatMap { $0.split(whereSeparator: \.isNewline) }.map { String($0) }
            .filter { $0.hasPrefix("expected") || $0.hasPrefix("got") }
    }
}
