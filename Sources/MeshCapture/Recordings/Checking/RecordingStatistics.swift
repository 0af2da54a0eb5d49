import MeshCompanion
import MeshPacket
public import MeshTime

/// A recording in numbers.
public struct RecordingStatistics: Hashable, Sendable {
    /// Frames of one code and direction, or packets of one type.
    public struct Count: Hashable, Sendable {
        /// The firmware's constant for the code, or the packet's type; `unreadable` for a packet that is none.
        public var name: String
        /// The number of frames.
        public var count = 0
        /// The bytes of all of them together: of frames with their codes, without the framing of a stream.
        public var bytes = 0
    }

    /// The times between one command and its answers.
    public struct RoundTrips: Hashable, Sendable {
        /// The firmware's constant for the command's code.
        public var command: String
        /// The number of these commands that were answered to the end; at least 1.
        public var count: Int
        /// The time of the fastest answer, counted to its last frame.
        public var shortest: TimeSpan
        /// The time within which half of the answers came; of an even number, the lower one in the middle.
        public var median: TimeSpan
        /// The time within which nineteen of twenty answers came.
        public var percentile95: TimeSpan
        /// The time of the slowest answer.
        public var longest: TimeSpan

        /// From times in any order; there must be one.
        init(_ command: String, _ times: [TimeSpan]) {
            let times = times.sorted()
            self.command = command
            count = times.count
            shortest = times[0]
            median = times[(times.count - 1) / 2]
            percentile95 = times[(times.count * 95 + 99) / 100 - 1]
            longest = times[times.count - 1]
        }
    }

    /// From the first line to the last; of a run that went back, the sum of what lies between two returns.
    public private(set) var duration = TimeSpan.zero
    /// The number of connections; frames without a line that opens their connection count as one.
    public private(set) var connections = 0
    /// Frames to the radio, one count for each code, ordered by name.
    public private(set) var toRadio: [Count] = []
    /// Frames to the app, ordered as `toRadio`.
    public private(set) var toApp: [Count] = []
    /// One for each code that was answered, in the order of the protocol's commands.
    public private(set) var roundTrips: [RoundTrips] = []
    /// The number of frames to the app that answer no command.
    public private(set) var pushes = 0
    /// Commands that were due an answer and got none.
    public private(set) var unanswered = 0
    /// Lines that break the protocol: all, also those beyond `RecordingConversation.breachLimit`.
    public private(set) var breaches = 0
    /// Packets on the air by type; what cannot be read is `unreadable`.
    public private(set) var heard: [Count] = []
    /// Packets that the radio sent, by type as in `heard`.
    public private(set) var transmitted: [Count] = []
    /// The number of lines about something that is no frame.
    public private(set) var problems = 0

    /// The number of returns to a snapshot; what was left behind counts in all numbers.
    public private(set) var restores = 0

    /// Counts a whole recording; one without entries has zeros.
    public init(_ recording: Recording) {
        let conversation = RecordingConversation(recording)
        pushes = conversation.pushes
        unanswered = conversation.unanswered.count
        breaches = conversation.breachCount
        roundTrips = CommandCode.allCases.compactMap { code in
            let times = conversation.exchanges.filter { $0.code == code }.map(\.roundTrip)
            return times.isEmpty ? nil : RoundTrips(code.wireName, times)
        }
        duration = Self.duration(of: recording.entries)
        var isConnected = false
        for entry in recording.entries {
            if case .connected = entry.event { isConnected = false }
            if case .frame = entry.event, !isConnected {
                connections += 1
                isConnected = true
            } else if case .connected = entry.event {
                connections += 1
                isConnected = true
            } else if entry.event.endsConnection {
                isConnected = false
            }
            count(entry.event)
        }
        toRadio.sort { $0.name < $1.name }
        toApp.sort { $0.name < $1.name }
        heard.sort { $0.name < $1.name }
        transmitted.sort { $0.name < $1.name }
    }

    private static func duration(of entries: [RecordingEntry]) -> TimeSpan {
        guard var start = entries.first?.time else { return .zero }
        var (end, sum) = (start, TimeSpan.zero)
        for entry in entries {
            if case .turn(.restored) = entry.event {
                sum = sum + (end - start)
                start = entry.time
            }
            end = entry.time
        }
        return sum + (end - start)
    }

    private mutating func count(_ event: RecordingEntry.Event) {
        switch event {
        case .connected, .disconnected: break
        case .turn(let turn): if case .restored = turn { restores += 1 }
        case .frame(.toRadio, let bytes): Self.add(Self.name(of: bytes, .toRadio), bytes, to: &toRadio)
        case .frame(.toApp, let bytes): Self.add(Self.name(of: bytes, .toApp), bytes, to: &toApp)
        case .packet(.heard, let bytes, _): Self.add(Self.type(of: bytes), bytes, to: &heard)
        case .packet(.transmitted, let bytes, _): Self.add(Self.type(of: bytes), bytes, to: &transmitted)
        case .problem: problems += 1
        }
    }

    private static func add(_ name: String, _ bytes: [UInt8], to counts: inout [Count]) {
        let index = counts.firstIndex { $0.name == name } ?? counts.endIndex
        if index == counts.endIndex { counts.append(Count(name: name)) }
        counts[index].count += 1
        counts[index].bytes += bytes.count
    }

    private static func name(of bytes: [UInt8], _ direction: FrameDirection) -> String {
        FramePrinter.printed([UInt8](bytes.prefix(1)), direction: direction).name
    }

    private static func type(of bytes: [UInt8]) -> String {
        (try? PacketView(bytes))?.type.name ?? "unreadable"
    }
}
