import MeshPacket
import MeshWire

/// A line about a packet in a server's log, or on the console of a build that prints every packet.
///
/// Source: InfrastructureNodes, "Packet log"; firmware, `MyMesh::logRx`, `logTx`, `logTxFail`, `logRxRaw`,
/// `Dispatcher::checkRecv` and `loop`.
package struct PacketLogLine: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        /// SNR in dB and RSSI in dBm, both truncated; the score times 1000.
        case received(snr: Int, rssi: Int, score: Int)
        case sent
        /// The radio did not end the transmission in time.
        case failed
    }

    /// The facts about a received packet that the console prints and the log does not.
    struct Reception: Hashable, Sendable {
        /// The estimated airtime, in milliseconds.
        var airtime: UInt32
        var packetHash: UInt64
    }

    /// The node's clock, in Unix seconds.
    package var time: UInt32
    package var event: Event
    /// The bytes of the frame; without transport codes when it is a sent one in the log.
    package var length: Int
    var type: PayloadType
    var isDirect: Bool
    var payloadLength: Int
    /// Source and destination hash, where the type and the event have them.
    var hashes: (source: UInt8, destination: UInt8)? {
        get { hashPair.map { ($0[0], $0[1]) } }
        set { hashPair = newValue.map { [$0.source, $0.destination] } }
    }
    private var hashPair: [UInt8]?
    /// The further facts; `nil` for a line of the log.
    var reception: Reception?

    init(_ event: Event, _ packet: PacketView, at time: UInt32) {
        self.time = time
        self.event = event
        type = packet.type
        isDirect = packet.isDirect
        payloadLength = packet.payloadCount
        if case .received = event { length = packet.count } else { length = packet.delayLength }
        // The firmware prints what stands in the payload area, whatever its length.
        if event != .failed, type.isDatagram {
            hashes = (packet.payloadByte(at: 1) ?? 0, packet.payloadByte(at: 0) ?? 0)
        }
    }

    /// The line without its end.
    var text: String {
        CalendarTime(unixSeconds: time).logText + textWithoutTime
    }

    /// The line of a node that prints no time.
    var textWithoutTime: String {
        var text = ": "
        switch event {
        case .received: text += "RX"
        case .sent: text += "TX"
        case .failed: text += "TX FAIL!"
        }
        text += ", len=\(length) (type=\(type.rawValue), route=\(isDirect ? "D" : "F"), payload_len=\(payloadLength))"
        if case .received(let snr, let rssi, let score) = event { text += " SNR=\(snr) RSSI=\(rssi) score=\(score)" }
        if let reception {
            let hash = (0..<8).map { UInt8(truncatingIfNeeded: reception.packetHash >> (8 * $0)) }
            text += " time=\(reception.airtime) hash=\(hash.hex.uppercased())"
        }
        if let hashes { text += " [\(Self.hex(hashes.source)) -> \(Self.hex(hashes.destination))]" }
        return text
    }

    private static func hex(_ byte: UInt8) -> String { CollectionOfOne(byte).hex.uppercased() }
}

extension PacketLogLine {
    private static let rawMark = " RAW: "

    /// Returns the line with the bytes of a received frame, whether they make sense or not (`logRxRaw`).
    static func raw(_ frame: [UInt8], at time: UInt32) -> String {
        CalendarTime(unixSeconds: time).logText + rawMark + frame.hex.uppercased()
    }

    /// Returns the time and the hex of a console line with the bytes of a received frame; `nil` for any other line.
    package static func rawFrame(_ line: some StringProtocol) -> (time: UInt32, hex: Substring)? {
        var rest = Substring(line)
        guard let stamp = rest.cut(before: rawMark), let time = CalendarTime(logText: stamp) else { return nil }
        return (time.unixSeconds, rest)
    }

    /// Reads a line; `nil` for anything that a node does not print.
    package init?(_ line: some StringProtocol) {
        var rest = Substring(line)
        guard let stamp = rest.cut(before: ": "), let time = CalendarTime(logText: stamp),
            let event = rest.cut(before: ", len="), let length = rest.cutNumber(before: " (type="),
            let type = rest.cutNumber(before: ", route="), let route = rest.cut(before: ", payload_len="),
            let payloadLength = rest.cutNumber(before: ")"), (0...15).contains(type), route == "D" || route == "F"
        else { return nil }
        self.time = time.unixSeconds
        self.length = length
        self.type = PayloadType(rawValue: UInt8(type))
        self.payloadLength = payloadLength
        isDirect = route == "D"
        switch event {
        case "RX":
            guard let found = Self.reception(&rest) else { return nil }
            (self.event, reception) = found
        case "TX": self.event = .sent
        case "TX FAIL!": self.event = .failed
        default: return nil
        }
        hashPair = Self.hashPair(&rest)
        // Whatever else there may be: only what is printed like this is a line.
        guard rest.isEmpty, text == line else { return nil }
    }

    private static func reception(_ rest: inout Substring) -> (Event, Reception?)? {
        guard rest.hasPrefix(" SNR=") else { return nil }
        let end = rest.firstIndex(of: "[").map { rest.index(before: $0) } ?? rest.endIndex
        var numbers = rest[..<end]
        rest = rest[end...]
        guard numbers.cut(before: " SNR=") == "", let snr = numbers.cutNumber(before: " RSSI="),
            let rssi = numbers.cutNumber(before: " score=")
        else { return nil }
        guard let score = numbers.cutNumber(before: " time=") else {
            return Int(numbers).map { (.received(snr: snr, rssi: rssi, score: $0), nil) }
        }
        guard let airtime = numbers.cut(before: " hash=").flatMap({ UInt32($0) }),
            let hash = FixedBytes<8>(hex: numbers)
        else { return nil }
        let packetHash = hash.array.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        return (
            .received(snr: snr, rssi: rssi, score: score), Reception(airtime: airtime, packetHash: packetHash)
        )
    }

    private static func hashPair(_ rest: inout Substring) -> [UInt8]? {
        guard rest.hasPrefix(" ["), rest.hasSuffix("]") else { return nil }
        defer { rest = "" }
        let hashes = rest.dropFirst(2).dropLast().split(separator: " ", omittingEmptySubsequences: false)
        guard hashes.count == 3, hashes[1] == "->", let source = UInt8(hashes[0], radix: 16),
            let destination = UInt8(hashes[2], radix: 16)
        else { return nil }
        return [source, destination]
    }
}

extension Substring {
    /// Cuts off what stands before `mark`, and the mark; `nil` when there is none.
    fileprivate mutating func cut(before mark: String) -> Substring? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(mark) {
                defer { self = self[index(start, offsetBy: mark.count)...] }
                return self[..<start]
            }
            start = index(after: start)
        }
        return nil
    }

    /// The same for a number.
    fileprivate mutating func cutNumber(before mark: String) -> Int? { cut(before: mark).flatMap { Int($0) } }
}
