// Lists of handles and values: how a server writes them within the MTU, and how a client reads them.

extension ATT {
    /// Handles as they travel.
    fileprivate static func bytes(_ handles: [UInt16]) -> [UInt8] { handles.flatMap(\.wireBytes) }

    fileprivate static func handles(_ bytes: [UInt8]) -> [UInt16] {
        uniformItems(bytes, length: 2).map { littleEndian($0) }
    }

    /// The items of a list as long as all have the length of the first and fit; a single one may be cut.
    ///
    /// `head`: the handles in front of each value; `room`: for all items.
    fileprivate static func uniform(
        _ items: some Sequence<(head: [UInt8], value: [UInt8])>, room: Int
    ) -> (length: UInt8, bytes: [UInt8])? {
        var bytes: [UInt8] = []
        var length: Int?
        for item in items {
            let whole = item.head + item.value
            // One byte says how long the items are.
            let longest = min(room, 255)
            guard let length else {
                guard item.head.count <= longest else { return nil }
                length = min(whole.count, longest)
                bytes += whole.prefix(longest)
                continue
            }
            guard min(whole.count, longest) == length, bytes.count + length <= room else { break }
            bytes += whole.prefix(length)
        }
        return length.map { (UInt8($0), bytes) }
    }
}

extension ATT.FindInformationResponse {
    /// The first of these types that fit and are written in the same length; `nil` for none.
    package init?(_ types: some Sequence<(handle: UInt16, type: BluetoothUUID)>, mtu: Int) {
        let items = types.lazy.map { (head: $0.handle.wireBytes, value: $0.type.bytes) }
        guard let list = ATT.uniform(items, room: mtu - 2), [4, 18].contains(list.length) else { return nil }
        self.init(format: list.length == 4 ? 1 : 2, items: list.bytes)
    }
}

extension ATT.ReadByTypeResponse {
    /// The first of these values that fit and have the same length; the first may be cut. `nil` for none.
    package init?(_ values: some Sequence<(handle: UInt16, value: [UInt8])>, mtu: Int) {
        let items = values.lazy.map { (head: $0.handle.wireBytes, value: $0.value) }
        guard let list = ATT.uniform(items, room: mtu - 2) else { return nil }
        self.init(itemLength: list.length, items: list.bytes)
    }
}

extension ATT.ReadByGroupTypeResponse {
    /// The first of these groups that fit and whose values have the same length. `nil` for none.
    package init?(_ groups: some Sequence<(range: ATT.HandleRange, value: [UInt8])>, mtu: Int) {
        let items = groups.lazy.map { (head: ATT.bytes([$0.range.first, $0.range.last]), value: $0.value) }
        guard let list = ATT.uniform(items, room: mtu - 2) else { return nil }
        self.init(itemLength: list.length, items: list.bytes)
    }
}

extension ATT.HandleList {
    package init(_ list: [UInt16]) {
        self.init(handles: ATT.bytes(list))
    }

    /// The handles as numbers; half of one at the end is none.
    package var list: [UInt16] { ATT.handles(handles) }
}

extension ATT.ReadMultipleVariableResponse {
    /// Values with their lengths; what goes beyond the MTU is cut off, as the protocol wants it.
    package init(_ list: [[UInt8]], mtu: Int = .max) {
        let all = list.flatMap { UInt16(clamping: $0.count).wireBytes + $0.prefix(Int(UInt16.max)) }
        self.init(values: [UInt8](all.prefix(max(0, mtu - 1))))
    }

    /// Each value, and the length it has at the server: more than its bytes where the packet was full.
    package var list: [(value: ArraySlice<UInt8>, length: Int)] {
        var list: [(value: ArraySlice<UInt8>, length: Int)] = []
        var rest = values[...]
        while rest.count >= 2 {
            let length = Int(ATT.littleEndian(rest))
            list.append((rest.dropFirst(2).prefix(length), length))
            rest = rest.dropFirst(2 + length)
        }
        return list
    }
}

extension ATT.MultipleNotification {
    /// Values with their handles and lengths.
    package init(_ list: [(handle: UInt16, value: [UInt8])]) {
        self.init(
            values: list.flatMap {
                ATT.bytes([$0.handle, UInt16(clamping: $0.value.count)]) + $0.value.prefix(Int(UInt16.max))
            })
    }

    /// Each handle with its value, and the length that it says it has: more than its bytes where the packet was cut.
    package var list: [(handle: UInt16, value: ArraySlice<UInt8>, length: Int)] {
        var list: [(handle: UInt16, value: ArraySlice<UInt8>, length: Int)] = []
        var rest = values[...]
        while rest.count >= 4 {
            let length = Int(ATT.littleEndian(rest.dropFirst(2)))
            list.append((ATT.littleEndian(rest), rest.dropFirst(4).prefix(length), length))
            rest = rest.dropFirst(4 + length)
        }
        return list
    }
}

extension ATT.SignedWriteCommand {
    /// The bytes of a signature.
    package static let signatureSize = 12

    /// A signature that is shorter is filled with zeros, a longer one cut.
    package init(handle: UInt16, value: [UInt8], signature: [UInt8]) {
        let padding = [UInt8](repeating: 0, count: max(0, Self.signatureSize - signature.count))
        self.init(handle: handle, signed: value + signature.prefix(Self.signatureSize) + padding)
    }

    /// The written bytes; `nil` for a packet too short for a signature.
    package var value: ArraySlice<UInt8>? {
        signed.count >= Self.signatureSize ? signed.dropLast(Self.signatureSize) : nil
    }

    /// Of the value and the handle, and of a counter within it.
    package var signature: ArraySlice<UInt8>? {
        signed.count >= Self.signatureSize ? signed.suffix(Self.signatureSize) : nil
    }
}
