import MeshTime

/// A task or an actor that wants the thread, and whether it is the main actor's.
struct ReadyJob {
    var job: UnownedJob
    var isMain = false
}

/// The jobs that wait for the thread, first in, first out; or in an order that is drawn.
struct ReadyQueue {
    private var jobs: [ReadyJob] = []
    private var head = 0
    /// The stream that draws the order; `nil` for the order of arrival.
    var draws: RandomStream?

    mutating func append(_ job: ReadyJob) {
        jobs.append(job)
    }

    mutating func take() -> ReadyJob? {
        guard head < jobs.count else { return nil }
        if draws != nil, let place = draws?.draw(UInt32(head), UInt32(jobs.count)) {
            jobs.swapAt(head, Int(place))
        }
        let job = jobs[head]
        head += 1
        if head > 1024, head * 2 > jobs.count {
            jobs.removeFirst(head)
            head = 0
        }
        return job
    }
}
