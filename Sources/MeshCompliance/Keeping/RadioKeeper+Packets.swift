import MeshBoards
import MeshCompanion

// Packets of the suite, and the nodes that they may make known to a radio: their layout is the suite's own.
extension RadioKeeper {
    /// Notes what a command of the suite is going to change.
    mutating func note(sent frame: [UInt8]) {
        note(command: frame)
        guard frame.first == ImportContact.codeByte else { return }
        note(contact: AirPacket([UInt8](frame.dropFirst()))?.payload.prefix(32) ?? [])
    }

    /// Notes that a packet is sent to the radio.
    mutating func note(packet: AirPacket?) {
        noteHeard()
        if let packet, packet.kind == .advert { note(contact: packet.payload.prefix(32)) }
    }
}
