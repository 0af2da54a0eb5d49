import MeshTime
import MeshWire

// What faults make of the packets of a client.
extension BluetoothFaultLedger {
    /// The results of a packet of a client.
    struct Served {
        /// The effects of the server, with what faults made of them.
        var effects: [ATT.Server.Effect] = []
        /// Faults that the host carries out first.
        var acts: [Due] = []
    }

    /// The changes to one answer.
    private struct Change {
        var error: (code: UInt8, due: Due)?
        var silence: Due?
        var late: (by: TimeSpan, due: Due)?
        var cut: (bytes: Int, due: Due)?
        var told: Due?
        var used: UInt16?
        /// The link ends before the packet is served.
        var isLast = false
    }

    /// Serves a packet as the server does, but for faults that are due with it.
    mutating func serve(
        _ packet: Span<UInt8>, of link: UInt32, at now: Instant, protection: ATT.Protection,
        server: inout ATT.Server, table: inout ATT.AttributeTable
    ) -> Served {
        guard !isEmpty, let operation = BluetoothFault.Operation(of: packet, in: table) else {
            return Served(effects: server.receive(packet, at: now, protection: protection, table: &table))
        }
        var served = Served()
        let isAnswered = ATT.Opcode(rawValue: packet[0]).role == .request
        let change = change(meet(operation, isAnswered: isAnswered), &server, &served.acts)
        if change.isLast { return served }
        if let due = change.silence {
            note(due, frames: 1, bytes: packet.count, at: now)
            return served
        }
        if let (code, due) = change.error {
            let handle = packet.count >= 3 ? packet.word(at: 1) : 0
            let refusal = ATT.ErrorResponse(
                request: ATT.Opcode(rawValue: packet[0]), handle: operation == .mtu ? 0 : handle,
                error: ATT.ErrorCode(rawValue: code))
            note(due, frames: 1, bytes: packet.count, at: now)
            served.effects = [.send(refusal.encoded())]
            return served
        }
        let effects = server.receive(packet, at: now, protection: protection, table: &table)
        if let used = change.used { server.mtu = min(server.mtu, Int(used)) }
        if let told = change.told { note(told, frames: 1, bytes: packet.count, at: now) }
        served.effects = effects.compactMap { changed($0, change, of: link, server.mtu, at: now) }
        return served
    }

    /// Sorts faults by what they change; those that the host carries out go to `acts`.
    private func change(_ due: [Due], _ server: inout ATT.Server, _ acts: inout [Due]) -> Change {
        var change = Change()
        for due in due {
            switch due.kind {
            case .attributeError(let code): change.error = (code, due)
            case .noAnswer: change.silence = due
            case .lateAnswer(let span): change.late = (span, due)
            case .cutAnswer(let count): change.cut = (count, due)
            case .mtu(let size):
                server.ownMTU = size
                change.told = due
            case .mtuLie(let told, let used):
                server.ownMTU = told
                (change.told, change.used) = (due, used)
            case .linkLost, .disconnect:
                acts.append(due)
                change.isLast = true
            default: acts.append(due)
            }
        }
        return change
    }

    /// An effect of the server with the changes; `nil` for an answer that comes later.
    private mutating func changed(
        _ effect: ATT.Server.Effect, _ change: Change, of link: UInt32, _ mtu: Int, at now: Instant
    ) -> ATT.Server.Effect? {
        if case .mtu = effect { return .mtu(mtu) }
        guard case .send(var packet) = effect, let first = packet.first else { return effect }
        // Indications pass as they are.
        guard ATT.Opcode(rawValue: first).role == .response else { return effect }
        if let (count, due) = change.cut, packet.count > 1 {
            packet = [UInt8](packet.prefix(max(1, packet.count - count)))
            note(due, frames: 1, bytes: packet.count, at: now)
        }
        guard let (span, due) = change.late, hold(packet, of: link, until: now + span) else { return .send(packet) }
        note(due, frames: 1, bytes: packet.count, at: now)
        return nil
    }
}

extension BluetoothFault.Operation {
    /// The operation that a client's packet belongs to; `nil` for one that no fault counts.
    init?(of packet: Span<UInt8>, in table: ATT.AttributeTable) {
        guard !packet.isEmpty else { return nil }
        switch ATT.Opcode(rawValue: packet[0]) {
        case .exchangeMTURequest: self = .mtu
        case .findInformationRequest, .findByTypeValueRequest, .readByGroupTypeRequest: self = .discovery
        case .readByTypeRequest: self = Self.isOfDeclarations(packet) ? .discovery : .read
        case .readRequest, .readBlobRequest, .readMultipleRequest, .readMultipleVariableRequest: self = .read
        case .writeRequest, .writeCommand:
            guard packet.count >= 3, let attribute = table[packet.word(at: 1)] else { return nil }
            if let value = attribute.configured {
                guard table[value]?.type == .nordicTX else { return nil }
                self = .subscription
            } else {
                let isOfBench = packet.count > 3 && packet[3] == BluetoothFaultLedger.benchCode
                guard attribute.handle == table.receive, !isOfBench else { return nil }
                self = .write
            }
        // A long write takes effect with its last packet.
        case .executeWriteRequest: self = .write
        default: return nil
        }
    }

    /// True when a request by type is part of a discovery: of characteristics, or of included services.
    private static func isOfDeclarations(_ packet: Span<UInt8>) -> Bool {
        packet.count == 7 && [0x2802, 0x2803].contains(packet.word(at: 5))
    }
}

extension ATT.AttributeTable {
    /// The handle of the value that notifies frames; `nil` where there is none.
    var transmit: UInt16? { attributes.first { $0.type == .nordicTX }?.handle }

    /// The handle of the value that takes frames: the other one of the service, whatever it is called.
    fileprivate var receive: UInt16? {
        attributes.first { !$0.properties.isDisjoint(with: [.write, .writeWithoutResponse]) }?.handle
    }
}
