import MeshWire

extension Stage {
    /// A failure of an expectation, with what it depends on and what apps made of the texts that it is about.
    func failure(of expectation: any Expectation, _ sentence: String, _ reason: String) async -> EventLog.Failure {
        var failure = EventLog.Failure(sentence: sentence, reason: reason, time: time)
        let done = actionsDone
        failure.people = expectation.cast.map(\.name)
        for subject in expectation.subjects {
            let actions = done.filter { $0.subjects.contains(subject) }
            guard !actions.isEmpty, !failure.basis.contains(subject) else { continue }
            failure.basis.append(subject)
            for action in actions {
                failure.people += action.cast.map(\.name)
                failure.basis += memberships(action, expectation.cast, done)
            }
        }
        var seen: Set<String> = []
        failure.people = failure.people.filter { seen.insert($0).inserted }
        for case .text(let text) in expectation.subjects { failure.details += await attempts(text) }
        return failure
    }

    /// The actions of the script that have begun, in its order.
    var actionsDone: [any Action] {
        var begun: Set<String> = []
        for case .step(let sentence) in eventLog.entries.map(\.kind) { begun.insert(sentence) }
        return scenario.lines.compactMap { step in
            if case .does(let action) = step, begun.contains(action.sentence) { action } else { nil }
        }
    }

    /// Returns those of some people who have entered the channel or room of an action.
    private func memberships(_ action: any Action, _ cast: [Member], _ done: [any Action]) -> [Subject] {
        action.subjects.flatMap { subject -> [Subject] in
            guard case .place(let place) = subject else { return [] }
            let entries = cast.map { Subject.member($0.name, of: place) }
            return entries.filter { entry in done.contains { $0.subjects.contains(entry) } }
        }
    }

    /// Describes how often a text was sent, by whom, and how the sender's app shows it.
    private func attempts(_ text: String) async -> [String] {
        var lines: [String] = []
        for person in people {
            guard let messages = try? await app(of: person).messages() else { continue }
            for message in messages where message.text == text {
                guard let standing = message.standing else { continue }
                lines.append(
                    "\(person.name) made \(message.attempts.counted("attempt")) to send “\(text)”, shown as "
                        + standing.rawValue)
            }
        }
        return lines.isEmpty ? ["nobody has sent “\(text)”"] : lines
    }
}
