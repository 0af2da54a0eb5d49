import MeshBoards
import MeshCompanion
import MeshTime
import MeshWire

// The way back at the end of a run, which goes on behind whatever fails.
extension Probe {
    /// The number of steps of the way back that may fail before the rest is given up.
    private static let failureLimit = 3

    /// At the end of a run: puts back everything, whether it was changed or not.
    ///
    /// A step that fails is tried once more on a fresh link and keeps no other from being tried. When the radio cannot
    /// be reached at all, or after a few such steps, the others are given up.
    ///
    /// - Parameter mayBeStarting: whether a radio that does not answer is given the time of a restart.
    /// - Returns: what was not put back, a line each; nothing for a radio that does not outlive the run.
    func restoreAll(mayBeStarting: Bool = false) -> [String] {
        guard keeper != nil else { return [] }
        var left: [Leftover] = []
        var failures = 0
        // The radio need not have noticed that a run has ended in the middle of something.
        do { try regain(mayBeStarting: mayBeStarting) } catch {
            left.append(Leftover(line: "The radio is out of reach: \(error)"))
            failures = Self.failureLimit
        }
        // First the traces of statements: the clock can be put back only where no contact is in the way.
        restore(keeper?.takeRestoration() ?? [], &left, &failures)
        left += attempt("the clock", &failures) { try restoreClock() }
        let mayReplaceContacts = target.abilities.contains(.emptyContacts)
        restore(keeper?.takeWholeRestoration(withContacts: mayReplaceContacts) ?? [], &left, &failures)
        return changed(left, hasFailed: failures >= Self.failureLimit).map(\.line)
    }

    /// A step that was not done, and its command; `nil` for steps of several commands.
    private struct Leftover {
        let line: String
        var command: (any CommandFrame)?
    }

    /// A radio that refuses a setting and has it all the same, as it never accepted another value, owes nothing.
    private func changed(_ left: [Leftover], hasFailed: Bool) -> [Leftover] {
        guard !hasFailed, left.contains(where: { $0.command != nil }), let now = try? remembered().before else {
            return left
        }
        let there = now.settings.map { $0.encoded() }
        return left.filter { $0.command.map { !there.contains($0.encoded()) } ?? true }
    }

    private func restore(_ commands: [any CommandFrame], _ left: inout [Leftover], _ failures: inout Int) {
        for command in commands {
            let lines = attempt(RadioKeeper.subject(of: command), &failures) { try put(command) }
            left += lines.map { Leftover(line: $0.line, command: command) }
        }
    }

    /// Tries a step, and again on a fresh link; what is to be said of it when it was not done.
    private func attempt(_ subject: String, _ failures: inout Int, _ step: () throws -> Void) -> [Leftover] {
        guard failures < Self.failureLimit else { return [Leftover(line: subject + ": not tried")] }
        do {
            try step()
            return []
        } catch let refusal as Refused {
            // It would say the same again.
            return [Leftover(line: "\(subject): \(refusal)")]
        } catch {
            do { try regain(mayBeStarting: false) } catch {
                failures = Self.failureLimit
                return [Leftover(line: "\(subject): \(error)")]
            }
        }
        do {
            try step()
            return []
        } catch {
            if !(error is Refused) { failures += 1 }
            return [Leftover(line: "\(subject): \(error)")]
        }
    }

    /// The radio does what the command says, or is too old for it and has nothing to put back.
    private func put(_ command: any CommandFrame) throws {
        // What the radio has not added, or has in a hidden slot, cannot be removed.
        if let removal = command as? RemoveContact, try !isListed(removal.publicKey) { return }
        let frame = try askUnwatched(command).frame
        guard frame.first == ResponseCode.err.rawValue, frame.count > 1 else { return }
        let error = ErrorCode(rawValue: frame[1])
        if error != .unsupportedCmd { throw Refused(error: error) }
    }

    /// The radio said no.
    private struct Refused: Error, CustomStringConvertible {
        let error: ErrorCode
        var description: String { "refused, \(error)" }
    }

    /// A radio accepts no earlier time from a client, but at boot it uses that of its newest contact.
    private func restoreClock() throws {
        guard let clock = keeper?.clock, target.abilities.isSuperset(of: [.restart, .emptyContacts]) else { return }
        let passed = UInt32(clamping: (moment - clock.at).milliseconds / 1000)
        let expected = clock.unixSeconds &+ passed
        guard try now() > expected &+ 60 else { return }
        try ask(contactFrame(.clockmaker, lastmod: expected), "00")
        try reboot()
        try askUnwatched(RemoveContact(publicKey: FixedBytes(Peer.clockmaker.key)))
    }

    /// Brings client and radio together again; a lost link gets another chance, and a radio that may be starting the
    /// time to do so. Whether the link was lost.
    @discardableResult
    func regain(mayBeStarting: Bool) throws -> Bool {
        do {
            try resynchronise()
            return false
        } catch {}
        do {
            try connect()
            try drain()
            try resynchronise()
        } catch {
            guard mayBeStarting else { throw error }
            try comeBack()
            try resynchronise()
        }
        return true
    }
}
