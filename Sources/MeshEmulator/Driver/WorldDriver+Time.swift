import MeshFirmware
import MeshSimulator
package import MeshTime
import MeshWorlds

// How the time of a driven world passes.
extension WorldDriver {
    /// End of a turn's catching up.
    enum Progress {
        /// Nothing is due, or time waits.
        case rested
        /// The shell has something to perform before the next moment.
        case interrupted
        /// There is more to do than a slice.
        case late
    }

    /// Runs what is due.
    mutating func catchUp() -> Progress {
        while pacer.isRunning {
            guard hearPeers() else { return .rested }
            endWatches()
            if mustPerform { return .interrupted }
            if isPaused { return .rested }
            if gate != nil {
                let passes = mayPass()
                if mustPerform { return .interrupted }
                if !passes { return .rested }
            }
            if course.world.now >= settings.end {
                finish()
                return .rested
            }
            switch pacer.turn(from: course.world.now, next: nextTime(), at: clock) {
            case .run(let moment): run(until: moment)
            case .pause: return .late
            case .wait: return .rested
            }
            if mustPerform { return .interrupted }
        }
        return .rested
    }

    private mutating func run(until moment: Instant) {
        let isEvent = course.world.peekNextEventTime() <= moment
        if moment > course.world.now { gate?.timePassed() }
        course.world.run(until: moment)
        // What boards said while they were switched on waits for the first event or client.
        if isEvent { deliver() }
        course.people?.tellEnds(before: course.world.now)
        emitWords()
        for place in course.links.indices { advanceLink(at: place) }
        if let stop = course.people?.nextStop, stop <= course.world.now { settle() }
    }

    /// Lets the people of the world act.
    mutating func settle() {
        guard course.people != nil else { return }
        deliver()
        course.people?.takeNews(at: course.world.now)
        course.people?.act(in: &course.world)
        deliver()
        course.people?.takeNews(at: course.world.now)
        course.people?.plan(in: &course.world)
        emitWords()
    }

    /// Lets time stand still, or pass again.
    package mutating func pause(_ isPaused: Bool) {
        guard self.isPaused != isPaused, pacer.isRunning else { return }
        self.isPaused = isPaused
        if isPaused { gate?.standStill() } else { pacer.start(from: course.world.now, at: clock) }
    }

    /// Changes how fast the time of a world passes that follows the clock.
    package mutating func setSpeed(_ speed: Double) {
        pacer = Pacer(.clock(speed: speed), slice: Self.slice)
        pacer.start(from: course.world.now, at: clock)
    }

    // MARK: Steps

    /// Queues a step; where time passes by itself, watches for its condition. Its end is an effect.
    ///
    /// Throws when the run has ended, or when too many wait already.
    package mutating func add(
        _ number: DriverStep.Number, lasting span: TimeSpan, until condition: DriverStep.Condition? = nil,
        stopsWhenTold: Bool = false
    ) throws(EmulatorError) {
        guard !isStopped, steps.isOpen else { throw .ended }
        guard steps.count < StepQueue.most else { throw .tooManySteps(StepQueue.most) }
        var step = DriverStep(
            number: number, span: max(.zero, span), condition: condition, stopsWhenTold: stopsWhenTold)
        guard pacer.pace != .stepped else { return steps.queue.append(step) }
        step.end = end(of: step)
        steps.watches.append(step)
    }

    /// Fails all steps, now and later: no time is given any more.
    package mutating func endSteps() {
        steps.isOpen = false
        failSteps()
    }

    mutating func failSteps() {
        for number in steps.removeAll() { emit(.stepFailed(number)) }
    }

    private func end(of step: DriverStep) -> Instant {
        course.world.now + min(step.span, .never - course.world.now)
    }

    private mutating func endWatches() {
        guard !steps.watches.isEmpty else { return }
        var place = 0
        while place < steps.watches.count {
            let watch = steps.watches[place]
            let isMet = watch.condition?(&self) ?? false
            guard isMet || course.world.now >= watch.end ?? .never else {
                place += 1
                continue
            }
            steps.watches.remove(at: place)
            emit(.stepEnded(watch.number, isMet: isMet))
        }
    }

    /// Tells whether time that waits for clients may pass now; ends the step that has come to its end.
    private mutating func mayPass() -> Bool {
        guard pacer.pace == .stepped else { return gate?.letsTimePass(at: clock) == true }
        guard !steps.isEmpty, let stepEnd = begin() else { return false }
        let step = steps.queue[0]
        pacer.allow(until: stepEnd)
        let isMet = step.condition?(&self) ?? false
        let isOver = isMet || step.stopsWhenTold && tellings > step.toldBefore
        guard isOver || course.world.now >= stepEnd && nextTime() > stepEnd else {
            return gate?.letsTimePass(at: clock) == true
        }
        // Whoever let time pass looks at the clients next, and what they have said by now has been heard.
        guard gate?.allHaveBytes(at: clock) == true, gate?.hasInput == false else { return false }
        pacer.allow(until: course.world.now)
        gate?.standStill()
        steps.queue.removeFirst()
        emit(.stepEnded(step.number, isMet: isMet))
        return false
    }

    /// Returns the end of the first step, whose turn may have come just now; `nil` while there are bytes on the way
    /// that clients sent before it, or requests that wait for such.
    private mutating func begin() -> Instant? {
        if let end = steps.queue[0].end { return end }
        guard waitingRequests == 0, !hasUnreadBytes else { return nil }
        let end = end(of: steps.queue[0])
        steps.queue[0].end = end
        steps.queue[0].toldBefore = tellings
        return end
    }

    /// Tells whether bytes of clients are on their way to this process.
    var hasUnreadBytes: Bool { seats.contains(where: \.state.hasUnread) }

    /// Tells whether the shell has to ask the system for unread bytes, since something waits for them.
    package var asksForUnread: Bool { pacer.pace == .stepped && (waitingRequests > 0 || steps.isFirstWaiting) }

    /// Tells whether clients have sent what is not in the world yet, whose time somebody lets pass.
    package var isBehindClients: Bool {
        !isStopped && pacer.pace == .stepped && (gate?.hasInput == true || hasUnreadBytes)
    }
}
