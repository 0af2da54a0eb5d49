import MeshBluetoothHost
import MeshTime

/// The times in which faults keep a radio from being found, and the address under which it is.
struct RadioAbsence {
    /// The address that the controller has; `nil` before it is set up.
    var shownAddress: BluetoothAddress?
    /// True while the radio has lost its link without a word.
    private(set) var isSilent = false
    /// The node is to learn of the end of its connection when the silence is over.
    private var tellsNode = false
    /// Advertising was put off, and its beginning is counted already.
    private var isPutOff = false
    /// The time at which faults of the present advertisement are over; `nil` for those that last.
    var mendsAt: Instant?
    /// The faults with a limit are over for the present advertisement.
    private var isMended = false

    /// The link is lost; `tellingNode`: an app was there.
    mutating func fallSilent(tellingNode: Bool) { (isSilent, tellsNode) = (true, tellingNode) }

    /// The silence is over; true when the node has to learn that its app has gone.
    mutating func endSilence() -> Bool {
        defer { (isSilent, tellsNode) = (false, false) }
        return tellsNode
    }

    /// The faults of the present advertisement that have a limit are over.
    mutating func mend() { (mendsAt, isMended, isPutOff) = (nil, true, false) }

    /// True for a fault whose time is over.
    func isMended(_ due: BluetoothFaultLedger.Due) -> Bool { isMended && due.kind.limit != nil }

    /// Counts a beginning of advertising, and returns the time for which a fault puts it off.
    mutating func begin(_ faults: inout BluetoothFaultLedger, at now: Instant) -> TimeSpan? {
        guard !faults.isEmpty, !isPutOff else {
            isPutOff = false
            return nil
        }
        isMended = false
        for due in faults.meet(.advertising) {
            guard case .secondCentral(let span) = due.kind else { continue }
            faults.note(due, at: now)
            isPutOff = true
            return span
        }
        return nil
    }

    /// The address of the next advertising: the radio's own, or a drawn one where a fault rotates it.
    func address(
        of radio: RadioIdentity, _ due: [BluetoothFaultLedger.Due], random: inout some RandomNumberGenerator
    ) -> BluetoothAddress {
        guard due.contains(where: { $0.kind == .addressRotates }) else { return radio.address }
        return BluetoothAddress(number: random.next() | 0xC000_0000_0000, isRandom: true)
    }
}

extension BluetoothFault.Kind {
    /// True when an advertisement of this name shows it.
    func isSeenInAdvertising(of name: [UInt8]) -> Bool {
        switch self {
        case .addressRotates, .serviceNotAdvertised: true
        case .nameCut(let count, _): count < name.count
        default: false
        }
    }

    /// The time after which the advertisement is right again; `nil` for a fault that lasts.
    var limit: TimeSpan? {
        switch self {
        case .serviceNotAdvertised(let span), .nameCut(_, let span): span
        default: nil
        }
    }

    var hidesService: Bool {
        if case .serviceNotAdvertised = self { true } else { false }
    }

    /// True when the present advertisement shows whether the radio has it.
    var isOfAdvertising: Bool {
        switch self {
        case .secondCentral, .addressRotates, .serviceNotAdvertised, .nameCut, .design(.bareName): true
        default: false
        }
    }

    /// True when a phone can see it in the radio's attributes.
    var isSeenInAttributes: Bool {
        switch self {
        case .servicesMoved: true
        case .design(let design):
            switch design {
            case .open, .otherReceive, .otherReceiveProperties, .otherTransmitProperties, .longestMTU: true
            default: false
            }
        default: false
        }
    }
}
