import ArgumentParser
import BluetoothCapture
import Foundation
import MeshCapture
import MeshCaptureIO
import MeshCompanion
import MeshEmulator
import MeshFirmware
import MeshSimulator
import MeshTime
import MeshTransports
import Testing

@testable import meshbed

@Suite struct RecordArgumentTests {
    @Test func `without more than a radio, apps find it on port 5005 or radio.tty`() throws {
        let network = try RecordTCP.parse(["--to", "tcp://10.0.0.7"])
        let line = try RecordSerial.parse(["--to", "serial:/dev/ttyUSB0"])

        #expect(network.listen == .tcp(host: "127.0.0.1", port: 5005))
        #expect(network.to == .tcp(host: "10.0.0.7", port: 5000))
        #expect(line.listen == .pty(path: "radio.tty"))
        #expect(line.to == .serial(path: "/dev/ttyUSB0", baud: 115_200))
        #expect(network.recording.secrets.scrubbed == [.keys, .pins, .passwords, .positions, .texts])
    }

    @Test func `the header says what was asked for, and the file's name the story and the time in UTC`() throws {
        let command = try RecordTCP.parse([
            "--to", "tcp://10.0.0.7", "--firmware", "v1.17.1", "--board", "heltec-v3", "--story", "first-sync",
            "--keep-secrets",
        ])
        let date = Date(timeIntervalSince1970: 1_795_000_000)

        let header = command.recording.head.header(.tcp, at: date)

        #expect(
            header
                == RecordingHeader(
                    firmware: "v1.17.1", board: "heltec-v3", transport: .tcp, story: "first-sync", date: "2026-11-18"))
        #expect(command.recording.path(at: date) == "first-sync-20261118-110640.capture")
        #expect(command.recording.secrets.scrubbed.isEmpty)
    }

    @Test(arguments: [
        (["tcp", "--to", "serial:/dev/ttyUSB0"], "expected tcp://HOST:PORT"),
        (["serial", "--to", "tcp://radio"], "expected serial:PATH"),
        (["tcp"], "--to"),
        (["tcp", "--to", "tcp://radio", "--keep-secrets", "--scrub-names"], "exclude each other"),
        (["tcp", "--to", "tcp://radio", "--output", ""], "--output needs the path"),
        (["tcp", "--to", "tcp://radio", "--story", "../../etc/x"], "a file is named after it"),
        (["tcp", "--to", "tcp://radio", "--story", ".hidden"], "a file is named after it"),
        (["tcp", "--to", "tcp://radio", "--story", "a\nb"], "--story is one line"),
        (["tcp", "--to", "tcp://radio", "--board", "a\nscrubbed: texts"], "--board is one line"),
        (["ble", "--output", "a.pcap"], "--keep-secrets records them as they are"),
        (["ble", "--output", "a.btsnoop"], "--output NAME.capture records the frames without their secrets"),
        (["ble", "--output", "a.pcapng", "--scrub-names"], "cannot be scrubbed while they are recorded"),
        (["ble", "--output", "a.pcapng", "--keep-secrets", "--story", "x"], "a place in a .capture only"),
        (["ble", "--device", "C0:11"], "six pairs of hex digits"),
        (["ble", "--keep-secrets", "--output", "desk.txt"], "one of the endings .capture, .pcapng, .btsnoop, .pcap"),
        (["ble", "--from", "-", "--interface", "bluetooth0"], "exclude each other"),
        (["ble", "--keep-secrets", "--scrub-names"], "exclude each other"),
        (["ble", "--redact-keys", "--output", "a.capture"], "there are no keys in a .capture"),
    ])
    func `what makes no sense is refused with a reason`(arguments: [String], reason: String) {
        let error = #expect(throws: (any Error).self) { _ = try Record.parseAsRoot(arguments) }

        let message = error.map { Record.fullMessage(for: $0) } ?? ""
        #expect(message.contains(reason), "\(message)")
        #expect(error.map { Meshbed.status(of: $0).rawValue } == 2)
    }

    @Test func `an adapter is recorded as frames without secrets, unless something else is said`() throws {
        let plain = try RecordBLE.parse([])
        let device = try RecordBLE.parse(["--device", "C0:11:22:33:44:5f", "--keep-secrets"])
        let began = Date(timeIntervalSince1970: 0)

        #expect(plain.interface == nil && plain.secrets.scrubbed == RecordingScrubber.usual)
        #expect(plain.head.path(at: began, named: "bluetooth") == "bluetooth-19700101-000000.capture")
        #expect(device.device?.peer == [0xC0, 0x11, 0x22, 0x33, 0x44, 0x5F])
        #expect(device.secrets.scrubbed.isEmpty)
    }

    @Test(arguments: [
        ("a.pcap", "pcap"), ("b/c.PCAPNG", "pcapng"), ("a.capture.btsnoop", "btsnoop"), ("x.capture", "capture"),
    ])
    func `a file's name says what it is`(path: String, format: String) {
        #expect(CaptureConvert.Format(ending: path)?.rawValue == format)
    }

    @Test(arguments: ["pcap", "a.pcapx", "a.cap", "", "a.pcap/", "-"])
    func `other names say nothing`(path: String) {
        #expect(CaptureConvert.Format(ending: path) == nil)
    }

    /// The interface of this name is nowhere, whatever the machine has.
    @Test func `an adapter that is not there is missed in one sentence, with exit status 2`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pcap").path
        let command = try RecordBLE.parse(["--keep-secrets", "--interface", "bluetooth99", "--output", path])

        let error = await #expect(throws: (any Error).self) { try await command.run() }

        #expect(error.map { Meshbed.status(of: $0).rawValue } == 2)
        #expect(!FileManager.default.fileExists(atPath: path), "a file without a recording is left behind")
    }

    /// The name of the file stays free, so that another try at another port can use it.
    @Test func `a recorder that cannot listen leaves no file`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).capture").path
        // An address of a documentation network is no machine's own.
        let command = try RecordTCP.parse([
            "--listen", "tcp://192.0.2.7:5005", "--to", "tcp://192.0.2.8:5000", "--output", path,
        ])
        let run = TapRun(command.listen, radio: command.to) { try command.recording.begin(.tcp) }

        await #expect(throws: (any Error).self) { _ = try await run.open() }

        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `of several recordings none is left when one cannot begin`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("mine".utf8).write(to: folder.appendingPathComponent("s-bob.capture"))
        let configuration = Emulator.Configuration(
            world: .village, seed: Seed(1),
            endpoints: try [NodeEndpoint("alice=tcp://127.0.0.1:0"), NodeEndpoint("bob=tcp://127.0.0.1:0")])

        let error = #expect(throws: (any Error).self) {
            try WorldRecordings(
                folder.appendingPathComponent("s.capture").path, configuration, .heltecV3, SecretOptions.parse([]))
        }

        #expect("\(error.map { "\($0)" } ?? "")".hasSuffix("File exists"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["s-bob.capture"])
    }

    @Test func `recordings of several radios have the node's name in their own`() {
        #expect(WorldRecordings.path("out/session.capture", of: "bob") == "out/session-bob.capture")
        #expect(WorldRecordings.path("a.b/session", of: "bob") == "a.b/session-bob")
        #expect(WorldRecordings.path(".hidden", of: "bob") == ".hidden-bob")
    }

    @Test func `secrets never reach the disk, and what is written can be read at any moment`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).capture").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recording = try LiveRecording(
            path, RecordingHeader(transport: .tcp, rows: [.init("seed", "1234567890")]),
            scrubbing: RecordingScrubber.usual, salt: [1, 2, 3])
        // SEND_LOGIN with the key of a repeater and a password.
        let login = [26] + [UInt8](repeating: 0xAB, count: 32) + Array("open sesame".utf8)

        try recording.append(RecordingEntry(login, .toRadio, over: .tcp, at: .seconds(1)))

        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var problems: [CaptureProblem] = []
        let read = try Recording(bytes, problems: &problems)
        #expect(read.header.scrubbed == RecordingScrubber.usual)
        #expect(read.header.rows == [.init("seed", "1234567890")])
        #expect(read.entries.count == 1 && problems.isEmpty)
        #expect(!read.text.contains("6f70656e20736573616d65"), "\(read.text)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(throws: (any Error).self, "a recording is never written over") {
            try LiveRecording(path, RecordingHeader(), scrubbing: [], salt: [])
        }
    }
}
