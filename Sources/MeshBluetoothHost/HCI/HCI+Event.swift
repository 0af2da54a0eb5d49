public import MeshWire

extension HCI {
    /// An event that says something about a connection, or about who is at its ends.
    public enum Event: Hashable, Sendable {
        case connected(ConnectionComplete)
        case connectedClassic(ClassicConnectionComplete)
        case disconnected(DisconnectionComplete)
        case encryption(EncryptionChange)
        case newKey(EncryptionKeyRefresh)
        case advertising(AdvertisingReports)
        case extendedAdvertising(ExtendedAdvertisingReports)
        case commandComplete(CommandComplete)
        case commandStatus(CommandStatus)
        /// Anything else.
        case other(code: UInt8)
    }
}

extension HCI.Event {
    /// Reads an event from its code on. What stands behind its length is left alone.
    public init(decoding memory: UnsafeRawBufferPointer) throws(FrameError) {
        guard memory.count >= 2 else {
            throw FrameError(
                field: memory.isEmpty ? "event_code" : "length", offset: memory.count,
                reason: .truncated(needed: 1, left: 0))
        }
        let end = min(memory.count, 2 + Int(memory[1]))
        let whole = UnsafeRawBufferPointer(rebasing: memory[..<end])
        switch memory[0] {
        case HCI.EventCode.connectionComplete: self = .connectedClassic(try .init(reading: whole, from: 2))
        case HCI.EventCode.disconnectionComplete: self = .disconnected(try .init(reading: whole, from: 2))
        case HCI.EventCode.encryptionChange, HCI.EventCode.encryptionChangeV2:
            self = .encryption(try .init(reading: whole, from: 2))
        case HCI.EventCode.encryptionKeyRefresh: self = .newKey(try .init(reading: whole, from: 2))
        case HCI.EventCode.commandComplete: self = .commandComplete(try .init(reading: whole, from: 2))
        case HCI.EventCode.commandStatus: self = .commandStatus(try .init(reading: whole, from: 2))
        case HCI.EventCode.lowEnergy where whole.count > 2: self = try Self.lowEnergy(whole)
        default: self = .other(code: memory[0])
        }
    }

    private static func lowEnergy(_ memory: UnsafeRawBufferPointer) throws(FrameError) -> HCI.Event {
        var complete = HCI.ConnectionComplete()
        switch memory[2] {
        case HCI.LowEnergyCode.connectionComplete: break
        case HCI.LowEnergyCode.advertisingReport: return .advertising(try .init(reading: memory, from: 3))
        case HCI.LowEnergyCode.extendedAdvertisingReport:
            return .extendedAdvertising(try .init(reading: memory, from: 3))
        case HCI.LowEnergyCode.enhancedConnectionComplete, HCI.LowEnergyCode.enhancedConnectionCompleteV2:
            complete.privateAddresses = HCI.PrivateAddresses()
        default: return .other(code: memory[0])
        }
        var reader = FieldReader(memory, from: 3)
        complete.walk(&reader)
        if let failure = reader.failure { throw failure }
        return .connected(complete)
    }

    /// The event as bytes, from its code on.
    public var encoded: [UInt8] {
        let (code, parameters): (UInt8, [UInt8])
        switch self {
        case .connected(let event):
            let form =
                event.privateAddresses == nil
                ? HCI.LowEnergyCode.connectionComplete : HCI.LowEnergyCode.enhancedConnectionComplete
            (code, parameters) = (HCI.EventCode.lowEnergy, [form] + event.written())
        case .connectedClassic(let event): (code, parameters) = (HCI.EventCode.connectionComplete, event.written())
        case .disconnected(let event): (code, parameters) = (HCI.EventCode.disconnectionComplete, event.written())
        case .encryption(let event): (code, parameters) = (HCI.EventCode.encryptionChange, event.written())
        case .newKey(let event): (code, parameters) = (HCI.EventCode.encryptionKeyRefresh, event.written())
        case .advertising(let event):
            (code, parameters) = (HCI.EventCode.lowEnergy, [HCI.LowEnergyCode.advertisingReport] + event.written())
        case .extendedAdvertising(let event):
            let form = HCI.LowEnergyCode.extendedAdvertisingReport
            (code, parameters) = (HCI.EventCode.lowEnergy, [form] + event.written())
        case .commandComplete(let event): (code, parameters) = (HCI.EventCode.commandComplete, event.written())
        case .commandStatus(let event): (code, parameters) = (HCI.EventCode.commandStatus, event.written())
        case .other(let other): (code, parameters) = (other, [])
        }
        return [code, UInt8(clamping: parameters.count)] + parameters
    }
}
