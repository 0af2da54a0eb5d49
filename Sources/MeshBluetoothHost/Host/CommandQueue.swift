import MeshTime

/// Commands on their way to the controller, no more at once than it accepts.
///
/// Source: Bluetooth Core, Vol 4 Part E, 4.4: `Num_HCI_Command_Packets` of each answer says how many it accepts.
struct CommandQueue: Sendable {
    private struct Running: Sendable {
        var opcode: UInt16
        var until: Instant
    }

    private var waiting: [HCI.Command] = []
    private var running: [Running] = []
    /// The number of commands that the controller accepts now; one after power on.
    private var credits = 1
    /// A controller that accepts none must accept one again by this time.
    private var stalledUntil: Instant?

    /// Commands that wait at most.
    static let limit = 64

    /// `false`: too many wait.
    mutating func append(_ command: HCI.Command) -> Bool {
        guard waiting.count < Self.limit else { return false }
        waiting.append(command)
        return true
    }

    /// The next command that may be sent.
    mutating func next(at now: Instant, time: TimeSpan) -> [UInt8]? {
        guard !waiting.isEmpty else {
            stalledUntil = nil
            return nil
        }
        guard credits > 0 else {
            if running.isEmpty, stalledUntil == nil { stalledUntil = now + time }
            return nil
        }
        stalledUntil = nil
        credits -= 1
        let command = waiting.removeFirst()
        running.append(Running(opcode: command.opcode, until: now + time))
        return [HCI.PacketType.command.rawValue] + command.encoded
    }

    /// An answer has come. `false`: to nothing that was sent.
    mutating func answered(_ opcode: UInt16, credits: UInt8) -> Bool {
        self.credits = Int(credits)
        guard let index = running.firstIndex(where: { $0.opcode == opcode }) else { return false }
        running.remove(at: index)
        return true
    }

    /// The time by which the controller must have answered.
    var deadline: Instant? { running.first?.until ?? stalledUntil }

    /// The command that has not been answered by now.
    func overdue(at now: Instant) -> UInt16? {
        if let first = running.first { return now >= first.until ? first.opcode : nil }
        guard let stalledUntil, now >= stalledUntil else { return nil }
        return waiting.first?.opcode
    }
}
