import MeshTime
import NIOCore

/// Requests and steps of testers that wait for a world.
///
/// It belongs to one `WorldRunner`, and lives on that one's event loop.
final class TesterQueue {
    /// Requests that wait until what clients have sent before them is in the world, oldest first.
    private var requests: [() -> Void] = []
    private var isAnswering = false
    private var steps: [DriverStep.Number: EmulatorStep] = [:]
    private var latestStep = 0

    /// Number of requests that wait.
    var count: Int { requests.count }

    // MARK: Requests

    func append(_ request: @escaping () -> Void) { requests.append(request) }

    /// Answers requests as long as `next` allows one; it gets the number of those that wait behind it.
    func answer(asLongAs next: (_ behind: Int) -> Bool) {
        // What a request lets happen is over before the next one begins.
        guard !isAnswering else { return }
        isAnswering = true
        defer { isAnswering = false }
        while !requests.isEmpty, next(requests.count - 1) { requests.removeFirst()() }
    }

    // MARK: Steps

    /// Keeps a step until it has ended, and numbers it.
    func add(_ step: EmulatorStep) -> DriverStep.Number {
        latestStep += 1
        steps[latestStep] = step
        return latestStep
    }

    /// Removes the step of a number, for whoever ends it.
    func remove(_ number: DriverStep.Number) -> EmulatorStep? { steps.removeValue(forKey: number) }

    func fail(_ number: DriverStep.Number, with error: EmulatorError) { remove(number)?.promise.fail(error) }
}
