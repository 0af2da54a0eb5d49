import Foundation
import MeshBluetoothHost
import MeshFiles
import MeshTime
import MeshTransports
import MeshWire
import Testing

/// Bonds in a file, for both sides of Bluetooth links.
@Suite struct BondFileTests {
    private static func scratch() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("bonds-\(UUID().uuidString)").path
    }

    private static func remove(_ file: BondFile) {
        try? FileManager.default.removeItem(atPath: file.path)
    }

    private static let peers = [
        BluetoothHost.KnownPeer(
            bond: Bond(
                peer: BluetoothAddress(number: 0x1122_3344_5566, isRandom: false),
                longTermKey: .init((0..<16).map { UInt8($0) }), diversifier: 0xBEEF, random: .max,
                level: .authenticated,
                identityKey: .init((16..<32).map { UInt8($0) })),
            subscriptions: [.init(value: 16, configuration: .notifications)]),
        BluetoothHost.KnownPeer(
            bond: Bond(
                peer: BluetoothAddress(number: 0xC0FF_EE00_0001, isRandom: true), longTermKey: .init(),
                level: .authenticatedSecure, keySize: 7)),
    ]

    @Test func `bonds come back from their file, which nobody else may read`() throws {
        let file = BondFile(path: Self.scratch() + "/a/b/alice")
        defer { Self.remove(file) }
        #expect(try file.load().isEmpty)

        try file.store(Self.peers)

        #expect(try file.load() == Self.peers)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try file.store([])
        #expect(try file.load().isEmpty)
    }

    @Test func `the name by which a radio was dialed stays beside its keys, and removes them`() throws {
        let folder = Self.scratch()
        let environment = ["XDG_STATE_HOME": folder]
        let controller = BluetoothController.tcp(host: "127.0.0.1", port: 6402)
        let file = try #require(BondFile.ofCentral(controller, in: environment))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let named = BluetoothRadio(.name("MeshCore-Zürich 🏔"), via: controller)
        try file.store(Self.peers, names: [0xC0FF_EE00_0001: "MeshCore-Zürich 🏔"])

        #expect(try file.names() == [0xC0FF_EE00_0001: "MeshCore-Zürich 🏔"])
        #expect(try BluetoothBonds.forget(named, environment: environment))
        #expect(try file.load() == [Self.peers[0]])
        // One that was dialed by its address may be the one.
        #expect(throws: LinkError.self) { try BluetoothBonds.forget(named, environment: environment) }
        let addressed = BluetoothRadio(.address(0x1122_3344_5566), via: controller)
        #expect(try BluetoothBonds.forget(addressed, environment: environment))
        #expect(try BluetoothBonds.forget(named, environment: environment) == false)
    }

    @Test(arguments: [
        "", "something else\n", "meshbed bonds 1\n112233445566 public 00\n",
        "meshbed bonds 1\n112233445566 odd 000102030405060708090a0b0c0d0e0f 0 0 3 10 -\n",
        "meshbed bonds 1\n112233445566 public 000102030405060708090a0b0c0d0e0f 0 0 9 10 -\n",
        "meshbed bonds 1\n112233445566 public 000102030405060708090a0b0c0d0e0f 0 0 3 10 12\n",
        "meshbed bonds 1\n112233445566 public 000102030405060708090a0b0c0d0e0f 0 0 3 10 - 16\n",
        "meshbed bonds 1\n112233445566 public 000102030405060708090a0b0c0d0e0f 0 0 3 10 - name=\n",
        "meshbed bonds 1\n112233445566 public 000102030405060708090a0b0c0d0e0f 0 0 3 10 - name=ff\n",
    ])
    func `a damaged file is refused, and no error shows a key`(content: String) throws {
        let file = BondFile(path: Self.scratch())
        defer { Self.remove(file) }
        try Data(content.utf8).write(to: URL(filePath: file.path))

        guard case .damaged(let reason) = #expect(throws: BondFile.Failure.self, performing: { try file.load() }) else {
            Issue.record("taken")
            return
        }

        #expect(!reason.contains("000102"))
    }

    @Test func `a file changed anywhere is read or refused, and what was read is stored as it was read`() throws {
        let file = BondFile(path: Self.scratch())
        defer { Self.remove(file) }
        try file.store(Self.peers)
        let whole = [UInt8](try Data(contentsOf: URL(filePath: file.path)))
        var stream = Seed(7).stream("bonds")
        var (taken, refused) = (0, 0)
        for _ in 0..<400 {
            var bytes = whole
            for _ in 0...stream.draw(0, 3) {
                let place = Int(stream.draw(0, UInt32(bytes.count)))
                switch stream.draw(0, 4) {
                // A digit in the place of a digit is mostly another bond.
                case 0: bytes[place] = Array("0123456789abcdef".utf8)[Int(stream.draw(0, 16))]
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
                default: bytes.removeLast(min(bytes.count - 1, Int(stream.draw(0, 20))))
                }
            }
            try Data(bytes).write(to: URL(filePath: file.path))

            guard let peers = try? file.load() else {
                refused += 1
                continue
            }
            taken += 1
            try file.store(peers)
            #expect(try file.load() == peers)
        }
        #expect(taken > 0 && refused > 0)

        // More peers than a host remembers are no reason to stop.
        let line = String(decoding: whole, as: UTF8.self).split(separator: "\n")[1]
        let many = "meshbed bonds 1\n" + String(repeating: line + "\n", count: 300)
        try Data(many.utf8).write(to: URL(filePath: file.path))
        let host = BluetoothHost(.init(), known: try file.load())
        #expect(host.known.count == 32)
    }

    @Test func `each controller has a file of its own in the user's state folder`() {
        let controllers: [BluetoothController] = [
            .adapter(1), .adapter(11), .tcp(host: "../x", port: 1), .tcp(host: "::1", port: 6402),
        ]
        let environments = [
            ["XDG_STATE_HOME": "/state", "HOME": "/home/a"], ["XDG_STATE_HOME": "state", "HOME": "/home/a"],
            ["HOME": ""],
        ]

        let paths = environments.map { environment in
            controllers.compactMap { BondFile.ofCentral($0, in: environment)?.path }
        }

        #expect(
            paths[0] == [
                "/state/meshbed/bluetooth/hci1.bonds", "/state/meshbed/bluetooth/hci11.bonds",
                "/state/meshbed/bluetooth/hci%3atcp%3d..%2fx%3a1.bonds",
                "/state/meshbed/bluetooth/hci%3atcp%3d%5b%3a%3a1%5d%3a6402.bonds",
            ])
        #expect(paths[1].first == "/home/a/.local/state/meshbed/bluetooth/hci1.bonds")
        #expect(paths[2].isEmpty)
    }
}
