import ArgumentParser
import MeshBoards
import MeshCompanion
import MeshCompliance
import MeshFiles
import MeshTestbed
import MeshTransports

/// `meshbed lab list`: the boards of a bench file, and whether they can be used.
struct LabList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the boards of a bench file, and say which are free, in use or not there.",
        discussion: """
            A board behind a place of labgrid is not asked about: its coordinator knows.

            Examples:
              meshbed lab list
              meshbed lab list --bench ~/lab/bench.json --json

            Exit status: 0 when the file could be read, 2 when not.
            """)

    @OptionGroup var bench: BenchOptions

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func run() throws {
        guard let path = bench.path else {
            throw Console.failed("lab list", "there is no bench file: --bench, MESHBED_BENCH or bench.json")
        }
        let rows: [BoardRow]
        do {
            rows = try BenchFile().read(path: path).radios.map { try BoardRow($0) }
        } catch {
            throw LabCommand.failed("list", error)
        }
        guard !json else {
            for row in rows { Console.out(try row.jsonText(inOneLine: true)) }
            return
        }
        let words = rows.map { [$0.label, $0.place, $0.firmware ?? "-", $0.allow.joined(separator: " "), $0.state] }
        let table = TextTable.lines(["label", "where", "firmware", "allowed", "state"], words, indent: "")
        Console.text(table.joined(separator: "\n"))
    }
}

/// A board of `meshbed lab list`.
private struct BoardRow: Encodable {
    let label: String
    /// Its address, its USB serial number or its place.
    let place: String
    let firmware: String?
    let allow: [String]
    let near: [String]
    /// `free`, or the reason why it cannot be used.
    let state: String

    init(_ radio: Radio) throws {
        let target = try radio.target.get()
        let board = target.board
        label = radio.label
        place =
            board?.place.map { LabgridPlace.scheme + $0 } ?? target.addresses.first?.brief
            ?? board?.usb.map { "usb \($0)" } ?? ""
        firmware = board?.firmware?.name
        allow = board?.permissions.map(\.rawValue) ?? []
        near = radio.near
        state = board?.place == nil ? Self.state(of: target) : "by labgrid"
    }

    private static func state(of target: Target) -> String {
        do throws(Bench.Problem) {
            try BoardClaim(target, for: "meshbed lab list").release()
            return "free"
        } catch {
            switch error {
            case .inUse(_, let holder): return "in use by \(holder)"
            case .missing(_, let reason), .lacks(_, let reason): return reason
            case .unknown, .ambiguous, .badAddress: return "\(error)"
            }
        }
    }
}
