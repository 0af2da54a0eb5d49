import Foundation
import Testing

@testable import MeshCaptureIO

/// The requirements that a machine lacks for Bluetooth, from facts, and the facts from trees that look like machines.
@Suite struct BluetoothDiagnosisTests {
    /// A desktop on which all is well, and we are an ordinary user.
    static var desktop: BluetoothFacts {
        var facts = BluetoothFacts()
        facts.kernel = "6.1.0-56-amd64"
        facts.hasSockets = true
        facts.hasModules = true
        facts.adapters = [.init(index: 0, isUp: true)]
        facts.daemon = .running
        facts.hasDaemonProgram = true
        return facts
    }

    private static func diagnosis(_ change: (inout BluetoothFacts) -> Void) -> BluetoothDiagnosis {
        var facts = desktop
        change(&facts)
        return BluetoothDiagnosis(facts, program: "meshbed")
    }

    @Test func `an ordinary user of a desktop has a client, and nothing that takes rights`() {
        let diagnosis = Self.diagnosis { _ in }

        #expect(diagnosis.isUsable)
        #expect(diagnosis.ways == [.desktop])
        #expect(diagnosis.findings.filter { !$0.isMet }.map(\.subject) == [.exclusive, .capture])
        #expect(Set(diagnosis.findings.compactMap(\.command)) == ["sudo setcap cap_net_admin,cap_net_raw+ep meshbed"])
    }

    @Test func `a module that is not loaded is loaded, and nothing else is said`() {
        let diagnosis = Self.diagnosis { $0.hasSockets = false }

        #expect(!diagnosis.isUsable && diagnosis.ways.isEmpty)
        #expect(diagnosis.findings.map(\.command) == ["sudo modprobe bluetooth"])
    }

    @Test func `a kernel without Bluetooth is replaced`() {
        let diagnosis = Self.diagnosis {
            $0.hasSockets = false
            $0.hasModules = false
        }

        #expect(diagnosis.findings.map(\.command) == ["sudo apt install linux-image-amd64"])
    }

    @Test func `a bluetoothd that does not let the user in is no way, and a group mends it`() {
        let diagnosis = Self.diagnosis { $0.daemon = .refuses }

        #expect(diagnosis.ways.isEmpty)
        #expect(diagnosis.findings.compactMap(\.command).contains("sudo usermod -aG bluetooth \"$USER\""))
    }

    @Test func `without an adapter there is another way, and no command helps`() throws {
        let diagnosis = Self.diagnosis { $0.adapters = [] }
        let finding = try #require(diagnosis.findings.first { $0.subject == .adapter })

        #expect(!diagnosis.isUsable && diagnosis.ways.isEmpty)
        #expect(!finding.isMet && finding.command == nil)
        #expect(finding.sentence.contains("ble:hci:tcp=HOST:PORT"))
    }

    @Test(arguments: [
        (BluetoothFacts.Block.bySoftware, "sudo rfkill unblock bluetooth" as String?), (.byHardware, nil),
    ])
    func `what keeps radios off keeps every way closed but the capture`(block: BluetoothFacts.Block, command: String?) {
        let diagnosis = Self.diagnosis {
            $0.block = block
            $0.mayHaveAlone = true
            $0.mayCapture = true
        }

        #expect(diagnosis.ways == [.recording] && !diagnosis.isUsable)
        #expect(diagnosis.findings.first { $0.subject == .rfkill }?.command == command)
    }

    @Test(arguments: [
        (BluetoothFacts.Daemon.notRunning, true, "sudo systemctl start bluetooth"),
        (.notRunning, false, "sudo apt install bluez"), (.noBus, true, "sudo systemctl start dbus bluetooth"),
    ])
    func `without bluetoothd there is no client beside the desktop`(
        daemon: BluetoothFacts.Daemon, isInstalled: Bool, command: String
    ) {
        let diagnosis = Self.diagnosis {
            $0.daemon = daemon
            $0.hasDaemonProgram = isInstalled
        }

        #expect(!diagnosis.isUsable)
        #expect(diagnosis.findings.first { $0.subject == .bluetoothd }?.command == command)
    }

    @Test func `an adapter for us alone is off, one for bluetoothd is on`() {
        let off = Self.diagnosis {
            $0.adapters = [.init(index: 1, isUp: false)]
            $0.mayHaveAlone = true
        }
        let on = Self.diagnosis {
            $0.adapters = [.init(index: 1, isUp: true)]
            $0.mayHaveAlone = true
        }
        let both = Self.diagnosis {
            $0.adapters = [.init(index: 0, isUp: true), .init(index: 1, isUp: false)]
            $0.mayHaveAlone = true
        }

        #expect(off.ways == [.exact] && on.ways == [.desktop] && both.ways == [.desktop, .exact])
        #expect(off.findings.first { $0.subject == .power }?.command == "sudo btmgmt --index 1 power on")
        #expect(on.findings.first { $0.subject == .power }?.sentence.contains("btmgmt --index 1 power off") == true)
    }

    @Test func `adapters are told with their addresses, where they have one`() {
        let diagnosis = Self.diagnosis {
            $0.adapters = [.init(index: 0, isUp: true, address: "00:1A:7D:DA:71:13"), .init(index: 10, isUp: false)]
        }

        #expect(
            diagnosis.findings.first { $0.subject == .adapter }?.sentence
                == "adapters: hci0 at 00:1A:7D:DA:71:13, hci10")
    }

    // MARK: Trees

    /// A folder with these files.
    private static func tree(_ files: [String: String], directories: [String] = []) throws -> String {
        let root = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID().uuidString)")
        for directory in directories {
            try FileManager.default.createDirectory(
                at: root.appending(path: directory), withIntermediateDirectories: true)
        }
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return root.path
    }

    @Test func `a machine is read from its files`() throws {
        let root = try Self.tree(
            [
                "proc/sys/kernel/osrelease": "6.1.0-56-amd64\n",
                "proc/self/status": "Name:\tmeshbed\nCapInh:\t0000000000003000\nCapEff:\t0000000000001000\n",
                "sys/class/rfkill/rfkill0/type": "wlan\n", "sys/class/rfkill/rfkill0/hard": "1\n",
                "sys/class/rfkill/rfkill1/type": "bluetooth\n", "sys/class/rfkill/rfkill1/hard": "0\n",
                "sys/class/rfkill/rfkill1/soft": "1\n", "usr/libexec/bluetooth/bluetoothd": "",
            ],
            directories: [
                "lib/modules/6.1.0-56-amd64/kernel/net/bluetooth"
            ])
        defer { try? FileManager.default.removeItem(atPath: root) }

        let facts = BluetoothFacts(below: root, daemon: .running, adapters: [.init(index: 2, isUp: true)])

        #expect(facts.kernel == "6.1.0-56-amd64")
        #expect(facts.hasSockets && facts.hasModules && facts.hasDaemonProgram)
        #expect(facts.adapters == [.init(index: 2, isUp: true)])
        #expect(facts.block == .bySoftware)
        #expect(facts.daemon == .running)
        #expect(facts.mayHaveAlone && !facts.mayCapture)
    }

    @Test func `a machine of which nothing can be read has nothing`() throws {
        let root = try Self.tree([:], directories: ["sys"])
        defer { try? FileManager.default.removeItem(atPath: root) }

        let facts = BluetoothFacts(below: root, daemon: .noBus, adapters: nil)

        #expect(facts == BluetoothFacts())
        #expect(!BluetoothDiagnosis(facts, program: "meshbed").isUsable)
    }
}
