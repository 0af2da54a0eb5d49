public import MeshBluetoothHost
public import MeshCompanion
import MeshTime
import MeshWire

/// The effect of a planned fault: on bytes, on frames, on the link, or on the power of the board.
///
/// Places in a frame count from 0, its code. A link in a stream (TCP, a serial line) has a header of three bytes in
/// front of it; Bluetooth has none, and each write is one frame.
public enum LinkFaultKind: Hashable, Sendable {
    // MARK: Bytes

    /// The frame comes later by this time, and all of its direction behind it.
    case late(by: Duration)
    /// The frame comes in two writes, the second after a pause. On a stream -2…0 are places in or behind the header.
    case split(after: Int, pause: Duration = .milliseconds(1))
    /// The frame and the next one of the direction come in one write. On Bluetooth a reader takes them for one.
    case merge
    /// Some bytes of the frame come twice; its header does not know.
    case doubleBytes(from: Int, count: Int)
    /// The frame is shorter by these bytes at its end, and its header agrees.
    case cut(bytes: Int)
    /// The frame is shorter by these bytes at its beginning, and its header agrees.
    case cutFront(bytes: Int)
    /// Some bytes of the frame are missing; its header does not know.
    case loseBytes(from: Int, count: Int)
    /// A byte of the frame is another. Place and value are drawn where they are not given.
    case garble(byte: Int? = nil, to: UInt8? = nil)
    /// These bytes come in front of the frame, without a header.
    case insert(bytes: [UInt8])
    /// So many drawn bytes come in front of the frame, without a header.
    case rubbish(bytes: Int)
    /// A frame of an earlier connection comes again in front of this one: the last one, or the last of this kind.
    case olderSession(LinkFrameKind? = nil)

    // MARK: Frames

    /// The frame is lost.
    case lose
    /// The frame comes behind the next one of its direction.
    case swap
    /// The frame comes twice.
    case double
    /// This push comes in front of the frame: between request and answer, at an answer.
    case push([UInt8])
    /// This answer comes in place of the right one.
    case otherAnswer([UInt8])
    /// The header states a length that differs by so much; streams alone have one.
    case wrongLength(by: Int)
    /// An error comes in place of the answer.
    case error(ErrorCode)
    /// The listing announces fewer contacts by this number, so that more come than were announced.
    case moreContacts(Int)
    /// The listing announces more contacts by this number, so that fewer come than were announced.
    case fewerContacts(Int)
    /// The end of the listing is lost.
    case endlessListing
    /// The latest message comes again in place of what follows it in the queue.
    case sameMessage
    /// A frame of this code, which the table does not have, comes in front of the frame.
    case unknownCode(UInt8)
    /// The frame comes with the greatest length, zeros behind its fields.
    case longest
    /// The frame comes with a length beyond the greatest one, zeros behind its fields.
    case overlong(bytes: Int)
    /// An empty frame comes in front of the frame.
    case empty
    /// Nothing passes in either direction for this time, the frame included.
    case stall(for: Duration)

    // MARK: Links

    /// The link ends, and the frame does not come.
    case endBefore
    /// The link ends after so many bytes of the frame.
    case endWithin(after: Int)
    /// The link ends behind the frame.
    case endAfter
    /// The next attempts to connect fail, as many as the fault has times.
    case refuseConnection

    // MARK: Power

    /// The board restarts, and the frame is lost with it.
    case reboot
    /// The board is without power for this time, and the frame is lost with it.
    case boardOff(for: Duration)
    /// The power fails in the board's next write of a file, for this time. `bytes` of the new content are left, or
    /// none of the file.
    case brownOut(bytes: Int? = nil, for: Duration)

    // MARK: Bluetooth

    /// Something goes wrong below the frames of a link over Bluetooth, at an operation of its own.
    ///
    /// Occasion and direction of the plan mean nothing to it.
    case bluetooth(BluetoothFault)
}

extension LinkFaultKind {
    /// A push of this code comes in front of the frame, with fields of zeros.
    public static func push(_ code: PushCode) -> LinkFaultKind { .push(emptyFrame(code.row.frame)) }

    /// An answer of this code comes in place of the right one, with fields of zeros.
    public static func otherAnswer(_ code: ResponseCode) -> LinkFaultKind { .otherAnswer(emptyFrame(code.row.frame)) }

    /// A frame whose fields are zeros.
    static func emptyFrame(_ type: any CodedFrame.Type) -> [UInt8] { type.init().encoded() }

    /// The name of the kind in files and requests.
    public var name: String {
        if case .bluetooth(let fault) = self { return fault.kind.name }
        return id?.rawValue ?? ""
    }

    /// The part that a fault has in the fate of the frame of its occasion.
    enum Role: Hashable, Sendable {
        /// It decides what becomes of the frame: no other fault of the plan does so with the same frame.
        case takesFrame
        /// It adds something in front of the frame.
        case addsBefore
        /// It happens beside the frame, which passes.
        case stands
    }

    var role: Role {
        switch self {
        case .insert, .rubbish, .olderSession, .push, .unknownCode, .empty: .addsBefore
        case .refuseConnection, .brownOut, .bluetooth: .stands
        default: .takesFrame
        }
    }

    /// The direction without which the kind makes no sense; `nil` for either.
    public var onlyWay: FrameDirection? { id?.onlyWay }

    /// True when it needs the power of the board.
    public var needsPower: Bool {
        switch self {
        case .reboot, .boardOff, .brownOut: true
        default: false
        }
    }

    /// True when it happens below the frames of a link over Bluetooth.
    public var isOfBluetooth: Bool {
        if case .bluetooth = self { true } else { false }
    }

    /// The number of occasions of a fault that states none.
    public var usualTimes: Int {
        switch self {
        case .sameMessage: PlannedLinkFault.mostTimes
        case .bluetooth(let fault): fault.times
        default: 1
        }
    }
}

extension LinkFaultKind: CustomStringConvertible {
    /// The name and the parameters, as `cut-bytes 3`.
    public var description: String {
        let words = parameterWords
        return words.isEmpty ? name : "\(name) \(words)"
    }

    private var parameterWords: String {
        switch self {
        case .late(let span), .stall(let span), .boardOff(let span): "\(TimeSpan(span))"
        case .split(let place, let pause): "after \(place), pause \(TimeSpan(pause))"
        case .doubleBytes(let from, let count), .loseBytes(let from, let count): "\(count) from \(from)"
        case .cut(let count), .cutFront(let count), .rubbish(let count), .overlong(let count): "\(count)"
        case .garble(let place, let value):
            [place.map { "byte \($0)" }, value.map { "to \($0)" }].compactMap(\.self).joined(separator: " ")
        case .insert(let bytes), .push(let bytes), .otherAnswer(let bytes): bytes.hex
        case .olderSession(let frame): frame?.wireName ?? ""
        case .wrongLength(let difference): difference > 0 ? "+\(difference)" : "\(difference)"
        case .error(let code): "\(code)"
        case .moreContacts(let count), .fewerContacts(let count): "by \(count)"
        case .unknownCode(let code): "0x\([code].hex)"
        case .endWithin(let place): "after \(place)"
        case .brownOut(let bytes, let span): (bytes.map { "keeping \($0) bytes, " } ?? "") + "\(TimeSpan(span))"
        case .bluetooth(let fault): String("\(fault)".dropFirst(fault.kind.name.count + 1))
        case .merge, .lose, .swap, .double, .endlessListing, .sameMessage, .longest, .empty, .endBefore, .endAfter,
            .refuseConnection, .reboot:
            ""
        }
    }
}
