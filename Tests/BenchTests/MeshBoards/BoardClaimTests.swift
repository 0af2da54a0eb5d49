import Foundation
import MeshFiles
import MeshTransports
import Testing

@testable import MeshBoards
@testable import MeshCompliance

/// Boards that one program has at a time.
@Suite struct BoardClaimTests {
    private static let radio = Target(.tcp(host: "192.0.2.7", port: 5000))

    @Test func `a second user is told who has the board, and has it afterwards`() throws {
        let folder = try LabFolder()
        let first = try BoardClaim(Self.radio, for: "meshbed comply", in: folder.boards)

        let problem = #expect(throws: Bench.Problem.self) {
            try BoardClaim(Self.radio, for: "meshbed client", in: folder.boards)
        }
        #expect(
            problem?.description.contains("radio \"tcp://192.0.2.7:5000\" is in use by ") == true
                && problem?.description.hasSuffix(": meshbed comply, process \(getpid())") == true,
            "\(problem?.description ?? "")")

        first.release()
        _ = try BoardClaim(Self.radio, for: "meshbed client", in: folder.boards)
        #expect(folder.files == [])
    }

    @Test func `what a lock says of its holder is bounded, and one visible line`() throws {
        let folder = try LabFolder()
        try FileManager.default.createDirectory(atPath: folder.boards.locks, withIntermediateDirectories: true)
        let key = try #require(BoardKey(Self.radio))
        let path = "\(folder.boards.locks)/\(key.fileName).lock"
        let words = "a\n\u{1B}[2J" + String(repeating: "b", count: 2000)
        let lock = try FileLock(path, holder: words, isShared: true)
        defer { lock.release() }

        let problem = #expect(throws: Bench.Problem.self) {
            try BoardClaim(Self.radio, for: "meshbed client", in: folder.boards)
        }

        guard case .inUse(_, let holder)? = problem else { return }
        #expect(holder.hasPrefix("a\\n\\u001B[2Jb") && holder.utf8.count < 600)
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o666)
    }

    @Test func `a lock that is left behind by a killed program holds nobody up`() throws {
        let folder = try LabFolder()
        try FileManager.default.createDirectory(atPath: folder.boards.locks, withIntermediateDirectories: true)
        let key = try #require(BoardKey(Self.radio))
        let path = "\(folder.boards.locks)/\(key.fileName).lock"
        try "ann: meshbed comply, process 1".write(toFile: path, atomically: false, encoding: .utf8)

        let claim = try BoardClaim(Self.radio, for: "meshbed comply", in: folder.boards)

        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("process \(getpid())"))
        claim.release()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a board has one lock, by whatever path its line is opened`() throws {
        let folder = try LabFolder()
        let lines = try folder.lines(["ttyACM0": "E4B0"])
        let (line, link) = (folder.path + "/dev/ttyACM0", folder.path + "/by-id")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: line)

        #expect(BoardKey(.serial(path: line), lines: lines)?.text == "usb:E4B0")
        #expect(BoardKey(.serial(path: link), lines: lines)?.text == "usb:E4B0")
        #expect(BoardKey(.serial(path: folder.path + "/none"), lines: lines)?.text == "serial:\(folder.path)/none")
        #expect(BoardKey(.tcp(host: "localhost", port: 1))?.text == "tcp:127.0.0.1:1")
        #expect(BoardKey(.controller(.desktop(0))) == nil)
    }

    @Test func `a radio that is named twice is the same one, and is not in use by another program`() {
        let again = Target(.tcp(host: "192.0.2.7", port: 5000))

        #expect(Self.radio.hasRadio(of: again))
        #expect(!Self.radio.hasRadio(of: Target(.tcp(host: "192.0.2.7", port: 5001))))
        #expect(!Self.radio.hasRadio(of: Target(.radios([]))))
    }

    @Test func `a radio of a name is one for all adapters, and another in the air of each virtual controller`() {
        func key(via controller: BluetoothController) -> String? {
            BoardKey(.bluetooth(BluetoothRadio(.name("MeshCore-alice"), via: controller)))?.text
        }

        #expect(key(via: .desktop(nil)) == "ble:MeshCore-alice")
        #expect(key(via: .adapter(1)) == key(via: .desktop(0)))
        #expect(key(via: .tcp(host: "127.0.0.1", port: 1)) != key(via: .tcp(host: "127.0.0.1", port: 2)))
        #expect(key(via: .androidNetsim(1)) != key(via: .androidNetsim(2)))
    }

    private static func target(_ address: LinkAddress?, usb: String) -> Target {
        var target = Target(.radios([address].compactMap(\.self)))
        var board = Board(label: "heltec")
        board.usb = usb
        (target.board, target.label) = (board, "heltec")
        return target
    }

    @Test func `a board is found by its serial number, and another one in its place is refused`() throws {
        let folder = try LabFolder()
        let lines = try folder.lines(["ttyACM0": "AAAA", "ttyUSB3": "BBBB", "ttyS0": "CCCC"])
        let other = LinkAddress.serial(path: folder.path + "/dev/ttyACM0")

        let claim = try BoardClaim(Self.target(nil, usb: "BBBB"), for: "x", in: folder.boards, lines: lines)
        let wrong = #expect(throws: Bench.Problem.self) {
            try BoardClaim(Self.target(other, usb: "BBBB"), for: "x", in: folder.boards, lines: lines)
        }
        let absent = #expect(throws: Bench.Problem.self) {
            try BoardClaim(Self.target(nil, usb: "CCCC"), for: "x", in: folder.boards, lines: lines)
        }

        #expect(claim.target.addresses == [.serial(path: folder.path + "/dev/ttyUSB3")])
        #expect(claim.target.label == "heltec")
        #expect(
            wrong?.description
                == "radio \"heltec\" is not there: \(folder.path)/dev/ttyACM0 has the board with the USB "
                + "serial number AAAA, and not BBBB")
        #expect(
            absent?.description == "radio \"heltec\" is not there: no serial line has the USB serial number CCCC")
    }

    @Test func `a board with two lines has to be named by one of them`() throws {
        let folder = try LabFolder()
        let lines = try folder.lines(["ttyACM0": "AAAA", "ttyACM1": "AAAA"])

        let problem = #expect(throws: Bench.Problem.self) {
            try BoardClaim(Self.target(nil, usb: "AAAA"), for: "x", in: folder.boards, lines: lines)
        }

        #expect(problem?.description.contains("has several lines, ") == true)
    }

    @Test func `a run on a board that is in use, or not there, is one sentence`() throws {
        let folder = try LabFolder()
        var run = ComplianceRun(target: Target(.serial(path: folder.path + "/none")), only: Selection("1-3"))
        run.folders = folder.boards
        let claim = try BoardClaim(run.target, for: "meshbed lab hold", in: folder.boards)

        let held = #expect(throws: ComplianceRun.Problem.self) { try run.perform() }
        #expect(held?.description.contains("is in use by ") == true && held?.isOfMissingRadio == false)

        claim.release()
        let missing = #expect(throws: ComplianceRun.Problem.self) { try run.perform() }
        #expect(missing?.isOfMissingRadio == true)

        run.allowsMissing = true
        let report = try run.perform()
        #expect(report.exitCode == 0 && report.notRun == 3 && report.kept == 0)
        #expect(report.skippedBecause?.contains("there is no such line") == true)
        #expect(folder.files == [])
    }
}
