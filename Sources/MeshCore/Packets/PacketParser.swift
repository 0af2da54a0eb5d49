import MeshCompanion
import MeshPacket
import MeshWire

/// Makes events of frames, without any state.
///
/// It describes no byte of its own: `MeshCompanion` reads frames. It adds the fields that older radios leave out, and
/// refuses values that no event may have.
public enum PacketParser {
    /// The event of a frame; one that cannot be read is a `parseFailure`, one of a later firmware is `unknown`.
    public static func parse(_ frame: [UInt8]) -> MeshEvent { ReceivedFrame(frame).event }

    /// The typed frame and its event. A total switch, so that a code without an event does not compile.
    static func read(_ code: RadioCode, _ bytes: [UInt8]) throws(FrameError) -> (any CodedFrame, MeshEvent) {
        switch code {
        case .response(let code):
            switch code {
            case .ok, .err, .disabled, .sent, .noMoreMessages: try readOutcome(code, bytes)
            case .contactsStart, .contact, .endOfContacts, .exportContact, .advertPath: try readContact(code, bytes)
            case .contactMsgRecv, .channelMsgRecv, .contactMsgRecvV3, .channelMsgRecvV3, .channelDataRecv:
                try readMessage(code, bytes)
            case .selfInfo, .currTime, .battAndStorage, .deviceInfo, .privateKey, .channelInfo, .signStart, .signature,
                .customVars, .tuningParams, .stats, .autoaddConfig, .allowedRepeatFreq, .defaultFloodScope,
                .cliReply:
                try readRadio(code, bytes)
            }
        case .push(let code):
            switch code {
            case .advert, .pathUpdated, .newAdvert, .contactDeleted, .contactsFull, .msgWaiting, .sendConfirmed:
                try readChange(code, bytes)
            case .loginSuccess, .loginFail, .statusResponse, .telemetryResponse, .binaryResponse,
                .pathDiscoveryResponse:
                try readAnswer(code, bytes)
            case .rawData, .logRxData, .traceData, .controlData: try readAir(code, bytes)
            }
        }
    }

    private static func frame<F: CodedFrame>(
        _ bytes: [UInt8], _ event: (F) throws(FrameError) -> MeshEvent
    ) throws(FrameError) -> (any CodedFrame, MeshEvent) {
        let frame = try F(decoding: bytes)
        return (frame, try event(frame))
    }

    // MARK: Responses

    private static func readOutcome(
        _ code: ResponseCode, _ bytes: [UInt8]
    ) throws(FrameError) -> (any CodedFrame, MeshEvent) {
        switch code {
        case .ok: try frame(bytes) { (_: Resp.OK) in .ok(value: value(behind: bytes)) }
        case .disabled: try frame(bytes) { (_: Resp.Disabled) in .disabled }
        case .sent: try frame(bytes) { (sent: Resp.Sent) in .messageSent(sent) }
        case .noMoreMessages: try frame(bytes) { (_: Resp.NoMoreMessages) in .noMoreMessages }
        default: try frame(bytes) { (refusal: Resp.Err) in .error(refusal.error) }
        }
    }

    private static func value(behind bytes: [UInt8]) -> UInt32? {
        guard bytes.count >= 5 else { return nil }
        return bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 1, as: UInt32.self)) }
    }

    private static func readContact(
        _ code: ResponseCode, _ bytes: [UInt8]
    ) throws(FrameError) -> (any CodedFrame, MeshEvent) {
        switch code {
        case .contactsStart: try frame(bytes) { (start: Resp.ContactsStart) in .contactsStart(count: start.count) }
        case .contact:
            try frame(bytes) { (contact: Resp.Contact) throws(FrameError) in .contact(try checked(contact.record)) }
        case .endOfContacts:
            try frame(bytes) { (end: Resp.EndOfContacts) in .contactsEnd(lastModified: end.mostRecentLastModified) }
        case .exportContact: try frame(bytes) { (export: Resp.ExportContact) in .exportedContact(export.packet) }
        default:
            try frame(bytes) { (path: Resp.AdvertPath) throws(FrameError) in
                try check(path.pathLength, at: 5)
                return .advertPath(path)
            }
        }
    }

    /// Checks a path's length: an impossible one would be read as a path of none or of garbage.
    private static func check(_ length: PathLength, at offset: Int) throws(FrameError) {
        guard !length.isValid, !length.isUnknown else { return }
        throw FrameError(
            field: "path_len", offset: offset, reason: .invalid("0x\([length.rawValue].hex) is no length of a path"))
    }

    private static func checked(_ record: ContactRecord) throws(FrameError) -> ContactRecord {
        try check(record.outPathLength, at: 35)
        return record
    }

    private static func readMessage(
        _ code: ResponseCode, _ bytes: [UInt8]
    ) throws(FrameError) -> (any CodedFrame, MeshEvent) {
        switch code {
        case .contactMsgRecv:
            try frame(bytes) { (received: Resp.ContactMsgRecv) in
                .contactMessageReceived(.init(message: received.message, snr: nil))
            }
        case .contactMsgRecvV3:
            try frame(bytes) { (received: Resp.ContactMsgRecvV3) in
                .contactMessageReceived(.init(message: received.message, snr: received.snr))
            }
        case .channelMsgRecv:
            try frame(bytes) { (received: Resp.ChannelMsgRecv) in
                .channelMessageReceived(.init(message: received.message, snr: nil))
            }
        case .channelMsgRecvV3:
            try frame(bytes) { (received: Resp.ChannelMsgRecvV3) in
                .channelMessageReceived(.init(message: received.message, snr: received.snr))
            }
        default: try frame(bytes) { (data: Resp.ChannelDataRecv) in .channelDataReceived(data) }
        }
    }

    private static func readRadio(
        _ code: ResponseCode, _ bytes: [UInt8]
    ) throws(FrameError) -> (any CodedFrame, MeshEvent) {
        switch code {
        case .selfInfo: try frame(bytes) { (info: Resp.SelfInfo) in .selfInfo(info) }
        case .currTime: try frame(bytes) { (time: Resp.CurrTime) in .currentTime(time.epoch) }
        case .battAndStorage: try frame(bytes) { (battery: Resp.BattAndStorage) in .battery(battery) }
        case .deviceInfo: try frame(oldDeviceInfo(bytes) ?? bytes) { (info: Resp.DeviceInfo) in .deviceInfo(info) }
        case .privateKey: try frame(bytes) { (key: Resp.PrivateKey) in .privateKey(key.privateKey) }
        case .channelInfo: try frame(bytes) { (info: Resp.ChannelInfo) in .channelInfo(info) }
        case .signStart: try frame(bytes) { (start: Resp.SignStart) in .signStart(maxLength: start.maxLength) }
        case .signature: try frame(bytes) { (signature: Resp.Signature) in .signature(signature.signature) }
        case .customVars: try frame(bytes) { (vars: Resp.CustomVars) in .customVars(vars.vars) }
        case .tuningParams: try frame(bytes) { (tuning: Resp.TuningParams) in .tuningParams(tuning) }
        case .autoaddConfig: try frame(bytes) { (config: Resp.AutoaddConfig) in .autoAddConfig(config) }
        case .allowedRepeatFreq:
            try frame(bytes) { (allowed: Resp.AllowedRepeatFreq) in .allowedRepeatFreq(allowed.ranges) }
        case .cliReply: try frame(bytes) { (reply: Resp.CliReply) in .cliReply(reply.text) }
        case .stats: try frame(bytes) { (stats: Resp.Stats) in event(of: stats, bytes) }
        default: try frame(bytes) { (scope: Resp.DefaultFloodScope) in .defaultFloodScope(scope.scope) }
        }
    }

    private static func event(of stats: Resp.Stats, _ bytes: [UInt8]) -> MeshEvent {
        switch stats.content {
        case .core(let stats): .statsCore(stats)
        case .radio(let stats): .statsRadio(stats)
        case .packets(let stats): .statsPackets(stats)
        case .unknown: .unknown(bytes)
        }
    }

    /// Radios below level 3 say no more than the level; the rest is filled with zeros.
    private static func oldDeviceInfo(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= 2, bytes[1] < 3 else { return nil }
        return padded(bytes, to: Resp.DeviceInfo().encoded().count)
    }

    private static func padded(_ bytes: [UInt8], to count: Int) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: max(0, count - bytes.count))
    }

    // MARK: Pushes

    private static func readChange(
        _ code: PushCode, _ bytes: [UInt8]
    ) throws(FrameError) -> (any CodedFrame, MeshEvent) {
        switch code {
        case .advert: try frame(bytes) { (advert: Push.Advert) in .advertisement(publicKey: advert.publicKey) }
        case .pathUpdated: try frame(bytes) { (update: Push.PathUpdated) in .pathUpdate(publicKey: update.publicKey) }
        case .newAdvert:
            try frame(bytes) { (advert: Push.NewAdvert) throws(FrameError) in .newContact(try checked(advert.record)) }
        case .contactDeleted:
            try frame(bytes) { (deleted: Push.ContactDeleted) in .contactDeleted(publicKey: deleted.publicKey) }
        case .contactsFull: try frame(bytes) { (_: Push.ContactsFull) in .contactsFull }
        case .msgWaiting: try frame(bytes) { (_: Push.MsgWaiting) in .messagesWaiting }
        default:
            // Other firmware confirms without a trip time.
            try frame((5..<9).contains(bytes.count) ? padded(bytes, to: 9) : bytes) { (push: Push.SendConfirmed) in
                .acknowledgement(code: push.ack, tripTime: bytes.count < 9 ? nil : push.roundTrip)
            }
        }
    }

    private static func readAnswer(
        _ code: PushCode, _ bytes: [UInt8]
    ) throws(FrameError) -> (any CodedFrame, MeshEvent) {
        switch code {
        case .loginSuccess: try frame(bytes) { (login: Push.LoginSuccess) in .loginSuccess(login) }
        case .loginFail:
            try frame(bytes) { (login: Push.LoginFail) in .loginFailed(publicKeyPrefix: login.publicKeyPrefix) }
        case .statusResponse: try frame(bytes) { (status: Push.StatusResponse) in .statusResponse(status) }
        case .telemetryResponse: try frame(bytes) { (push: Push.TelemetryResponse) in .telemetryResponse(push) }
        case .binaryResponse:
            try frame(bytes) { (push: Push.BinaryResponse) in .binaryResponse(tag: push.tag, data: push.data) }
        default: try frame(bytes) { (path: Push.PathDiscoveryResponse) in .pathResponse(path) }
        }
    }

    private static func readAir(_ code: PushCode, _ bytes: [UInt8]) throws(FrameError) -> (any CodedFrame, MeshEvent) {
        switch code {
        case .rawData: try frame(bytes) { (raw: Push.RawData) in .rawData(raw) }
        case .logRxData:
            try frame(bytes) { (log: Push.LogRxData) in
                guard let packet = try? PacketView(log.raw, snr: log.snr) else { return .logData(log) }
                return .rxLogData(ReceivedPacketLog(log: log, packet: packet))
            }
        case .traceData: try frame(bytes) { (trace: Push.TraceData) in .traceData(trace) }
        default:
            try frame(bytes) { (control: Push.ControlData) in
                guard let head = control.payload.first, head >> 4 == 9, control.payload.count > 5 else {
                    return .controlData(control)
                }
                let response = control.payload.withUnsafeBytes { try? DiscoverResponse(reading: $0) }
                return response.map { .discoverResponse(control, $0) } ?? .controlData(control)
            }
        }
    }
}

/// A frame from the radio, read once for all its readers.
struct ReceivedFrame {
    let bytes: [UInt8]
    /// `nil` for a code that this release does not have.
    let code: RadioCode?
    let frame: Result<any CodedFrame, FrameError>
    let event: MeshEvent

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard let first = bytes.first else {
            let error = FrameError(field: "code", offset: 0, reason: .truncated(needed: 1, left: 0))
            (code, frame, event) = (nil, .failure(error), .parseFailure(bytes, error))
            return
        }
        guard let code = RadioCode(first) else {
            (self.code, frame) = (nil, .failure(FrameError(field: "code", offset: 0, reason: .unknownCode(first))))
            event = .unknown(bytes)
            return
        }
        self.code = code
        do {
            let (frame, event) = try PacketParser.read(code, bytes)
            (self.frame, self.event) = (.success(frame), event)
        } catch {
            (frame, event) = (.failure(error), .parseFailure(bytes, error))
        }
    }
}
