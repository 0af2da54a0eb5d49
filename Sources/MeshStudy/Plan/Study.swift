/// An experiment, written in Swift: one world under several arms, what is measured, and against which margins.
///
/// ```swift
/// let delays = Study(
///     "receive-delay", "Does a receive delay help?", world: "city:60", for: "60s", traffic: "chat:4s", seeds: 200,
///     metrics: [.delivery.within(0.01), .airtime.within(0.05, most: 5)]
/// ) {
///     Study.Arm("off")
///     for base in [2.0, 10] { Study.Arm("base \(base)", ["repeater": ["receive_delay_base": .number(base)]]) }
/// }
/// ```
///
/// Members of arms and of the whole study have the names that they have in a file; the article Studies lists them. What
/// no world has is refused when the study is run, as with a file.
public struct Study: Sendable {
    /// One way to set the world up: a name, and members as in a file.
    public struct Arm: Sendable {
        let name: String
        let members: [String: Value]

        /// - Parameters:
        ///   - name: 1 to 40 bytes without comma, colon and quotation mark, that no other arm has.
        ///   - members: what differs from the world as it comes: `firmware`, `traffic`, `air`, `repeater` and others.
        public init(_ name: String, _ members: [String: Value] = [:]) {
            self.name = name
            self.members = members
        }
    }

    /// The arms of a study, in their order; the first one is what the others are compared with.
    @resultBuilder
    public enum Arms {
        public static func buildExpression(_ arm: Arm) -> [Arm] { [arm] }
        public static func buildBlock(_ arms: [Arm]...) -> [Arm] { arms.flatMap { $0 } }
        public static func buildArray(_ arms: [[Arm]]) -> [Arm] { arms.flatMap { $0 } }
        public static func buildOptional(_ arms: [Arm]?) -> [Arm] { arms ?? [] }
        public static func buildEither(first arms: [Arm]) -> [Arm] { arms }
        public static func buildEither(second arms: [Arm]) -> [Arm] { arms }
    }

    /// The name by which the command of a program finds it.
    public let name: String
    /// The question, which is the title of reports.
    public let question: String
    /// The metrics to measure.
    public let metrics: [StudyMetric]
    private let arms: [Arm]
    private let members: [String: Value]
    /// The parameters as members of a file.
    private var own: [String: Value]

    /// - Parameters:
    ///   - name: by which the command of a program finds it.
    ///   - question: what is asked, the title of reports.
    ///   - threads: addresses of public discussions that ask it.
    ///   - world: a shape such as `city:300`, or the path of a world file.
    ///   - span: simulated time of each run, such as `90s` or `10m`.
    ///   - traffic: what people do, as for `meshbed mesh run`; that of the world without one.
    ///   - seeds: how many seeds are run at most, 1 to 1,000,000.
    ///   - error: the share of such studies with a false verdict, 0.000001 to 0.5.
    ///   - metrics: what is measured, one or more, each with a margin.
    ///   - members: what else a file may say for all arms: `apps`, `walk`, `faults`, `sweep`.
    ///   - arms: two or more, those of a sweep counted.
    public init(
        _ name: String, _ question: String = "", threads: [String] = [], world: String, for span: String = "600s",
        traffic: String? = nil, seeds: Int = 1000, error: Double = 0.05, metrics: [StudyMetric],
        members: [String: Value] = [:],
        @Arms arms: () -> [Arm]
    ) {
        self.name = name
        self.question = question
        self.metrics = metrics
        self.members = members
        self.arms = arms()
        own = [
            "study": .text(name), "question": .text(question), "threads": .list(threads.map(Value.text)),
            "world": .text(world), "for": .text(span), "seeds": .number(Double(seeds)), "error": .number(error),
        ]
        if let traffic { own["traffic"] = .text(traffic) }
    }

    /// The study as a file has it.
    ///
    /// - Throws: `StudyProblem` where something is said twice: a file cannot.
    var file: Value {
        get throws(StudyProblem) {
            var file = own
            file["arms"] = .list(
                try arms.map { arm throws(StudyProblem) in
                    .object(try Self.joined(["name": .text(arm.name)], arm.members, "arm \(arm.name)"))
                })
            var measures: [String: Value] = [:]
            for metric in metrics {
                guard let margin = metric.margin else {
                    throw StudyProblem("metric \(metric.name) has no margin; say one with 'within'")
                }
                let limits: Value = ["margin": .number(margin), "most": .number(metric.most)]
                measures = try Self.joined(measures, [metric.name: limits], "metrics")
            }
            file["metrics"] = .object(measures)
            return .object(try Self.joined(file, members, "members"))
        }
    }

    private static func joined(
        _ some: [String: Value], _ others: [String: Value], _ place: String
    ) throws(StudyProblem) -> [String: Value] {
        if let twice = others.keys.filter({ some[$0] != nil }).min() {
            throw StudyProblem("\(place): '\(twice)' is given twice")
        }
        return some.merging(others) { one, _ in one }
    }
}
