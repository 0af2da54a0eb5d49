public import FoundationEssentials
import MeshCore
import MeshPacket
import MeshWire

/// The command lines to one node: one at a time.
struct NodeCommandQueue {
    /// The command that waits for its answer.
    struct Waiting {
        let number: Int
        /// `NN|`, where the node repeats it.
        let counter: String?
        let answers: AsyncStream<String>.Continuation

        /// Returns whether a text repeats the counter.
        func isNamed(by text: String) -> Bool { counter != nil && counter == RemoteNodeService.counter(of: text) }

        /// Returns the answer in a text; `nil` in one to an earlier command, whose time was up.
        func answer(in text: String) -> String? {
            guard let counter, let found = RemoteNodeService.counter(of: text) else { return text }
            return found == counter ? String(text.dropFirst(found.count)) : nil
        }
    }

    /// Commands that are under way or wait for their turn, in order.
    var tasks: [(number: Int, task: Task<String, any Error>)] = []
    var waiting: Waiting?

    func cancel() {
        for entry in tasks { entry.task.cancel() }
    }
}

extension RemoteNodeService {
    /// Sends a node a command line, and returns its answer.
    ///
    /// A node receives one command at a time. Its answer is its next CLI text. Where the node reports a protocol level
    /// at the login, commands are numbered, which distinguishes answers to others.
    ///
    /// Throws `permissionDenied` without the rights of an administrator, and `noAnswer` when there is none, as with
    /// some commands.
    public func sendCLICommand(sessionID: UUID, command: String) async throws -> String {
        let node = try await administeredNode(sessionID)
        let limit = try await commandLimit(node)
        let queue = known(node)
        commandCount += 1
        let number = commandCount
        let counter = queue.plan.visit?.result.firmwareLevel.map { _ in Self.counter(number) }
        let previous = queue.commands.tasks.last?.task
        let task = Task(name: "command line") {
            _ = await previous?.result
            return try await run(command, of: node, number, counter, limit)
        }
        queue.commands.tasks.append((number, task))
        defer { queue.commands.tasks.removeAll { $0.number == number } }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch is CancellationError {
            throw Task.isCancelled ? CancellationError() : StackError(.nodes, .cancelled)
        }
    }

    /// Handles a CLI text of a node; returns whether it answers a command.
    ///
    /// Called by the receiver of the radio's messages.
    @discardableResult
    public func handleCLIResponse(senderPrefix: Data, text: String) -> Bool {
        let waiting = sessions(with: senderPrefix.prefix(6)).compactMap(\.commands.waiting)
        let asked = waiting.first { $0.isNamed(by: text) } ?? waiting.first { $0.answer(in: text) != nil }
        guard let asked, let answer = asked.answer(in: text) else { return false }
        asked.answers.yield(answer)
        return true
    }

    private func run(
        _ command: String, of node: RemoteNodeSessionDTO, _ number: Int, _ counter: String?, _ limit: Duration
    ) async throws -> String {
        try Task.checkCancellation()
        let queue = known(node)
        let (answers, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1))
        // Before the write: the answer may be there before SENT has been looked at.
        queue.commands.waiting = .init(number: number, counter: counter, answers: continuation)
        defer { if queue.commands.waiting?.number == number { queue.commands.waiting = nil } }
        _ = try await meaning {
            try await session.sendCommand(
                to: .bytes([UInt8](node.publicKey)), command: (counter ?? "") + command,
                timestamp: nextStamp())
        }
        if let answer = await dependencies.clock.next(of: answers, within: limit) { return answer }
        try Task.checkCancellation()
        throw StackError(.nodes, .noAnswer)
    }

    private func commandLimit(_ node: RemoteNodeSessionDTO) async throws -> Duration {
        let contact = try await store.fetchContact(deviceID: node.deviceID, publicKey: node.publicKey)
        if case .path(_, let hops) = contact?.routing, hops < policy.farHops { return policy.commandLimit }
        return policy.farCommandLimit
    }

    /// Returns two digits and a bar. Nodes repeat the characters before a bar in the third place.
    private static func counter(_ number: Int) -> String {
        let digits = String(number % 100)
        return (digits.count < 2 ? "0" : "") + digits + "|"
    }

    fileprivate static func counter(of text: String) -> String? {
        let bytes = [UInt8](text.utf8.prefix(3))
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard bytes.count == 3, isDigit(bytes[0]), isDigit(bytes[1]), bytes[2] == UInt8(ascii: "|") else { return nil }
        return String(text.prefix(3))
    }
}

extension Clock where Duration == Swift.Duration {
    /// The next element of a stream; `nil` exactly at the limit, or when the stream has ended.
    func next<T: Sendable>(of stream: AsyncStream<T>, within limit: Duration) async -> T? {
        await withTaskGroup(of: T?.self) { group in
            group.addTask {
                for await element in stream { return element }
                return nil
            }
            group.addTask {
                try? await self.sleep(for: limit, tolerance: nil)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
