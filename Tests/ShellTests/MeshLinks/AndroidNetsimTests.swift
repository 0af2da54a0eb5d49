import Foundation
import Testing

@testable import MeshTransports

/// The place of the Android emulator's controllers, found by the file that its netsim writes.
@Suite struct AndroidNetsimTests {
    /// Two folders of the machine with files in them.
    private final class Folders {
        let paths: [String]

        init() throws {
            paths = try (0..<2).map { number in
                let folder = FileManager.default.temporaryDirectory
                    .appendingPathComponent("meshbed-netsim-\(number)-\(UUID().uuidString)")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                return folder.path
            }
        }

        deinit {
            for path in paths { try? FileManager.default.removeItem(atPath: path) }
        }

        func write(_ text: String, to name: String, in folder: Int) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(paths[folder])/\(name)"))
        }

        var environment: [String: String] { ["TMPDIR": paths[0], "XDG_RUNTIME_DIR": paths[1]] }
    }

    @Test func `the file of the first instance leads to the port of the first`() throws {
        let folders = try Folders()
        try folders.write("web.port=7681\ngrpc.port = 43210\n", to: "netsim.ini", in: 1)

        let found = try AndroidNetsim(instance: 1, in: folders.environment)

        #expect(found.port == 6402)
        #expect(found.grpc == "43210")
    }

    @Test func `netsim's own folder counts before the other one`() throws {
        let folders = try Folders()
        try folders.write("grpc.port=1\n", to: "netsim.ini", in: 0)
        try folders.write("grpc.port=2\n", to: "netsim.ini", in: 1)

        #expect(try AndroidNetsim(instance: 1, in: folders.environment).grpc == "1")
    }

    @Test func `later instances have files and ports of their own`() throws {
        let folders = try Folders()
        try folders.write("grpc.port=localhost:43211", to: "netsim_3.ini", in: 0)

        let found = try AndroidNetsim(instance: 3, in: folders.environment)

        #expect(found.port == 6404)
        #expect(found.grpc == "localhost:43211")
    }

    @Test func `the environment may name another port`() throws {
        let folders = try Folders()
        try folders.write("grpc.port=43210", to: "netsim.ini", in: 0)
        var environment = folders.environment
        environment["NETSIM_HCI_PORT"] = "7000"
        #expect(try AndroidNetsim(instance: 1, in: environment).port == 7000)

        environment["NETSIM_HCI_PORT"] = "many"
        let error = #expect(throws: AndroidNetsim.Absence.self) { try AndroidNetsim(instance: 1, in: environment) }
        #expect(error?.reason == "NETSIM_HCI_PORT is no port")
    }

    @Test func `without a file, or with one of others, the reason names what was looked for`() throws {
        let folders = try Folders()
        var error = #expect(throws: AndroidNetsim.Absence.self) {
            try AndroidNetsim(instance: 2, in: folders.environment)
        }
        #expect(error?.reason.hasPrefix("no netsim_2.ini in \(folders.paths[0]), ") == true)
        #expect(error?.reason.hasSuffix(": start the Android emulator first") == true)

        try folders.write("[netsim]\nport=1\ngrpc.port=\n", to: "netsim.ini", in: 0)
        error = #expect(throws: AndroidNetsim.Absence.self) {
            try AndroidNetsim(instance: 1, in: folders.environment)
        }
        #expect(error?.reason == "netsim.ini states no grpc.port: it is none of netsim")
    }

    @Test func `a port that takes nothing is named, with the interface that is not spoken`() throws {
        let folders = try Folders()
        try folders.write("grpc.port=4\u{1B}[2J", to: "netsim.ini", in: 0)

        let reason = try AndroidNetsim(instance: 1, in: folders.environment).reason("Connection refused")

        #expect(reason.contains("port 6402 (Connection refused)"))
        #expect(reason.contains("gRPC") && !reason.contains("\u{1B}"))
        #expect(
            "\(LinkError.unreachable(.controller(.androidNetsim(1)), reason: "far away"))"
                == "Bluetooth of the Android emulator: far away")
    }
}
