import MeshWire

extension StackOutcome {
    /// For people: what the app shows, line by line.
    public var lines: [String] {
        var lines = [
            radio.publicKey.isEmpty
                ? "no radio: \(connection)"
                : "\(radio.name) (\(radio.publicKey.prefix(12))), \(radio.board) \(radio.firmware): \(connection)"
        ]
        if let error { lines.append("not connected: \(error)") }
        lines.append("Contacts: \(contacts.count)")
        lines += contacts.map { contact in
            "  \(contact.name) (\(contact.publicKey.prefix(12))), "
                + (contact.hops < 0 ? "no path" : "\(contact.hops) hops") + unread(contact.unread)
        }
        lines.append("Channels: \(channels.count)")
        lines += channels.map { "  \($0.index) \($0.name)" + unread($0.unread) }
        lines.append("Messages: \(messages.count)" + unread(self.unread))
        lines += messages.map { message in
            let author = message.isOutgoing ? "me, \(message.status)" : message.sender ?? "received"
            return "  \(message.thread): \(FieldPrinter.quoted([UInt8](message.text.utf8))) (\(author))"
        }
        lines += departures.map { "departure: \($0)" }
        if !neverSent.isEmpty { lines.append("never sent: " + neverSent.joined(separator: ", ")) }
        return lines
    }

    private func unread(_ count: Int) -> String { count > 0 ? ", \(count) unread" : "" }
}
