import MeshFiles
import MeshWire

/// What the members of a JSON record state, before a packet is found in it.
///
/// A list of observations inherits what the record above it states. Members of an unexpected kind are as absent.
struct RecordDraft {
    private(set) var time: RecordTime?
    private(set) var observer: HeardPacket.Observer?
    private(set) var snr: Double?
    private(set) var rssi: Double?
    private(set) var isSent = false
    /// The length and the type of the packet, as the record has them beside the bytes.
    private(set) var length: Int?
    private(set) var payloadType: Int?
    /// The word of the member `type`, such as `PACKET`.
    private(set) var kind = ""
    /// Signals that no radio reports.
    private(set) var strayNumbers = 0

    /// Takes over what an object states.
    mutating func take(_ fields: JSONFields) {
        time = Self.time(fields) ?? time
        observer = Self.observer(fields) ?? observer
        strayNumbers = 0
        snr = signal(fields, ["SNR", "snr"], -128...127) ?? snr
        rssi = signal(fields, ["RSSI", "rssi"], -255...0) ?? rssi
        if let way = Self.text(fields, "direction")?.lowercased() { isSent = way == "tx" }
        length = Self.number(fields, "len").map { Int(wholePart: $0) }
        payloadType = Self.number(fields, "packet_type").map { Int(wholePart: $0) }
        kind = Self.text(fields, "type") ?? kind
    }

    static func text(_ fields: JSONFields, _ key: String) -> String? {
        guard case .string(let text) = fields.member(key)?.content else { return nil }
        return text
    }

    /// A number, or a text that is one.
    private static func number(_ fields: JSONFields, _ key: String) -> Double? {
        switch fields.member(key)?.content {
        case .number(let number): number
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    private mutating func signal(
        _ fields: JSONFields, _ keys: [String], _ range: ClosedRange<Double>
    ) -> Double? {
        guard let number = keys.lazy.compactMap({ Self.number(fields, $0) }).first else { return nil }
        guard range.contains(number) else {
            strayNumbers += 1
            return nil
        }
        return number
    }

    private static func time(_ fields: JSONFields) -> RecordTime? {
        for key in ["timestamp", "recv_time", "first_seen"] {
            switch fields.member(key)?.content {
            case .number(let number): if let time = RecordTime(unix: number) { return time }
            case .string(let text): if let time = RecordTime(text) { return time }
            default: break
            }
        }
        return nil
    }

    private static func observer(_ fields: JSONFields) -> HeardPacket.Observer? {
        let name = text(fields, "observer_name")
        let observer = text(fields, "observer")
        let isKey = observer.map { FixedBytes<32>(hex: $0) != nil } ?? false
        let id = text(fields, "observer_id") ?? (isKey ? observer : text(fields, "origin_id"))
        let label = name ?? (isKey ? nil : observer) ?? text(fields, "origin")
        guard id?.isEmpty == false || label?.isEmpty == false else { return nil }
        return HeardPacket.Observer(name: label ?? "", id: id ?? "")
    }
}
