import FoundationEssentials

/// The gates that messages pass on their way to the radio.
///
/// A message is stored, waits in its recipient's line, gets a place among the unconfirmed, and is written.
struct SendingGates {
    /// Lets rows be stored in the order in which messages were asked for.
    let storing = Gate(capacity: 1)
    /// The gate that is held while a setting of the radio is temporarily changed.
    let writing = Gate(capacity: 1)
    /// The distance between texts to one recipient.
    var spacing = SpacingPlan()
    /// Lines of recipients: one message of each is on its way to the radio.
    private var lines: [(recipient: UUID, gate: Gate)] = []
    /// Unconfirmed messages.
    private let slots: Gate
    private var places: [UUID: Gate.Ticket] = [:]
    /// The reason for which the gates are closed.
    private var closing: StackError?

    /// Makes open gates, with places for this many unconfirmed messages.
    init(unconfirmed limit: Int) {
        slots = Gate(capacity: limit)
    }

    /// The number of messages that have a place among the unconfirmed or wait for one.
    var unconfirmedCount: Int { places.count }

    /// The line of a contact or channel.
    mutating func line(_ recipient: UUID) -> Gate {
        if let line = lines.first(where: { $0.recipient == recipient }) { return line.gate }
        let line = Gate(capacity: 1)
        if let closing { line.close(closing) }
        lines.append((recipient, line))
        return line
    }

    /// Draws a place among the unconfirmed; the returned gate admits its ticket in turn.
    mutating func drawPlace(for messageID: UUID) -> (gate: Gate, ticket: Gate.Ticket) {
        let ticket = slots.ticket()
        places[messageID] = ticket
        return (slots, ticket)
    }

    /// Frees the place of a message; returns the message that rests behind it and need not any more.
    mutating func free(_ messageID: UUID) -> UUID? {
        if let ticket = places.removeValue(forKey: messageID) { slots.leave(ticket) }
        return spacing.end(behind: messageID)
    }

    /// Closes all gates, and lines that are made later.
    mutating func close(_ error: StackError) {
        closing = error
        for gate in [storing, writing, slots] + lines.map(\.gate) { gate.close(error) }
    }
}
