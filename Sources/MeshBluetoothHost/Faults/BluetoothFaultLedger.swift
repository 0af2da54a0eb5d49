package import MeshTime

/// The faults that a radio's peripheral was given, and what they have done so far.
///
/// A value that goes along with its host: it counts the operations of the link, says which faults are due, and keeps
/// answers that come late. It governs no link itself. Hosts ask it where packets pass, and ``RadioPeripheral`` where
/// the radio advertises and notifies; each notes an effect when it has taken place.
package struct BluetoothFaultLedger: Sendable {
    /// A fault with its count.
    package struct Entry: Hashable, Sendable {
        /// The number by which it is read and taken back.
        package let number: Int
        package let fault: BluetoothFault
        /// The operations of its kind since it was armed.
        package fileprivate(set) var operations = 0
        /// The effects so far.
        package fileprivate(set) var count = FaultCount()
        /// True when it was taken back: it does nothing more.
        package fileprivate(set) var isTakenBack = false

        /// True while its operations last, and for a lasting fault up to the next one.
        var isActive: Bool {
            !isTakenBack && operations >= fault.number && operations - fault.number < fault.times
        }

        /// True when its last operation has come.
        package var isOver: Bool { isTakenBack || operations - fault.number >= fault.times - 1 }
    }

    /// A fault that is due, by its number.
    package struct Due: Hashable, Sendable {
        package let number: Int
        package let kind: BluetoothFault.Kind
    }

    /// An answer that comes later.
    private struct Held: Sendable {
        let due: Instant
        let link: UInt32
        let packet: [UInt8]
    }

    /// The most faults of one radio.
    package static let most = 256
    /// The first byte of frames between a phone and the bench, which are no operations: neither writes nor values.
    package static let benchCode: UInt8 = 0xBE
    /// The most answers that wait; a phone has one request under way.
    private static let mostHeld = 16

    package private(set) var entries: [Entry] = []
    private var held: [Held] = []
    /// Parameters that a phone was asked for and has not set, by the number of the fault.
    private var asked: (link: UInt32, due: Due)?

    /// A ledger with these faults, and without what they hold back.
    package init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// True when nothing was armed.
    package var isEmpty: Bool { entries.isEmpty }

    /// A number that no fault has had which is remembered.
    package var nextNumber: Int { (entries.map(\.number).max() ?? 0) + 1 }

    // MARK: Arming

    /// The reason why a fault was not armed.
    package enum Refusal: Error, Hashable, Sendable {
        /// It can never happen.
        case impossible(BluetoothFault.Problem)
        /// Another one decides on the same operation, by its number.
        case excluded(by: Int)
        /// The radio's controller belongs to a kernel.
        case needsController(String)
        /// As many as one radio can have were armed.
        case tooMany(Int)
        /// The number belongs to another fault.
        case taken(Int)
        /// The link is none over Bluetooth.
        case noBluetooth
    }

    /// Arms a fault; its operations are counted from now on.
    package mutating func arm(
        _ fault: BluetoothFault, number: Int, ownsController: Bool = true
    ) throws(Refusal) {
        if let problem = fault.problem { throw .impossible(problem) }
        if entries.count >= Self.most, let place = entries.firstIndex(where: \.isTakenBack) {
            entries.remove(at: place)
        }
        guard entries.count < Self.most else { throw .tooMany(Self.most) }
        guard ownsController || !fault.kind.needsController && fault.operation.isSeenByKernelHost else {
            throw .needsController(fault.kind.name)
        }
        guard !entries.contains(where: { $0.number == number }) else { throw .taken(number) }
        if let other = entries.first(where: { !$0.isOver && $0.fault.excludes(fault) }) {
            throw .excluded(by: other.number)
        }
        entries.append(Entry(number: number, fault: fault))
    }

    /// Takes a fault back and keeps its count; returns it, or `nil` when there is none of this number.
    package mutating func disarm(_ number: Int) -> BluetoothFault? {
        guard let place = entries.firstIndex(where: { $0.number == number && !$0.isTakenBack }) else { return nil }
        entries[place].isTakenBack = true
        return entries[place].fault
    }

    /// Forgets all faults.
    package mutating func forgetAll() { self = BluetoothFaultLedger() }

    /// The fault of a number.
    package func entry(_ number: Int) -> Entry? { entries.first { $0.number == number } }

    // MARK: Operations

    /// Counts an operation and returns the faults that are due with it, in the order in which they were armed.
    ///
    /// `isAnswered`: false for a command without a response, which no fault of answers counts.
    package mutating func meet(_ operation: BluetoothFault.Operation, isAnswered: Bool = true) -> [Due] {
        var due: [Due] = []
        for place in entries.indices
        where entries[place].fault.operation == operation && !entries[place].isTakenBack {
            let kind = entries[place].fault.kind
            guard isAnswered || !kind.needsAnswer else { continue }
            entries[place].operations += 1
            if entries[place].isActive { due.append(Due(number: entries[place].number, kind: kind)) }
        }
        return due
    }

    /// The faults that last now, of those that begin at an operation.
    package func active(_ operation: BluetoothFault.Operation) -> [Due] {
        entries.filter { $0.fault.operation == operation && $0.isActive }.map {
            Due(number: $0.number, kind: $0.fault.kind)
        }
    }

    /// Counts an effect that has taken place.
    package mutating func note(
        _ due: Due, times: Int = 1, frames: Int = 0, bytes: Int = 0, at now: Instant
    ) {
        guard let place = entries.firstIndex(where: { $0.number == due.number }) else { return }
        entries[place].count.note(times: times, frames: frames, bytes: bytes, at: now)
    }

    /// Counts an effect of the radio's build, of all faults that ask for it.
    package mutating func note(_ design: BluetoothFault.Design, at now: Instant) {
        for due in active(.connection) where due.kind == .design(design) { note(due, at: now) }
    }

    /// The differences of the radio's build that hold now.
    package var designs: [BluetoothFault.Design] {
        guard !entries.isEmpty else { return [] }
        return active(.connection).compactMap { if case .design(let design) = $0.kind { design } else { nil } }
    }

    // MARK: Later

    /// Keeps a packet for later; false when too many wait.
    mutating func hold(_ packet: [UInt8], of link: UInt32, until due: Instant) -> Bool {
        guard held.count < Self.mostHeld else { return false }
        held.append(Held(due: due, link: link, packet: packet))
        return true
    }

    /// The time at which the next packet has waited long enough.
    var deadline: Instant? { held.map(\.due).min() }

    /// Removes and returns the packets that have waited long enough, with the numbers of their links.
    mutating func release(at now: Instant) -> [(link: UInt32, packet: [UInt8])] {
        guard held.contains(where: { $0.due <= now }) else { return [] }
        let due = held.filter { $0.due <= now }
        held.removeAll { $0.due <= now }
        return due.map { ($0.link, $0.packet) }
    }

    /// A phone was asked for other parameters.
    mutating func ask(_ due: Due, of link: UInt32) { asked = (link, due) }

    /// A phone has set other parameters; only those that it was asked for count.
    mutating func parametersSet(_ parameters: HCI.ConnectionParameters, of link: UInt32, at now: Instant) {
        guard let asked, asked.link == link, let wanted = asked.due.kind.parameters,
            parameters.longestInterval == wanted.longestInterval, parameters.latency == wanted.latency
        else { return }
        self.asked = nil
        note(asked.due, at: now)
    }

    /// A link has ended: nothing of it comes any more.
    mutating func ended(_ link: UInt32) {
        held.removeAll { $0.link == link }
        if asked?.link == link { asked = nil }
    }
}

extension BluetoothFault.Operation {
    /// True when a host on a kernel's controller sees it.
    var isSeenByKernelHost: Bool { self != .pairing && self != .encryption }
}

extension BluetoothFaultLedger.Refusal: CustomStringConvertible {
    /// The reason as a sentence without its full stop.
    package var description: String {
        switch self {
        case .impossible(let problem): "\(problem.parameter) \(problem.reason)"
        case .excluded(let number): "fault \(number) decides on the same operation"
        case .needsController(let name): "\(name) needs a controller of the radio's own, and here the system keeps it"
        case .tooMany(let limit): "the radio has \(limit) faults, and can have no more"
        case .taken(let number): "there is a fault \(number) already"
        case .noBluetooth: "this link is none over Bluetooth"
        }
    }
}
