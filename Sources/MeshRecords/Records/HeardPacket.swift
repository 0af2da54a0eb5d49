import MeshCore
package import MeshPacket
import MeshWire

/// A packet on the air as a file of another tool tells it: the bytes, and what is known of the reception.
package struct HeardPacket: Hashable, Sendable {
    /// The packet as it was on the air, whether it makes sense or not.
    package var bytes: [UInt8]
    /// The form of the record.
    package var form: RecordForm
    /// The line of the file, counted from 1.
    package var line: Int
    package var time: RecordTime?
    /// The station that heard it; `nil` where the record does not say.
    package var observer: Observer?
    /// In dB, -128 to 127.
    package var snr: Double?
    /// In dBm, -255 to 0.
    package var rssi: Double?
    /// True for a packet that the observer sent itself.
    package var isSent = false

    package init(_ bytes: [UInt8], _ form: RecordForm, line: Int) {
        self.bytes = bytes
        self.form = form
        self.line = line
    }

    /// A station that hears packets and reports them.
    package struct Observer: Hashable, Sendable {
        /// The name as the record has it, cut to `longestText` bytes; may be empty, and comes from outside.
        package var name: String
        /// Mostly the public key in lower-case hex; empty where the record has none.
        package var id: String

        /// The bytes of a name and of an identifier that are kept.
        static let longestText = 64

        init(name: String, id: String) {
            self.name = ByteText(name).cut(to: Self.longestText).string
            self.id = ByteText(id.lowercased()).cut(to: Self.longestText).string
        }

        /// The two for people: `hill (1a2b3c)`.
        package var text: String {
            guard !id.isEmpty else { return name }
            return name.isEmpty ? String(id.prefix(12)) : "\(name) (\(id.prefix(6)))"
        }
    }

    /// The rules that the bytes follow: a card was stored by a node, everything else heard on the air.
    package var source: PacketView.Source { form == .card ? .blob : .radio }

    /// The facts about the reception in one line for people; empty without any.
    package var circumstances: String {
        var facts = [time?.description ?? "", observer.map { (isSent ? "sent by " : "heard by ") + $0.text } ?? ""]
        if let snr { facts.append("SNR \(snr.fixed(atMost: 2)) dB") }
        if let rssi { facts.append("RSSI \(rssi.fixed(atMost: 1)) dBm") }
        return facts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

/// A form in which packets stand in files.
package enum RecordForm: String, Hashable, Sendable, CaseIterable {
    case hex
    case console
    case card
    case json

    /// What the reader looks for, in errors and helps.
    package var words: String {
        switch self {
        case .hex: "a packet in hex a line"
        case .console: "console lines with RAW"
        case .card: "cards (meshcore://…)"
        case .json: "JSON records with \(RecordForm.members.joined(separator: ", "))"
        }
    }

    /// The members of a JSON record that hold the packet; the first that is there counts.
    static let members = ["raw", "raw_hex", "data", "hex"]

    /// All that the reader looks for, in one sentence.
    package static var sought: String { allCases.map(\.words).joined(separator: "; ") }
}
