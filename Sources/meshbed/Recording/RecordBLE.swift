import ArgumentParser
import Foundation
import MeshBluetooth
import MeshCapture

/// `meshbed record ble`: everything that an adapter of this machine sends and receives.
struct RecordBLE: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ble",
        abstract: "Record what a Bluetooth adapter of this machine sends and receives.",
        discussion: """
            Reads the adapter through libpcap while an app on this machine talks to a radio, and writes a pcap file that \
            Wireshark opens. Each batch is with the system before the next is read, so a recorder that is killed leaves a \
            file that can be read.

            It needs CAP_NET_RAW and nothing else: run it as root, or once \
            'sudo setcap cap_net_raw+ep $(command -v meshbed)'. 'bluetooth-monitor' has all adapters of the machine, \
            'bluetooth0' the first one.

            Such a file holds everything as it is: texts, passwords, PINs, and the keys of bondings. That is what \
            --keep-secrets is asked for.

            Examples:
              meshbed record ble --list
              meshbed record ble --keep-secrets --output desk.pcap
              meshbed record ble --keep-secrets --interface bluetooth0 --device C0:11:22:33:44:55

            Exit status: 0 after an interrupt or SIGTERM, 2 when it could not start or go on: no adapter, no permission, \
            no such interface.
            """)

    @Option(
        help: ArgumentHelp(
            "What libpcap calls it. Without it, bluetooth-monitor, or the first adapter.", valueName: "name"))
    var interface: String?

    @Option(
        help: ArgumentHelp(
            "Leave out the data of connections with other devices, and of those that began before the recording.",
            valueName: "address"),
        transform: { try Self.address($0) })
    var device: PeerFilter?

    @Option(
        help: ArgumentHelp(
            "The pcap file, a new one. Without it, 'bluetooth' with the date and the time.", valueName: "file"))
    var output: String?

    @Flag(help: "Record all the same: nothing in it is replaced. Do not publish such a file.")
    var keepSecrets = false

    @Flag(help: "List the Bluetooth interfaces of this machine, and end.")
    var list = false

    func validate() throws {
        if let output, !output.hasSuffix(".pcap") {
            throw ValidationError("--output needs a name that ends in .pcap, which is what is written")
        }
        if !list, !keepSecrets {
            throw ValidationError(
                "a capture of an adapter holds texts, passwords and keys as they are; --keep-secrets records all the same, "
                    + "into a file that only you can read")
        }
    }

    static func address(_ text: String) throws -> PeerFilter {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { $0.count == 2 ? UInt8($0, radix: 16) : nil }
        guard bytes.count == parts.count, let filter = PeerFilter(peer: bytes) else {
            throw ValidationError("an address is six pairs of hex digits, as in C0:11:22:33:44:55")
        }
        return filter
    }

    func run() async throws {
        do {
            if list { return try printInterfaces() }
            let recorder = try AdapterRecorder(try chosenInterface(), device, output ?? Self.defaultPath(at: Date()))
            let interrupt = Interrupt()
            Console.out("Recording \(recorder.interface) into \(recorder.path), with all secrets in it.")
            Console.out("Recording until interrupted (Ctrl-C).")
            recorder.start()
            await interrupt.orEnd { try await recorder.waitUntilEnded() }
            recorder.stop()
            try await recorder.waitUntilEnded()
            Console.out("Stopped: \(recorder.count) records in \(recorder.path).")
        } catch {
            throw Console.failed("record", error)
        }
    }

    private func chosenInterface() throws -> String {
        if let interface { return interface }
        let names = try LiveInterface.all().filter(\.isBluetooth).map(\.name)
        return names.contains(LiveInterface.monitor) ? LiveInterface.monitor : names.first ?? LiveInterface.monitor
    }

    private func printInterfaces() throws {
        let all = try LiveInterface.all().filter(\.isBluetooth)
        for interface in all {
            Console.out("\(interface.name)\(interface.summary.isEmpty ? "" : "  \(interface.summary)")")
        }
        if all.isEmpty { Console.out("There is no Bluetooth adapter.") }
    }

    static func defaultPath(at date: Date) -> String {
        "bluetooth-\(RecordingOptions.text(of: date, as: "yyyyMMdd-HHmmss")).pcap"
    }
}
