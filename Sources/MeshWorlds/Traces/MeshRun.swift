public import MeshSimulator
public import MeshTime

/// Runs a world with its traffic for a time, and counts its events.
///
/// Same plan, seed and span: same trace, same summary, in every process.
public struct MeshRun {
    /// One line of a trace: an event that the world recorded, or a message that a node had to send.
    public enum Happening: Hashable, Sendable {
        /// The world recorded something.
        case event(TraceEvent)
        /// A node received the command to send a message.
        case message(number: Int, to: String, text: String)
        /// A message is known to have arrived.
        case acknowledged(number: Int)
        /// A message ended without an acknowledgement: nothing of it is left.
        case ended(number: Int, MessageEnd)
    }

    /// The world and its traffic.
    public let plan: WorldPlan
    /// The seed that repeats the run.
    public let seed: Seed
    /// The length of the run in its own time.
    public let span: TimeSpan
    /// The world as it is now.
    public private(set) var world: World

    private var people: MeshPeople
    private let sink: ((Instant, NodeID, Happening) -> Void)?

    /// - Parameter sink: receives every line of the trace as it occurs; `nil` for none.
    public init(
        _ plan: WorldPlan, seed: Seed, span: TimeSpan,
        sink: ((Instant, NodeID, Happening) -> Void)? = nil
    ) {
        self.init(plan, seed: seed, span: span, habits: PeopleHabits(), sink: sink)
    }

    /// The same with people of these habits.
    package init(
        _ plan: WorldPlan, seed: Seed, span: TimeSpan, habits: PeopleHabits,
        sink: ((Instant, NodeID, Happening) -> Void)? = nil
    ) {
        self.plan = plan
        self.seed = seed
        self.span = span
        self.sink = sink
        // The trace is emptied after each slice, so that it never holds more than a slice of events.
        world = plan.world(seed: seed, traceCapacity: .max)
        people = MeshPeople(plan, seed: seed, span: span, in: &world, habits: habits, keepsLines: sink != nil)
    }

    // MARK: Time

    /// Runs to the end and sums up.
    ///
    /// - Parameter progress: receives the time reached, after each simulated second at most.
    public mutating func perform(progress: (Instant) -> Void = { _ in }) -> MeshSummary {
        let end = Instant.start + span
        var reported = Instant.start
        settle()
        while world.now < end {
            world.run(until: min(end, people.nextStop))
            settle()
            if world.now - reported >= .seconds(1) {
                reported = world.now
                progress(reported)
            }
        }
        return summary()
    }

    /// Delivers the output of the slice, and then the commands that people have now.
    private mutating func settle() {
        take()
        people.act(in: &world)
        emitLines()
        take()
        people.plan(in: &world)
    }

    /// Reads outputs and trace of the world.
    private mutating func take() {
        for output in world.takeOutputs() { people.take(output) }
        for record in world.takeTrace() {
            people.enter(record)
            emitLines()
            sink?(record.time, record.node, .event(record.event))
        }
        people.takeNews(at: world.now)
        emitLines()
    }

    /// Emits what people have said and learned since the last time.
    private mutating func emitLines() {
        guard let sink else { return }
        for line in people.takeLines() { sink(line.time, line.node, line.happening) }
    }

    private func summary() -> MeshSummary {
        var summary = people.summary()
        summary.world = plan.topology.name
        summary.air = plan.air.words
        summary.seed = seed.value
        summary.simulatedMilliseconds = span.milliseconds
        summary.links = plan.topology.links.count
        summary.digest = world.digest.description
        summary.unseed = world.unseed.description
        let faults = FaultReport(world)
        summary.faults = faults.lines
        summary.invalid = faults.reasons
        summary.violations = world.invariants.violationCount
        return summary
    }
}
