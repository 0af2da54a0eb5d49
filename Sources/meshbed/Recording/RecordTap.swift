import ArgumentParser
import MeshCapture
import MeshCaptureIO
import MeshTransports
import MeshWire

/// `meshbed record tcp`: between any app and a radio on the network.
struct RecordTCP: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tcp",
        abstract: "Record the frames between apps and a radio on the network.",
        discussion: """
            The app connects to the recorder instead of the radio, and gets its own connection to the radio. The \
            recorder takes one app at a time, and the newest wins, as on boards with Wi-Fi. When the radio goes away, \
            the recorder disconnects the app. The next app that connects reaches the radio again.

            Examples:
              meshbed record tcp --to tcp://192.168.4.1:5000
              meshbed record tcp --listen tcp://127.0.0.1:5005 --to tcp://radio:5000 \\
                --output sync.capture
            """)

    @Option(
        help: ArgumentHelp("Where apps find the radio now: \(LinkAddress.listenerForms).", valueName: "endpoint"),
        transform: { try LinkAddress(listener: $0) })
    var listen = LinkAddress.tapDoor

    @Option(help: ArgumentHelp("The radio.", valueName: LinkAddress.tcpForm), transform: { try Self.radio($0) })
    var to: LinkAddress

    @OptionGroup var recording: RecordingOptions

    static func radio(_ text: String) throws -> LinkAddress {
        let radio = try LinkAddress(radio: text)
        guard case .tcp = radio else { throw ValidationError("expected \(LinkAddress.tcpForm)") }
        return radio
    }

    func run() async throws {
        try await TapRun(listen, radio: to) { try recording.begin(.tcp) }.run()
    }
}

/// `meshbed record serial`: between any app and a radio on a serial line.
struct RecordSerial: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serial",
        abstract: "Record the frames between apps and a radio on a serial line.",
        discussion: """
            The app opens the pseudo-terminal instead of the radio's serial line. The recorder keeps the line open as \
            long as the app keeps the terminal open. When the cable is pulled, the terminal hangs up, as with a \
            driver. A new terminal appears under the same path.

            Examples:
              meshbed record serial --to serial:/dev/ttyUSB0
              meshbed record serial --listen pty:./radio.tty --to \\
                'serial:/dev/ttyACM0?baud=115200' --story boot
              meshbed record serial --listen tcp://127.0.0.1:5005 --to serial:/dev/ttyUSB0
            """)

    @Option(
        help: ArgumentHelp("Where apps find the radio now: \(LinkAddress.listenerForms).", valueName: "endpoint"),
        transform: { try LinkAddress(listener: $0) })
    var listen = LinkAddress.pty(path: "radio.tty")

    @Option(
        help: ArgumentHelp("The radio.", valueName: "\(LinkAddress.serialForm)[?baud=RATE]"),
        transform: { try Self.radio($0) })
    var to: LinkAddress

    @OptionGroup var recording: RecordingOptions

    static func radio(_ text: String) throws -> LinkAddress {
        let radio = try LinkAddress(radio: text)
        switch radio {
        case .serial, .remote: return radio
        case .tcp, .pty, .controller, .bluetooth:
            throw ValidationError(
                "expected \(LinkAddress.sentence([LinkAddress.serialForm] + LinkAddress.remoteFormList))")
        }
    }

    func run() async throws {
        try await TapRun(listen, radio: to) { try recording.begin(.serial) }.run()
    }
}

extension LinkAddress {
    /// The address at which apps find a recorder by default.
    static let tapDoor = LinkAddress.tcp(host: defaultHost, port: 5005)
}

/// A tap between the two, and the file it writes.
struct TapRun {
    let door: LinkAddress
    let radio: LinkAddress
    let begin: () throws -> LiveRecording

    init(_ door: LinkAddress, radio: LinkAddress, begin: @escaping () throws -> LiveRecording) {
        self.door = door
        self.radio = radio
        self.begin = begin
    }

    /// Begins the file, and listens. If listening fails, there is no file.
    func open() async throws -> (LiveRecording, Tap) {
        let recording = try begin()
        do {
            let tap = try await Tap.open(
                at: door, to: radio, keepsNoise: recording.secrets.isEmpty, log: Console.note,
                record: { try recording.append($0) })
            return (recording, tap)
        } catch {
            recording.discard()
            throw error
        }
    }

    func run() async throws {
        let interrupt = Interrupt()
        let recording: LiveRecording
        do {
            let tap: Tap
            (recording, tap) = try await open()
            Console.out("Recording into \(recording.path), \(recording.promise).")
            Console.out("Apps connect to \(tap.door); the radio is \(radio).")
            Console.out("Recording until interrupted (Ctrl-C).")
            await interrupt.orEnd { try await tap.waitUntilEnded() }
            await tap.stop()
            try await tap.waitUntilEnded()
        } catch {
            throw Console.failed("record", error)
        }
        Console.text("Stopped: \(recording.summary.map(\.visibleLine).joined(separator: "\n  ")).")
    }
}
