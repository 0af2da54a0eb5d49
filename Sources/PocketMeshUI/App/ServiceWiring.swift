import FoundationEssentials
import PocketMeshServices

/// The wiring of a connection's services to the app, and what the app knows as long as they last.
///
/// It governs what is known of a connection, and when that is forgotten. It does not govern the connection, which
/// `ConnectionManager` does. It subscribes to nothing: `AppState` does.
///
/// ```
///            wire                     wire: the ones before are unwired
/// unwired ----------> wired ----------> wired
///    ^                  |
///    +----- unwire -----+       battery, progress and work are forgotten
/// ```
struct ServiceWiring: ~Copyable {
    /// The task that reads the events of services, and their subscription.
    struct Pump {
        var subscription: StackEvents.Subscription
        var task: Task<Void, Never>
    }

    private struct Wired {
        let container: ServiceContainer
        var pump: Pump?
        /// The pieces of work with the radio that the user waits for.
        var workCount = 0
        var progress: SyncProgress?
        var battery: Int?
    }

    private enum State: ~Copyable {
        /// The task of the services before, which reads on to the end of its buffered events.
        case unwired(last: Task<Void, Never>?)
        case wired(Wired)
    }

    private var state = State.unwired(last: nil)

    init() {}

    private init(_ state: consuming State) { self.state = state }

    // MARK: What is known

    var container: ServiceContainer? {
        switch state {
        case .wired(let wired): wired.container
        case .unwired: nil
        }
    }

    /// The progress of the synchronisation; `nil` when none runs.
    var progress: SyncProgress? {
        switch state {
        case .wired(let wired): wired.progress
        case .unwired: nil
        }
    }

    /// The radio's battery in millivolts, as it was read last.
    var battery: Int? {
        switch state {
        case .wired(let wired): wired.battery
        case .unwired: nil
        }
    }

    /// The pieces of work with the radio that the user waits for.
    var workCount: Int {
        switch state {
        case .wired(let wired): wired.workCount
        case .unwired: 0
        }
    }

    // MARK: Coming and going

    /// Wires new services; nothing is known of them yet.
    mutating func wire(_ container: ServiceContainer) {
        switch consume state {
        case .unwired: self = Self(.wired(Wired(container: container)))
        case .wired: self = Self(.wired(Wired(container: container)))
        }
    }

    /// Notes the reader of the events of wired services; returns `false` when there are none.
    @discardableResult
    mutating func follow(_ pump: Pump) -> Bool {
        switch consume state {
        case .wired(var wired):
            wired.pump = pump
            self = Self(.wired(wired))
            return true
        case .unwired(let last):
            self = Self(.unwired(last: last))
            return false
        }
    }

    /// Forgets the services and all that is known of them; returns the container and the subscription to end.
    mutating func unwire() -> (container: ServiceContainer, subscription: StackEvents.Subscription?)? {
        switch consume state {
        case .wired(let wired):
            self = Self(.unwired(last: wired.pump?.task))
            return (wired.container, wired.pump?.subscription)
        case .unwired(let last):
            self = Self(.unwired(last: last))
            return nil
        }
    }

    /// The task that still reads events, for the end of the program.
    var reader: Task<Void, Never>? {
        switch state {
        case .wired(let wired): wired.pump?.task
        case .unwired(let last): last
        }
    }

    // MARK: While it lasts

    /// Changes what is known of wired services; has no effect when there are none.
    private mutating func change(_ body: (inout Wired) -> Void) {
        switch consume state {
        case .wired(var wired):
            body(&wired)
            self = Self(.wired(wired))
        case .unwired(let last): self = Self(.unwired(last: last))
        }
    }

    mutating func note(progress: SyncProgress?) { change { $0.progress = progress } }

    mutating func note(battery millivolts: Int?) { change { $0.battery = millivolts } }

    /// Begins or ends a piece of work; an end without a beginning has no effect.
    mutating func note(workBegan hasBegun: Bool) {
        change { $0.workCount = max(0, $0.workCount + (hasBegun ? 1 : -1)) }
    }
}
