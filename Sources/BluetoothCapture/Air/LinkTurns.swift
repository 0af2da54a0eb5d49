/// The sender of a packet, where the capture does not name it: the sides alternate, and the central begins.
struct LinkTurns: Sendable {
    private var last: LinkSide?
    private var lastTime: Int64?
    /// Nanoseconds of silence after which the central begins anew.
    private let pause: Int64

    /// `interval`: between the central's beginnings, in steps of 1.25 ms. An event may fill a part of it.
    init(interval: UInt16?) {
        pause = interval.map { max(2_000_000, Int64($0) * 1_250_000 / 2) } ?? 4_000_000
    }

    mutating func side(of header: AirPacketHeader, _ first: UInt8, _ payload: Span<UInt8>) -> LinkSide {
        let side = told(header, first, payload) ?? guess(header.record.nanoseconds)
        last = side
        lastTime = header.record.nanoseconds
        return side
    }

    /// The last packet was this side's after all.
    mutating func sent(by side: LinkSide) { last = side }

    private func told(_ header: AirPacketHeader, _ first: UInt8, _ payload: Span<UInt8>) -> LinkSide? {
        if let way = header.way { return way == .fromCentral ? .central : .peripheral }
        guard first & 3 == 3 else { return nil }
        switch payload.count {
        case EncryptionRequest.size, EncryptionResponse.size, 1: return LinkControl.sender(of: payload[0])
        default: return nil
        }
    }

    private func guess(_ time: Int64?) -> LinkSide {
        guard let last else { return .central }
        if let time, let lastTime, time.subtractingReportingOverflow(lastTime).partialValue >= pause { return .central }
        return last.other
    }
}
