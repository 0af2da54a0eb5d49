import MeshCompanion
import MeshFirmware
import MeshPacket
import MeshWire

/// All cases with the verdicts of all versions: each record is one claim, and the versions in which it is true.
struct VectorCollection: Sendable {
    private(set) var records: [VectorRecord] = []
    let cast = VectorCast()
    private var emitted = EmittedFrames()

    /// Asks the model about every case; the same records each time.
    init() {
        let radios = FirmwareVersion.all.map { VectorRadio($0, cast) }
        let lists: [CaseList] = [
            .paths(cast), .types(cast), .limits(cast), .adverts(cast), .sealed(cast), .cuts(cast), .commands(cast),
            .commandCuts(cast), .commandLengths(cast),
        ]
        for list in lists {
            for item in list.cases { ask(radios, about: item) }
        }
        addFrames()
    }

    /// The records of a group, in the order in which they were made.
    func records(of group: VectorGroup) -> [VectorRecord] { records.filter { $0.group == group } }

    private mutating func ask(_ radios: [VectorRadio], about item: VectorCase) {
        var answers: [(verdict: VectorVerdict, versions: [FirmwareVersion])] = []
        for radio in radios {
            let (verdict, frames) =
                item.kind == .packet ? radio.verdict(onPacket: item.bytes) : radio.verdict(onCommand: item.bytes)
            emitted.note(frames, of: radio.version)
            if let place = answers.firstIndex(where: { $0.verdict == verdict }) {
                answers[place].versions.append(radio.version)
            } else {
                answers.append((verdict, [radio.version]))
            }
        }
        for (verdict, versions) in answers {
            let suffix = answers.count > 1 ? "-in-\(versions[0])" : ""
            records.append(VectorRecord(item, verdict, versions, suffix: suffix, reading: reading(of: item)))
        }
    }

    // MARK: What a radio writes

    /// Responses and pushes are read by apps: by the walk of their code in the table.
    private mutating func addFrames() {
        let selected = emitted.selected()
        for (code, entries) in selected {
            for (number, entry) in entries.enumerated() {
                add(entry, code, .frames, "\(code.words)-\(number + 1)")
            }
        }
        for (code, entries) in selected {
            guard let entry = entries.max(by: { $0.bytes.count < $1.bytes.count }) else { continue }
            var list = CaseList(.frameCuts)
            let fields = FramePrinter.printed(entry.bytes, direction: .toApp).fields
            list.addCuts(.frame, of: code.words, entry.bytes, fields) { _ in code.statement }
            for item in list.cases {
                add(EmittedFrames.Entry(bytes: item.bytes, versions: entry.versions), code, .frameCuts, item.name)
            }
        }
    }

    private mutating func add(
        _ entry: EmittedFrames.Entry, _ code: RadioCode, _ group: VectorGroup, _ name: String
    ) {
        let item = VectorCase(
            kind: .frame, group: group, name: name, bytes: entry.bytes, statement: code.statement)
        let reading = reading(of: item)
        let verdict = VectorVerdict(isValid: reading.failure == nil, reason: reading.failure?.description)
        records.append(VectorRecord(item, verdict, entry.versions, reading: reading))
    }

    private func reading(of item: VectorCase) -> VectorRecord.Reading {
        switch item.kind {
        case .packet: VectorRecord.Reading(cast.printer.printed(item.bytes))
        case .command: VectorRecord.Reading(FramePrinter.printed(item.bytes, direction: .toRadio))
        case .frame: VectorRecord.Reading(FramePrinter.printed(item.bytes, direction: .toApp))
        }
    }
}
