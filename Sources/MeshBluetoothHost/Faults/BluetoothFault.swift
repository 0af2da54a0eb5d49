/// A fault of a radio over Bluetooth, with the operation of the link at which it happens.
///
/// Operations are counted from when the fault is armed. A fault that lasts goes on until its last operation is over;
/// others happen once at each. Faults are armed in a ``BluetoothFaultLedger``, which counts what they do.
///
/// ```swift
/// let fault = BluetoothFault(.attributeError(0x0E), at: .write, number: 3)
/// ```
public struct BluetoothFault: Hashable, Sendable {
    /// The most operations of one fault: in effect, each of them.
    public static let mostTimes = 1_000_000
    /// The greatest number of an operation.
    public static let lastNumber = 65_535

    /// The effect, with its parameters.
    public var kind: Kind
    /// The operation that is counted.
    public var operation: Operation
    /// The number of the first operation with the fault, from 1; 0 for a fault of the radio's build from the start.
    public var number: Int
    /// The number of operations with the fault, one after the other, from 1 to `mostTimes`.
    public var times: Int

    /// A fault at an operation.
    ///
    /// - Parameters:
    ///   - operation: the operation; without one it is the first that the kind can have.
    ///   - times: the number of operations; without one it is the usual number of the kind.
    public init(_ kind: Kind, at operation: Operation? = nil, number: Int = 1, times: Int? = nil) {
        self.kind = kind
        self.operation = operation ?? kind.operations[0]
        self.number = number
        self.times = times ?? kind.usualTimes
    }

    /// An operation of a link, as the radio sees it.
    public enum Operation: String, Hashable, Sendable, CaseIterable {
        /// The radio begins to advertise.
        case advertising
        /// A phone has connected.
        case connection
        /// The phone asks for the longest packet.
        case mtu
        /// The phone asks for services, characteristics or descriptors; each request counts.
        case discovery
        /// The phone begins to pair.
        case pairing
        /// The phone encrypts, after a pairing or with the keys of an earlier one.
        case encryption
        /// The phone writes the configuration of TX: it subscribes, or ends that.
        case subscription
        /// The phone reads a value.
        case read
        /// The phone writes RX, with a response or without.
        case write
        /// The radio notifies TX; each part of a frame counts.
        case notification
    }
}

extension BluetoothFault {
    /// The reason why a fault can never happen: the parameter, and what is wrong with it.
    public struct Problem: Error, Hashable, Sendable {
        /// The parameter's name in files and requests.
        public let parameter: String
        /// The reason, as a sentence goes on behind the name.
        public let reason: String
    }

    /// The reason why it can never happen; `nil` for a fault that can.
    public var problem: Problem? {
        if let problem = kind.problem { return problem }
        guard kind.operations.contains(operation) else {
            let known = kind.operations.map(\.rawValue).joined(separator: ", ")
            return Problem(parameter: "operation", reason: "\(kind.name) does not happen at it; known are \(known)")
        }
        let first = kind.mayBeginAtStart ? 0 : 1
        guard first...Self.lastNumber ~= number else {
            return Problem(parameter: "number", reason: "must be from \(first) to \(Self.lastNumber)")
        }
        guard 1...Self.mostTimes ~= times else {
            return Problem(parameter: "times", reason: "must be from 1 to \(Self.mostTimes)")
        }
        return nil
    }

    /// True when the same operation cannot have both.
    func excludes(_ other: BluetoothFault) -> Bool {
        guard operation == other.operation, let own = kind.exclusion, own == other.kind.exclusion else { return false }
        let (last, otherLast) = (number + times, other.number + other.times)
        return number < otherLast && other.number < last
    }
}

extension BluetoothFault: CustomStringConvertible {
    /// The fault in words: `att-error 0x0e at write number 3`.
    public var description: String {
        let often = times == kind.usualTimes ? "" : times == Self.mostTimes ? ", from then on" : ", \(times) times"
        let nth = number == 1 ? "" : " number \(number)"
        return "\(kind) at \(operation.rawValue)\(nth)\(often)"
    }
}
