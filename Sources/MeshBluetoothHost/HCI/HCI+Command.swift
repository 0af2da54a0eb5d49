public import MeshWire

extension HCI {
    /// A command that says who the logging side is, and whom it connects to.
    public enum Command: Hashable, Sendable {
        /// The controller forgets everything.
        case reset
        case localName(LocalName)
        case randomAddress(RandomAddress)
        case advertisingParameters(AdvertisingParameters)
        case advertisingData(AdvertisingData)
        case scanResponseData(AdvertisingData)
        case createConnection(CreateConnection)
        case createConnectionExtended(CreateConnectionExtended)
        case setRandomAddress(SetRandomAddress)
        case extendedAdvertisingParameters(ExtendedAdvertisingParameters)
        case extendedAdvertisingData(ExtendedAdvertisingData)
        case extendedScanResponseData(ExtendedAdvertisingData)
        case removeAdvertisingSet(AdvertisingSet)
        case clearAdvertisingSets
        /// Anything else.
        case other(opcode: UInt16)
    }
}

extension HCI.Command {
    /// Reads a command from its opcode on. What stands behind its length is left alone.
    public init(decoding memory: UnsafeRawBufferPointer) throws(FrameError) {
        guard memory.count >= 3 else {
            throw FrameError(
                field: memory.count < 2 ? "opcode" : "length", offset: memory.count < 2 ? 0 : 2,
                reason: .truncated(needed: memory.count < 2 ? 2 : 1, left: memory.count < 2 ? memory.count : 0))
        }
        let whole = UnsafeRawBufferPointer(rebasing: memory[..<min(memory.count, 3 + Int(memory[2]))])
        let opcode = UInt16(memory[0]) | UInt16(memory[1]) << 8
        switch opcode {
        case HCI.CommandCode.reset: self = .reset
        case HCI.CommandCode.writeLocalName: self = .localName(try .init(reading: whole, from: 3))
        case HCI.CommandCode.setRandomAddress: self = .randomAddress(try .init(reading: whole, from: 3))
        case HCI.CommandCode.setAdvertisingParameters: self = .advertisingParameters(try .init(reading: whole, from: 3))
        case HCI.CommandCode.setAdvertisingData: self = .advertisingData(try .init(reading: whole, from: 3))
        case HCI.CommandCode.setScanResponseData: self = .scanResponseData(try .init(reading: whole, from: 3))
        case HCI.CommandCode.createConnection: self = .createConnection(try .init(reading: whole, from: 3))
        case HCI.CommandCode.extendedCreateConnection:
            self = .createConnectionExtended(try .init(reading: whole, from: 3))
        case HCI.CommandCode.extendedCreateConnectionV2:
            var create = HCI.CreateConnectionExtended()
            create.answer = HCI.PeriodicAnswer()
            var reader = FieldReader(whole, from: 3)
            create.walk(&reader)
            if let failure = reader.failure { throw failure }
            self = .createConnectionExtended(create)
        case HCI.CommandCode.setAdvertisingSetRandomAddress:
            self = .setRandomAddress(try .init(reading: whole, from: 3))
        case HCI.CommandCode.setExtendedAdvertisingParameters, HCI.CommandCode.setExtendedAdvertisingParametersV2:
            self = .extendedAdvertisingParameters(try .init(reading: whole, from: 3))
        case HCI.CommandCode.setExtendedAdvertisingData:
            self = .extendedAdvertisingData(try .init(reading: whole, from: 3))
        case HCI.CommandCode.setExtendedScanResponseData:
            self = .extendedScanResponseData(try .init(reading: whole, from: 3))
        case HCI.CommandCode.removeAdvertisingSet: self = .removeAdvertisingSet(try .init(reading: whole, from: 3))
        case HCI.CommandCode.clearAdvertisingSets: self = .clearAdvertisingSets
        default: self = .other(opcode: opcode)
        }
    }

    public var opcode: UInt16 {
        switch self {
        case .reset: HCI.CommandCode.reset
        case .localName: HCI.CommandCode.writeLocalName
        case .randomAddress: HCI.CommandCode.setRandomAddress
        case .advertisingParameters: HCI.CommandCode.setAdvertisingParameters
        case .advertisingData: HCI.CommandCode.setAdvertisingData
        case .scanResponseData: HCI.CommandCode.setScanResponseData
        case .createConnection: HCI.CommandCode.createConnection
        case .createConnectionExtended(let create):
            create.answer == nil
                ? HCI.CommandCode.extendedCreateConnection : HCI.CommandCode.extendedCreateConnectionV2
        case .setRandomAddress: HCI.CommandCode.setAdvertisingSetRandomAddress
        case .extendedAdvertisingParameters: HCI.CommandCode.setExtendedAdvertisingParameters
        case .extendedAdvertisingData: HCI.CommandCode.setExtendedAdvertisingData
        case .extendedScanResponseData: HCI.CommandCode.setExtendedScanResponseData
        case .removeAdvertisingSet: HCI.CommandCode.removeAdvertisingSet
        case .clearAdvertisingSets: HCI.CommandCode.clearAdvertisingSets
        case .other(let opcode): opcode
        }
    }

    /// The command as bytes, from its opcode on; of `other` the header alone.
    public var encoded: [UInt8] {
        let parameters: [UInt8] =
            switch self {
            case .reset, .clearAdvertisingSets, .other: []
            case .localName(let command): command.written()
            case .randomAddress(let command): command.written()
            case .advertisingParameters(let command): command.written()
            case .advertisingData(let command), .scanResponseData(let command): command.written()
            case .createConnection(let command): command.written()
            case .createConnectionExtended(let command): command.written()
            case .setRandomAddress(let command): command.written()
            case .extendedAdvertisingParameters(let command): command.written()
            case .extendedAdvertisingData(let command), .extendedScanResponseData(let command): command.written()
            case .removeAdvertisingSet(let command): command.written()
            }
        return [UInt8(truncatingIfNeeded: opcode), UInt8(opcode >> 8), UInt8(clamping: parameters.count)] + parameters
    }
}
