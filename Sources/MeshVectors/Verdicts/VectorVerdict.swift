import MeshFirmware
import MeshWire

/// The model's answer to one case: what the reader of the bytes does with them.
struct VectorVerdict: Hashable, Sendable {
    /// False when the reader refuses the bytes.
    let isValid: Bool
    /// The reason for a refusal: the firmware's constant, or the drop's.
    let reason: String?
    /// The reports of the radio on a packet.
    let events: [String]
    /// The frames that the radio sends its app, by the firmware's constants.
    let answers: [String]

    init(isValid: Bool, reason: String? = nil, events: [String] = [], answers: [String] = []) {
        self.isValid = isValid
        self.reason = reason
        self.events = events
        self.answers = answers
    }
}

extension NodeEvent {
    /// A few words for the files.
    var words: String {
        switch self {
        case .rxDrop(let reason): "dropped: \(reason.words)"
        case .forwarded: "forwarded"
        case .delivered: "delivered"
        case .acknowledging: "acknowledging"
        case .acked: "acknowledged"
        }
    }

    /// The reason for which the packet itself is at fault; `nil` where another node might handle it.
    var refusal: String? {
        guard case .rxDrop(let reason) = self else { return nil }
        switch reason {
        case .malformed, .badSignature, .tooShort: return reason.words
        default: return nil
        }
    }
}

extension DropReason {
    /// The reason in words, as in `path full`.
    fileprivate var words: String {
        "\(self)".reduce(into: "") { words, character in
            if character.isUppercase { words += " " }
            words += character.lowercased()
        }
    }
}
