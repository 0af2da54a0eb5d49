import ArgumentParser
import BluetoothCapture
import FoundationEssentials
import MeshBluetoothHost
import MeshCapture
import MeshCaptureIO
import MeshTransports
import MeshWire

/// `meshbed record ble`: stores the traffic between an adapter of this machine and a radio, as frames or as packets.
struct RecordBLE: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ble",
        abstract: "Record the traffic of a Bluetooth adapter of this machine.",
        discussion: """
            Reads the adapter through libpcap while an app on this machine talks to a radio. The ending of the file's \
            name selects the format. A .capture file holds the frames of one radio, without secrets. Files named \
            .pcap, .pcapng and .btsnoop hold all packets, for Wireshark and btmon. The recorder writes each batch \
            before it reads the next, so a killed recorder leaves a readable file.

            Packets hold everything unchanged: texts, passwords, PINs, keys of bondings, and traffic of other \
            devices. Their meaning shows only later, so they cannot be scrubbed during the recording. Files of \
            packets therefore need --keep-secrets. --redact-keys overwrites the keys with zeros, so that nobody can \
            use the file to impersonate a device. 'meshbed capture convert' makes packets from a .capture again.

            A recording has one radio: the first that a connection leads to, or the one of --device.

            With --to the recorder stands between app and radio instead, as 'record tcp' does. The app connects to it \
            over TCP or a terminal, and it dials the radio over Bluetooth.

            The adapter needs CAP_NET_RAW and nothing else. Run this command as root, or once 'sudo setcap \
            cap_net_raw+ep $(command -v meshbed)'. Or let another program capture, and read its packets with --from. \
            'bluetooth-monitor' has all adapters of the machine, 'bluetooth0' the first one.

            Examples:
              meshbed record ble --list
              meshbed record ble --output desk.capture --story first-sync
              meshbed record ble --output desk.pcapng --keep-secrets \\
                --device C0:11:22:33:44:55
              meshbed record ble --from btsnoop_hci.log --output public.btsnoop \\
                --keep-secrets --redact-keys
              meshbed record ble --to 'ble:C0:11:22:33:44:55?via=hci0' \\
                --output desk.capture
              sudo tcpdump -i bluetooth-monitor -U -w - | meshbed record ble --from - --output desk.capture

            Exit status: 0 after an interrupt or SIGTERM, or at the end of the input; 2 when it could not start or \
            continue (no adapter, no permission, no such interface, a full disk).
            """)

    @Option(
        help: ArgumentHelp(
            "The interface, by its libpcap name; bluetooth-monitor, or the first adapter, when not given.",
            valueName: "name"))
    var interface: String?

    @Option(
        help: ArgumentHelp(
            "Read packets from a pipe, a file or standard input ('-') instead of an adapter.",
            discussion: "pcap, pcapng, btsnoop or PacketLogger, packed or not.", valueName: "file"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "Leave out the data of connections with other devices, and of those that began before the recording.",
            valueName: "address"),
        transform: { try Self.address($0) })
    var device: PeerFilter?

    @Option(
        help: ArgumentHelp(
            "The file, a new one, ending in .capture, .pcap, .pcapng or .btsnoop. Without it, a .capture with the story or "
                + "'bluetooth', the date and the time.", valueName: "file"))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Stand between an app and this radio instead of reading an adapter.", valueName: LinkAddress.bluetoothForm),
        transform: { try Self.radio($0) })
    var to: LinkAddress?

    @Option(
        help: ArgumentHelp(
            "With --to: where apps find the radio now: \(LinkAddress.listenerForms). Without it "
                + "\(LinkAddress.tapDoor).", valueName: "endpoint"),
        transform: { try LinkAddress(listener: $0) })
    var listen: LinkAddress?

    @OptionGroup var head: HeadOptions
    @OptionGroup var secrets: SecretOptions

    @Flag(help: "In packets, overwrite the keys of bondings with zeros.")
    var redactKeys = false

    @Flag(help: "List the Bluetooth interfaces of this machine, and end.")
    var list = false

    /// The format that is written; `nil` where the file's name has no known ending.
    private var format: CaptureConvert.Format? { output.map { CaptureConvert.Format(ending: $0) } ?? .capture }

    func validate() throws {
        if list { return }
        guard let format else {
            throw ValidationError("--output needs a name with one of the endings \(CaptureConvert.Format.endings)")
        }
        if listen != nil, to == nil { throw ValidationError("--listen goes with --to, which names the radio") }
        if to != nil {
            if let stray = [("--interface", interface != nil), ("--from", from != nil), ("--device", device != nil)]
                .first(where: \.1)?.0
            {
                throw ValidationError("--to reads no adapter, and does not take \(stray)")
            }
            guard format == .capture else {
                throw ValidationError("between app and radio there are no packets: --output needs a name with .capture")
            }
        }
        if from != nil && interface != nil { throw ValidationError("--from and --interface exclude each other") }
        guard format != .capture else {
            if redactKeys { throw ValidationError("--redact-keys is for packets: there are no keys in a .capture") }
            return
        }
        guard secrets.keepSecrets else {
            throw ValidationError(
                "packets hold texts, passwords and keys, and it shows only later which: they cannot be scrubbed while they "
                    + "are recorded. --keep-secrets records them as they are, into a file that only you can read; "
                    + "--output NAME.capture records the frames without their secrets")
        }
        if head.firmware ?? head.board ?? head.story != nil {
            throw ValidationError("--firmware, --board and --story have a place in a .capture only")
        }
    }

    static func radio(_ text: String) throws -> LinkAddress {
        let radio = try LinkAddress(radio: text)
        guard case .bluetooth = radio else { throw ValidationError("expected \(LinkAddress.bluetoothForm)") }
        return radio
    }

    static func address(_ text: String) throws -> PeerFilter {
        guard let filter = BluetoothAddress(text: text).flatMap({ PeerFilter(peer: $0.bytes) }) else {
            throw ValidationError("an address is six pairs of hex digits, as in C0:11:22:33:44:55")
        }
        return filter
    }

    func run() async throws {
        if let to {
            let date = Date()
            let path = output ?? head.path(at: date, named: "recording")
            return try await TapRun(listen ?? .tapDoor, radio: to) {
                try head.begin(.ble, into: path, without: secrets, at: date)
            }.run()
        }
        do {
            if list { return try printInterfaces() }
            let screen = RecordingScreen()
            let (source, recorder) = try begin(at: Date(), screen)
            let interrupt = Interrupt()
            Console.out("Recording \(source) into \(recorder.path), \(promise).")
            Console.out("Recording until interrupted (Ctrl-C).")
            recorder.start()
            await interrupt.orEnd { try await recorder.waitUntilEnded() }
            recorder.stop()
            try await finish(recorder, screen)
        } catch let status as ExitCode {
            throw status
        } catch {
            throw Console.failed("record", error)
        }
    }

    private func finish(_ recorder: AdapterRecorder, _ screen: RecordingScreen) async throws {
        do {
            try await recorder.waitUntilEnded()
        } catch {
            screen.end()
            guard recorder.progress.tally.packets > 0 else {
                recorder.discard()
                throw Console.failed("record", error)
            }
            let rest = "\(recorder.progress.tally.words) until then in \(recorder.path)"
            throw Console.failed("record", "\(error); \(rest)")
        }
        screen.end()
        let progress = recorder.progress
        let summary = ["\(progress.tally.words) in \(recorder.path)"] + progress.tally.omissions + progress.losses
        Console.text("Stopped: \(summary.map(\.visibleLine).joined(separator: "\n  ")).")
    }

    private var promise: String { LiveRecording.promise(without: secrets.scrubbed) }

    /// Opens the source, then begins the file.
    private func begin(at date: Date, _ screen: RecordingScreen) throws -> (source: String, AdapterRecorder) {
        let path = output ?? head.path(at: date, named: "bluetooth")
        if let from {
            let source = try PipedSource(from)
            let recording = try recording(at: date)
            return (from, try AdapterRecorder(source, recording, into: path) { screen.show($0) })
        }
        let name = try chosenInterface()
        let capture = try LiveCapture(interface: name)
        let recording = try recording(at: date, of: capture.link, name)
        return (name, try AdapterRecorder(capture, recording, into: path) { screen.show($0) })
    }

    /// Creates the recording that the records become.
    func recording(at date: Date, of link: LinkType? = nil, _ interface: String? = nil) throws -> AdapterRecording {
        guard let packets = format.flatMap({ CaptureFormat(rawValue: $0.rawValue) }) else {
            var header = head.header(.ble, at: date)
            // What comes from elsewhere may be of another day.
            if from != nil { header.date = nil }
            return AdapterRecording(
                framesUnder: header, scrubbed: secrets.scrubbed, salt: LiveRecording.freshSalt(),
                filter: device)
        }
        // libpcap's modules for Bluetooth have microseconds.
        return try AdapterRecording(
            packetsAs: packets, of: link, interface: interface, keepsNanoseconds: interface == nil,
            redactsKeys: redactKeys, filter: device)
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
}
