import Foundation
import MeshCompanion
import MeshRadio
import Testing

@testable import MeshFirmware

/// Answers that the consoles of a role gave to one script in the published sources: `Resources/Consoles`.
///
/// The files were written by the command lines of the reference firmware, built for a computer from the sources at
/// each tag. A line `>` has what is typed, and the time stamp of a message where it came by radio. The lines below
/// it have the answers: builds, tags and text, with `*` for all of them. Columns are separated by tabs, and `\n`,
/// `\r`, `\t`, `\s` and `\\` stand for characters. `<restart>` and `<power off>` are actions without an answer.
/// Output before the answer is between `<print>` and `</print>`.
struct ConsoleTable: Sendable {
    /// The tags in their order; `dev` is the development branch before 1.18.
    static let tags = ["1.14.1", "1.15.0", "1.16.0", "1.17.1", "dev"]

    struct Exchange: Sendable {
        let line: [UInt8]
        /// 0 for the console.
        let stamp: UInt32
        var answers: [Answer] = []

        /// The answer of the source at this tag in this build.
        func answer(of build: ConsoleBuild, at tag: String) throws -> String {
            let found = answers.filter { $0.holds(for: build, at: tag) }
            try #require(
                found.count == 1, "\(ConsoleTable.escaped(line)) has \(found.count) answers of \(build) at \(tag)")
            return found[0].text
        }
    }

    struct Answer: Sendable {
        let builds: [Substring]
        let tags: ArraySlice<String>
        let text: String

        func holds(for build: ConsoleBuild, at tag: String) -> Bool {
            tags.contains(tag) && (builds == ["*"] || builds.contains { $0 == build.rawValue })
        }
    }

    let role: ServerRole
    /// The builds of which there are answers, and at which tags.
    private(set) var builds: [(build: ConsoleBuild, tags: ArraySlice<String>)] = []
    private(set) var exchanges: [Exchange] = []

    static func table(of role: ServerRole) throws -> ConsoleTable {
        let file = try #require(
            Bundle.module.url(forResource: role.commandName, withExtension: "tsv", subdirectory: "Resources/Consoles"))
        return try ConsoleTable(role, String(contentsOf: file, encoding: .utf8))
    }

    private init(_ role: ServerRole, _ text: String) throws {
        self.role = role
        for row in text.split(separator: "\n") where !row.hasPrefix("#") {
            let columns = row.split(separator: "\t", omittingEmptySubsequences: false)
            switch columns[0] {
            case "build":
                let build = try #require(ConsoleBuild(rawValue: String(columns[1])))
                builds.append((build, try Self.tags(columns[2])))
            case ">":
                let stamp = columns.count > 2 ? try #require(UInt32(columns[2])) : 0
                exchanges.append(Exchange(line: Self.unescaped(columns[1]), stamp: stamp))
            default:
                let answer = Answer(
                    builds: columns[0].split(separator: ","), tags: try Self.tags(columns[1]),
                    text: String(decoding: Self.unescaped(columns[2]), as: UTF8.self))
                exchanges[exchanges.count - 1].answers.append(answer)
            }
        }
    }

    /// `*`, one tag, or the first and the last of several.
    private static func tags(_ text: Substring) throws -> ArraySlice<String> {
        guard text != "*" else { return tags[...] }
        let ends = try text.split(separator: "…").map { end in try #require(tags.firstIndex { $0 == end }, "\(text)") }
        return tags[ends[0]...ends[ends.count - 1]]
    }

    private static let escapes: [(letter: Character, character: Character)] = [
        ("n", "\n"), ("r", "\r"), ("t", "\t"), ("s", " "), ("\\", "\\"),
    ]

    private static func unescaped(_ text: Substring) -> [UInt8] {
        var (result, isEscaped) = ("", false)
        for character in text {
            if isEscaped {
                result.append(escapes.first { $0.letter == character }?.character ?? character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return [UInt8](result.utf8)
    }

    /// A line as the table has it, but for spaces.
    static func escaped(_ line: [UInt8]) -> String {
        String(decoding: line, as: UTF8.self).replacing("\n", with: "\\n")
    }
}

/// The builds whose consoles were asked.
enum ConsoleBuild: String, Sendable, CaseIterable {
    /// ESP32 with SX1262 and a GPS receiver.
    case esp32
    /// nRF52 with SX1262, power management and an adjustable battery reading.
    case nrf52
    /// nRF52 with LR1110, without power management, with GPS but no receiver that can be asked.
    case lr1110
    /// RP2040 with SX1276 and nothing else; as a sensor with outputs.
    case other
    /// ESP32 with a serial bridge and switched amplifiers.
    case rs232
    /// ESP32 with LR2021 and a bridge without a wire.
    case espnow

    func board(_ version: FirmwareVersion, _ role: ServerRole) -> BoardProfile {
        var board = self == .nrf52 || self == .lr1110 ? BoardProfile.rak4631 : .heltecV3
        board.firmware = version
        board.gpsBuild = .absent
        switch self {
        case .esp32:
            board.hasGPS = true
            board.gpsBuild = .complete
        case .nrf52:
            board.bootloaderVersion = "0.9.2"
            board.adcMultiplier = 1.815
        case .lr1110:
            board.model = "T1000-E"
            board.chip = .lr1110
            board.hasPowerManagement = false
            board.hasPowerOff = true
            board.gpsBuild = .withoutProvider
        case .other:
            board.model = "Generic"
            board.platform = .other
            board.chip = .sx127x
            board.hasOutputs = role == .sensor
        case .rs232:
            board.model = "Heltec V4"
            board.bridge = .rs232
            board.hasSwitchedReceiveAmplifier = true
            board.hasSwitchedTransmitAmplifier = true
        case .espnow:
            board.model = "Generic"
            board.bridge = .espNow
            board.chip = .lr2021
        }
        return board
    }
}
