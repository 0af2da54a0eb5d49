import MeshBluetoothHost
import MeshCompanion
import MeshFiles
import MeshTime
import MeshTransports

/// A command of the bench in a frame of an app: it arms faults of its own link, and reads what they did.
///
/// Its code is none of the firmware's, which answers it with `ERR_CODE_UNSUPPORTED_CMD`. An emulated radio without a
/// jig does the same. Numbers of two bytes are little endian.
///
/// | bytes | meaning | answer |
/// |---|---|---|
/// | BE 00 | version | BE 00, version 1, the number of armed faults in two bytes |
/// | BE 01 JSON | arms one fault of a plan | BE 01, the fault's number in two bytes |
/// | BE 02 number | reads a fault | BE 02, a ``JigReading`` as JSON |
/// | BE 03 number | takes a fault back; 0 all of them | BE 03, the number |
///
/// An error is the frame of the firmware, 01 and a code, with the reason in words behind it.
enum JigCommand: Hashable, Sendable {
    case version
    /// A fault as JSON.
    case arm([UInt8])
    case read(Int)
    /// Takes a fault back; `nil` takes all.
    case disarm(Int?)
    /// A command of the bench that it does not have.
    case unknown

    /// The first byte of commands and answers.
    static let code = BluetoothFaultLedger.benchCode
    /// The most faults that one client arms.
    static let most = 1000
    /// The number of the present version.
    private static let number: UInt8 = 1

    /// The second byte of commands and answers.
    private enum Operation {
        static let version: UInt8 = 0x00
        static let arm: UInt8 = 0x01
        static let read: UInt8 = 0x02
        static let disarm: UInt8 = 0x03
    }

    /// Reads a frame of an app; `nil` for one that is for the radio.
    init?(_ frame: [UInt8]) {
        guard frame.first == Self.code else { return nil }
        let rest = frame.dropFirst(2)
        let number = rest.count == 2 ? Int(rest[2]) | Int(rest[3]) << 8 : nil
        switch (frame.dropFirst().first, number) {
        case (Operation.version, _) where rest.isEmpty: self = .version
        case (Operation.arm, _): self = .arm([UInt8](rest))
        case (Operation.read, let number?): self = .read(number)
        case (Operation.disarm, let number?): self = .disarm(number == 0 ? nil : number)
        default: self = .unknown
        }
    }

    // MARK: Answers

    static func versionAnswer(armed: Int) -> [UInt8] { [code, Operation.version, number] + bytes(armed) }
    static func armedAnswer(_ number: Int) -> [UInt8] { [code, Operation.arm] + bytes(number) }
    static func disarmedAnswer(_ number: Int?) -> [UInt8] { [code, Operation.disarm] + bytes(number ?? 0) }
    static func readAnswer(_ text: String) -> [UInt8] { [code, Operation.read] + Array(text.utf8) }

    /// The firmware's frame of an error, with the reason behind it as far as a frame has room.
    static func refusal(_ error: ErrorCode, _ reason: String = "") -> [UInt8] {
        let text = Array(reason.utf8).prefix(CompanionLimits.frame - 2)
        return [ResponseCode.err.rawValue, error.rawValue] + text
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        let number = UInt16(clamping: number)
        return [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
    }
}

/// The state of a fault as the bench's command reads it: its occasion, and its effects so far.
struct JigReading: Hashable, Encodable {
    /// The name of the kind.
    let fault: String
    /// The operation that is counted, and the number of the first one with the fault; `nil` for a fault of frames.
    let operation: String?
    let number: Int?
    /// The operations since it was armed.
    let operations: Int?
    /// The times that it took effect.
    let times: Int
    /// The frames that it changed, and their bytes.
    let frames: Int
    let bytes: Int
    /// The time of the first effect, in seconds since the run began; `nil` without one.
    let first: Double?

    init(_ entry: BluetoothFaultLedger.Entry) {
        self.init(entry.fault.kind.name, entry.count, entry)
    }

    init(_ planned: PlannedLinkFault, _ count: FaultCount) {
        self.init(planned.kind.name, count, nil)
    }

    private init(_ name: String, _ count: FaultCount, _ entry: BluetoothFaultLedger.Entry?) {
        fault = name
        operation = entry?.fault.operation.rawValue
        number = entry?.fault.number
        operations = entry?.operations
        times = count.times
        frames = count.frames
        bytes = count.bytes
        first = count.first.map { Double($0.microseconds) / 1e6 }
    }
}

/// A fault that a client has armed over its link, in the list that counts it.
enum JigFault: Hashable, Sendable {
    /// The number of a fault of Bluetooth.
    case bluetooth(Int)
    /// The place among the demands of the link.
    case demand(Int, PlannedLinkFault)
}

/// Finds the bench's commands in what an app writes, on links with whole frames and on streams.
struct JigReader {
    /// Finds frames in a stream; `nil` where each write is a frame.
    private var receiver: SerialReceiver?

    init(isStream: Bool) { receiver = isStream ? SerialReceiver() : nil }

    /// Returns the bytes for the radio, and the commands for the bench in their order.
    ///
    /// A frame of a stream reaches the radio when it is complete.
    mutating func split(_ bytes: [UInt8]) -> (passed: [UInt8], commands: [JigCommand]) {
        guard receiver != nil else {
            return JigCommand(bytes).map { ([], [$0]) } ?? (bytes, [])
        }
        var (passed, commands): ([UInt8], [JigCommand]) = ([], [])
        for frame in receiver?.frames(in: bytes) ?? [] {
            if let command = JigCommand(frame) {
                commands.append(command)
            } else {
                passed += StreamFraming.encode(toRadio: frame)
            }
        }
        return (passed, commands)
    }

    /// Forgets a frame that has begun.
    mutating func reset() { receiver?.reset() }
}
