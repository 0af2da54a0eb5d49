public import MeshCompanion
public import MeshTime

/// The conversation of one radio and its apps, in the project's own format: lines that people can read and compare.
///
/// ```
/// meshbed capture 1
/// firmware: v1.17.1
/// board: heltec-v3
/// transport: tcp
/// story: connect-and-sync
/// date: 2026-11-22
///
/// 0.000000 tcp +
/// 0.001250 tcp > 010300000000000074657374 ; APP_START
/// 0.003000 tcp < 0a00
/// 0.500000 air < 1101… snr=10.25 rssi=-80
/// 9.000000 tcp - closed by the app
/// ```
///
/// One radio a recording; its connections follow each other. The article on the format has the rules.
public struct Recording: Hashable, Sendable {
    /// The rows above the first empty line.
    public var header: RecordingHeader
    /// The lines in the order of the file, which is that of their times between two turns, unless it was edited.
    public var entries: [RecordingEntry]

    public init(_ header: RecordingHeader, _ entries: [RecordingEntry] = []) {
        self.header = header
        self.entries = entries
    }
}

/// The origin of a recording.
public struct RecordingHeader: Hashable, Sendable {
    /// The firmware's release, as in `v1.17.1`.
    public var firmware: String?
    /// The radio's board by its own name, as in `heltec-v3`; `nil` when it is unknown.
    public var board: String?
    /// The link that the app was connected over; `nil` when the header does not name it.
    public var transport: RecordingLink?
    /// The story of the recording, in a few words with hyphens.
    public var story: String?
    /// The day, as in `2026-11-22`.
    public var date: String?
    /// The secrets that were replaced before it was saved; `nil` when none were.
    public var scrubbed: Set<Secret>?
    /// Further rows, in their order.
    public var rows: [Row]

    /// A row without a meaning in the format, `key: value`.
    public struct Row: Hashable, Sendable {
        /// The text in front of the first colon.
        public var key: String
        /// The text behind the colon, without the blanks in front; empty values are not written.
        public var value: String

        public init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    /// A kind of information that a recording should not show to others.
    public enum Secret: String, Hashable, Sendable, CaseIterable {
        /// Private keys and the secrets of channels.
        case keys
        case pins
        case passwords
        case positions
        case texts
        /// The names of nodes.
        case names
    }

    public init(
        firmware: String? = nil, board: String? = nil, transport: RecordingLink? = nil, story: String? = nil,
        date: String? = nil, scrubbed: Set<Secret>? = nil, rows: [Row] = []
    ) {
        self.firmware = firmware
        self.board = board
        self.transport = transport
        self.story = story
        self.date = date
        self.scrubbed = scrubbed
        self.rows = rows
    }

    /// The value of the first of the further rows with this key.
    public func value(of key: String) -> String? { rows.first { $0.key == key }?.value }
}

/// The link that a line of a recording went over.
public enum RecordingLink: String, Hashable, Sendable, CaseIterable {
    case ble
    case tcp
    case serial
    /// A link inside one process.
    case loopback
    /// The radio's own transmissions and receptions.
    case air
}

/// One line of a recording.
public struct RecordingEntry: Hashable, Sendable {
    /// The event of a line; its mark in the file is `+`, `-`, `>`, `<`, `!` or `@`.
    public enum Event: Hashable, Sendable {
        /// An app connected.
        case connected
        /// The connection is over, with a few words for people; `powerCut` is the one reason that means something.
        case disconnected(reason: String)
        /// A companion frame and its direction: the bytes from the code on, without the framing of a stream.
        case frame(FrameDirection, [UInt8])
        /// A LoRa packet that the radio reported or sent.
        case packet(PacketWay, [UInt8], signal: Signal?)
        /// Something that is no frame: lost, malformed, between frames.
        case problem(String)
        /// The emulated world took a snapshot, or went back to one: the connection ended, and times go on from the
        /// snapshot's.
        case turn(RunTurn)
    }

    /// The direction of a packet: received by the radio on the air, or sent by it.
    public enum PacketWay: Hashable, Sendable {
        case heard
        case transmitted
    }

    /// The signal with which a packet was received.
    public struct Signal: Hashable, Sendable {
        /// The signal-to-noise ratio in quarters of a decibel: -32 to 31.75 dB.
        public var snrQuarterDecibels: Int8
        /// The strength of the signal in dBm: -128 to 127.
        public var rssi: Int8

        public init(snrQuarterDecibels: Int8, rssi: Int8) {
            self.snrQuarterDecibels = snrQuarterDecibels
            self.rssi = rssi
        }
    }

    /// Since the recording began.
    public var time: TimeSpan
    /// The link of the line: that of the connection, or `air` for packets.
    public var link: RecordingLink
    /// The event of the line.
    public var event: Event
    /// The tolerance with which frames and packets are compared with it.
    public var tolerance: Tolerance
    /// For people: what stands behind the `;`.
    public var note: String

    /// The reason of a disconnection that is an outage: the radio starts anew before the next connection.
    public static let powerCut = "power cut"

    public init(
        _ time: TimeSpan, _ link: RecordingLink, _ event: Event, tolerance: Tolerance = .none, note: String = ""
    ) {
        self.time = time
        self.link = link
        self.event = event
        self.tolerance = tolerance
        self.note = note
    }
}
