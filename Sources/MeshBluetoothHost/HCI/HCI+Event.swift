package import MeshWire

extension HCI {
    /// An event that says something about a connection, or about who is at its ends.
    package enum Event: Hashable, Sendable {
        /// `HCI_LE_Connection_Complete`, and its enhanced form in both versions.
        case connected(ConnectionComplete)
        /// `HCI_Connection_Complete`, of a classic link.
        case connectedClassic(ClassicConnectionComplete)
        /// `HCI_Disconnection_Complete`, of any link.
        case disconnected(DisconnectionComplete)
        /// `HCI_Encryption_Change`, both versions.
        case encryption(EncryptionChange)
        /// `HCI_Encryption_Key_Refresh_Complete`.
        case newKey(EncryptionKeyRefresh)
        /// `HCI_LE_Advertising_Report`.
        case advertising(AdvertisingReports)
        /// `HCI_LE_Extended_Advertising_Report`.
        case extendedAdvertising(ExtendedAdvertisingReports)
        /// `HCI_Command_Complete`.
        case commandComplete(CommandComplete)
        /// `HCI_Command_Status`.
        case commandStatus(CommandStatus)
        /// `HCI_Number_Of_Completed_Packets`.
        case completedPackets(CompletedPackets)
        /// `HCI_Read_Remote_Version_Information_Complete`.
        case remoteVersion(RemoteVersion)
        /// `HCI_Hardware_Error`.
        case hardwareError(HardwareError)
        /// `HCI_LE_Connection_Update_Complete`.
        case connectionUpdated(ConnectionUpdated)
        /// `HCI_LE_Long_Term_Key_Request`.
        case longTermKeyRequest(LongTermKeyRequest)
        /// `HCI_LE_Remote_Connection_Parameter_Request`.
        case connectionParameterRequest(ConnectionParameterRequest)
        /// `HCI_LE_Data_Length_Change`.
        case dataLengthChange(DataLengthChange)
        /// An event that is not listed here.
        case other(code: UInt8)
    }
}

extension HCI.Event {
    /// The code and the length in front of the parameters.
    static let headerSize = 2

    /// Reads an event from its code on. What stands behind its length is left alone.
    package init(decoding bytes: Span<UInt8>) throws(FrameError) {
        guard bytes.count >= Self.headerSize else {
            throw FrameError(
                field: bytes.isEmpty ? "event_code" : "length", offset: bytes.count,
                reason: .truncated(needed: 1, left: 0))
        }
        let whole = bytes.extracting(first: min(bytes.count, Self.headerSize + Int(bytes[1])))
        self = try whole.withUnsafeBytes { (memory) throws(FrameError) in try Self.read(memory) }
    }

    private static func read(_ memory: UnsafeRawBufferPointer) throws(FrameError) -> HCI.Event {
        func parameters<G: FieldGroup>() throws(FrameError) -> G { try G(reading: memory, from: headerSize) }
        switch memory[0] {
        case HCI.EventCode.connectionComplete: return .connectedClassic(try parameters())
        case HCI.EventCode.disconnectionComplete: return .disconnected(try parameters())
        case HCI.EventCode.encryptionChange, HCI.EventCode.encryptionChangeV2: return .encryption(try parameters())
        case HCI.EventCode.encryptionKeyRefresh: return .newKey(try parameters())
        case HCI.EventCode.commandComplete: return .commandComplete(try parameters())
        case HCI.EventCode.commandStatus: return .commandStatus(try parameters())
        case HCI.EventCode.completedPackets: return .completedPackets(try parameters())
        case HCI.EventCode.remoteVersion: return .remoteVersion(try parameters())
        case HCI.EventCode.hardwareError: return .hardwareError(try parameters())
        case HCI.EventCode.lowEnergy where memory.count > headerSize: return try lowEnergy(memory)
        default: return .other(code: memory[0])
        }
    }

    private static func lowEnergy(_ memory: UnsafeRawBufferPointer) throws(FrameError) -> HCI.Event {
        let start = headerSize + 1
        var complete = HCI.ConnectionComplete()
        switch memory[headerSize] {
        case HCI.LowEnergyCode.connectionComplete: break
        case HCI.LowEnergyCode.advertisingReport: return .advertising(try .init(reading: memory, from: start))
        case HCI.LowEnergyCode.extendedAdvertisingReport:
            return .extendedAdvertising(try .init(reading: memory, from: start))
        case HCI.LowEnergyCode.connectionUpdateComplete:
            return .connectionUpdated(try .init(reading: memory, from: start))
        case HCI.LowEnergyCode.longTermKeyRequest: return .longTermKeyRequest(try .init(reading: memory, from: start))
        case HCI.LowEnergyCode.connectionParameterRequest:
            return .connectionParameterRequest(try .init(reading: memory, from: start))
        case HCI.LowEnergyCode.dataLengthChange: return .dataLengthChange(try .init(reading: memory, from: start))
        case HCI.LowEnergyCode.enhancedConnectionComplete, HCI.LowEnergyCode.enhancedConnectionCompleteV2:
            complete.privateAddresses = HCI.PrivateAddresses()
        default: return .other(code: memory[0])
        }
        var reader = FieldReader(memory, from: start)
        complete.walk(&reader)
        if let failure = reader.failure { throw failure }
        return .connected(complete)
    }

    /// The first byte of the event; 0x3E for all of low energy.
    package var code: UInt8 {
        switch self {
        case .connected, .advertising, .extendedAdvertising, .connectionUpdated, .longTermKeyRequest,
            .connectionParameterRequest, .dataLengthChange:
            HCI.EventCode.lowEnergy
        case .connectedClassic: HCI.EventCode.connectionComplete
        case .disconnected: HCI.EventCode.disconnectionComplete
        case .encryption: HCI.EventCode.encryptionChange
        case .newKey: HCI.EventCode.encryptionKeyRefresh
        case .commandComplete: HCI.EventCode.commandComplete
        case .commandStatus: HCI.EventCode.commandStatus
        case .completedPackets: HCI.EventCode.completedPackets
        case .remoteVersion: HCI.EventCode.remoteVersion
        case .hardwareError: HCI.EventCode.hardwareError
        case .other(let code): code
        }
    }

    /// The first parameter of a low-energy event.
    private var lowEnergyCode: UInt8? {
        switch self {
        case .connected(let event):
            event.privateAddresses == nil
                ? HCI.LowEnergyCode.connectionComplete : HCI.LowEnergyCode.enhancedConnectionComplete
        case .advertising: HCI.LowEnergyCode.advertisingReport
        case .extendedAdvertising: HCI.LowEnergyCode.extendedAdvertisingReport
        case .connectionUpdated: HCI.LowEnergyCode.connectionUpdateComplete
        case .longTermKeyRequest: HCI.LowEnergyCode.longTermKeyRequest
        case .connectionParameterRequest: HCI.LowEnergyCode.connectionParameterRequest
        case .dataLengthChange: HCI.LowEnergyCode.dataLengthChange
        default: nil
        }
    }

    /// The fields after the codes and the length; `nil` where none are known.
    private var parameters: (any FieldGroup)? {
        switch self {
        case .connected(let event): event
        case .connectedClassic(let event): event
        case .disconnected(let event): event
        case .encryption(let event): event
        case .newKey(let event): event
        case .advertising(let event): event
        case .extendedAdvertising(let event): event
        case .commandComplete(let event): event
        case .commandStatus(let event): event
        case .completedPackets(let event): event
        case .remoteVersion(let event): event
        case .hardwareError(let event): event
        case .connectionUpdated(let event): event
        case .longTermKeyRequest(let event): event
        case .connectionParameterRequest(let event): event
        case .dataLengthChange(let event): event
        case .other: nil
        }
    }

    /// The event as bytes, from its code on; of `other` the header alone.
    package var encoded: [UInt8] {
        let parameters = (lowEnergyCode.map { [$0] } ?? []) + (parameters?.written() ?? [])
        return [code, UInt8(clamping: parameters.count)] + parameters
    }

    /// The fields with their offsets from the code on. What a command returns may be a key, and is left out.
    package var fields: [PrintedField] {
        if case .commandComplete = self { return [] }
        return parameters?.printed(from: Self.headerSize + (lowEnergyCode == nil ? 0 : 1)) ?? []
    }
}
