import MeshBluetoothHost
import MeshWire

// The packets that carry no frame, or only in a roundabout way.
extension BluetoothConversation {
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
        let isCut = packet.count < length
        switch pdu {
        case .signedWriteCommand(let message):
            // The capture may have cut the signature off, or more.
            let count = length - 3 - ATT.SignedWriteCommand.signatureSize
            guard count >= 0 else { return emit(.lost("a signed write without its signature"), record, into: &sink) }
            let value = [UInt8](message.signed.prefix(count))
            write(side, message.handle, record, value.span, length: count, .settled, into: &sink)
        case .multipleNotification(let message): several(side, message, record, into: &sink)
        case .request(let request): ask(side, request, isCut: isCut, record, into: &sink)
        case .response(let response): respond(side, response, isCut: isCut, record, into: &sink)
        case .error(let error):
            let request = answered(side, .errorResponse, error, record, into: &sink)
            if request?.opcode == .prepareWriteRequest { clients[Self.index(side.other)].prepared.removeLast() }
        case .unknown:
            emit(.lost("an ATT packet of the unknown opcode 0x\([packet[0]].hex)"), record, into: &sink)
        // Single values are looked at in place; what confirms one says nothing.
        case .writeCommand, .notification, .indication, .confirmation: break
        }
    }

    private mutating func ask<Sink: CaptureSink>(
        _ side: LinkSide, _ request: ATT.RequestPDU, isCut: Bool, _ record: RecordHeader, into sink: inout Sink
    ) {
        ask(side, ATT.Request(request), record, into: &sink)
        switch request {
        case .prepareWrite(let message): prepare(side, message, isCut: isCut, record, into: &sink)
        case .executeWrite(let message): execute(side, message, record, into: &sink)
        case .exchangeMTU, .findInformation, .findByTypeValue, .readByType, .readByGroupType, .read, .readBlob,
            .readMultiple, .readMultipleVariable, .write:
            break
        }
    }

    private mutating func respond<Sink: CaptureSink>(
        _ side: LinkSide, _ response: ATT.ResponsePDU, isCut: Bool, _ record: RecordHeader, into sink: inout Sink
    ) {
        let client = Self.index(side.other)
        let request = answered(side, response.opcode, nil, record, into: &sink)
        switch response {
        case .exchangeMTU(let message):
            guard let request else { return }
            agree(on: ATT.agreedMTU(request.number, message.mtu), record, into: &sink)
        case .prepareWrite(let message):
            let isSame = clients[client].prepared.isLast(
                handle: message.handle, offset: message.offset, message.part)
            guard request != nil, !isCut, !isSame else { return }
            emit(.lost("a part of a long write, which the radio repeated otherwise"), record, into: &sink)
        case .findInformation, .findByTypeValue, .readByType, .readByGroupType, .read, .readBlob, .readMultiple,
            .readMultipleVariable, .write, .executeWrite:
            guard !isCut else { return }
            clients[client].database.learn(from: response, to: request)
            if side == peerSide, let name = deviceName(response, request, client) {
                learn(peerName: name, record, into: &sink)
            }
            lookForNordic(askedBy: side.other, record, into: &sink)
        }
    }

    /// The device's name, where this is the answer to a question for it.
    private func deviceName(_ response: ATT.ResponsePDU, _ request: ATT.Request?, _ client: Int) -> String? {
        let value: ArraySlice<UInt8>? =
            switch response {
            case .readByType(let message): request?.type == .deviceName ? message.values.first?.value : nil
            case .read(let message):
                request.map { $0.handle == clients[client].database.characteristic(.deviceName)?.value } == true
                    ? message.value[...] : nil
            case .exchangeMTU, .findInformation, .findByTypeValue, .readByGroupType, .readBlob, .readMultiple,
                .readMultipleVariable, .write, .prepareWrite, .executeWrite:
                nil
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
