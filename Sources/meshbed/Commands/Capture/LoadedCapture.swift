import Foundation
import MeshCapture
import MeshCaptureFiles

/// A file with recorded traffic, as far as it can be read.
struct LoadedCapture {
    /// Why a file cannot be used.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// As it was given.
    let path: String
    /// What kind of file it is.
    let kind: String
    /// What it holds: all of a recording of our own, or one connection of a Bluetooth capture each.
    var parts: [Part]
    /// What could not be read.
    var problems: [CaptureProblem]

    /// A recording out of the file.
    struct Part {
        var recording: Recording
        /// The line of the file for each entry, or the record of the capture; from 1.
        var places: [Int]
        /// What is known besides.
        var details: [(name: String, value: String)] = []
    }

    /// What a Bluetooth capture holds besides, and what was lost, by cause.
    var losses: [(name: String, count: Int)] = []

    /// Reads a file, or standard input for `-`: a recording of our own, or a Bluetooth capture of any kind.
    init(_ path: String, _ options: AirOptions = AirOptions()) throws {
        let bytes = try path == "-" ? FileHandle.standardInput.readDataToEndOfFile() : Self.recording(path)
        if let bytes, bytes.starts(with: Self.signature) {
            try self.init(path, recording: bytes)
            return
        }
        var capture = BluetoothCapture(options)
        let format: CaptureFormat?
        if let bytes {
            guard !bytes.starts(with: [0x1F, 0x8B]) else {
                throw Failure(description: "\(path): packed; on standard input it has to be unpacked, as gunzip does")
            }
            format = capture.read([UInt8](bytes))
        } else {
            do {
                format = try capture.read(CaptureFile(path))
            } catch {
                throw Failure(description: "\(error)")
            }
        }
        guard let format else {
            throw Failure(description: "\(path): neither a recording nor a Bluetooth capture")
        }
        self.init(path, kind: format.rawValue, capture.parts, capture.problems, capture.losses)
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

    private static let signature = [UInt8]("meshbed capture".utf8)

    /// The bytes of a file that is a recording of our own; `nil` for another, which may be too large to hold.
    private static func recording(_ path: String) throws -> Data? {
        guard let file = FileHandle(forReadingAtPath: path) else { return try bytes(of: path) }
        defer { try? file.close() }
        let head = try? file.read(upToCount: signature.count)
        return head.map { $0.elementsEqual(signature) } == true ? try bytes(of: path) : nil
    }

    private init(_ path: String, recording bytes: Data) throws {
        var reader = RecordingReader()
        var part = Part(recording: Recording(RecordingHeader()), places: [])
        var problems: [CaptureProblem] = []
        var line = 1
        func take(_ read: () throws(CaptureProblem) -> RecordingEntry?) throws {
            do throws(CaptureProblem) {
                guard let entry = try read() else { return }
                part.recording.entries.append(entry)
                part.places.append(line)
            } catch {
                guard !reader.isRefused else { throw Failure(description: "\(path): \(error.reason)") }
                problems.append(error)
            }
        }
        for byte in bytes {
            try take { () throws(CaptureProblem) in try reader.take(byte) }
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
        try take { () throws(CaptureProblem) in try reader.end() }
        part.recording.header = reader.header
        for entry in part.recording.entries { part.recording.header.learn(from: entry) }
        self.init(path, kind: "recording", [part], problems, [])
    }

    /// One recording: the file's, or the chosen connection's, counted from 1.
    func part(connection: Int?) throws -> Part {
        guard let first = parts.first else { throw Failure(description: "\(path): no connection to a radio is in it") }
        if parts.count > 1 {
            guard let connection else {
                throw Failure(
                    description: "\(path): holds \(parts.count) connections to radios; choose one with --connection")
            }
            guard parts.indices.contains(connection - 1) else { throw noConnection(connection) }
            return parts[connection - 1]
        }
        guard let connection else { return first }
        let numbers = first.recording.connectionNumbers
        guard numbers.contains(connection) else { throw noConnection(connection) }
        var part = first
        let chosen = numbers.indices.filter { numbers[$0] == connection }
        part.recording.entries = chosen.map { first.recording.entries[$0] }
        part.places = chosen.map { first.places[$0] }
        return part
    }

    private func noConnection(_ number: Int) -> Failure {
        Failure(description: "\(path): there is no connection \(number)")
    }

    /// Says on standard error what could not be read; `true` when all could be.
    func reportProblems(_ command: String) -> Bool {
        for problem in problems {
            let place = problem.number.map { "\(kind == "recording" ? "line" : "record") \($0), " } ?? ""
            Console.note("meshbed \(command): \(path): \(place)offset \(problem.offset): \(problem.reason)")
        }
        return problems.isEmpty
    }

    private static func bytes(of path: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as CocoaError {
            let reason =
                switch error.code {
                case .fileReadNoSuchFile: "there is no such file"
                case .fileReadNoPermission: "it may not be read"
                default: "it cannot be read"
                }
            throw Failure(description: "\(path): \(reason)")
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
            case .disconnected: isOpen = false
            case .frame, .packet, .problem: break
            }
            return number
        }
    }
}
