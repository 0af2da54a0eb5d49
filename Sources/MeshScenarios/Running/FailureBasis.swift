extension Stage {
    /// A failure of an expectation, with what it depends on and what apps made of the texts that it is about.
    func failure(of checker: any Checker, _ sentence: String, _ reason: String) async -> Diary.Failure {
        var failure = Diary.Failure(sentence: sentence, reason: reason, time: time)
        let done = actionsDone
        failure.people = checker.cast.map(\.name)
        for subject in checker.subjects {
            let actions = done.filter { $0.subjects.contains(subject) }
            guard !actions.isEmpty, !failure.basis.contains(subject) else { continue }
            failure.basis.append(subject)
            for action in actions {
                failure.people += action.cast.map(\.name)
                failure.basis += memberships(action, checker.cast, done)
            }
        }
        var seen: Set<String> = []
        failure.people = failure.people.filter { seen.insert($0).inserted }
        for case .text(let text) in checker.subjects { failure.details += await attempts(text) }
        return failure
    }

    /// The actions of the script that have begun, in its order.
    private var actionsDone: [any Doer] {
        var begun: Set<String> = []
        for case .step(let sentence) in diary.entries.map(\.kind) { begun.insert(sentence) }
        return scenario.lines.compactMap { step in
            if case .does(let action) = step, begun.contains(action.sentence) { action } else { nil }
        }
    }

    /// Who of some people has entered the channel or room in which an action takes place.
    private func memberships(_ action: any Doer, _ cast: [Member], _ done: [any Doer]) -> [Subject] {
        action.subjects.flatMap { subject -> [Subject] in
            guard case .place(let place) = subject else { return [] }
            let entries = cast.map { Subject.member($0.name, of: place) }
            return entries.filter { entry in done.contains { $0.subjects.contains(entry) } }
        }
    }

    /// How often a text was sent, by whom, and how the sender's app shows it.
    private func attempts(_ text: String) async -> [String] {
        var lines: [String] = []
        for person in people {
            guard let letters = try? await app(of: person).letters() else { continue }
            for letter in letters where letter.text == text {
                guard let standing = letter.standing else { continue }
                lines.append(
                    "\(person.name) made \(Amount.counted(letter.attempts, "attempt")) to send “\(text)”, shown as "
                        + standing.rawValue)
            }
        }
        return lines.isEmpty ? ["nobody has sent “\(text)”"] : lines
    }
}
