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

    // MARK: Requests

    func append(_ request: @escaping () -> Void, in loop: DriverLoop) {
        requests.append(request)
        loop.driver.waitingRequests = requests.count
    }

    /// Answers requests until one has to wait for clients.
    func answer(in loop: DriverLoop) {
        // What a request lets happen is over before the next one begins.
        guard !isAnswering else { return }
        isAnswering = true
        defer { isAnswering = false }
        while !requests.isEmpty, !loop.driver.isBehindClients {
            loop.driver.waitingRequests = requests.count - 1
            requests.removeFirst()()
        }
    }

    // MARK: Steps

    /// Numbers a step and gives it to the driver.
    func add(_ step: EmulatorStep, to loop: DriverLoop) {
        latestStep += 1
        steps[latestStep] = step
        do throws(EmulatorError) {
            try loop.driver.add(
                latestStep, lasting: step.span, until: step.condition, stopsWhenTold: step.stopsWhenTold)
        } catch {
            fail(latestStep, with: error)
        }
    }

    /// Ends the step with this number; its caller sees the run before any other event.
    func end(_ number: DriverStep.Number, isMet: Bool, in loop: DriverLoop) {
        guard let step = steps.removeValue(forKey: number) else { return }
        step.ended?(&loop.driver, isMet)
        step.promise.succeed(isMet)
    }

    func fail(_ number: DriverStep.Number, with error: EmulatorError) {
        steps.removeValue(forKey: number)?.promise.fail(error)
    }
}
