import MeshCompanion

/// The content and basis of a statement: its sentence, its bytes, its reason and its source.
public struct Rationale: Sendable, Hashable {
    /// The part of the firmware that a statement was taken from.
    enum Origin: Hashable, Sendable {
        case serial, wifi, ethernet, bluetooth, bluetoothNRF52, bluetoothESP32
        /// A function of what makes several interfaces one.
        case multiplexer(String)
        /// The radio's choice of what to execute.
        case dispatch
        case command(CommandCode)
        /// A function of the companion radio.
        case companion(String)
        /// A function of what contacts and channels share with other programs of the firmware.
        case chat(String)
        /// A function of what keeps settings, channels and contacts.
        case store(String)
        /// A function of what queues and receives packets.
        case dispatcher(String)
        /// A function of the clock.
        case clock(String)
        /// Effects on the air as a further origin.
        case air
    }

    /// The number of `CMP-…`.
    let number: Int
    /// The statement itself, in one or two sentences: what the article has below its number.
    public let sentence: String
    /// Bytes sent to the radio or actions on it, in the suite's notation of bytes.
    public let given: String
    /// The expected answer.
    public let expected: String
    /// The reason why it matters to an app, in one sentence.
    public let reason: String
    let origins: [Origin]

    init(
        _ number: Int, says sentence: String, _ given: String, _ expected: String, _ reason: String,
        _ origins: Origin...
    ) {
        self.number = number
        self.sentence = sentence
        self.given = given
        self.expected = expected
        self.reason = reason
        self.origins = origins
    }

    /// Those of all statements, in order.
    static let all: [Rationale] =
        serialFraming + tcpFraming + bluetooth + dispatch + session + settings + contacts + sending + receiving
        + channels + requests + rawData + identity + statistics + adverts + cornerCases + severalInterfaces

    /// Those of one statement, `CMP-034`; `nil` for conversations and checks of the matrix.
    static func of(_ id: String) -> Rationale? {
        guard id.hasPrefix("CMP-"), let number = Int(id.dropFirst(4)), all.indices.contains(number - 1) else {
            return nil
        }
        return all[number - 1]
    }

    /// The places in the firmware, release 1.17.1, each once.
    public var source: String {
        var parts: [String] = []
        for part in origins.map(\.text) where !parts.contains(part) { parts.append(part) }
        return parts.joined(separator: "; ")
    }

    /// The kind of proof: running the firmware's code, or reading it.
    public var basis: String {
        if !isVerified { return "read in source text, not verified" }
        return 18...32 ~= number ? "derived from the source" : "executed on the reference code"
    }

    /// Tells whether a release is known to do it; otherwise no build that was seen does.
    var isVerified: Bool { number < 250 }

    /// The article that has the statement, and where the documentation's site shows it.
    public var article: String {
        let (article, id) = ("CompanionStatements", Statement.id(of: number))
        // Anchors of the site are headings in lower case.
        return "\(article), \(id) (MeshCompanion/\(article).html#\(id.lowercased()))"
    }
}

extension Rationale.Origin {
    /// The function, if one is named, and its file relative to the firmware's root.
    fileprivate var text: String {
        switch self {
        case .serial: "src/helpers/ArduinoSerialInterface.cpp"
        case .wifi: "src/helpers/esp32/SerialWifiInterface.cpp"
        case .ethernet: "src/helpers/ethernet/SerialEthernetInterface.cpp"
        case .bluetooth: "src/helpers/nrf52/SerialBLEInterface.cpp and src/helpers/esp32/SerialBLEInterface.cpp"
        case .bluetoothNRF52: "src/helpers/nrf52/SerialBLEInterface.cpp"
        case .bluetoothESP32: "src/helpers/esp32/SerialBLEInterface.cpp"
        case .multiplexer(let function): "\(function) in src/helpers/MultiSerialInterface.h"
        case .dispatch: "handleCmdFrame in examples/companion_radio/MyMesh.cpp"
        case .command(let code): "\(code.wireName) in examples/companion_radio/MyMesh.cpp"
        case .companion(let function): "\(function) in examples/companion_radio/MyMesh.cpp"
        case .chat(let function): "\(function) in src/helpers/BaseChatMesh.cpp"
        case .store(let function): "\(function) in examples/companion_radio/DataStore.cpp"
        case .dispatcher(let function): "\(function) in src/Dispatcher.cpp"
        case .clock(let function): "\(function) in src/MeshCore.h"
        case .air: "src/Mesh.cpp"
        }
    }
}
