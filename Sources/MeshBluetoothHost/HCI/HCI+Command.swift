package import MeshWire

extension HCI {
    /// A command that says who a host is, whom it connects to and what becomes of the connection.
    ///
    /// Commands without parameters are written as `other`.
    package enum Command: Hashable, Sendable {
        /// The controller forgets everything.
        case reset
        /// `HCI_Write_Local_Name`.
        case localName(LocalName)
        /// `HCI_LE_Set_Random_Address`: the one of the adapter, not of an advertising set.
        case randomAddress(RandomAddress)
        /// `HCI_LE_Set_Advertising_Parameters`.
        case advertisingParameters(AdvertisingParameters)
        /// `HCI_LE_Set_Advertising_Data`.
        case advertisingData(AdvertisingData)
        /// `HCI_LE_Set_Scan_Response_Data`, which has the shape of advertising data.
        case scanResponseData(AdvertisingData)
        /// `HCI_LE_Create_Connection`.
        case createConnection(CreateConnection)
        /// `HCI_LE_Extended_Create_Connection`, both versions.
        case createConnectionExtended(CreateConnectionExtended)
        /// `HCI_LE_Set_Advertising_Set_Random_Address`.
        case setRandomAddress(SetRandomAddress)
        /// `HCI_LE_Set_Extended_Advertising_Parameters`, both versions.
        case extendedAdvertisingParameters(ExtendedAdvertisingParameters)
        /// `HCI_LE_Set_Extended_Advertising_Data`.
        case extendedAdvertisingData(ExtendedAdvertisingData)
        /// `HCI_LE_Set_Extended_Scan_Response_Data`, which has the shape of advertising data.
        case extendedScanResponseData(ExtendedAdvertisingData)
        /// `HCI_LE_Remove_Advertising_Set`.
        case removeAdvertisingSet(AdvertisingSet)
        case clearAdvertisingSets
        /// `HCI_Set_Event_Mask`.
        case eventMask(EventMask)
        /// `HCI_LE_Set_Event_Mask`.
        case lowEnergyEventMask(EventMask)
        /// `HCI_LE_Set_Advertising_Enable`.
        case advertisingEnable(Switch)
        /// `HCI_LE_Set_Scan_Parameters`.
        case scanParameters(ScanParameters)
        /// `HCI_LE_Set_Scan_Enable`.
        case scanEnable(ScanEnable)
        /// `HCI_Disconnect`.
        case disconnect(Disconnect)
        /// `HCI_Read_Remote_Version_Information`.
        case readRemoteVersion(ConnectionHandle)
        /// `HCI_LE_Connection_Update`.
        case connectionUpdate(ConnectionUpdate)
        /// `HCI_LE_Enable_Encryption`.
        case startEncryption(StartEncryption)
        /// `HCI_LE_Long_Term_Key_Request_Reply`.
        case longTermKeyReply(LongTermKeyReply)
        /// `HCI_LE_Long_Term_Key_Request_Negative_Reply`.
        case longTermKeyRefusal(ConnectionHandle)
        /// `HCI_LE_Remote_Connection_Parameter_Request_Reply`.
        case connectionParameterReply(ConnectionUpdate)
        /// `HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply`.
        case connectionParameterRefusal(Disconnect)
        /// `HCI_LE_Set_Data_Length`.
        case dataLength(DataLength)
        /// A command that is not listed here.
        case other(opcode: UInt16)
    }
}

extension HCI.Command {
    /// The opcode and the length in front of the parameters.
    static let headerSize = 3

    /// Reads a command from its opcode on. What stands behind its length is left alone.
    package init(decoding bytes: Span<UInt8>) throws(FrameError) {
        guard bytes.count >= Self.headerSize else {
            throw FrameError(
                field: bytes.count < 2 ? "opcode" : "length", offset: bytes.count < 2 ? 0 : 2,
                reason: .truncated(needed: bytes.count < 2 ? 2 : 1, left: bytes.count < 2 ? bytes.count : 0))
        }
        let whole = bytes.extracting(first: min(bytes.count, Self.headerSize + Int(bytes[2])))
        self = try whole.withUnsafeBytes { (memory) throws(FrameError) in
            try Self.read(bytes.word(at: 0), memory)
        }
    }

    private static func read(
        _ opcode: UInt16, _ memory: UnsafeRawBufferPointer
    ) throws(FrameError) -> HCI.Command {
        func parameters<G: FieldGroup>() throws(FrameError) -> G { try G(reading: memory, from: headerSize) }
        switch opcode {
        case HCI.CommandCode.reset: return .reset
        case HCI.CommandCode.writeLocalName: return .localName(try parameters())
        case HCI.CommandCode.setRandomAddress: return .randomAddress(try parameters())
        case HCI.CommandCode.setAdvertisingParameters: return .advertisingParameters(try parameters())
        case HCI.CommandCode.setAdvertisingData: return .advertisingData(try parameters())
        case HCI.CommandCode.setScanResponseData: return .scanResponseData(try parameters())
        case HCI.CommandCode.createConnection: return .createConnection(try parameters())
        case HCI.CommandCode.extendedCreateConnection: return .createConnectionExtended(try parameters())
        case HCI.CommandCode.extendedCreateConnectionV2:
            var create = HCI.CreateConnectionExtended()
            create.answer = HCI.PeriodicAnswer()
            var reader = FieldReader(memory, from: headerSize)
            create.walk(&reader)
            if let failure = reader.failure { throw failure }
            return .createConnectionExtended(create)
        case HCI.CommandCode.setAdvertisingSetRandomAddress: return .setRandomAddress(try parameters())
        case HCI.CommandCode.setExtendedAdvertisingParameters, HCI.CommandCode.setExtendedAdvertisingParametersV2:
            return .extendedAdvertisingParameters(try parameters())
        case HCI.CommandCode.setExtendedAdvertisingData: return .extendedAdvertisingData(try parameters())
        case HCI.CommandCode.setExtendedScanResponseData: return .extendedScanResponseData(try parameters())
        case HCI.CommandCode.removeAdvertisingSet: return .removeAdvertisingSet(try parameters())
        case HCI.CommandCode.clearAdvertisingSets: return .clearAdvertisingSets
        default: return try readLinkCommand(opcode, memory)
        }
    }

    private static func readLinkCommand(
        _ opcode: UInt16, _ memory: UnsafeRawBufferPointer
    ) throws(FrameError) -> HCI.Command {
        func parameters<G: FieldGroup>() throws(FrameError) -> G { try G(reading: memory, from: headerSize) }
        switch opcode {
        case HCI.CommandCode.setEventMask: return .eventMask(try parameters())
        case HCI.CommandCode.setLowEnergyEventMask: return .lowEnergyEventMask(try parameters())
        case HCI.CommandCode.setAdvertisingEnable: return .advertisingEnable(try parameters())
        case HCI.CommandCode.setScanParameters: return .scanParameters(try parameters())
        case HCI.CommandCode.setScanEnable: return .scanEnable(try parameters())
        case HCI.CommandCode.disconnect: return .disconnect(try parameters())
        case HCI.CommandCode.readRemoteVersion: return .readRemoteVersion(try parameters())
        case HCI.CommandCode.connectionUpdate: return .connectionUpdate(try parameters())
        case HCI.CommandCode.enableEncryption: return .startEncryption(try parameters())
        case HCI.CommandCode.longTermKeyReply: return .longTermKeyReply(try parameters())
        case HCI.CommandCode.longTermKeyRefusal: return .longTermKeyRefusal(try parameters())
        case HCI.CommandCode.connectionParameterReply: return .connectionParameterReply(try parameters())
        case HCI.CommandCode.connectionParameterRefusal: return .connectionParameterRefusal(try parameters())
        case HCI.CommandCode.setDataLength: return .dataLength(try parameters())
        default: return .other(opcode: opcode)
        }
    }

    /// The number of the command: OGF in the upper 6 bits, OCF in the lower 10.
    package var opcode: UInt16 {
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
        case .eventMask: HCI.CommandCode.setEventMask
        case .lowEnergyEventMask: HCI.CommandCode.setLowEnergyEventMask
        case .advertisingEnable: HCI.CommandCode.setAdvertisingEnable
        case .scanParameters: HCI.CommandCode.setScanParameters
        case .scanEnable: HCI.CommandCode.setScanEnable
        case .disconnect: HCI.CommandCode.disconnect
        case .readRemoteVersion: HCI.CommandCode.readRemoteVersion
        case .connectionUpdate: HCI.CommandCode.connectionUpdate
        case .startEncryption: HCI.CommandCode.enableEncryption
        case .longTermKeyReply: HCI.CommandCode.longTermKeyReply
        case .longTermKeyRefusal: HCI.CommandCode.longTermKeyRefusal
        case .connectionParameterReply: HCI.CommandCode.connectionParameterReply
        case .connectionParameterRefusal: HCI.CommandCode.connectionParameterRefusal
        case .dataLength: HCI.CommandCode.setDataLength
        case .other(let opcode): opcode
        }
    }

    /// The fields after the header; `nil` where there are none, or none that are known.
    private var parameters: (any FieldGroup)? {
        switch self {
        case .reset, .clearAdvertisingSets, .other: nil
        case .localName(let command): command
        case .randomAddress(let command): command
        case .advertisingParameters(let command): command
        case .advertisingData(let command), .scanResponseData(let command): command
        case .createConnection(let command): command
        case .createConnectionExtended(let command): command
        case .setRandomAddress(let command): command
        case .extendedAdvertisingParameters(let command): command
        case .extendedAdvertisingData(let command), .extendedScanResponseData(let command): command
        case .removeAdvertisingSet(let command): command
        case .eventMask(let command), .lowEnergyEventMask(let command): command
        case .advertisingEnable(let command): command
        case .scanParameters(let command): command
        case .scanEnable(let command): command
        case .disconnect(let command), .connectionParameterRefusal(let command): command
        case .readRemoteVersion(let command), .longTermKeyRefusal(let command): command
        case .connectionUpdate(let command): command
        case .connectionParameterReply(let command): command
        case .startEncryption(let command): command
        case .longTermKeyReply(let command): command
        case .dataLength(let command): command
        }
    }

    /// The command as bytes, from its opcode on; of `other` the header alone.
    package var encoded: [UInt8] {
        let parameters = parameters?.written() ?? []
        return opcode.wireBytes + [UInt8(clamping: parameters.count)] + parameters
    }

    /// The fields with their offsets from the opcode on. What holds a key is left out.
    package var fields: [PrintedField] {
        switch self {
        case .startEncryption, .longTermKeyReply: []
        default: parameters?.printed(from: Self.headerSize) ?? []
        }
    }
}
