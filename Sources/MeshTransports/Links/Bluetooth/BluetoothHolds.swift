import Dispatch
import Glibc
import MeshBluetoothHost
import NIOCore
import Synchronization

/// The controllers that this program uses, one link each; of an adapter of bluetoothd, one link to each radio.
///
/// A caller that dials a radio again right after closing its link finds the controller still busy with hanging up. It
/// waits here until the controller is free. A program that ends by itself waits as well. A radio that was hung up on
/// can be found at once; an abandoned one only after some seconds.
package enum BluetoothHolds {
    /// One controller, from the begin of a dial until its channel is closed.
    package final class Hold: Sendable {
        private struct State {
            var leave: (@Sendable () -> Void)?
            var isHungUp = false
        }

        private let state = Mutex(State())

        package init() {}

        /// Sets the function that hangs up, and calls it where that was wanted before.
        func isLeft(by leave: @escaping @Sendable () -> Void) {
            let isHungUp = state.withLock { state in
                state.leave = leave
                return state.isHungUp
            }
            if isHungUp { leave() }
        }

        /// Hangs up, from any thread; a dial that has not begun ends as soon as it does.
        package func hangUp() {
            let leave = state.withLock { state in
                state.isHungUp = true
                return state.leave
            }
            leave?()
        }
    }

    /// The controller, and the radio if any, that one link uses exclusively.
    private struct Place: Hashable {
        let controller: BluetoothController
        /// The radio of the link, where others may use the controller as well.
        let peer: BluetoothCentral.Peer?

        init(_ plan: BluetoothWayPlan) {
            controller = plan.controller
            if case .desktop = plan.controller { peer = plan.peer } else { peer = nil }
        }

        init(_ controller: BluetoothController) { (self.controller, peer) = (controller, nil) }
    }

    private struct Entry {
        let hold: Hold
        let ended: EventLoopFuture<Void>
    }

    /// The longest wait, longer than a link needs to hang up.
    private static let patience = DispatchTimeInterval.seconds(8)
    private static let entries = Mutex<[Place: Entry]>([:])
    /// The registration of the wait at the end of the program, once.
    private static let isWaitedFor: Void = {
        atexit { BluetoothHolds.leaveAll() }
    }()

    /// Acquires the controller, which is free again when `ended` is fulfilled.
    ///
    /// Blocks while a closed link hangs up. Where the controller is not available, `ended` is fulfilled as well.
    static func take(
        _ plan: BluetoothWayPlan, as hold: Hold = Hold(), until ended: EventLoopPromise<Void>
    ) throws(LinkError) -> Hold {
        _ = isWaitedFor
        let place = Place(plan)
        let deadline = DispatchTime.now() + patience
        let entry = Entry(hold: hold, ended: ended.futureResult)
        while true {
            let before = entries.withLock { entries in
                let before = entries[place]
                if before == nil { entries[place] = entry }
                return before
            }
            guard let before else { break }
            guard wait(for: before.ended, until: deadline) else {
                ended.succeed()
                throw .unreachable(
                    plan.address, reason: "\(plan.controller) has another link of this program; close that first")
            }
        }
        ended.futureResult.whenComplete { _ in entries.withLock { entries in entries[place] = nil } }
        return entry.hold
    }

    /// Blocks while a closed link of this program hangs up; for callers that open the controller themselves.
    package static func waitUntilFree(_ controller: BluetoothController) {
        guard let before = entries.withLock({ $0[Place(controller)] }) else { return }
        _ = wait(for: before.ended, until: DispatchTime.now() + patience)
    }

    private static func wait(for ended: EventLoopFuture<Void>, until deadline: DispatchTime) -> Bool {
        let semaphore = DispatchSemaphore(value: 0)
        ended.whenComplete { _ in semaphore.signal() }
        return semaphore.wait(timeout: deadline) == .success
    }

    private static func leaveAll() {
        let all = entries.withLock { Array($0.values) }
        for entry in all { entry.hold.hangUp() }
        let deadline = DispatchTime.now() + patience
        for entry in all { _ = wait(for: entry.ended, until: deadline) }
    }
}
