// What requests that change nothing are answered with.

extension ATT.Server {
    /// A table as one client sees it.
    struct Look {
        let table: ATT.AttributeTable
        let protection: ATT.Protection
        let mtu: Int
    }
}

extension ATT.Server.Look {
    typealias Refusal = ATT.Server.Refusal

    /// The attributes of a range; one that begins at 0 or ends before it begins is refused.
    private func attributes(_ first: UInt16, _ last: UInt16) throws(Refusal) -> ArraySlice<ATT.Attribute> {
        guard first > 0, first <= last else { throw Refusal(.invalidHandle, first) }
        return table.attributes(in: first...last)
    }

    private func value(_ attribute: ATT.Attribute, _ server: ATT.Server) -> [UInt8] {
        guard let configured = attribute.configured else { return attribute.value }
        return server.configuration(ofValue: configured).rawValue.wireBytes
    }

    func find(_ request: ATT.FindInformationRequest) throws(Refusal) -> [UInt8] {
        let types = try attributes(request.first, request.last).map { (handle: $0.handle, type: $0.type) }
        guard let response = ATT.FindInformationResponse(types, mtu: mtu) else {
            throw Refusal(.attributeNotFound, request.first)
        }
        return response.encoded()
    }

    func find(_ request: ATT.FindByTypeValueRequest) throws(Refusal) -> [UInt8] {
        let type = BluetoothUUID(request.type)
        let found = try attributes(request.first, request.last).filter {
            $0.type == type && $0.value == request.value
                && protection.refusal($0.read, isWrite: false) == nil
        }
        let ranges = found.prefix((mtu - 1) / 4).map {
            ATT.HandleRange(first: $0.handle, last: table.end(ofService: $0.handle) ?? $0.handle)
        }
        guard !ranges.isEmpty else { throw Refusal(.attributeNotFound, request.first) }
        return ATT.FindByTypeValueResponse(ranges: ranges).encoded()
    }

    func read(_ request: ATT.ReadByTypeRequest, _ server: ATT.Server) throws(Refusal) -> [UInt8] {
        guard let type = BluetoothUUID(request.type) else { throw Refusal(.invalidPDU) }
        let found = try attributes(request.first, request.last).filter { $0.type == type }
        if let first = found.first, let code = protection.refusal(first.read, isWrite: false) {
            throw Refusal(code, first.handle)
        }
        let readable = found.prefix { protection.refusal($0.read, isWrite: false) == nil }
        let values = readable.map { (handle: $0.handle, value: value($0, server)) }
        guard let response = ATT.ReadByTypeResponse(values, mtu: mtu) else {
            throw Refusal(.attributeNotFound, request.first)
        }
        return response.encoded()
    }

    func read(_ request: ATT.ReadByGroupTypeRequest) throws(Refusal) -> [UInt8] {
        guard let type = BluetoothUUID(request.type) else { throw Refusal(.invalidPDU) }
        let found = try attributes(request.first, request.last)
        guard type == .primaryService || type == .secondaryService else {
            throw Refusal(.unsupportedGroupType, request.first)
        }
        let groups = found.filter { $0.type == type }.map {
            let range = ATT.HandleRange(first: $0.handle, last: table.end(ofService: $0.handle) ?? $0.handle)
            return (range: range, value: $0.value)
        }
        guard let response = ATT.ReadByGroupTypeResponse(groups, mtu: mtu) else {
            throw Refusal(.attributeNotFound, request.first)
        }
        return response.encoded()
    }

    /// A whole value that may be read.
    private func readable(_ handle: UInt16, _ server: ATT.Server) throws(Refusal) -> [UInt8] {
        guard let attribute = table[handle] else { throw Refusal(.invalidHandle, handle) }
        if let code = protection.refusal(attribute.read, isWrite: false) { throw Refusal(code, handle) }
        return value(attribute, server)
    }

    /// Returns the part of a value, from an offset on, that fits into a packet.
    ///
    /// - Throws: `Refusal` when it may not be read, or the offset is beyond its end.
    func part(_ handle: UInt16, _ offset: Int, _ server: ATT.Server) throws(Refusal) -> [UInt8] {
        let value = try readable(handle, server)
        guard offset <= value.count else { throw Refusal(.invalidOffset, handle) }
        return [UInt8](value.dropFirst(offset).prefix(mtu - 1))
    }

    private func values(_ handles: [UInt16], _ server: ATT.Server) throws(Refusal) -> [[UInt8]] {
        guard handles.count >= 2 else { throw Refusal(.invalidPDU) }
        var values: [[UInt8]] = []
        for handle in handles { values.append(try readable(handle, server)) }
        return values
    }

    func read(_ request: ATT.ReadMultipleRequest, _ server: ATT.Server) throws(Refusal) -> [UInt8] {
        guard request.handles.count % 2 == 0 else { throw Refusal(.invalidPDU) }
        let values = try values(request.list, server).flatMap { $0 }
        return ATT.ReadMultipleResponse(values: [UInt8](values.prefix(mtu - 1))).encoded()
    }

    func read(_ request: ATT.ReadMultipleVariableRequest, _ server: ATT.Server) throws(Refusal) -> [UInt8] {
        guard request.handles.count % 2 == 0 else { throw Refusal(.invalidPDU) }
        return ATT.ReadMultipleVariableResponse(try values(request.list, server), mtu: mtu).encoded()
    }
}
