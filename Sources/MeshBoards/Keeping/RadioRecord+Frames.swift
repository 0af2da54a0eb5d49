import MeshCompanion
import MeshWire

// A record as the frames in which a radio told it, for files: their layouts are those of the protocol.
extension RadioRecord {
    /// The frames of the radio that state this record.
    var frames: [[UInt8]] {
        let single: [(any ResponseFrame)?] = [selfInfo, device, tuning, autoAdd, scope]
        var frames = single.compactMap { $0 }
        frames += channels.map { $0 as any ResponseFrame }
        frames += contacts.map { Resp.Contact(record: $0) as any ResponseFrame }
        if let privateKey { frames.append(Resp.PrivateKey(privateKey: privateKey)) }
        return frames.map { $0.encoded() }
    }

    /// Reads the record from such frames; throws for bytes that are none.
    init(frames: [[UInt8]]) throws(FrameError) {
        self.init(selfInfo: nil, device: nil)
        for frame in frames {
            switch frame.first.flatMap(ResponseCode.init(rawValue:)) {
            case .selfInfo: selfInfo = try Resp.SelfInfo(decoding: frame)
            case .deviceInfo: device = try Resp.DeviceInfo(decoding: frame)
            case .tuningParams: tuning = try Resp.TuningParams(decoding: frame)
            case .autoaddConfig: autoAdd = try Resp.AutoaddConfig(decoding: frame)
            case .defaultFloodScope: scope = try Resp.DefaultFloodScope(decoding: frame)
            case .channelInfo: channels.append(try Resp.ChannelInfo(decoding: frame))
            case .contact: contacts.append(try Resp.Contact(decoding: frame).record)
            case .privateKey: privateKey = try Resp.PrivateKey(decoding: frame).privateKey
            default: throw FrameError(field: "code", offset: 0, reason: .unknownCode(frame.first ?? 0))
            }
        }
    }
}
