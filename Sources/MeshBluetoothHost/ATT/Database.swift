extension ATT {
    /// The known contents of a server: services, characteristics and descriptors, each by its handle.
    ///
    /// A client fills it from responses, in whatever order they come; a later one overrides. Bounded: a server that
    /// claims to have more is not believed.
    package struct Database: Hashable, Sendable {
        /// A primary service of the server, as its declaration describes it.
        package struct Service: Hashable, Sendable {
            /// From the declaration to the last handle of the service, both included.
            package var handles: HandleRange
            /// The kind of service.
            package var uuid: BluetoothUUID
        }

        /// A characteristic, as its declaration (0x2803) describes it.
        package struct Characteristic: Hashable, Sendable {
            /// The handle of its declaration.
            package var declaration: UInt16
            /// Bits: 0x02 read, 0x04 write without response, 0x08 write, 0x10 notify, 0x20 indicate.
            package var properties: UInt8
            /// The handle of its value.
            package var value: UInt16
            /// The kind of value.
            package var uuid: BluetoothUUID
        }

        /// An attribute behind a characteristic's value that says more of it.
        package struct Descriptor: Hashable, Sendable {
            /// Of the descriptor itself, 0x0001 to 0xFFFF.
            package var handle: UInt16
            /// The kind of descriptor: 0x2902 for the Client Characteristic Configuration.
            package var uuid: BluetoothUUID
        }

        /// The entries, ordered by their handles.
        package private(set) var services: [Service] = []
        /// The entries, ordered by the handles of their declarations.
        package private(set) var characteristics: [Characteristic] = []
        /// The entries, ordered by their handles.
        package private(set) var descriptors: [Descriptor] = []

        /// The number of entries of each kind that are kept.
        package static let limit = 512

        package init() {}
    }
}

extension ATT.Database {
    /// Adds a service, or replaces the one with the same first handle; beyond `limit` nothing is added.
    package mutating func insert(_ service: Service) {
        Self.insert(service, into: &services) { $0.handles.first }
    }

    /// Adds a characteristic, or replaces the one with the same declaration, within `limit`.
    package mutating func insert(_ characteristic: Characteristic) {
        Self.insert(characteristic, into: &characteristics) { $0.declaration }
    }

    /// Adds a descriptor, or replaces the one with the same handle, within `limit`.
    package mutating func insert(_ descriptor: Descriptor) {
        Self.insert(descriptor, into: &descriptors) { $0.handle }
    }

    /// The last characteristic of this type.
    package func characteristic(_ uuid: BluetoothUUID) -> Characteristic? {
        characteristics.last { $0.uuid == uuid }
    }

    /// The switch for notifications of a value, where it is known.
    package func clientConfiguration(ofValue handle: UInt16) -> UInt16? {
        let next = characteristics.first { $0.declaration > handle }?.declaration ?? .max
        return descriptors.first {
            $0.uuid == .clientConfiguration && $0.handle > handle && $0.handle < next
        }?.handle
    }

    private static func insert<Element>(_ element: Element, into list: inout [Element], by key: (Element) -> UInt16) {
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if key(list[middle]) < key(element) { low = middle + 1 } else { high = middle }
        }
        if low < list.count, key(list[low]) == key(element) {
            list[low] = element
        } else if list.count < limit {
            list.insert(element, at: low)
        }
    }
}

extension ATT.Database {
    /// Adds the contents of a response; `request` is the one that it answers, where that was seen.
    ///
    /// Without the request only characteristics with long types are believed: nothing else has that shape.
    package mutating func learn(from response: ATT.ResponsePDU, to request: ATT.Request?) {
        switch response {
        case .readByType(let response):
            guard request == nil || request?.type == .characteristic else { return }
            learnCharacteristics(response, onlyLong: request == nil)
        case .readByGroupType(let response):
            guard request?.type == .primaryService else { return }
            for (range, value) in response.groups {
                if let uuid = BluetoothUUID(value) { insert(Service(handles: range, uuid: uuid)) }
            }
        case .findByTypeValue(let response):
            guard request?.type == .primaryService, let uuid = request?.value else { return }
            for range in response.ranges { insert(Service(handles: range, uuid: uuid)) }
        case .findInformation(let response):
            guard request?.opcode == .findInformationRequest else { return }
            for (handle, uuid) in response.types { insert(Descriptor(handle: handle, uuid: uuid)) }
        case .exchangeMTU, .read, .readBlob, .readMultiple, .readMultipleVariable, .write, .prepareWrite, .executeWrite:
            break
        }
    }

    private mutating func learnCharacteristics(_ response: ATT.ReadByTypeResponse, onlyLong: Bool) {
        guard response.itemLength == 21 || (response.itemLength == 7 && !onlyLong) else { return }
        for (handle, value) in response.values {
            guard let uuid = BluetoothUUID(value.dropFirst(3)), let properties = value.first else { continue }
            insert(
                Characteristic(
                    declaration: handle, properties: properties, value: ATT.littleEndian(value.dropFirst()), uuid: uuid)
            )
        }
    }
}
