/// The delivery of a text: the radio's push, with the round trip where the radio reports it.
public struct Acknowledgement: Hashable, Sendable {
    /// The hash that acknowledges the text, as the radio gave it when it accepted the text.
    public var code: UInt32
    /// The round trip in milliseconds, by the radio.
    public var tripTime: UInt32?

    public init(code: UInt32, tripTime: UInt32?) {
        self.code = code
        self.tripTime = tripTime
    }
}

/// The last acknowledgements, so that one right after SENT is not missed.
struct AcknowledgementLog {
    /// The radio remembers eight texts itself.
    static let limit = 64

    private var last: [Acknowledgement] = []

    mutating func note(_ code: UInt32, _ tripTime: UInt32?) {
        if last.count == Self.limit { last.removeFirst() }
        last.append(Acknowledgement(code: code, tripTime: tripTime))
    }

    func find(_ codes: [UInt32]) -> Acknowledgement? { last.first { codes.contains($0.code) } }
}
