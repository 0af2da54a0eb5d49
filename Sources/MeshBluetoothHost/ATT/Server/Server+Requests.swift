import MeshTime

// How a server answers: one response or one error to each request, nothing to commands.

extension ATT.Server {
    /// Handles one packet of a client. Packets that only a server sends are ignored here.
    mutating func receive(
        _ packet: Span<UInt8>, at now: Instant, protection: ATT.Protection, table: inout ATT.AttributeTable
    ) -> [Effect] {
        guard !packet.isEmpty else { return [] }
        let opcode = ATT.Opcode(rawValue: packet[0])
        var effects: [Effect] = []
        switch opcode.role {
        case .request:
            do throws(Refusal) {
                let reply = try answer(packet, opcode, protection, &table, &effects)
                // What was written is told behind the response: the owner may answer at once.
                effects.insert(.send(reply), at: 0)
            } catch {
                let response = ATT.ErrorResponse(request: opcode, handle: error.handle, error: error.code)
                effects = [.send(response.encoded())]
            }
        case .command: command(packet, protection, &table, &effects)
        case .confirmation: confirm(at: now, &effects)
        case .unknown:
            let response = ATT.ErrorResponse(request: opcode, handle: 0, error: .requestNotSupported)
            effects = [.send(response.encoded())]
        case .response, .notification, .indication: break
        }
        return effects
    }

    /// The reason why a request is refused, and the attribute that it is about.
    struct Refusal: Error {
        var code: ATT.ErrorCode
        var handle: UInt16

        init(_ code: ATT.ErrorCode, _ handle: UInt16 = 0) {
            self.code = code
            self.handle = handle
        }
    }

    private mutating func answer(
        _ packet: Span<UInt8>, _ opcode: ATT.Opcode, _ protection: ATT.Protection, _ table: inout ATT.AttributeTable,
        _ effects: inout [Effect]
    ) throws(Refusal) -> [UInt8] {
        var left = 0
        guard packet.count <= mtu, case .request(let request)? = try? ATT.PDU(decoding: packet, left: &left), left == 0
        else { throw Refusal(.invalidPDU) }
        let look = Look(table: table, protection: protection, mtu: mtu)
        switch request {
        case .exchangeMTU(let request): return exchange(request, &effects)
        case .findInformation(let request): return try look.find(request)
        case .findByTypeValue(let request): return try look.find(request)
        case .readByType(let request): return try look.read(request, self)
        case .readByGroupType(let request): return try look.read(request)
        case .read(let request):
            return ATT.ReadResponse(value: try look.part(request.handle, 0, self)).encoded()
        case .readBlob(let request):
            return ATT.ReadBlobResponse(part: try look.part(request.handle, Int(request.offset), self)).encoded()
        case .readMultiple(let request): return try look.read(request, self)
        case .readMultipleVariable(let request): return try look.read(request, self)
        case .write(let request):
            try write(request.handle, request.value, protection, &table, &effects)
            return ATT.WriteResponse().encoded()
        case .prepareWrite(let request): return try prepare(request, protection, table)
        case .executeWrite(let request): return try execute(request, protection, &table, &effects)
        }
    }

    private mutating func exchange(_ request: ATT.ExchangeMTURequest, _ effects: inout [Effect]) -> [UInt8] {
        mtu = ATT.agreedMTU(request.mtu, ownMTU)
        effects.append(.mtu(mtu))
        return ATT.ExchangeMTUResponse(mtu: ownMTU).encoded()
    }

    // MARK: Writing

    /// A Write Command that fails is ignored; signed ones are, for there is no key to check them with.
    private mutating func command(
        _ packet: Span<UInt8>, _ protection: ATT.Protection, _ table: inout ATT.AttributeTable,
        _ effects: inout [Effect]
    ) {
        guard packet.count <= mtu, case .writeCommand(let command)? = try? ATT.PDU(decoding: packet) else { return }
        try? write(command.handle, command.value, protection, &table, &effects)
    }

    private func writable(
        _ handle: UInt16, _ protection: ATT.Protection, _ table: ATT.AttributeTable
    ) throws(Refusal) -> ATT.Attribute {
        guard let attribute = table[handle] else { throw Refusal(.invalidHandle, handle) }
        if let code = protection.refusal(attribute.write, isWrite: true) { throw Refusal(code, handle) }
        return attribute
    }

    /// A write that was checked; to perform it cannot fail.
    private enum Write {
        case value(handle: UInt16, [UInt8])
        case configuration(ATT.Subscription)
    }

    private func checked(
        _ handle: UInt16, _ value: [UInt8], _ protection: ATT.Protection, _ table: ATT.AttributeTable
    ) throws(Refusal) -> Write {
        let attribute = try writable(handle, protection, table)
        guard value.count <= attribute.limit else { throw Refusal(.invalidValueLength, handle) }
        guard let configured = attribute.configured else { return .value(handle: handle, value) }
        guard value.count == 2 else { throw Refusal(.invalidValueLength, handle) }
        let configuration = ATT.ClientConfiguration(rawValue: value.span.word(at: 0))
        guard attribute.properties.allowed.isSuperset(of: configuration) else {
            throw Refusal(.valueNotAllowed, handle)
        }
        return .configuration(ATT.Subscription(value: configured, configuration: configuration))
    }

    private mutating func perform(_ write: Write, _ table: inout ATT.AttributeTable, _ effects: inout [Effect]) {
        switch write {
        case .value(let handle, let value):
            table.set(handle, to: value)
            effects.append(.written(handle: handle, value: value))
        case .configuration(let subscription):
            configure(subscription)
            effects.append(.subscribed(subscription))
        }
    }

    private mutating func write(
        _ handle: UInt16, _ value: [UInt8], _ protection: ATT.Protection, _ table: inout ATT.AttributeTable,
        _ effects: inout [Effect]
    ) throws(Refusal) {
        perform(try checked(handle, value, protection, table), &table, &effects)
    }

    private mutating func prepare(
        _ request: ATT.PrepareWriteRequest, _ protection: ATT.Protection, _ table: ATT.AttributeTable
    ) throws(Refusal) -> [UInt8] {
        _ = try writable(request.handle, protection, table)
        guard prepared.prepare(handle: request.handle, offset: request.offset, request.part) else {
            throw Refusal(.prepareQueueFull, request.handle)
        }
        return ATT.PrepareWriteResponse(handle: request.handle, offset: request.offset, part: request.part).encoded()
    }

    private mutating func execute(
        _ request: ATT.ExecuteWriteRequest, _ protection: ATT.Protection, _ table: inout ATT.AttributeTable,
        _ effects: inout [Effect]
    ) throws(Refusal) -> [UInt8] {
        switch request.flag {
        case 0: prepared.cancel()
        case 1:
            let fault = prepared.firstFault { [table] in table[$0]?.limit ?? 0 }
            let writes = prepared.execute()
            // All or nothing: a value that cannot be written keeps the others from being.
            if let fault { throw Refusal(fault.code, fault.handle) }
            var checked: [Write] = []
            for write in writes { checked.append(try self.checked(write.handle, write.value, protection, table)) }
            for write in checked { perform(write, &table, &effects) }
        default: throw Refusal(.invalidPDU)
        }
        return ATT.ExecuteWriteResponse().encoded()
    }
}

extension ATT.Properties {
    /// The bits that a client may switch on.
    fileprivate var allowed: ATT.ClientConfiguration {
        var allowed: ATT.ClientConfiguration = []
        if contains(.notify) { allowed.insert(.notifications) }
        if contains(.indicate) { allowed.insert(.indications) }
        return allowed
    }
}
