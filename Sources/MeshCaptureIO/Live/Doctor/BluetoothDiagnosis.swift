/// The requirements that a machine lacks for Bluetooth, their remedies, and the uses that work already.
package struct BluetoothDiagnosis: Hashable, Sendable {
    /// One requirement that was checked.
    package struct Finding: Hashable, Sendable {
        package enum Subject: String, Hashable, Sendable {
            case kernel, adapter, rfkill, bluetoothd, power, exclusive, capture
        }

        package let subject: Subject
        package let isMet: Bool
        /// Without its full stop.
        package let sentence: String
        /// The command to type where it is not met, if typing helps.
        package let command: String?
    }

    /// A use that a user may have for an adapter.
    package enum Way: String, Hashable, Sendable, CaseIterable {
        /// A client or an emulated radio beside the desktop, through bluetoothd.
        case desktop
        /// An adapter for us alone, for an emulated radio with the PIN and the attributes of a board.
        case exact
        /// A capture of an adapter's packets.
        case recording
    }

    package let findings: [Finding]
    /// The uses that work now.
    package let ways: [Way]

    /// True when an adapter can serve for a radio or a client as things are.
    package var isUsable: Bool { ways.contains(.desktop) || ways.contains(.exact) }

    /// - Parameter program: The program's name on the command line, for the command that gives it capabilities.
    package init(_ facts: BluetoothFacts, program: String) {
        let reader = Reader(facts: facts, program: program)
        findings = reader.findings
        ways = Way.allCases.filter(reader.allows)
    }
}

/// Makes findings of facts.
private struct Reader {
    typealias Finding = BluetoothDiagnosis.Finding

    let facts: BluetoothFacts
    let program: String

    var findings: [Finding] {
        // Without sockets nothing else can be told.
        guard facts.hasSockets else { return [kernel] }
        var findings = [kernel, adapter]
        if !facts.adapters.isEmpty { findings.append(rfkill) }
        findings.append(bluetoothd)
        findings += facts.adapters.map(power)
        return findings + [exclusive, capture]
    }

    func allows(_ way: BluetoothDiagnosis.Way) -> Bool {
        guard facts.hasSockets, !facts.adapters.isEmpty else { return false }
        return switch way {
        case .desktop: facts.block == nil && facts.daemon == .running && facts.adapters.contains(where: \.isUp)
        case .exact: facts.block == nil && facts.mayHaveAlone && !facts.adapters.allSatisfy(\.isUp)
        case .recording: facts.mayCapture
        }
    }

    private func met(_ subject: Finding.Subject, _ sentence: String) -> Finding {
        Finding(subject: subject, isMet: true, sentence: sentence, command: nil)
    }

    private func lacking(_ subject: Finding.Subject, _ sentence: String, _ command: String?) -> Finding {
        Finding(subject: subject, isMet: false, sentence: sentence, command: command)
    }

    private var kernel: Finding {
        if facts.hasSockets { return met(.kernel, "the kernel \(facts.kernel) has Bluetooth") }
        if facts.hasModules {
            return lacking(.kernel, "the kernel's Bluetooth is not loaded", "sudo modprobe bluetooth")
        }
        return lacking(
            .kernel, "the kernel \(facts.kernel) has no Bluetooth, as those of clouds and containers",
            "sudo apt install linux-image-amd64"
        )
    }

    private var adapter: Finding {
        let names = facts.adapters.map { [$0.name, $0.address].compactMap(\.self).joined(separator: " at ") }
            .joined(separator: ", ")
        if !names.isEmpty { return met(.adapter, "adapters: \(names)") }
        return lacking(
            .adapter,
            "there is no adapter; plug one in, or use a controller on a TCP port, ble:hci:tcp=HOST:PORT, which needs none",
            nil)
    }

    private var rfkill: Finding {
        switch facts.block {
        case nil: met(.rfkill, "no switch keeps Bluetooth off")
        case .bySoftware: lacking(.rfkill, "Bluetooth is switched off", "sudo rfkill unblock bluetooth")
        case .byHardware: lacking(.rfkill, "a switch or key of the machine keeps Bluetooth off; use that", nil)
        }
    }

    private var bluetoothd: Finding {
        switch facts.daemon {
        case .running: met(.bluetoothd, "bluetoothd is on the system's bus")
        case .refuses:
            lacking(.bluetoothd, "bluetoothd does not let this user in", "sudo usermod -aG bluetooth \"$USER\"")
        case .notRunning where facts.hasDaemonProgram:
            lacking(.bluetoothd, "bluetoothd does not run", "sudo systemctl start bluetooth")
        case .notRunning: lacking(.bluetoothd, "bluetoothd is not installed", "sudo apt install bluez")
        case .noBus: lacking(.bluetoothd, "the system has no bus for bluetoothd", "sudo systemctl start dbus bluetooth")
        }
    }

    private func power(_ adapter: BluetoothFacts.Adapter) -> Finding {
        switch adapter.isUp {
        case true:
            return met(
                .power,
                "\(adapter.name) is on; for us alone it must be off: sudo btmgmt --index \(adapter.index) power off")
        case false where facts.daemon == .running || facts.daemon == .refuses:
            return lacking(
                .power, "\(adapter.name) is off: right for us alone, wrong for bluetoothd",
                "sudo btmgmt --index \(adapter.index) power on")
        case false: return met(.power, "\(adapter.name) is off, as it must be for us alone")
        }
    }

    private var exclusive: Finding {
        if facts.mayHaveAlone { return met(.exclusive, "adapters can be had alone (CAP_NET_ADMIN)") }
        return lacking(.exclusive, "to have an adapter alone takes CAP_NET_ADMIN", capabilities)
    }

    private var capture: Finding {
        if facts.mayCapture { return met(.capture, "adapters can be captured (CAP_NET_RAW)") }
        return lacking(.capture, "to capture an adapter takes CAP_NET_RAW", capabilities)
    }

    private var capabilities: String { "sudo setcap cap_net_admin,cap_net_raw+ep \(program)" }
}
