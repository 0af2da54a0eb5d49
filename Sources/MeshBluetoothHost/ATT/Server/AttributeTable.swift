extension ATT {
    /// The contents of a server: attributes with values and permissions, in the order of their handles.
    ///
    /// ```swift
    /// var table = ATT.AttributeTable()
    /// table.addService(.nordicUART)
    /// let rx = table.addCharacteristic(.nordicRX, [.write], write: .authenticated)
    /// let tx = table.addCharacteristic(.nordicTX, [.notify], configuration: .authenticated)
    /// ```
    package struct AttributeTable: Hashable, Sendable {
        /// The attributes, ordered by their handles.
        package private(set) var attributes: [Attribute] = []
        /// The services, by their declarations.
        package private(set) var services: [Database.Service] = []

        package init() {}
    }

    /// The protection that a link must have for a value to be read or written.
    package enum Access: Hashable, Sendable {
        /// No client may: error 0x02 or 0x03.
        case never
        /// Any client may.
        case open
        /// On an encrypted link: else error 0x0F with the keys of a bond, and 0x05 without.
        case encrypted
        /// On a link that is encrypted with keys that a passkey protects (MITM): else errors as for `encrypted`.
        case authenticated
        /// Authorised clients alone, of which there are none: error 0x08.
        case authorized
    }

    /// The operations that a characteristic offers: the bits of its declaration.
    package struct Properties: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let read = Properties(rawValue: 0x02)
        package static let writeWithoutResponse = Properties(rawValue: 0x04)
        package static let write = Properties(rawValue: 0x08)
        package static let notify = Properties(rawValue: 0x10)
        package static let indicate = Properties(rawValue: 0x20)
    }

    /// The bits of a Client Characteristic Configuration: what a client has switched on.
    package struct ClientConfiguration: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        package static let notifications = ClientConfiguration(rawValue: 1)
        package static let indications = ClientConfiguration(rawValue: 2)
    }

    /// The notifications and indications that a client has switched on for one value.
    package struct Subscription: Hashable, Sendable {
        /// Of the characteristic's value, not of its configuration.
        package var value: UInt16
        /// Empty: nothing.
        package var configuration: ClientConfiguration

        package init(value: UInt16, configuration: ClientConfiguration) {
            self.value = value
            self.configuration = configuration
        }
    }

    /// One attribute of a server.
    package struct Attribute: Hashable, Sendable {
        /// 0x0001 to 0xFFFF.
        package let handle: UInt16
        /// The kind of value.
        package let type: BluetoothUUID
        /// The value as it is now; of a client's configuration it is 0, since each client has its own.
        package internal(set) var value: [UInt8]
        /// The permission to read it.
        package let read: Access
        /// The permission to write it.
        package let write: Access
        /// The longest value that may be written, in bytes.
        package let limit: Int
        /// Of a characteristic's value, and of its configuration; else none.
        package let properties: Properties
        /// Of a configuration: the handle of the value that it is for.
        package let configured: UInt16?
    }
}

extension ATT.AttributeTable {
    /// Begins a primary service. `handle`: its declaration's, where handles are left out in front of it.
    ///
    /// Returns the handle. A handle that is in use already is a mistake of the caller.
    @discardableResult
    package mutating func addService(_ uuid: BluetoothUUID, at handle: UInt16? = nil) -> UInt16 {
        let handle = add(.primaryService, uuid.bytes, at: handle, read: .open)
        services.append(.init(handles: .init(first: handle, last: handle), uuid: uuid))
        return handle
    }

    /// Adds a characteristic to the service begun last: declaration, value and, where it can notify, its configuration.
    ///
    /// `configuration`: who may switch notifications or indications. `limit`: the longest value that may be written.
    /// Returns the handle of the value.
    @discardableResult
    package mutating func addCharacteristic(
        _ uuid: BluetoothUUID, _ properties: ATT.Properties, value: [UInt8] = [], read: ATT.Access = .never,
        write: ATT.Access = .never, configuration: ATT.Access = .open, limit: Int = ATT.maximumValue,
        at handle: UInt16? = nil
    ) -> UInt16 {
        let declaration = next(handle)
        let words = [properties.rawValue] + (declaration + 1).wireBytes + uuid.bytes
        add(.characteristic, words, at: declaration, read: .open)
        let value = add(uuid, value, read: read, write: write, limit: limit, properties: properties)
        if !properties.isDisjoint(with: [.notify, .indicate]) {
            add(
                .clientConfiguration, [0, 0], read: .open, write: configuration, limit: 2, properties: properties,
                configured: value)
        }
        return value
    }

    /// Adds a descriptor to the characteristic added last, and returns its handle.
    @discardableResult
    package mutating func addDescriptor(
        _ uuid: BluetoothUUID, value: [UInt8], read: ATT.Access = .open, write: ATT.Access = .never,
        limit: Int = ATT.maximumValue, at handle: UInt16? = nil
    ) -> UInt16 {
        add(uuid, value, at: handle, read: read, write: write, limit: limit)
    }

    /// Lets the service added last end at this handle, behind its last attribute.
    package mutating func endService(at handle: UInt16) {
        precondition(handle >= services.last?.handles.last ?? .max, "the service has higher handles")
        services[services.count - 1].handles.last = handle
    }

    private func next(_ handle: UInt16?) -> UInt16 {
        let next = max(attributes.last?.handle ?? 0, services.last?.handles.last ?? 0) + 1
        precondition(handle ?? next >= next, "handles go up")
        return handle ?? next
    }

    @discardableResult
    private mutating func add(
        _ type: BluetoothUUID, _ value: [UInt8], at handle: UInt16? = nil, read: ATT.Access = .never,
        write: ATT.Access = .never, limit: Int = ATT.maximumValue, properties: ATT.Properties = [],
        configured: UInt16? = nil
    ) -> UInt16 {
        let handle = next(handle)
        attributes.append(
            ATT.Attribute(
                handle: handle, type: type, value: value, read: read, write: write,
                limit: min(limit, ATT.maximumValue), properties: properties, configured: configured))
        if type != .primaryService, !services.isEmpty { services[services.count - 1].handles.last = handle }
        return handle
    }
}

extension ATT.AttributeTable {
    /// The attribute with this handle.
    package subscript(handle: UInt16) -> ATT.Attribute? {
        index(handle).map { attributes[$0] }
    }

    /// Sets a value; of one that is longer than 512 bytes the first ones. `false` where there is no such attribute.
    @discardableResult
    package mutating func set(_ handle: UInt16, to value: [UInt8]) -> Bool {
        guard let index = index(handle) else { return false }
        attributes[index].value = [UInt8](value.prefix(ATT.maximumValue))
        return true
    }

    /// The attributes with handles from the first to the last, both included.
    func attributes(in range: ClosedRange<UInt16>) -> ArraySlice<ATT.Attribute> {
        let first = place(range.lowerBound)
        return attributes[first...].prefix { $0.handle <= range.upperBound }
    }

    /// The last handle of the service that is declared there.
    func end(ofService handle: UInt16) -> UInt16? {
        services.first { $0.handles.first == handle }?.handles.last
    }

    private func index(_ handle: UInt16) -> Int? {
        let index = place(handle)
        return index < attributes.count && attributes[index].handle == handle ? index : nil
    }

    /// The first attribute with this handle or a higher one.
    private func place(_ handle: UInt16) -> Int {
        var (low, high) = (0, attributes.count)
        while low < high {
            let middle = (low + high) / 2
            if attributes[middle].handle < handle { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
