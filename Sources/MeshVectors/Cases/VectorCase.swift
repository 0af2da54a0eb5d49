import MeshCrypto
import MeshWire

/// One packet or frame to ask the model about, before anything is known of its verdict.
struct VectorCase: Sendable {
    /// The way in which the bytes travel, which decides on their reader.
    enum Kind: String, Codable, Sendable {
        /// From the air into a radio.
        case packet
        /// From an app to a radio.
        case command
        /// From a radio to an app: a response or a push.
        case frame
    }

    /// The content of a sealed payload, which a reader with the secret must find.
    struct Content: Sendable {
        let secret: SharedSecret
        let plaintext: [UInt8]
    }

    let kind: Kind
    /// The file that it stands in.
    let group: VectorGroup
    /// Its name within the group: words with hyphens.
    let name: String
    let bytes: [UInt8]
    /// The numbered statement of the specifications that it shows.
    let statement: String
    var content: Content?
}

/// A class of vectors, and the name of its file.
enum VectorGroup: String, CaseIterable, Sendable {
    case paths
    case types
    case limits
    case adverts
    case sealed
    case cuts
    case commands
    case commandCuts = "command-cuts"
    case commandLengths = "command-lengths"
    case frames
    case frameCuts = "frame-cuts"

    /// Its subject, in one sentence.
    var title: String {
        switch self {
        case .paths: "Packets with paths of every hash size, number of hops and route."
        case .types: "Packets of every payload type on every route, and payloads in the clear."
        case .limits: "Packets with payloads at and beyond their limits, and of reserved versions."
        case .adverts: "Adverts with every flag, cut application data, and signatures that fail."
        case .sealed: "Packets that a key opens, with secret and plaintext."
        case .cuts: "Packets that end before, or within, each of their fields."
        case .commands: "Frames of an app: every command, and codes that are none."
        case .commandCuts: "Commands that end before, or within, each of their fields."
        case .commandLengths: "Commands with bytes behind their last field, and of values drawn from a seed."
        case .frames: "Frames of a radio: responses and pushes."
        case .frameCuts: "Responses and pushes that end before, or within, each of their fields."
        }
    }
}

/// A list of cases of one group that is put together one by one.
struct CaseList {
    let group: VectorGroup
    private(set) var cases: [VectorCase] = []
    private var seen: Set<[UInt8]> = []

    init(_ group: VectorGroup) {
        self.group = group
    }

    /// Adds bytes, unless the list has them already.
    mutating func add(
        _ kind: VectorCase.Kind, _ name: String, _ bytes: [UInt8], _ statement: String,
        content: VectorCase.Content? = nil
    ) {
        guard seen.insert(bytes).inserted else { return }
        cases.append(
            VectorCase(
                kind: kind, group: group, name: name, bytes: bytes, statement: statement, content: content))
    }

    /// Adds the bytes cut before and within each field behind the first byte.
    mutating func addCuts(
        _ kind: VectorCase.Kind, of name: String, _ bytes: [UInt8], _ fields: [PrintedField],
        _ statement: (_ length: Int) -> String
    ) {
        for (index, field) in fields.enumerated() where field.offset > 0 && field.offset < bytes.count {
            // Several fields may have one name, as those of a list have.
            let place = field.name.slug + (fields[..<index].contains { $0.name == field.name } ? "-\(index)" : "")
            add(
                kind, "\(name)-without-\(place)", [UInt8](bytes[..<field.offset]), statement(field.offset))
            guard field.size > 1 else { continue }
            let middle = field.offset + field.size / 2
            add(kind, "\(name)-within-\(place)", [UInt8](bytes[..<middle]), statement(middle))
        }
    }
}

extension String {
    /// The text in small letters and digits, with hyphens between its words.
    var slug: String {
        lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    }
}
