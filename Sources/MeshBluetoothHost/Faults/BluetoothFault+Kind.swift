public import MeshTime
import MeshWire

extension BluetoothFault {
    /// The effect of a fault: on answers, values, services, keys, the link, or advertising.
    public enum Kind: Hashable, Sendable {
        // MARK: Answers

        /// The radio states this longest packet, 23 to 517 bytes, and holds to it.
        case mtu(UInt16)
        /// The radio states one longest packet and sends and accepts none beyond another, shorter one.
        case mtuLie(told: UInt16, used: UInt16)
        /// The request is refused with this error of the attribute protocol, and has no effect.
        case attributeError(UInt8)
        /// The request has no answer and no effect: the phone gives up after 30 s.
        case noAnswer
        /// The answer comes later by this time.
        case lateAnswer(by: TimeSpan)
        /// The answer lacks so many bytes at its end; its first byte always comes.
        case cutAnswer(bytes: Int)

        // MARK: Values

        /// TX notifies this value so many times although nobody has subscribed.
        case earlyNotification([UInt8], count: Int)
        /// The value comes as an indication, which the phone has to confirm.
        case indication
        /// Notifications wait until there are so many, or until the first has waited that long, and come at once.
        case bunchedNotifications(Int, within: TimeSpan)
        /// Notifications come with at least this time between them.
        case slowNotifications(gap: TimeSpan)

        // MARK: Services

        /// The radio indicates that all its services have changed.
        case serviceChanged
        /// The services have another order, and all handles are others, beginning at this one.
        case servicesMoved(to: UInt16)

        // MARK: Keys

        /// The radio has lost the keys of the phone, and refuses to encrypt with them.
        case bondLost
        /// The radio has the keys and answers as if it had none: PIN or key missing.
        case keyRefused
        /// The radio encrypts with another key than the phone's, and the link breaks.
        case wrongKey
        /// The radio expects another PIN, of up to six digits.
        case pinChanged(UInt32)
        /// The pairing is refused, for this reason of the security manager.
        case pairingRefused(UInt8)
        /// The radio asks the phone to pair or to encrypt.
        case securityRequest

        // MARK: Links

        /// The radio falls silent without ending the link, and is not found for this time.
        case linkLost(for: TimeSpan)
        /// The radio ends the link, for this reason of the controller.
        case disconnect(UInt8)
        /// The radio asks for this interval, latency and supervision time-out.
        case connectionParameters(interval: TimeSpan, latency: Int, timeout: TimeSpan)

        // MARK: Advertising

        /// Another phone has the only connection for this time: the radio is not found.
        case secondCentral(for: TimeSpan)
        /// The radio is found under another random address each time that it begins to advertise.
        case addressRotates
        /// The advertisement lacks the service, for this time or until the next one.
        case serviceNotAdvertised(for: TimeSpan? = nil)
        /// The advertised name has no more than so many bytes, for this time or until the next one; with none it is
        /// missing.
        case nameCut(bytes: Int, for: TimeSpan? = nil)

        // MARK: The radio's build

        /// The radio was built otherwise.
        case design(Design)
    }
}

extension BluetoothFault.Kind {
    typealias Operation = BluetoothFault.Operation

    /// The name of the kind in files and requests.
    public var name: String {
        switch self {
        case .mtu: "mtu"
        case .mtuLie: "mtu-lie"
        case .attributeError: "att-error"
        case .noAnswer: "no-answer"
        case .lateAnswer: "late-answer"
        case .cutAnswer: "cut-answer"
        case .earlyNotification: "early-notification"
        case .indication: "indication"
        case .bunchedNotifications: "bunched-notifications"
        case .slowNotifications: "slow-notifications"
        case .serviceChanged: "service-changed"
        case .servicesMoved: "services-moved"
        case .bondLost: "bond-lost"
        case .keyRefused: "key-refused"
        case .wrongKey: "wrong-key"
        case .pinChanged: "pin-changed"
        case .pairingRefused: "pairing-refused"
        case .securityRequest: "security-request"
        case .linkLost: "link-lost"
        case .disconnect: "disconnect"
        case .connectionParameters: "connection-parameters"
        case .secondCentral: "second-central"
        case .addressRotates: "address-rotates"
        case .serviceNotAdvertised: "service-not-advertised"
        case .nameCut: "name-cut"
        case .design(let design): design.rawValue
        }
    }

    /// A fault of each kind with parameters that may be, in the order of the list.
    package static let examples: [Self] =
        [
            .mtu(64), .mtuLie(told: 517, used: 64), .attributeError(0x0E), .noAnswer, .lateAnswer(by: .seconds(2)),
            .cutAnswer(bytes: 1), .earlyNotification([0x83], count: 1), .indication,
            .bunchedNotifications(4, within: .seconds(1)), .slowNotifications(gap: .milliseconds(500)), .serviceChanged,
            .servicesMoved(to: 0x40), .bondLost, .keyRefused, .wrongKey, .pinChanged(654_321), .pairingRefused(0x05),
            .securityRequest, .linkLost(for: .seconds(6)), .disconnect(0x13),
            .connectionParameters(interval: .seconds(1), latency: 0, timeout: .seconds(6)),
            .secondCentral(for: .seconds(5)), .addressRotates, .serviceNotAdvertised(for: .seconds(15)),
            .nameCut(bytes: 8),
        ] + BluetoothFault.Design.allCases.map(Self.design)

    /// The operations at which it can happen, the usual one first.
    public var operations: [BluetoothFault.Operation] {
        switch self {
        case .mtu, .mtuLie: [.mtu]
        case .attributeError, .lateAnswer: Self.requests
        // Answers to writes have one byte, which always comes.
        case .cutAnswer: [.discovery, .mtu, .read]
        case .noAnswer: Self.requests + [.pairing, .encryption]
        case .earlyNotification: [.subscription, .connection, .mtu, .discovery]
        case .indication, .bunchedNotifications, .slowNotifications: [.notification]
        case .bondLost, .servicesMoved, .design: [.connection]
        case .keyRefused, .wrongKey: [.encryption]
        case .pinChanged, .pairingRefused: [.pairing]
        case .securityRequest: [.connection, .mtu, .discovery]
        case .serviceChanged: [.write, .connection] + Self.requests.filter { $0 != .write } + [.notification]
        case .linkLost, .disconnect, .connectionParameters: Self.onLink
        case .secondCentral, .addressRotates, .serviceNotAdvertised, .nameCut: [.advertising]
        }
    }

    /// The requests of the attribute protocol.
    private static let requests: [Operation] = [.write, .mtu, .discovery, .subscription, .read]
    private static let onLink = [.write] + Operation.allCases.filter { $0 != .write && $0 != .advertising }

    /// The number of operations of a fault that states none: one, or all from the first on.
    public var usualTimes: Int { isLasting ? BluetoothFault.mostTimes : 1 }

    /// True when the radio is another one from the operation on; else something happens at it.
    private var isLasting: Bool {
        switch self {
        case .servicesMoved, .pinChanged, .addressRotates, .serviceNotAdvertised, .nameCut, .design,
            .bunchedNotifications, .slowNotifications:
            true
        default: false
        }
    }

    /// True when the radio can have it before anybody connects.
    var mayBeginAtStart: Bool {
        switch self {
        case .servicesMoved, .design: true
        default: false
        }
    }

    /// True when it is about the answer to a request: commands without one do not count for it.
    var needsAnswer: Bool {
        switch self {
        case .attributeError, .noAnswer, .lateAnswer, .cutAnswer: true
        default: false
        }
    }

    /// True when it needs a controller of the radio's own: where a kernel keeps it, connects and pairs, it cannot be.
    package var needsController: Bool {
        switch self {
        case .bondLost, .keyRefused, .wrongKey, .pinChanged, .pairingRefused, .securityRequest, .linkLost, .disconnect,
            .connectionParameters, .addressRotates, .serviceNotAdvertised, .nameCut:
            true
        case .design(let design): design.needsController
        default: false
        }
    }

    /// The parts of an operation on which one fault alone decides.
    enum Exclusion: Hashable, Sendable {
        case longestPacket
        case answer
        case key
        case passkey
        case pace
        case layout
    }

    var exclusion: Exclusion? {
        switch self {
        case .mtu, .mtuLie: .longestPacket
        case .attributeError, .noAnswer, .lateAnswer, .cutAnswer, .linkLost, .disconnect, .pairingRefused: .answer
        case .keyRefused, .wrongKey: .key
        case .pinChanged: .passkey
        case .bunchedNotifications, .slowNotifications: .pace
        case .servicesMoved: .layout
        default: nil
        }
    }
}

extension BluetoothFault.Kind {
    private typealias Problem = BluetoothFault.Problem

    /// The reasons for which a controller lets a host end a link. Source: Bluetooth Core, Vol 4 Part E, 7.1.6.
    private static let endings: [UInt8] = [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B]
    /// The longest time that a fault takes.
    private static let longest = TimeSpan.seconds(3600)
    /// The most notifications of one fault at once.
    private static let mostNotifications = 32

    /// The reason why these parameters cannot be.
    var problem: BluetoothFault.Problem? {
        switch self {
        case .mtu(let size): Self.check("size", Int(size), 23...517)
        case .mtuLie(let told, let used):
            Self.check("told", Int(told), 24...517) ?? Self.check("used", Int(used), 23...(Int(told) - 1))
        case .attributeError(let code): Self.check("code", Int(code), 1...255)
        case .lateAnswer(let span): Self.check("seconds", span)
        case .cutAnswer(let count): Self.check("bytes", count, 1...512)
        case .earlyNotification(let value, let count):
            Self.check("hex", value.count, 0...512) ?? Self.check("count", count, 1...Self.mostNotifications)
        case .bunchedNotifications(let count, let span):
            Self.check("count", count, 2...Self.mostNotifications) ?? Self.check("seconds", span)
        case .slowNotifications(let span): Self.check("seconds", span)
        case .servicesMoved(let handle): Self.check("to", Int(handle), 1...0xFF00)
        case .pinChanged(let pin): Self.check("pin", Int(pin), 0...999_999)
        case .pairingRefused(let reason): Self.check("reason", Int(reason), 1...16)
        case .linkLost(let span), .secondCentral(let span): Self.check("seconds", span)
        case .disconnect(let reason): Self.endings.contains(reason) ? nil : Self.noEnding
        case .connectionParameters: parameters?.isAllowed == true ? nil : Self.noParameters
        case .nameCut(let count, let span):
            Self.check("bytes", count, 0...28) ?? span.flatMap { Self.check("seconds", $0) }
        case .serviceNotAdvertised(let span): span.flatMap { Self.check("seconds", $0) }
        case .noAnswer, .indication, .serviceChanged, .bondLost, .keyRefused, .wrongKey, .securityRequest,
            .addressRotates, .design:
            nil
        }
    }

    private static let noEnding = Problem(
        parameter: "reason", reason: "must be one of \(endings.map { "0x\([$0].hex)" }.joined(separator: ", "))")
    private static let noParameters = Problem(
        parameter: "intervalSeconds",
        reason: "must be from 0.0075 to 4, the latency from 0 to 499, and the time-out from 0.1 to 32 s and more than "
            + "twice the time that the latency lets pass")

    private static func check(_ parameter: String, _ value: Int, _ range: ClosedRange<Int>) -> Problem? {
        range ~= value
            ? nil : Problem(parameter: parameter, reason: "must be from \(range.lowerBound) to \(range.upperBound)")
    }

    private static func check(_ parameter: String, _ span: TimeSpan) -> Problem? {
        span > .zero && span <= longest
            ? nil : Problem(parameter: parameter, reason: "must be longer than nothing and at most an hour")
    }

    /// The wanted parameters as the signalling channel carries them; `nil` for another kind and for what is no number.
    var parameters: HCI.ConnectionParameters? {
        guard case .connectionParameters(let interval, let latency, let timeout) = self else { return nil }
        guard let units = UInt16(exactly: interval.microseconds / 1250), let skipped = UInt16(exactly: latency),
            let limit = UInt16(exactly: timeout.microseconds / 10_000)
        else { return nil }
        return HCI.ConnectionParameters(interval: units, latency: skipped, timeout: limit)
    }

}

extension BluetoothFault.Kind: CustomStringConvertible {
    /// The name and the parameters, without a PIN: `att-error 0x0e`.
    public var description: String {
        let words = words
        return words.isEmpty ? name : "\(name) \(words)"
    }

    private var words: String {
        switch self {
        case .mtu(let size): "\(size)"
        case .mtuLie(let told, let used): "\(told) for \(used)"
        case .attributeError(let code), .pairingRefused(let code), .disconnect(let code): "0x\([code].hex)"
        case .lateAnswer(let span), .slowNotifications(let span), .linkLost(let span), .secondCentral(let span):
            "\(span)"
        case .cutAnswer(let count), .nameCut(let count, nil): "\(count)"
        case .nameCut(let count, let span?): "\(count) for \(span)"
        case .serviceNotAdvertised(let span): span.map { "for \($0)" } ?? ""
        case .earlyNotification(let value, let count): count == 1 ? value.hex : "\(value.hex), \(count) times"
        case .bunchedNotifications(let count, let span): "\(count) within \(span)"
        case .servicesMoved(let handle): "to \(handle)"
        case .connectionParameters(let interval, let latency, let timeout):
            "\(interval), latency \(latency), time-out \(timeout)"
        // A PIN stands on no line that is kept.
        case .pinChanged, .noAnswer, .indication, .serviceChanged, .bondLost, .keyRefused, .wrongKey, .securityRequest,
            .addressRotates, .design:
            ""
        }
    }
}
