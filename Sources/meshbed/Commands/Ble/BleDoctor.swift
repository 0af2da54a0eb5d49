import ArgumentParser
import MeshCaptureIO
import MeshTransports

/// `meshbed ble doctor`: what this machine lacks for Bluetooth, and the commands that mend it.
struct BleDoctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Show what is missing for Bluetooth on this machine, and how to add it.",
        discussion: """
            Looks at the kernel, the adapters, their switches, bluetoothd and the capabilities of this process. It \
            changes nothing, and needs no rights.

            'desktop' is a client or a radio beside the desktop, through bluetoothd. 'exact' is an adapter for us alone, as an \
            emulated radio with a board's PIN needs it. 'recording' is a capture with 'meshbed record ble'.

            Examples:
              meshbed ble doctor
              meshbed ble doctor --json

            Exit status: 0 when 'desktop' or 'exact' works, 1 when neither does.
            """)

    @Flag(help: "Print one JSON object.") var json = false

    func run() throws {
        let facts = BluetoothFacts(
            below: "", daemon: .init(DesktopAccess()),
            adapters: BluetoothAdapters.all?.map { .init(index: $0.index, isUp: $0.isUp, address: $0.address) })
        let diagnosis = BluetoothDiagnosis(facts, program: "$(command -v meshbed)")
        if json {
            Console.text(CaptureJSON.line(ShownDiagnosis(diagnosis), isPretty: true))
        } else {
            ShownDiagnosis(diagnosis).lines.forEach(Console.out)
        }
        if !diagnosis.isUsable { throw ExitCode(1) }
    }
}

extension BluetoothFacts.Daemon {
    fileprivate init(_ access: DesktopAccess) {
        self =
            switch access {
            case .allowed: .running
            case .refused: .refuses
            case .notRunning: .notRunning
            case .noBus: .noBus
            }
    }
}

/// A diagnosis for people and for programs.
struct ShownDiagnosis: Encodable {
    struct Finding: Encodable {
        let subject: String
        let isMet: Bool
        let sentence: String
        let command: String?
    }

    let isUsable: Bool
    let findings: [Finding]
    /// The ways that work: `desktop`, `exact`, `recording`.
    let ways: [String]

    init(_ diagnosis: BluetoothDiagnosis) {
        isUsable = diagnosis.isUsable
        findings = diagnosis.findings.map {
            Finding(subject: $0.subject.rawValue, isMet: $0.isMet, sentence: $0.sentence, command: $0.command)
        }
        ways = diagnosis.ways.map(\.rawValue)
    }

    var lines: [String] {
        let rows = findings.flatMap { finding in
            [[finding.subject, finding.isMet ? "ok" : "missing", finding.sentence]]
                + (finding.command.map { [["", "do", $0]] } ?? [])
        }
        let table = rows.isEmpty ? [] : TextTable.lines(rows[0], [[String]](rows.dropFirst()), indent: "")
        return table + ["", "Works now: " + (ways.isEmpty ? "nothing" : ways.joined(separator: ", "))]
    }
}
