import BluetoothCapture
import MeshCaptureIO
import MeshTime
import MeshWire

/// `capture show --hci`: commands and events by name.
struct HostListing {
    private let command: CaptureShow

    init(_ command: CaptureShow) {
        self.command = command
    }

    /// Emits the lines; returns `false` when some of the file could not be read.
    func show(_ path: String, _ out: @escaping (String) -> Void) throws -> Bool {
        // Times count from the first line, as those of recordings do.
        var began: Int64?
        let lister = HostLister { line in
            began = began ?? line.nanoseconds
            let distance = line.nanoseconds.map { $0.subtractingReportingOverflow(began ?? $0) }
            let time = distance.map { TimeSpan.microseconds($0.overflow ? 0 : max(0, $0.partialValue / 1000)) }
            guard shows(line, at: time ?? .zero) else { return }
            if command.json {
                out(CaptureJSON.line(ShownHostLine(line, at: time)))
            } else {
                let words = line.words.isEmpty ? "" : ": \(line.words)"
                let mark = line.isCommand ? ">" : "<"
                out("\((time ?? .zero).recordedText) hci\(line.adapter) \(mark) \(line.name)\(words)")
                if command.fields { for field in line.fields { out(CaptureShow.line(field)) } }
            }
        }
        var decoder = LinkDecoder(lister)
        let found: CaptureFormat?
        do {
            found = try CaptureFile(path).read(into: &decoder)
        } catch {
            throw LoadedCapture.Failure(description: "\(error)")
        }
        guard let format = found else {
            throw LoadedCapture.Failure(description: "\(path): no Bluetooth capture")
        }
        let problems = decoder.sink.problems
        LoadedCapture.report(problems, path, kind: format.rawValue, "capture show")
        return problems.isEmpty
    }

    private func shows(_ line: HostLine, at time: TimeSpan) -> Bool {
        if let from = command.from, time < from { return false }
        if let to = command.to, time > to { return false }
        let name = line.name.uppercased()
        return command.code.isEmpty || command.code.contains { name.contains($0.uppercased()) }
    }
}

/// A command or an event for programs.
private struct ShownHostLine: Encodable {
    let record: Int
    let seconds: Double?
    let adapter: UInt16
    let isCommand: Bool
    let name: String
    let words: String?
    let fields: [RecordJSON.Field]?

    init(_ line: HostLine, at time: TimeSpan?) {
        record = line.record
        seconds = time.map { Double($0.microseconds) / 1_000_000 }
        adapter = line.adapter
        isCommand = line.isCommand
        name = line.name
        words = line.words.isEmpty ? nil : line.words
        fields = line.fields.isEmpty ? nil : line.fields.map(RecordJSON.Field.init)
    }
}
