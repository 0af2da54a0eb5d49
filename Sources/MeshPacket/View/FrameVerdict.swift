import MeshWire

/// The result of the checks of a frame, without any string, so that a refused frame costs the relay nothing.
enum FrameVerdict {
    /// The frame stands; its payload starts here.
    case accepted(payloadStart: Int)
    case headerMissing
    case versionReserved(UInt8)
    case codesTruncated(left: Int)
    case pathLengthMissing(at: Int)
    case hashSizeReserved(at: Int)
    case pathTooLong(at: Int, count: Int)
    case pathTruncated(at: Int, needed: Int, left: Int)
    case payloadMissing(at: Int)
    case payloadTooLong(at: Int, count: Int)

    /// Judges lengths and reserved values only, in the order of the firmware's `tryParsePacket` and `readFrom`.
    init(of frame: UnsafeRawBufferPointer, from source: PacketView.Source) {
        let count = frame.count
        guard count > 0 else {
            self = .headerMissing
            return
        }
        let header = frame[0]
        if source == .radio, header >= 0x40 {
            self = .versionReserved(header >> 6)
            return
        }
        let lengthAt = RouteType(header: header).hasTransportCodes ? 5 : 1
        guard count >= lengthAt else {
            self = .codesTruncated(left: count - 1)
            return
        }
        guard count > lengthAt else {
            self = .pathLengthMissing(at: lengthAt)
            return
        }
        let length = PathLength(rawValue: frame[lengthAt])
        self = Self.judge(length, lengthAt: lengthAt, count: count, from: source)
    }

    private static func judge(_ length: PathLength, lengthAt: Int, count: Int, from source: PacketView.Source) -> Self {
        if length.rawValue >= 0xC0 { return .hashSizeReserved(at: lengthAt) }
        let pathBytes = length.byteCount
        if pathBytes > PacketLimits.path { return .pathTooLong(at: lengthAt, count: pathBytes) }
        let left = count - lengthAt - 1
        if pathBytes > left { return .pathTruncated(at: lengthAt + 1, needed: pathBytes, left: left) }
        let start = lengthAt + 1 + pathBytes
        if source == .blob, start == count { return .payloadMissing(at: start) }
        if count - start > PacketLimits.payload { return .payloadTooLong(at: start, count: count - start) }
        return .accepted(payloadStart: start)
    }

    /// The same for people: field and offset.
    var error: FrameError? {
        switch self {
        case .accepted: nil
        case .headerMissing: FrameError(field: "header", offset: 0, reason: .truncated(needed: 1, left: 0))
        case .versionReserved(let version):
            FrameError(field: "header", offset: 0, reason: .invalid("has the reserved payload version \(version)"))
        case .codesTruncated(let left):
            FrameError(
                field: left < 2 ? "transport_codes[0]" : "transport_codes[1]", offset: left < 2 ? 1 : 3,
                reason: .truncated(needed: 2, left: left % 2))
        case .pathLengthMissing(let offset):
            FrameError(field: "path_len", offset: offset, reason: .truncated(needed: 1, left: 0))
        case .hashSizeReserved(let offset):
            FrameError(field: "path_len", offset: offset, reason: .invalid("has the reserved hash size"))
        case .pathTooLong(let offset, let count):
            FrameError(field: "path_len", offset: offset, reason: .tooLong(count: count, limit: PacketLimits.path))
        case .pathTruncated(let offset, let needed, let left):
            FrameError(field: "path", offset: offset, reason: .truncated(needed: needed, left: left))
        case .payloadMissing(let offset):
            FrameError(field: "payload", offset: offset, reason: .truncated(needed: 1, left: 0))
        case .payloadTooLong(let offset, let count):
            FrameError(field: "payload", offset: offset, reason: .tooLong(count: count, limit: PacketLimits.payload))
        }
    }
}
