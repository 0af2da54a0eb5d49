import MeshCompanion
import MeshPacket
import MeshWire

// Commands of contacts: texts of type 3, which a contact may send whose flag permits it. Read from source text and not
// verified. Source: FirmwareVersions, FWV-127 and FWV-128.
extension CompanionRadio {
    /// The delay of the reply, in milliseconds.
    private static let commandReplyDelay: UInt32 = 600

    /// Returns whether a contact may command the radio: bit 4 of its flags.
    func isCommander(_ index: Int) -> Bool { contacts[index].flags & 0x10 != 0 }

    /// Runs the command; the app gets no report of it, and nothing is acknowledged.
    mutating func obey(_ command: ByteText, from index: Int, timestamp: UInt32) {
        let key = contacts[index].publicKey
        guard let reply = perform(runCommandLine(command.bytes)), !reply.isEmpty,
            let index = contacts.index(of: key)
        else { return }
        var stamp = core.uniqueTime()
        if stamp == timestamp { stamp &+= 1 }
        let text = ByteText(bytes: reply).prefix(CompanionLimits.text)
        guard let plaintext = TextPlaintext(timestamp: stamp, type: .cliData, text: text),
            let packet = createDatagram(.txtMsg, to: index, plaintext.written())
        else { return }
        _ = route(packet, to: index, delay: Self.commandReplyDelay)
    }
}
