import FoundationEssentials
import MeshCrypto
import MeshPacket
import MeshWire
import PocketMeshServices

/// The way of a message, as far as this radio knows it: its hops, its attempts, and its packet.
public struct MessageWay: Codable, Sendable, Hashable {
    /// A station of the way, from the sender on.
    public struct Station: Codable, Sendable, Hashable {
        /// The beginning of its key, in hex; `nil` for the ends.
        public var key: String?
        /// Its name, where it is known.
        public var name: String?
        /// The SNR at which this radio heard it; `nil` where it did not.
        public var snr: String?
    }

    /// An attempt of an own message.
    public struct Attempt: Codable, Sendable, Hashable {
        /// Counted from 1.
        public var number: Int
        /// The time at which the radio accepted it.
        public var time: String
        /// The words for its way.
        public var route: String
        /// The stations that it was sent along; empty for a flood.
        public var stations: [Station]
    }

    /// A copy of the message that this radio heard.
    public struct Copy: Codable, Sendable, Hashable {
        /// The time at which it was heard.
        public var time: String
        /// The repeaters that it came over, and its ends.
        public var stations: [Station]
        /// The strength of the signal, in words.
        public var signal: String
    }

    /// The packet as it was on the air.
    public struct OnAir: Codable, Sendable, Hashable {
        /// The bytes, in hex.
        public var hex: String
        /// Its fields, a line each.
        public var text: String
    }

    /// The attempts of an own message, in order.
    public var attempts: [Attempt]
    /// The copies that were heard, in order; the first one of a received message is the one that counted.
    public var copies: [Copy]
    /// The packet of the first copy; `nil` where none was heard.
    public var packet: OnAir?
}

/// The rows from which the way of a message is read.
struct MessageWaySource {
    let message: MessageDTO
    let conversation: Conversation
    let attempts: [MessageAttemptDTO]
    let heard: [HeardPacketDTO]
    let contacts: [ContactDTO]
    /// The radio's own row.
    let own: DeviceDTO?
    let style: PresentationStyle

    func way() -> MessageWay {
        let copies = copies()
        return MessageWay(
            attempts: attempts.map(attempt), copies: copies.map { copy(of: $0.row, $0.packet) },
            packet: copies.first.map { onAir($0.packet) })
    }

    // MARK: Attempts

    private func attempt(_ attempt: MessageAttemptDTO) -> MessageWay.Attempt {
        let length = PathLength(rawValue: attempt.pathLength)
        let hasPath = !attempt.isFlood && !length.isUnknown
        let route =
            switch (attempt.isFlood || !hasPath, length.hopCount) {
            case (true, _): Texts.string(.routeFlood)
            case (false, 0): Texts.string(.routeDirect)
            case (false, let count): Texts.counted(count, .routeHops)
            }
        return MessageWay.Attempt(
            number: attempt.number, time: style.dateAndTime(attempt.sentAt), route: route,
            stations: hasPath ? chain(PathHop.split(attempt.path, size: length.hashSize), snr: nil) : [])
    }

    /// The ends of the way with its hops between them. `snr` belongs to the last station that sent it.
    private func chain(_ hops: [PathHop], snr: String?) -> [MessageWay.Station] {
        let named = PathHop.named(hops, by: contacts).map { MessageWay.Station(key: $0.key, name: $0.name) }
        let here = MessageWay.Station(name: own?.nodeName ?? Texts.string(.senderSelf))
        let there = MessageWay.Station(name: MessageBubble.sender(of: message, in: conversation))
        let end = message.isOutgoing ? conversation.contact.map { MessageWay.Station(name: $0.displayName) } : here
        var stations = [message.isOutgoing ? here : there] + named
        if let snr { stations[stations.count - 1].snr = snr }
        // A copy of an own message was heard here, and not where it goes.
        if let end, !message.isOutgoing || snr == nil { stations.append(end) }
        return stations
    }

    // MARK: Copies

    private func copy(of row: HeardPacketDTO, _ packet: PacketView) -> MessageWay.Copy {
        let snr = Measures.snr(Double(row.snr) / 4)
        // A direct packet has lost the hops that it came over.
        let hops = packet.isFlood ? PathHop.split(Data(packet.path), size: packet.pathLength.hashSize) : []
        return MessageWay.Copy(
            time: style.dateAndTime(row.heardAt), stations: chain(hops, snr: snr), signal: "\(snr), \(row.rssi) dBm")
    }

    /// The packets that were this message. Direct texts are sealed, so sender, path and SNR identify them.
    private func copies() -> [(row: HeardPacketDTO, packet: PacketView)] {
        let read = heard.compactMap { row in
            (try? PacketView([UInt8](row.packet))).map { (row: row, packet: $0) }
        }
        if let channel = conversation.channel {
            let secret = SharedSecret(channel: FixedBytes(channel.secret))
            return read.filter { isOnChannel($0.packet, secret) }
        }
        guard !message.isOutgoing else { return [] }
        // The radio reports the first copy; its SNR and path are those of the message.
        let first = read.last { isDirect($0.packet, $0.row) }
        return read.filter { $0.packet.type == .txtMsg && $0.packet.payload == first?.packet.payload }
    }

    private func isOnChannel(_ packet: PacketView, _ secret: SharedSecret) -> Bool {
        guard packet.type == .grpTxt, let text = try? packet.opened(with: secret)?.read(GroupTextPlaintext.self),
            text.timestamp == message.timestamp
        else { return false }
        return text.text.readable.hasSuffix(message.text)
    }

    private func isDirect(_ packet: PacketView, _ row: HeardPacketDTO) -> Bool {
        guard packet.type == .txtMsg, packet.destinationHash == own?.publicKey.first,
            packet.sourceHash == message.senderKeyPrefix?.first, row.snr == message.snrQuarterDB,
            row.heardAt <= message.createdAt
        else { return false }
        return message.pathLength == 0xFF ? packet.isDirect : packet.pathLength.rawValue == message.pathLength
    }

    private func onAir(_ packet: PacketView) -> MessageWay.OnAir {
        var printer = PacketPrinter()
        if let channel = conversation.channel {
            let secret = SharedSecret(channel: FixedBytes(channel.secret))
            printer.channels = [.init(name: channel.displayName, secret: secret)]
        }
        return MessageWay.OnAir(hex: Measures.hex(packet.bytes), text: printer.printed(packet).description)
    }
}
