import BluetoothCapture
import MeshCapture
import MeshCaptureIO
import MeshFiles
import MeshTime

/// A file with recorded traffic, as far as it can be read.
struct LoadedCapture {
    /// An error that makes a file unusable.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The path as the user gave it.
    let path: String
    /// The kind of the file, in words.
    let kind: String
    /// The recordings in it: a recording of our own as a whole, or each connection of a Bluetooth capture.
    var parts: [Part]
    /// The problems of reading.
    var problems: [CaptureProblem]

    /// A recording out of the file.
    struct Part {
        var recording: Recording
        /// The line of the file for each entry, or the record of the capture; from 1.
        var places: [Int]
        /// Further facts about the recording, by name.
        var details: [(name: String, value: String)] = []
    }

    /// The numbers of other records of a Bluetooth capture and of lost ones, by cause.
    var losses: [(name: String, count: Int)] = []

    /// Devices of a Bluetooth capture that advertised the service of companion radios.
    var radios: [Advertiser] = []

    /// True for records of observers, in which no app speaks with its radio.
    var isOfObservers: Bool { kind == RecordLoad.kind }

    /// Reads a file, or standard input for `-`, packed with gzip or not.
    ///
    /// It is a recording of our own, a Bluetooth capture of any kind, or records of observers. The first bytes decide
    /// which. Records are read as a whole, the others as a stream.
    init(_ path: String, _ options: AirOptions = AirOptions()) throws {
        var head: [UInt8] = []
        var recording: RecordingLoad?
        var records: RecordLoad?
        var capture = CaptureLoad(options)
        func take(_ bytes: Span<UInt8>) -> Bool {
            recording?.take(bytes) ?? records?.take(bytes) ?? capture.take(bytes)
        }
        func decide() -> Bool {
            if head.starts(with: RecordingLoad.signature) {
                recording = RecordingLoad()
            } else if RecordLoad.isText(head) {
                records = RecordLoad()
            }
            return take(head.span)
        }
        let problem: CaptureProblem?
        do {
            problem = try CaptureFile(path).stream { bytes in
                guard head.count < RecordingLoad.signature.count else { return take(bytes) }
                bytes.withUnsafeBufferPointer { head.append(contentsOf: $0) }
                return head.count < RecordingLoad.signature.count || decide()
            }
        } catch {
            throw Failure(description: "\(error)")
        }
        if head.count < RecordingLoad.signature.count { _ = decide() }
        if var recording {
            let part = recording.finish(problem)
            if let refusal = recording.refusal { throw Failure(description: "\(path): \(refusal.reason)") }
            self.init(path, kind: "recording", [part], recording.problems, [])
            return
        }
        if let records {
            do throws(FileProblem) {
                let (parts, problems, losses) = try records.finish(problem)
                self.init(path, kind: RecordLoad.kind, parts, problems, losses)
            } catch {
                throw Failure(
                    description: "\(path): neither a recording nor a Bluetooth capture, and as a file of records it "
                        + error.reason)
            }
            return
        }
        capture.finish(problem)
        guard let format = capture.format else {
            throw Failure(description: "\(path): neither a recording nor a Bluetooth capture")
        }
        if let reason = capture.refusedKeys { throw Failure(description: "\(path): \(reason)") }
        self.init(path, kind: format.rawValue, capture.parts, capture.problems, capture.losses)
        radios = capture.radios
    }

    private init(
        _ path: String, kind: String, _ parts: [Part], _ problems: [CaptureProblem],
        _ losses: [(name: String, count: Int)]
    ) {
        self.path = path
        self.kind = kind
        self.parts = parts
        self.problems = problems
        self.losses = losses
    }

    /// One recording: the file's, or the chosen connection's, counted from 1.
    func part(connection: Int?) throws -> Part {
        guard let first = parts.first else { throw Failure(description: "\(path): no connection to a radio is in it") }
        if parts.count > 1 {
            guard let connection else {
                let what = isOfObservers ? "observers" : "connections to radios"
                throw Failure(description: "\(path): holds \(parts.count) \(what); choose one with --connection")
            }
            guard parts.indices.contains(connection - 1) else { throw noConnection(connection) }
            return parts[connection - 1]
        }
        guard let connection, !(isOfObservers && connection == 1) else { return first }
        let numbers = first.recording.connectionNumbers
        guard numbers.contains(connection) else { throw noConnection(connection) }
        var part = first
        // Turns stand between connections: one alone has no past to go back to.
        let chosen = numbers.indices.filter { index in
            if case .turn = first.recording.entries[index].event { false } else { numbers[index] == connection }
        }
        part.recording.entries = chosen.map { first.recording.entries[$0] }
        part.places = chosen.map { first.places[$0] }
        return part
    }

    private func noConnection(_ number: Int) -> Failure {
        Failure(description: "\(path): there is no connection \(number)")
    }

    /// Prints on standard error what could not be read; returns `true` when all could be.
    func reportProblems(_ command: String) -> Bool {
        Self.report(problems, path, kind: kind, command)
        return problems.isEmpty
    }

    static func report(_ problems: [CaptureProblem], _ path: String, kind: String, _ command: String) {
        for problem in problems {
            let place = problem.number.map { "\(kind == "recording" ? "line" : "record") \($0), " } ?? ""
            // The reason of a record names its lines.
            let offset = kind == RecordLoad.kind ? "" : "offset \(problem.offset): "
            Console.note("meshbed \(command): \(path): \(place)\(offset)\(problem.reason)")
        }
    }
}

extension Recording {
    /// For each entry the connection it belongs to, counted from 1; 0 in front of the first.
    var connectionNumbers: [Int] {
        var number = 0
        var isOpen = false
        return entries.map { entry in
            switch entry.event {
            case .connected:
                number += 1
                isOpen = true
            case .frame where !isOpen:
                // A recording that begins in the middle.
                number += 1
                isOpen = true
            case .disconnected, .turn(.restored): isOpen = false
            case .frame, .packet, .problem, .turn(.snapshot): break
            }
            return number
        }
    }
}
