import Dispatch
import Synchronization

/// Does the same work for many seeds on some threads; the assignment of seeds to threads changes nothing.
package struct SeedJobs: Sendable {
    /// Threads; at least one.
    package let jobs: Int

    package init(_ jobs: Int) { self.jobs = max(1, jobs) }

    /// The results in the order of the inputs. It blocks the calling thread.
    ///
    /// - Parameter done: receives the number of finished pieces after each; from any of the threads, one call at a
    ///   time.
    package func map<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], done: (@Sendable (Int) -> Void)? = nil, _ work: @Sendable (Input) -> Output
    ) -> [Output] {
        let next = Mutex(0)
        let results = Mutex((done: 0, values: [Output?](repeating: nil, count: inputs.count)))
        // Each job takes the next input as soon as it is free.
        DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, inputs.count))) { _ in
            while true {
                let place = next.withLock { place in
                    defer { place += 1 }
                    return place
                }
                guard place < inputs.count else { return }
                let output = work(inputs[place])
                results.withLock { results in
                    results.values[place] = output
                    results.done += 1
                    done?(results.done)
                }
            }
        }
        return results.withLock { $0.values.compactMap { $0 } }
    }
}
