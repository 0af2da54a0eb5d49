import MeshCompanion

/// What a statement rests on: its bytes, why it matters to an app, and where it comes from.
public struct Grounds: Sendable, Hashable {
    /// Where in the firmware, and in the document about it, a statement is found.
    enum Origin: Hashable, Sendable {
        case serial, wifi, ethernet, bluetooth, bluetoothNRF52, bluetoothESP32, dispatch
        case command(CommandCode)
        /// A section of the companion document that is not about one command.
        case section(String)
        /// What happens on the air, too.
        case air
    }

    /// The number of `CMP-…`.
    let number: Int
    /// What is sent to the radio or done to it, as the specification writes bytes.
    public let given: String
    /// What must come.
    public let expected: String
    /// Why it matters to an app, in one sentence.
    public let reason: String
    let origins: [Origin]

    init(_ number: Int, _ given: String, _ expected: String, _ reason: String, _ origins: Origin...) {
        self.number = number
        self.given = given
        self.expected = expected
        self.reason = reason
        self.origins = origins
    }

    /// Those of all statements, in order.
    static let all: [Grounds] =
        serialFraming + tcpFraming + bluetooth + dispatch + session + settings + contacts + sending + receiving
        + channels + requests + rawData + identity + statistics + adverts + cornerCases

    /// Those of one statement, `CMP-034`; `nil` for conversations and checks of the matrix.
    static func of(_ id: String) -> Grounds? {
        guard id.hasPrefix("CMP-"), let number = Int(id.dropFirst(4)), all.indices.contains(number - 1) else {
            return nil
        }
        return all[number - 1]
    }

    /// The files of the firmware and the sections of the documents, each once.
    public var source: String {
        var parts: [String] = []
        for part in origins.flatMap({ [$0.section, $0.file] }) where !parts.contains(part) { parts.append(part) }
        return parts.joined(separator: "; ")
    }

    /// How the specification knows: by running the firmware's code, or by reading it.
    public var basis: String { 18...32 ~= number ? "derived from the source" : "executed on the reference code" }
}

extension Grounds.Origin {
    /// Relative to the firmware's root, release 1.17.1.
    fileprivate var file: String {
        switch self {
        case .serial: "src/helpers/ArduinoSerialInterface.cpp"
        case .wifi: "src/helpers/esp32/SerialWifiInterface.cpp"
        case .ethernet: "src/helpers/ethernet/SerialEthernetInterface.cpp"
        case .bluetooth: "src/helpers/nrf52/SerialBLEInterface.cpp and src/helpers/esp32/SerialBLEInterface.cpp"
        case .bluetoothNRF52: "src/helpers/nrf52/SerialBLEInterface.cpp"
        case .bluetoothESP32: "src/helpers/esp32/SerialBLEInterface.cpp"
        case .command(let code): "\(code.wireName) in examples/companion_radio/MyMesh.cpp"
        case .dispatch, .section, .air: "examples/companion_radio/MyMesh.cpp"
        }
    }

    fileprivate var section: String {
        switch self {
        case .serial: "companion document §2.2"
        case .wifi: "companion document §2.3"
        case .ethernet: "companion document §2.4"
        case .bluetooth: "companion document §2.5"
        case .bluetoothNRF52: "companion document §2.6"
        case .bluetoothESP32: "companion document §2.7"
        case .dispatch: "companion document §§3.1–3.3"
        // The commands' sections are numbered in the order of the codes.
        case .command(let code): "companion document §6.\((CommandCode.allCases.firstIndex(of: code) ?? 0) + 1)"
        case .section(let number): "companion document §\(number)"
        case .air: "over-the-air document"
        }
    }
}
