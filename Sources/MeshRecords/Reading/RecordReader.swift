import MeshCore
package import MeshFiles
import MeshFirmware
import MeshWire

/// Reads packets line by line: hex, cards, console lines of a node, and JSON records, in any order.
///
/// A console prints the bytes of a packet first, and its signal in the next line. So a packet of a console is handed
/// over with the line behind it, or at the end.
package struct RecordReader {
    /// Bytes of a line that is read.
    package static let longestLine = 65_536
    /// Values of one JSON record.
    private static let mostValues = 65_536

    /// A line that is left out for a fault.
    package struct Fault: Hashable, Sendable {
        /// The column of the first character that does not fit, from 1; `nil` where no single one is meant.
        package let column: Int?
        package let reason: String
    }

    /// Everything that was left out so far.
    package private(set) var leftOut = LeftOut()
    private var collector = RecordCollector()
    /// A packet of a console whose signal may follow.
    private var pending: HeardPacket?
    /// True for a file with words beside its packets: a console's log, or a list of cards.
    private var hasProse = false

    package init() {}

    /// Reads a line without its end, and adds the packets that are complete.
    ///
    /// Returns the fault of a line that should have had a packet; `nil` for any other. The tally counts both.
    package mutating func take(
        _ line: ArraySlice<UInt8>, number: Int, into packets: inout [HeardPacket]
    ) -> Fault? {
        guard line.count <= Self.longestLine else { return leave(Self.tooLong, number, "") }
        var text = line.drop { HexLine.isBlank($0) }
        while let last = text.last, HexLine.isBlank(last) { text.removeLast() }
        guard let first = text.first, first != UInt8(ascii: "#") else { return nil }
        if let json = Self.json(in: text) { return takeJSON(json, number, into: &packets) }
        if let console = Self.console(in: text) { return takeConsole(console, number, into: &packets) }
        flush(into: &packets)
        if let link = ContactCard.link(in: text) { return takeCard(link, number, into: &packets) }
        return takeHex(text, number, at: text.startIndex - line.startIndex, into: &packets)
    }

    /// Hands over the packet that waits for its signal, and ends the file.
    package mutating func end(into packets: inout [HeardPacket]) {
        flush(into: &packets)
        // A console prints much else, and people write between cards.
        if hasProse { leftOut.excuse(Self.noPacketForm) }
    }

    private mutating func flush(into packets: inout [HeardPacket]) {
        if let packet = pending { packets.append(packet) }
        pending = nil
    }

    private mutating func leave(
        _ reason: String, _ number: Int, _ detail: String, column: Int? = nil
    ) -> Fault {
        leftOut.note(reason, line: number, detail: detail)
        return Fault(column: column, reason: detail.isEmpty ? reason : detail)
    }

    private static let tooLong = "longer than \(longestLine) bytes"
    private static let noPacketForm = "with no packet in a known form"

    // MARK: JSON

    /// The JSON in a line: all of it, or what stands behind a topic or a stamp.
    private static func json(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let (open, close, comment) = (UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "#"))
        if text.first == open { return text }
        guard text.last == close, let start = text.firstIndex(of: open), !text[..<start].contains(comment) else {
            return nil
        }
        return text[start...]
    }

    private mutating func takeJSON(
        _ json: ArraySlice<UInt8>, _ number: Int, into packets: inout [HeardPacket]
    ) -> Fault? {
        flush(into: &packets)
        do throws(JSONProblem) {
            collector.collect(try JSONReader.read([UInt8](json), line: number, most: Self.mostValues))
        } catch {
            return leave("of broken JSON", number, error.reason)
        }
        let found = collector.handOver()
        packets += found.packets
        leftOut.add(found.leftOut)
        return found.leftOut.rows.first(where: \.isFault).map { row in
            Fault(column: nil, reason: "a record \(row.reason)" + (row.detail.isEmpty ? "" : ": \(row.detail)"))
        }
    }

    // MARK: Consoles

    /// The part of a line from the clock of a console on, such as `10:58:12 - 15/5/2024 U RAW: …`.
    private static func console(in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let colon = UInt8(ascii: ":")
        let pattern = [UInt8]("00:00:00 - ".utf8)
        guard text.count >= pattern.count else { return nil }
        for start in text.startIndex...(text.endIndex - pattern.count)
        where text[start + 2] == colon && text[start + 5] == colon {
            let isClock = zip(text[start...], pattern).allSatisfy { byte, sample in
                sample == UInt8(ascii: "0") ? 0x30...0x39 ~= byte : sample == byte
            }
            if isClock { return text[start...] }
        }
        return nil
    }

    private mutating func takeConsole(
        _ console: ArraySlice<UInt8>, _ number: Int, into packets: inout [HeardPacket]
    ) -> Fault? {
        hasProse = true
        let line = String(decoding: console, as: UTF8.self)
        if let raw = PacketLogLine.rawFrame(line) {
            flush(into: &packets)
            guard case .bytes(let bytes) = HexLine.read(raw.hex.utf8) else {
                return leave("with no hex behind RAW", number, "")
            }
            var packet = HeardPacket(bytes, .console, line: number)
            packet.time = RecordTime(microseconds: Int64(raw.time) * 1_000_000)
            pending = packet
        } else if let logged = PacketLogLine(line) {
            if case .received(let snr, let rssi, _) = logged.event, logged.length == pending?.bytes.count {
                pending?.snr = Double(snr)
                pending?.rssi = Double(rssi)
            }
            flush(into: &packets)
        }
        return nil
    }

    // MARK: Cards and hex

    private mutating func takeCard(_ link: String, _ number: Int, into packets: inout [HeardPacket]) -> Fault? {
        hasProse = true
        guard let card = ContactCard(ContactCard.scheme + link.dropFirst(ContactCard.scheme.count)) else {
            if link.contains("?") {
                leftOut.note("with a link that has no packet", isFault: false, line: number)
                return nil
            }
            return leave("with no hex in the card", number, "")
        }
        packets.append(HeardPacket(card.packet, .card, line: number))
        return nil
    }

    private mutating func takeHex(
        _ text: ArraySlice<UInt8>, _ number: Int, at offset: Int, into packets: inout [HeardPacket]
    ) -> Fault? {
        switch HexLine.read(text) {
        case .nothing: return nil
        case .bytes(let bytes):
            packets.append(HeardPacket(bytes, .hex, line: number))
            return nil
        case .notHex(let column, let reason):
            leftOut.note(Self.noPacketForm, line: number, detail: "column \(column + offset) \(reason)")
            return Fault(column: column + offset, reason: reason)
        }
    }
}
