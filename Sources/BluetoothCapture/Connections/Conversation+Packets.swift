import MeshBluetoothHost
import MeshWire

// The packets that carry no frame, or only in a roundabout way.
extension Conversation {
    /// Everything but single writes and notifications.
    mutating func takeOther<Sink: CaptureSink>(
        _ side: LinkSide, _ record: RecordHeader, _ packet: Span<UInt8>, length: Int, into sink: inout Sink
    ) {
        let pdu: ATT.PDU
        do {
            pdu = try ATT.PDU(decoding: packet)
        } catch {
            let what = packet.count < length ? "the capture cut" : "malformed"
            return emit(.lost("an ATT packet, \(what): \(error)"), record, into: &sink)
        }
        guard case .known(let message) = pdu else {
            return emit(.lost("an ATT packet of the unknown opcode 0x\([packet[0]].hex)"), record, into: &sink)
        }
        let isCut = packet.count < length
        switch message {
        case let message as ATT.SignedWriteCommand:
            // The capture may have cut the signature off, or more.
            let count = length - 3 - ATT.SignedWriteCommand.signatureSize
            guard count >= 0 else { return emit(.lost("a signed write without its signature"), record, into: &sink) }
            let value = [UInt8](message.signed.prefix(count))
            write(side, message.handle, record, value.span, length: count, .settled, into: &sink)
        case let message as ATT.MultipleNotification: several(side, message, record, into: &sink)
        case let message as ATT.PrepareWriteRequest:
            ask(side, ATT.Request(.prepareWriteRequest, handle: message.handle), record, into: &sink)
            prepare(side, message, isCut: isCut, record, into: &sink)
        case let message as ATT.ExecuteWriteRequest:
            ask(side, ATT.Request(.executeWriteRequest, number: UInt16(message.flag)), record, into: &sink)
            execute(side, message, record, into: &sink)
        default:
            if let request = ATT.Request(message) {
                ask(side, request, record, into: &sink)
            } else {
                respond(side, pdu, message, isCut: isCut, record, into: &sink)
            }
        }
    }

    private mutating func respond<Sink: CaptureSink>(
        _ side: LinkSide, _ pdu: ATT.PDU, _ message: any AttributeMessage, isCut: Bool, _ record: RecordHeader,
        into sink: inout Sink
    ) {
        let opcode = type(of: message).opcode
        guard opcode.role == .response else { return }
        let client = Self.index(side.other)
        let request = answered(side, opcode, message as? ATT.ErrorResponse, record, into: &sink)
        switch message {
        case is ATT.ErrorResponse:
            if request?.opcode == .prepareWriteRequest { clients[client].prepared.removeLast() }
        case let message as ATT.ExchangeMTUResponse:
            guard let request else { return }
            agree(on: ATT.agreedMTU(request.number, message.mtu), record, into: &sink)
        case let message as ATT.PrepareWriteResponse:
            let isSame = clients[client].prepared.isLast(
                handle: message.handle, offset: message.offset, message.part)
            guard request != nil, !isCut, !isSame else { return }
            emit(.lost("a part of a long write, which the radio repeated otherwise"), record, into: &sink)
        default:
            guard !isCut else { return }
            clients[client].database.learn(from: pdu, to: request)
            if side == peerSide, let name = deviceName(message, request, client) {
                learn(peerName: name, record, into: &sink)
            }
            lookForNordic(askedBy: side.other, record, into: &sink)
        }
    }

    /// The device's name, where this is the answer to a question for it.
    private func deviceName(_ message: any AttributeMessage, _ request: ATT.Request?, _ client: Int) -> String? {
        let value: ArraySlice<UInt8>? =
            switch message {
            case let message as ATT.ReadByTypeResponse where request?.type == .deviceName:
                message.values.first?.value
            case let message as ATT.ReadResponse
            where request.map { $0.handle == clients[client].database.characteristic(.deviceName)?.value } == true:
                message.value[...]
            default: nil
            }
        return value.flatMap { AdvertisedFacts.text([UInt8]($0).span) }
    }

    private mutating func several<Sink: CaptureSink>(
        _ side: LinkSide, _ message: ATT.MultipleNotification, _ record: RecordHeader, into sink: inout Sink
    ) {
        var left = message.values.count
        for (handle, value, length) in message.list {
            notification(side, handle, record, [UInt8](value).span, length: length, into: &sink)
            left -= 4 + value.count
        }
        if left > 0 { emit(.lost("the end of several notifications in one packet"), record, into: &sink) }
    }

    private mutating func prepare<Sink: CaptureSink>(
        _ side: LinkSide, _ message: ATT.PrepareWriteRequest, isCut: Bool, _ record: RecordHeader,
        into sink: inout Sink
    ) {
        if isCut { emit(.lost("the end of a part of a long write, which the capture cut"), record, into: &sink) }
        let index = Self.index(side)
        if !clients[index].prepared.prepare(handle: message.handle, offset: message.offset, message.part) {
            clients[index].prepared.cancel()
            emit(.lost("a long write of more than \(ATT.PreparedWrites.limit) bytes"), record, into: &sink)
        }
    }

    private mutating func execute<Sink: CaptureSink>(
        _ side: LinkSide, _ message: ATT.ExecuteWriteRequest, _ record: RecordHeader, into sink: inout Sink
    ) {
        let index = Self.index(side)
        guard message.flag == 1 else { return clients[index].prepared.cancel() }
        let writes = clients[index].prepared.execute()
        clients[index].waiting = held.next..<held.next + writes.count
        for value in writes {
            write(side, value.handle, record, value.value.span, length: value.value.count, .waiting, into: &sink)
        }
    }
}
