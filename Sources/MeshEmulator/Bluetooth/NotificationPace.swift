import MeshBluetoothHost
import MeshTime

/// A part of a frame that waits to be notified, with the faults that are due with it.
struct NotifiedPart {
    let value: [UInt8]
    /// The time at which the node sent it.
    let arrived: Instant
    /// The fault by which it is an indication; `nil` for a notification.
    let indication: BluetoothFaultLedger.Due?
    /// Faults to be carried out before it leaves.
    var due: [BluetoothFaultLedger.Due]

    init(_ value: [UInt8], due: [BluetoothFaultLedger.Due], at now: Instant) {
        self.value = value
        arrived = now
        indication = due.first { $0.kind == .indication }
        self.due = due.filter { $0.kind.isActOfLink }
    }
}

/// The pace that faults give the notifications of one connection: bunches, or gaps.
///
/// It decides when the first part that waits may leave. Without such faults each leaves at once.
struct NotificationPace {
    /// The time at which a held part is looked at again; `nil` while none is held.
    var heldUntil: Instant?
    /// The parts of the present bunch that may still leave.
    private var burst = 0
    /// The time before which no further part leaves.
    private var next: Instant?
    /// The wait of the first part is counted.
    private var isCounted = false

    /// Tells whether the first of these parts may leave now.
    mutating func lets(_ waiting: [NotifiedPart], _ faults: inout BluetoothFaultLedger, at now: Instant) -> Bool {
        guard !faults.isEmpty, let first = waiting.first, let due = fault(faults) else { return true }
        switch due.kind {
        case .bunchedNotifications(let count, let span):
            guard burst == 0 else { return true }
            guard waiting.count >= count || first.arrived + span <= now else {
                heldUntil = first.arrived + span
                return false
            }
            burst = waiting.count
            if waiting.count > 1 {
                let bytes = waiting.reduce(0) { $0 + $1.value.count }
                faults.note(due, frames: waiting.count, bytes: bytes, at: now)
            }
        case .slowNotifications:
            guard let next, now < next else { return true }
            if !isCounted { faults.note(due, frames: 1, bytes: first.value.count, at: now) }
            (isCounted, heldUntil) = (true, next)
            return false
        default: break
        }
        return true
    }

    /// A part has left.
    mutating func left(at now: Instant, _ faults: BluetoothFaultLedger) {
        burst = max(0, burst - 1)
        isCounted = false
        guard !faults.isEmpty, case .slowNotifications(let gap)? = fault(faults)?.kind else { return }
        next = now + gap
    }

    /// Tells whether the node may send more while parts wait for their bunch.
    func takesMore(than count: Int, _ faults: BluetoothFaultLedger) -> Bool {
        guard !faults.isEmpty, burst == 0, case .bunchedNotifications(let wanted, _)? = fault(faults)?.kind else {
            return false
        }
        return count < wanted
    }

    /// The fault that decides on the pace now.
    private func fault(_ faults: BluetoothFaultLedger) -> BluetoothFaultLedger.Due? {
        faults.active(.notification).first {
            switch $0.kind {
            case .bunchedNotifications, .slowNotifications: true
            default: false
            }
        }
    }
}

extension BluetoothFault.Kind {
    /// True when it happens to the link, not to a value or to the pace.
    var isActOfLink: Bool {
        switch self {
        case .linkLost, .disconnect, .connectionParameters, .serviceChanged: true
        default: false
        }
    }

    /// True when the link is gone afterwards.
    var endsLink: Bool {
        switch self {
        case .linkLost, .disconnect: true
        default: false
        }
    }
}
