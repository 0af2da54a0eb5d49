import ArgumentParser
import Foundation
import MeshCapture
import MeshCompanion
import MeshTestSupport
import MeshTime
import MeshWire
import Testing

@testable import MeshCaptureIO
@testable import meshbed

/// The arguments of `meshbed capture`, and its files.
@Suite struct CaptureCommandTests {
    /// A folder of its own for each test.
    struct Folder: ~Copyable {
        let url = FileManager.default.temporaryDirectory.appending(path: "capture-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }

        deinit { try? FileManager.default.removeItem(at: url) }

        func write(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: url.appending(path: name))
            return url.appending(path: name).path
        }

        func path(_ name: String) -> String { url.appending(path: name).path }

        func read(_ name: String) throws -> String {
            try String(contentsOf: url.appending(path: name), encoding: .utf8)
        }
    }

    static let session = """
        meshbed capture 1
        story: the time

        0.000000 tcp +
        0.100000 tcp > 05
        0.200000 tcp < 0901020304
        # two comments do not
        # shift the lines
        0.300000 tcp > 2500010000 ; a PIN
        0.400000 tcp < 00
        1.000000 tcp -
        2.000000 tcp +
        2.100000 tcp > 05

        """

    /// Runs a command and gives its exit status.
    static func status(_ words: String...) -> Int32 { status(words) }

    static func status(_ words: [String]) -> Int32 {
        do {
            var command = try Meshbed.parseAsRoot(["capture"] + words)
            try command.run()
            return 0
        } catch {
            return Meshbed.status(of: error).rawValue
        }
    }

    @Test func `a return to a snapshot ends a connection, which alone has no turns`() throws {
        let folder = try Folder()
        let lines = """
            meshbed capture 1

            0 tcp +
            1 tcp @ snapshot met
            2 tcp > 05
            1 tcp @ restored met
            3 tcp > 14

            """

        let capture = try LoadedCapture(try folder.write("forked", lines))

        let part = try capture.part(connection: nil)
        #expect(part.recording.connectionNumbers == [1, 1, 1, 1, 2])
        #expect(
            part.recording.entries.map(\.shown).filter { $0.contains("@") } == [
                "1.000000 tcp @ snapshot met", "1.000000 tcp @ went back to snapshot met",
            ])
        let first = try capture.part(connection: 1)
        #expect(first.places == [3, 5])
        #expect(first.recording.history.abandoned == 0)
        #expect(CaptureSummary(part).lines.contains { $0.contains("restores") && $0.hasSuffix("1") })
        var tally = RecordingTally()
        for entry in part.recording.entries { tally.count(entry) }
        #expect(tally.description == "2 frames, 1 return to a snapshot")
    }

    @Test func `a line is known by its number in the file, comments counted`() throws {
        let folder = try Folder()

        let capture = try LoadedCapture(try folder.write("a", Self.session))

        let part = try capture.part(connection: nil)
        #expect(part.places == [4, 5, 6, 9, 10, 11, 12, 13])
        #expect(part.recording.connectionNumbers == [1, 1, 1, 1, 1, 1, 2, 2])
        #expect(try capture.part(connection: 2).places == [12, 13])
        #expect(throws: LoadedCapture.Failure.self) { try capture.part(connection: 3) }
    }

    @Test func `what is whole ends with 0, what breaks the protocol with 1, what is no recording with 2`() throws {
        let folder = try Folder()
        let session = try folder.write("a", Self.session)
        let cut = try folder.write("b", Self.session + "3.0 tcp")
        let other = try folder.write("c", "btsnoop")

        #expect(Self.status("info", session) == 0)
        #expect(Self.status("show", session, "--connection", "1") == 0)
        // The last command has no answer.
        #expect(Self.status("show", session) == 1)
        #expect(Self.status("show", session, "--to", "2") == 0)
        #expect(Self.status("info", cut) == 1)
        for command in ["info", "show"] {
            #expect(Self.status(command, other) == 2)
            #expect(Self.status(command, folder.path("none")) == 2)
        }
    }

    @Test(arguments: [
        ["show", "a", "--from", "soon"], ["show", "a", "--direction", "up"],
        ["show", "a", "--hci", "--connection", "1"], ["diff", "-", "-"],
        ["diff", "a", "b", "--exact", "--allow", "key"], ["diff", "a", "b", "--allow", "weather"],
        ["scrub", "a", "b", "--what", "everything"], ["convert", "a", "b"], ["convert", "a", "b", "--to", "wav"],
    ])
    func `what makes no sense ends with status 2`(words: [String]) throws {
        let error = #expect(throws: (any Error).self) { try Meshbed.parseAsRoot(["capture"] + words) }

        #expect(try Meshbed.status(of: #require(error)).rawValue == 2)
    }

    /// A recording, or a capture made of it.
    @Test(arguments: ["capture", "pcap", "pcapng", "btsnoop"], [false, true])
    func `standard input is read like a file, packed or not`(format: String, isPacked: Bool) async throws {
        let folder = try Folder()
        let session = try folder.write("a", Self.session)
        #expect(Self.status("convert", session, folder.path("b"), "--to", format, "--keep-secrets") == 0)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("b"))))
        try Data(isPacked ? gzip(bytes) : bytes).write(to: URL(fileURLWithPath: folder.path("in")))

        let path = folder.url.path + "/"
        // A child for each command: this process has a standard input of its own.
        await #expect(processExitsWith: .success) { [path = path as String] in
            dup2(open(path + "in", O_RDONLY), STDIN_FILENO)
            #expect(Self.status("info", "-") == 0)
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            dup2(open(path + "in", O_RDONLY), STDIN_FILENO)
            #expect(Self.status("show", "-", "--connection", "1") == 0)
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            dup2(open(path + "in", O_RDONLY), STDIN_FILENO)
            let words = ["convert", "-", path + "c", "--to", "capture", "--connection", "1", "--keep-secrets"]
            #expect(Self.status(words) == 0)
        }
        let words = ["convert", folder.path("b"), folder.path("d"), "--to", "capture", "--connection", "1"]
        #expect(Self.status(words + ["--keep-secrets"]) == 0)
        #expect(try folder.read("c") == folder.read("d"))
        #expect(try folder.read("c").contains("2500010000"))
    }

    @Test func `a packed recording that is cut or damaged is read up to there`() throws {
        let folder = try Folder()
        let whole = gzip([UInt8](Self.session.utf8))
        try Data(whole.dropLast(20)).write(to: folder.url.appending(path: "cut"))
        try Data(whole + [1, 2, 3]).write(to: folder.url.appending(path: "damaged"))

        let cut = try LoadedCapture(folder.path("cut"))
        let damaged = try LoadedCapture(folder.path("damaged"))

        #expect(try cut.part(connection: nil).places == [4, 5, 6, 9, 10, 11, 12])
        #expect(cut.problems.count == 2 && cut.problems[0].reason.contains("ends too early"), "\(cut.problems)")
        #expect(try damaged.part(connection: nil).places.count == 8)
        #expect(damaged.problems.map(\.reason).joined().contains("the packing is damaged"), "\(damaged.problems)")
    }

    @Test func `the first bytes tell what a file is, however few they are at once`() throws {
        let folder = try Folder()
        let short = try folder.write("a", "meshbed capture")
        let other = try folder.write("b", "meshbed capture 2\n\n0.1 tcp > 05\n")

        #expect(throws: LoadedCapture.Failure.self) { try LoadedCapture(short) }
        let refusal = #expect(throws: LoadedCapture.Failure.self) { try LoadedCapture(other) }
        #expect(refusal?.description.contains("the first line is not 'meshbed capture 1'") == true)
        #expect(try LoadedCapture(try folder.write("c", "meshbed capture 1\n")).parts.count == 1)
        // Members of a packed file come one by one.
        let bytes = [UInt8](Self.session.utf8)
        let members = [bytes[..<1], bytes[1..<9], bytes[9...]].flatMap { gzip([UInt8]($0)) }
        try Data(members).write(to: folder.url.appending(path: "d"))
        #expect(try LoadedCapture(folder.path("d")).part(connection: nil).places == [4, 5, 6, 9, 10, 11, 12, 13])
    }

    /// The packets of host and controller in a capture that was made of a recording.
    @Test func `commands and events are shown by name, whoever they are about`() throws {
        let folder = try Folder()
        let session = try folder.write("a", Self.session)
        #expect(Self.status("convert", session, folder.path("b"), "--to", "pcapng", "--keep-secrets") == 0)
        func lines(_ words: String...) throws -> [String] {
            let words = ["capture", "show", folder.path("b"), "--hci"] + words
            let command = try #require(try Meshbed.parseAsRoot(words) as? CaptureShow)
            var lines: [String] = []
            #expect(try HostListing(command).show(command.file) { lines.append($0) })
            return lines
        }

        let all = try lines()
        #expect(
            all.prefix(3) == [
                "0.000000 hci0 > LE Create Connection: c0:00:00:00:00:01 (random)",
                "0.000000 hci0 < Command Status: LE Create Connection, status 0x00",
                "0.000000 hci0 < LE Connection Complete: handle 64, central of c0:00:00:00:00:01 (random)",
            ])
        #expect(all.count { $0.contains("Disconnection Complete: handle 64, closed by the other side") } == 1)
        #expect(try lines("--code", "create").count == 2)
        #expect(try lines("--from", "1.5", "--code", "create").count == 1)
        #expect(try lines("--code", "create", "--fields").contains { $0.contains("peer_address_type: 1") })
        #expect(try lines("--code", "create", "--json").allSatisfy { $0.contains(#""name":"LE Create Connection""#) })
        #expect(Self.status("show", folder.path("b"), "--hci") == 0)
        #expect(Self.status("show", session, "--hci") == 2)
    }

    @Test func `filters choose lines by name, way and time`() throws {
        let frame = RecordingEntry(.seconds(2), .tcp, .frame(.toRadio, [5]))
        let event = RecordingEntry(.seconds(2), .tcp, .connected)
        func shows(_ entry: RecordingEntry, _ words: String...) throws -> Bool {
            try #require(try Meshbed.parseAsRoot(["capture", "show", "a"] + words) as? CaptureShow).shows(entry)
        }

        #expect(try shows(frame))
        #expect(try shows(frame, "--code", "device_time", "--direction", "to-radio", "--from", "2", "--to", "2"))
        #expect(try !shows(frame, "--code", "CONTACT"))
        #expect(try !shows(frame, "--direction", "to-app"))
        #expect(try !shows(frame, "--from", "2.000001"))
        #expect(try !shows(frame, "--to", "1.9"))
        #expect(try !shows(event, "--direction", "to-app"))
        #expect(try shows(event, "--from", "1"))
    }

    @Test func `a scrubbed file has other secrets, is not written over, and is the same under the same salt`() throws {
        let folder = try Folder()
        let session = try folder.write("a", Self.session)

        #expect(Self.status("scrub", session, folder.path("b"), "--salt", "x") == 0)
        #expect(Self.status("scrub", session, folder.path("c"), "--salt", "x") == 0)
        #expect(Self.status("scrub", session, folder.path("b"), "--salt", "x") == 2)

        let scrubbed = try folder.read("b")
        #expect(scrubbed.contains("scrubbed: keys, passwords, pins, positions, texts"))
        #expect(!scrubbed.contains("2500010000"))
        #expect(!scrubbed.contains("a PIN"))
        #expect(scrubbed == (try folder.read("c")))
    }

    @Test func `what is converted is scrubbed unless its secrets are kept`() throws {
        let folder = try Folder()
        let session = try folder.write("a", Self.session)

        #expect(Self.status("convert", session, folder.path("b"), "--to", "capture") == 0)
        #expect(Self.status("convert", session, folder.path("c"), "--to", "capture", "--keep-secrets") == 0)

        #expect(try !folder.read("b").contains("2500010000"))
        #expect(try folder.read("c").contains("2500010000"))
        #expect(try !folder.read("c").contains("scrubbed"))
    }

    @Test(arguments: ["pcapng", "pcap", "btsnoop"])
    func `a recording becomes a Bluetooth capture and is read from it again`(format: String) throws {
        let folder = try Folder()
        let session = try folder.write("a", Self.session)

        #expect(Self.status("convert", session, folder.path("b"), "--to", format, "--keep-secrets") == 0)
        // The same, told by the name.
        #expect(Self.status("convert", session, folder.path("b.\(format)"), "--keep-secrets") == 0)
        #expect(
            try Data(contentsOf: folder.url.appending(path: "b"))
                == Data(contentsOf: folder.url.appending(path: "b.\(format)")))
        #expect(Self.status("convert", folder.path("b"), folder.path("c"), "--to", "capture", "--connection", "1") == 0)
        #expect(Self.status("convert", folder.path("b"), folder.path("d"), "--to", "capture") == 2)

        let capture = try LoadedCapture(folder.path("b"))
        #expect(capture.kind == format)
        #expect(capture.parts.count == 2)
        #expect(capture.problems.isEmpty)
        let original = try LoadedCapture(session)
        for connection in 1...2 {
            let first = try original.part(connection: connection).recording
            let second = try capture.part(connection: connection).recording
            #expect(
                RecordingDifference(first, second, isExact: true).changes.filter { $0.isFrame(first, second) } == [])
        }
        #expect(try folder.read("c").contains("scrubbed"))
        #expect(Self.status("info", folder.path("b")) == 0)
    }

    @Test func `recordings that mean the same do not differ, unless bytes are asked for`() throws {
        let folder = try Folder()
        let first = try folder.write("a", Self.session)
        let later = try folder.write("b", Self.session.replacing("0901020304", with: "0901020305"))
        let other = try folder.write("c", Self.session.replacing("2500010000", with: "2500010001"))

        #expect(Self.status("diff", first, later) == 0)
        #expect(Self.status("diff", first, later, "--exact") == 1)
        #expect(Self.status("diff", first, later, "--strict") == 1)
        #expect(Self.status("diff", first, other) == 1)
        #expect(Self.status("diff", first, other, "--ignore", "pin") == 0)
        #expect(Self.status("diff", first, other, "--json") == 1)
    }

    @Test func `a change names lines, field, both values and the class`() throws {
        let folder = try Folder()
        let first = try LoadedCapture(try folder.write("a", Self.session)).parts[0]
        let text = Self.session.replacing("2500010000", with: "2501010000")
        let second = try LoadedCapture(try folder.write("b", text)).parts[0]

        let changes = RecordingDifference(first.recording, second.recording).changes

        #expect(
            changes.flatMap { ShownChange($0, first, second).lines } == [
                "~ line 9, 9: 0.300000 tcp > CMD_SET_DEVICE_PIN", "    pin: 256 → 257 (content)",
            ])
    }

    @Test func `firmware and board are those that the radio says, where the header says none`() throws {
        let folder = try Folder()
        var info = Resp.DeviceInfo()
        info.version = .init(Array("v1.17.1".utf8))
        info.model = .init(Array("Heltec V3".utf8))
        let said = RecordingEntry(.zero, .tcp, .frame(.toApp, info.encoded()))

        let capture = try LoadedCapture(try folder.write("a", Recording(RecordingHeader(), [said]).text))

        #expect(capture.parts[0].recording.header.firmware == "v1.17.1")
        #expect(capture.parts[0].recording.header.board == "Heltec V3")
    }

    @Test func `numbers are the same for people and for programs`() throws {
        let folder = try Folder()
        let part = try LoadedCapture(try folder.write("a", Self.session)).parts[0]

        let summary = CaptureSummary(part)

        #expect(summary.connections == 2)
        #expect(summary.unanswered == 1)
        #expect(summary.lines.contains { $0.contains("CMD_GET_DEVICE_TIME") && $0.contains("100.0") })
        #expect(CaptureJSON.line(summary).contains(#""medianMicroseconds":100000"#))
    }
}

extension RecordingDifference.Change {
    /// True when it compares frames; the formats differ in which ends of connections they keep.
    func isFrame(_ first: Recording, _ second: Recording) -> Bool {
        let entry =
            switch self {
            case .missing(let index), .changed(let index, _, _): first.entries[index]
            case .added(let index): second.entries[index]
            }
        return if case .frame = entry.event { true } else { false }
    }
}
